//! The page's script and style, which are part of the program where they were built before it.

use super::{SiteAssets, SiteFile};

include!(concat!(env!("OUT_DIR"), "/web.rs"));

/// Returns what pages load, and the files of it. Without a built page it is the plain style alone.
pub(super) fn web() -> (SiteAssets, Vec<SiteFile>) {
    let plain = SiteFile::new("assets/plain.css", include_str!("plain.css"));
    let ending = |end: &str| -> Vec<String> {
        BUILT.iter().map(|(path, _)| *path).filter(|path| path.ends_with(end)).map(str::to_owned).collect()
    };
    let mut styles = ending(".css");
    // The page's own style holds for the tables too.
    if styles.is_empty() {
        styles.push(plain.path.clone());
    }
    let assets = SiteAssets { script: ending(".js").into_iter().next(), styles };
    let built = BUILT.iter().map(|(path, content)| SiteFile::new(*path, *content));
    (assets, std::iter::once(plain).chain(built).collect())
}

/// Returns true where the page with its script is part of this program.
pub fn has_script() -> bool {
    BUILT.iter().any(|(path, _)| path.ends_with(".js"))
}
