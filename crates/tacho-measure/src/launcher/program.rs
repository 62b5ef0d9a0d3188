//! Finds the program of a command before the clock runs, so that what is wrong has a name.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::wire::Failure;

/// Returns the path of the program: one with a slash is taken from `dir`, a name is looked for in `path`.
pub(super) fn find(program: &OsStr, dir: &Path, path: &OsStr) -> Result<PathBuf, Failure> {
    if !dir.is_dir() {
        return Err(Failure::NoFolder);
    }
    if program.is_empty() {
        return Err(Failure::NotFound);
    }
    if program.as_bytes().contains(&b'/') {
        return executable(dir.join(program));
    }
    let mut failure = Failure::NotFound;
    for folder in std::env::split_paths(path) {
        match executable(dir.join(folder).join(program)) {
            Ok(found) => return Ok(found),
            Err(Failure::NotFound) => {}
            Err(other) => failure = other,
        }
    }
    Err(failure)
}

fn executable(path: PathBuf) -> Result<PathBuf, Failure> {
    if !path.exists() {
        return Err(Failure::NotFound);
    }
    match path.is_file() && rustix::fs::access(&path, Access::EXEC_OK).is_ok() {
        true => Ok(path),
        false => Err(Failure::NotExecutable),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn check(program: &str, expected: Result<&str, Failure>) {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        for (name, mode) in [("bin/tool", 0o755), ("bin/text", 0o644), ("late/text", 0o755), ("here", 0o755)] {
            std::fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
            std::fs::write(dir.join(name), "").unwrap();
            std::fs::set_permissions(dir.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let found = find(program.as_ref(), dir, "absent:bin:late".as_ref());
        assert_eq!(found, expected.map(|inner| dir.join(inner)), "{program}");
    }

    #[test]
    fn names_are_looked_for_and_paths_are_taken() {
        check("tool", Ok("bin/tool"));
        check("text", Ok("late/text"));
        check("bin/tool", Ok("bin/tool"));
        check("./here", Ok("./here"));
        check("here", Err(Failure::NotFound));
        check("bin/text", Err(Failure::NotExecutable));
        check("bin/", Err(Failure::NotExecutable));
        check("bin", Err(Failure::NotFound));
        check("./absent", Err(Failure::NotFound));
        check("", Err(Failure::NotFound));
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        assert_eq!(find("sh".as_ref(), Path::new("/no/such"), "/bin".as_ref()), Err(Failure::NoFolder));
    }
}
