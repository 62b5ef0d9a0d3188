//! How often stored results of unchanged code are called faster or slower, and how often a change is found, on real noise.
//!
//! Ninety of the ninety-two runs of OpenBLAS' benchmarks on one Graviton machine used one version of the library: nothing changed
//! between most neighbours. The same runs with every value of the later side made larger have a known change.

use std::path::Path;

use tacho_judge::{CompareOptions, History, Rule, compare};
use tacho_model::{Results, Standing, State, Verdict};
use tacho_store::AsvResults;

/// How much of a past a comparison sees, as the command does.
const MOST_RUNS: usize = 60;

fn runs() -> Vec<Results> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/asv-results/blas/results");
    let Ok(asv) = AsvResults::open(&folder) else {
        eprintln!("skipped: no results in {}", folder.display());
        return vec![];
    };
    let files = asv.files().unwrap().into_iter().filter(|file| file.machine == "gha-aws-graviton");
    let mut runs: Vec<Results> = files.map(|file| asv.read(&file, "blas").unwrap()).collect();
    runs.sort_by_key(|run| run.provenance.started_at);
    runs
}

/// Compares each run with the next, of whose values `factor` times as much is taken. Returns how many cases were judged by their
/// past, how many were called slower, and how many faster.
fn judged(runs: &[Results], factor: f64) -> (usize, usize, usize) {
    let options = CompareOptions { rule: Rule::Own, across: [].into(), band: &|_| 0.02 };
    let mut counts = (0, 0, 0);
    for at in 1..runs.len() {
        let mut history = History::default();
        runs[(at + 1).saturating_sub(MOST_RUNS)..=at].iter().for_each(|run| history.push(run));
        let mut after = runs[at].clone();
        for outcome in after.outcomes.iter_mut().filter(|outcome| outcome.state == State::Measured) {
            outcome.value = outcome.value.map(|value| value * factor);
        }
        for one in compare(&runs[at - 1..at], &[after], &history, &options) {
            let Standing::Judged(judgement) = one.standing else { continue };
            if !matches!(judgement.basis, tacho_model::Basis::History { .. }) {
                continue;
            }
            counts.0 += 1;
            counts.1 += usize::from(judgement.verdict == Verdict::Slower);
            counts.2 += usize::from(judgement.verdict == Verdict::Faster);
        }
    }
    counts
}

#[test]
fn one_unchanged_case_in_a_hundred_is_called_changed() {
    let runs = runs();
    if runs.is_empty() {
        return;
    }
    let (n, slower, faster) = judged(&runs, 1.0);
    assert!(n > 5000, "{n} cases judged");
    let share = (slower + faster) as f64 / n as f64;
    assert!(share <= 0.013, "{slower} slower and {faster} faster of {n}");
    eprintln!("unchanged: {share:.4} of {n}");
}

#[test]
fn a_change_of_a_tenth_is_found() {
    let runs = runs();
    if runs.is_empty() {
        return;
    }
    for (factor, least) in [(1.1, 0.8), (1.3, 0.95)] {
        let (n, slower, faster) = judged(&runs, factor);
        let share = slower as f64 / n as f64;
        assert!(share >= least, "{factor}: {slower} slower and {faster} faster of {n}");
        eprintln!("{factor}: {share:.3} of {n} slower");
    }
}
