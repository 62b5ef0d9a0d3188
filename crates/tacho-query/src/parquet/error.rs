//! What can go wrong while Parquet is written.

use std::path::{Path, PathBuf};

use crate::QueryError;

/// What can go wrong while Parquet is written.
#[derive(Debug, thiserror::Error)]
pub enum ParquetError {
    /// The index cannot be read, or a question has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A file or folder cannot be written.
    #[error("cannot write `{}`", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file does not take what is written, or the system does not.
    #[error("cannot write Parquet")]
    Format(#[from] ::parquet::errors::ParquetError),
    /// A folder holds something that was not written here.
    #[error("`{}` holds `{entry}`, which is not of a data set of tacho's", folder.display())]
    HoldsOthers {
        /// The folder.
        folder: PathBuf,
        /// What it holds.
        entry: String,
    },
    /// A file that was not written here.
    #[error("`{}` is there, and is no Parquet file of tacho's", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// What is no regular file is never replaced.
    #[error("`{}` is there, and is no regular file", path.display())]
    NoFile {
        /// What it is.
        path: PathBuf,
    },
    /// The folder is that in which the program runs: it would be replaced below the user's feet.
    #[error("`{}` is the folder that this was called from, or one above it", folder.display())]
    Inside {
        /// The folder.
        folder: PathBuf,
    },
}

impl ParquetError {
    pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ParquetError {
        let path = path.to_owned();
        |source| ParquetError::Io { path, source }
    }
}
