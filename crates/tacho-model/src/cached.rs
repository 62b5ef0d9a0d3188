//! What the cache holds, and what cleaning it did.

use crate::Timestamp;

/// Something that the cache holds and that can be made anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    /// What it is.
    pub kind: CachedKind,
    /// Its path from the cache's folder, without the endings of the files that belong to it.
    pub name: String,
    /// A label for people: that of the environment it is, or was built for.
    pub label: Option<String>,
    /// The room that it takes on the disk. What several share is counted for one of them only.
    pub size_bytes: u64,
    /// When it was last used, as far as that is known.
    pub used_at: Timestamp,
}

/// What a cached thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CachedKind {
    /// An environment, or the note that it could not be made.
    Environment,
    /// A wheel, or the note that it could not be built.
    Build,
    /// A repository with its checkouts.
    Repository,
    /// Anything else.
    Other,
}

impl CachedKind {
    /// Returns the kind as one word.
    pub fn word(self) -> &'static str {
        match self {
            CachedKind::Environment => "environment",
            CachedKind::Build => "build",
            CachedKind::Repository => "repository",
            CachedKind::Other => "other",
        }
    }
}

/// What became of the cached things.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleaning {
    /// Those that are gone, or would be.
    pub removed: Vec<Cached>,
    /// Those that had to go and are there still, as somebody uses them.
    pub in_use: Vec<Cached>,
    /// Those that were to stay.
    pub kept: Vec<Cached>,
}

impl Cleaning {
    /// Returns the room that is free now and was not before, in bytes.
    pub fn freed_bytes(&self) -> u64 {
        self.removed.iter().map(|cached| cached.size_bytes).sum()
    }

    /// Returns the room that is taken still, in bytes.
    pub fn left_bytes(&self) -> u64 {
        self.in_use.iter().chain(&self.kept).map(|cached| cached.size_bytes).sum()
    }
}
