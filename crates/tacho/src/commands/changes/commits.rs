//! What the repository knows of the commits that can be to blame: how many there are, and what they are called.

use tacho_model::Subject;
use tacho_report::Changes;

use crate::mainline::Mainline;

/// Adds to each group the number of commits that can be to blame, measured or not, and the title of the last of them.
pub(super) fn describe(changes: &mut Changes, mainline: &Mainline) {
    let hash_of = |subject: &Subject| match subject {
        Subject::Commit { hash, .. } => Some(hash.clone()),
        _ => None,
    };
    let hashes: Vec<String> = changes.groups.iter().filter_map(|group| hash_of(group.latest())).collect();
    let titles = mainline.titles(&hashes);
    for group in &mut changes.groups {
        let title = hash_of(group.latest()).and_then(|hash| titles.get(&hash).cloned());
        let ends = group.innocent().and_then(|subject| mainline.place(subject)).zip(mainline.place(group.latest()));
        group.n_candidates = ends.and_then(|(first, last)| last.checked_sub(first));
        group.title = title;
    }
    changes.repository = !mainline.commits().is_empty();
}
