//! What is told of a run that did not come to its end.

use tacho_model::Completeness;

use super::{Done, Wanted, counted};
use crate::context::{Context, quoted, shell_word};

/// Says why a run did not come to its end, what is left of it, and how it goes on.
pub(super) fn tell(wanted: &Wanted, done: &Done, context: &Context<'_>) {
    let console = context.console;
    for trouble in &done.troubles {
        console.complain(&trouble.text());
    }
    if done.is_whole() {
        return;
    }
    let kept = done.kept.as_ref().and_then(|path| context.store(Some(&wanted.settings)).read(path).ok());
    let Some(kept) = kept else {
        return console.complain("Interrupted: nothing is kept.");
    };
    let n_rounds = counted(kept.rounds.len(), "round");
    console.complain(&match (kept.completeness, done.troubles.is_empty()) {
        (Completeness::Sealed, _) => format!("All {n_rounds} are kept; the record is not compressed yet."),
        (_, true) => format!("Interrupted: {n_rounds} kept, as a partial run."),
        (_, false) => format!("Interrupted: {n_rounds} kept, as a partial run. Once that is put right it can go on."),
    });
    console.complain(&format!("hint: {}", resuming(wanted, context)));
}

/// The command that goes on with the run that was interrupted, as the user would type it. What selects cases and
/// overrides attributes stands in the record.
fn resuming(wanted: &Wanted, context: &Context<'_>) -> String {
    let args = &wanted.args;
    let mut words = vec!["tacho".to_owned()];
    words.extend(context.config_flag.as_deref().map(|path| format!("--config {}", quoted(path))));
    words.push("run --resume".to_owned());
    words.extend(args.range.as_deref().map(shell_word));
    words.extend(args.environment.iter().map(|spec| format!("-E {}", shell_word(spec))));
    let flags = [
        ("--python", &args.python),
        ("--machine", &args.machine),
        ("--method", &args.method),
        ("--launch-method", &args.launch_method),
        ("--set-commit-hash", &args.set_commit_hash),
    ];
    let given = flags.iter().filter_map(|(flag, value)| Some(format!("{flag} {}", shell_word(value.as_deref()?))));
    words.extend(given);
    words.join(" ")
}
