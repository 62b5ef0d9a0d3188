//! What a run measured, in words.

use tacho_model::Subject;

use crate::moment_text;

/// Returns what was measured for people: `commit 1a2b3c4d`, `work tree 1a2b3c4d on 5e6f7a8b (local only)`,
/// `numpy 1.26.4`, `2024-05-01 12:00 UTC`. The text is as raw as the subject's own.
pub fn subject_text(subject: &Subject) -> String {
    match subject {
        Subject::Commit { .. } => format!("commit {}", subject.short()),
        Subject::Tree { parent: Some(parent), .. } => {
            let parent: String = parent.chars().take(8).collect();
            format!("work tree {} on {parent} (local only)", subject.short())
        }
        Subject::Tree { parent: None, .. } => {
            format!("work tree {} before the first commit (local only)", subject.short())
        }
        Subject::Version { package, version } => format!("{package} {version}"),
        Subject::Date { date } => moment_text(*date),
    }
}
