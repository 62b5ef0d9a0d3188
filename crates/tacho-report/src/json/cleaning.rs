//! `tacho.clean/1`.

use serde::Serialize;
use tacho_model::{Cached, Cleaning};

use crate::rfc3339;

#[derive(Serialize)]
pub(super) struct CleanDocument<'a> {
    dry_run: bool,
    removed: Vec<CachedTwin<'a>>,
    in_use: Vec<CachedTwin<'a>>,
    kept: Vec<CachedTwin<'a>>,
    freed_bytes: u64,
    left_bytes: u64,
}

impl CleanDocument<'_> {
    pub(super) fn of(cleaning: &Cleaning, dry_run: bool) -> CleanDocument<'_> {
        let Cleaning { removed, in_use, kept } = cleaning;
        CleanDocument {
            dry_run,
            removed: removed.iter().map(CachedTwin::of).collect(),
            in_use: in_use.iter().map(CachedTwin::of).collect(),
            kept: kept.iter().map(CachedTwin::of).collect(),
            freed_bytes: cleaning.freed_bytes(),
            left_bytes: cleaning.left_bytes(),
        }
    }
}

#[derive(Serialize)]
struct CachedTwin<'a> {
    kind: &'static str,
    name: &'a str,
    label: Option<&'a str>,
    size_bytes: u64,
    used_at: Option<String>,
}

impl CachedTwin<'_> {
    fn of(cached: &Cached) -> CachedTwin<'_> {
        let Cached { kind, name, label, size_bytes, used_at } = cached;
        CachedTwin {
            kind: kind.word(),
            name,
            label: label.as_deref(),
            size_bytes: *size_bytes,
            used_at: rfc3339(*used_at),
        }
    }
}
