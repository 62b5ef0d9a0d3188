//! What a run measured: a commit, a dirty tree, a released version, a date.

use crate::Timestamp;

/// What a run measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A commit of the project.
    Commit {
        /// The full hash, in hexadecimal.
        hash: String,
        /// The author's date (asv's choice), where the repository was at hand.
        date: Option<Timestamp>,
    },
    /// A work tree with changes that no commit holds. Never enters history.
    Tree {
        /// The git tree id of everything that is not ignored.
        tree: String,
        /// The commit the work tree stands on, if there is one yet.
        parent: Option<String>,
    },
    /// A released version of a package.
    Version {
        /// The package's name.
        package: String,
        /// Its version.
        version: String,
    },
    /// A moment, where nothing else names what was measured.
    Date {
        /// The moment.
        date: Timestamp,
    },
}

impl Subject {
    /// Returns the word that names the kind of subject in every format.
    pub fn kind(&self) -> &'static str {
        match self {
            Subject::Commit { .. } => "commit",
            Subject::Tree { .. } => "tree",
            Subject::Version { .. } => "version",
            Subject::Date { .. } => "date",
        }
    }

    /// Returns true where the subject may stand in a history; a dirty tree may not.
    pub fn enters_history(&self) -> bool {
        !matches!(self, Subject::Tree { .. })
    }

    /// Returns the text that identifies the subject among those of its kind.
    pub fn id(&self) -> String {
        match self {
            Subject::Commit { hash, .. } => hash.clone(),
            Subject::Tree { tree, .. } => tree.clone(),
            Subject::Version { package, version } => format!("{package}=={version}"),
            Subject::Date { date } => date.unix_us.to_string(),
        }
    }

    /// Returns the date of a commit, where it is known, or the date that the subject is.
    pub fn date(&self) -> Option<Timestamp> {
        match self {
            Subject::Commit { date, .. } => *date,
            Subject::Date { date } => Some(*date),
            Subject::Tree { .. } | Subject::Version { .. } => None,
        }
    }

    /// Returns the first eight characters of the hash or tree id, or the whole of a shorter id.
    pub fn short(&self) -> String {
        match self {
            Subject::Commit { hash, .. } => hash.chars().take(8).collect(),
            Subject::Tree { tree, .. } => tree.chars().take(8).collect(),
            Subject::Version { .. } | Subject::Date { .. } => self.id(),
        }
    }
}
