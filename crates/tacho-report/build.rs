//! Takes in the site's page where it was built (`cargo xtask web`); without it everything builds all the same.

#![allow(clippy::disallowed_methods, reason = "this is no part of the pure room: it runs before it is compiled")]
#![allow(clippy::print_stdout, reason = "how a build script talks to cargo")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let assets = root.join("../../web/dist/assets");
    // A folder that comes or goes is noticed by the folder above, which is always there.
    println!("cargo::rerun-if-changed={}", root.join("../../web").display());
    println!("cargo::rerun-if-changed={}", assets.display());
    let mut code = String::from(
        "/// The page's files: their paths from the site's folder, and their contents.\npub(super) static BUILT: &[(&str, &[u8])] = &[\n",
    );
    for file in files(&assets) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let _ =
            writeln!(code, "    ({:?}, include_bytes!({:?})),", format!("assets/{name}"), file.display().to_string());
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("web.rs"), code)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.is_file()).filter_map(|path| path.canonicalize().ok()).collect();
    files.sort();
    files
}
