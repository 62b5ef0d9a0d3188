//! Which files were written here: they say so in their metadata.

use std::fs::File;
use std::path::Path;

use ::parquet::file::reader::{FileReader, SerializedFileReader};

use super::file::SCHEMA_KEY;

/// Returns the schema that a file of ours is of; `None` for any other file, and for one that is damaged.
pub(super) fn schema_of(path: &Path) -> Option<String> {
    // What is no file may block for ever.
    if !std::fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let reader = SerializedFileReader::new(File::open(path).ok()?).ok()?;
    let said = reader.metadata().file_metadata().key_value_metadata()?;
    said.iter().find(|pair| pair.key == SCHEMA_KEY)?.value.clone()
}

/// Returns whether a schema is one of these, in whatever version.
pub(super) fn is_called(schema: &str, name: &str) -> bool {
    schema.split_once('/').is_some_and(|(called, _)| called == name)
}
