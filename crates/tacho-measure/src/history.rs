//! The history of a project: which commits or versions a run is asked for, and commits checked out in work trees of our own.
//!
//! A [`Repository`] is only ever read. Whatever is checked out lies in the cache, in a repository of our own that
//! borrows the objects of the user's; see [`Sources`].

mod error;
mod folder;
mod line;
mod mirror;
mod nearest;
mod range;
mod repository;
mod sampling;
mod sources;
mod versions;
mod walk;

pub use error::HistoryError;
pub use mirror::Mirrored;
pub use range::{Range, Selection};
pub use repository::{Branch, Repository};
pub use sampling::{Period, date_period, steps};
pub use sources::{CheckOut, Sources};
pub use versions::{VersionRange, VersionSelection, version_order};
pub use walk::Commit;

#[cfg(test)]
mod fixture;
