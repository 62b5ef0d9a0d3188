//! Programs on the search path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

/// Where programs are looked for.
#[derive(Debug, Clone)]
pub struct Search {
    path: Vec<PathBuf>,
    /// Folders that a name is looked for in besides, where a tool's installer puts it.
    usual: Vec<PathBuf>,
}

impl Search {
    /// Looks in the folders of the variable `PATH`, and for tools in those of the user that installers use.
    pub fn from_env() -> Search {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let usual = home.iter().flat_map(|home| [home.join(".local/bin"), home.join(".cargo/bin")]).collect();
        let path = std::env::var_os("PATH").unwrap_or_default();
        Search { path: std::env::split_paths(&path).collect(), usual }
    }

    /// Looks in these folders only.
    pub fn of(path: Vec<PathBuf>) -> Search {
        Search { path, usual: Vec::new() }
    }

    /// Returns the program of a name in the folders of `PATH`.
    pub(super) fn on_path(&self, name: &str) -> Option<PathBuf> {
        // A relative folder would make another program of it wherever one works.
        let folders = self.path.iter().filter(|folder| folder.is_absolute());
        folders.map(|folder| folder.join(name)).find(|path| is_executable(path))
    }

    /// Returns the program of a tool: on the search path, else beside the active `python3`, else where it is usual.
    pub(super) fn tool(&self, name: &str) -> Option<PathBuf> {
        let beside = || self.on_path("python3").map(|python| python.with_file_name(name));
        let usual = || self.usual.iter().map(|folder| folder.join(name));
        self.on_path(name).or_else(|| beside().into_iter().chain(usual()).find(|path| is_executable(path)))
    }

    /// Returns the variable `PATH` with a folder before all others.
    pub(super) fn variable(&self, first: Option<&Path>) -> (String, Option<String>) {
        let folders = first.into_iter().chain(self.path.iter().map(PathBuf::as_path));
        let joined = std::env::join_paths(folders).unwrap_or_else(|_| OsString::new());
        ("PATH".into(), Some(joined.to_string_lossy().into_owned()))
    }
}

/// Returns true for a file that this user can execute.
pub(super) fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// Returns true for a script: it may start another program each time.
pub(super) fn is_script(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0_u8; 2];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok_and(|()| &head == b"#!")
}
