//! Files that the index is made from, as far as it remembers them.

/// A file as it was when it was looked at, without being opened.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileStamp {
    /// The path, in one spelling for each file.
    pub path: String,
    /// Its size.
    pub n_bytes: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Tells everything beside the file that decides how it is read: where that changes, the file is read again.
    pub beside: i64,
}

/// A file that could not be read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The path.
    pub path: String,
    /// What was wrong with it.
    pub reason: String,
}
