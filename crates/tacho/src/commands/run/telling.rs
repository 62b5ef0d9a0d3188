//! What `run` says: before a cell is measured, after it, and at the end.

use std::path::{Path, PathBuf};

use tacho_measure::Finish;
use tacho_model::unit::counted;
use tacho_model::{Completeness, Outcome, Problem, Provenance, Run, State};
use tacho_report::{NextSteps, Shown};

use super::Wanted;
use super::cell::Cell;
use crate::context::{Context, quoted, shell_word};
use crate::error::{CommandError, Result};
use crate::exit;
use crate::settings::Origin;
use crate::suite_session::SuiteSession;

/// How a run came to its end.
pub(super) struct Done {
    pub(super) finish: Finish,
    pub(super) kept: Option<PathBuf>,
    /// What kept it from coming to a better one.
    pub(super) troubles: Vec<CommandError>,
    pub(super) wall_s: f64,
}

/// What has come of the cells so far.
pub(super) struct Tally {
    n_cells: usize,
    n_begun: usize,
    codes: Vec<u8>,
    /// For JSON: each run, or where it is kept.
    runs: Vec<(Run, Option<PathBuf>)>,
    n_kept: usize,
}

/// Says on standard error what is about to be measured, and what should be known about it.
pub(super) fn announce(
    run: &Run,
    taken_up: Option<String>,
    session: &SuiteSession,
    wanted: &Wanted,
    tally: &Tally,
    context: &Context<'_>,
) {
    let everything = wanted.args.bench.is_empty();
    let Run { provenance, planned, problems, .. } = run;
    let n_cases: usize = planned.iter().map(|plan| plan.cases.len()).sum();
    let environment = &provenance.environment;
    let of = if tally.is_single() { String::new() } else { format!("[{}/{}] ", tally.n_begun + 1, tally.n_cells) };
    context.console.talk(&format!(
        "{of}Measuring {} ({}), {} of {}, in {} ({}) on {}.",
        tacho_report::harmless_line(&provenance.project),
        subject_words(provenance, tally),
        counted(n_cases, "case"),
        counted(planned.len(), "benchmark"),
        environment.interpreter,
        session.discovery.executable,
        provenance.machine.name,
    ));
    if let Some(taken_up) = taken_up {
        context.console.talk(&taken_up);
    }
    if std::env::var_os("PYTHONPATH").is_some() && std::env::var_os("ASV_PYTHONPATH").is_none() && tally.n_begun == 0 {
        context.console.warn("PYTHONPATH is not handed on to benchmarks; set ASV_PYTHONPATH to give them one");
    }
    if !problems.is_empty() && everything {
        let page = tacho_report::problems(problems, false);
        context.console.complain(page.terminal(&context.console.talk_screen()).trim_end());
    }
}

/// Where there are several cells, what they differ in is said with what is measured.
fn subject_words(provenance: &Provenance, tally: &Tally) -> String {
    let subject = tacho_report::subject_text(&provenance.subject);
    let axes = provenance.environment.axes.iter().filter(|(name, _)| *name != "python");
    let axes: Vec<String> = axes.map(|(name, value)| format!("{name}={value}")).collect();
    if tally.is_single() || axes.is_empty() { subject } else { format!("{subject}, {}", axes.join(" ")) }
}

impl Tally {
    pub(super) fn new(n_cells: usize) -> Tally {
        Tally { n_cells, n_begun: 0, codes: vec![], runs: vec![], n_kept: 0 }
    }

    /// Returns true where there is nothing but one cell to tell of.
    pub(super) fn is_single(&self) -> bool {
        self.n_cells == 1
    }

    /// Counts a cell that is begun.
    pub(super) fn begin(&mut self) {
        self.n_begun += 1;
    }

    /// Tells of a cell that could not be begun; the others go on.
    pub(super) fn lose(&mut self, cell: &Cell, error: &CommandError, context: &Context<'_>) {
        self.codes.push(exit::NO_ANSWER);
        let about = cell.words();
        context.console.complain(&format!("{about}: {}", error.text().trim_start_matches("error: ")));
    }

    /// Tells what came of a cell, and of a single one what to do next.
    pub(super) fn report(
        &mut self,
        wanted: &Wanted,
        run: Run,
        session: &SuiteSession,
        done: &Done,
        context: &Context<'_>,
    ) -> Result<()> {
        let outcomes = tacho_judge::outcomes(&run);
        if !wanted.args.json {
            self.print_summary(wanted, &run, &outcomes, done, context);
        }
        tell_of_spawning(wanted, session, context);
        match &done.kept {
            Some(path) if self.is_single() => {
                context.console.talk(&format!("Kept in {}.", quoted(&shorter(path, &context.cwd))));
            }
            _ => {}
        }
        tell_of_interruption(wanted, done, context);
        self.n_kept += usize::from(done.kept.is_some());
        let is_lost = done.kept.is_none() && !wanted.args.keep_nothing;
        self.codes.push(if is_lost { exit::NO_ANSWER } else { code(wanted, &run, &outcomes, done.is_whole()) });
        if wanted.args.json {
            self.runs.push((run, done.kept.clone()));
        }
        Ok(())
    }

    fn print_summary(&self, wanted: &Wanted, run: &Run, outcomes: &[Outcome], done: &Done, context: &Context<'_>) {
        let console = context.console;
        let counts = tacho_judge::counts(outcomes);
        let next = match self.is_single() {
            true => next_steps(wanted, done, context),
            false => NextSteps { show: None, again: None },
        };
        console.result(&tacho_report::run_summary(outcomes, &counts, done.wall_s, &next, &console.line_screen()));
        if let Some(limit) = wanted.args.durations {
            console.result(&tacho_report::durations(&tacho_judge::durations(run), limit.0).terminal(&console.screen()));
        }
    }

    /// Tells what came of all cells. Returns the exit code.
    pub(super) fn close(self, wanted: &Wanted, context: &Context<'_>) -> Result<u8> {
        let console = context.console;
        if wanted.args.json {
            print_json(wanted, &self.runs, context);
        }
        if wanted.args.keep_nothing {
            console.talk("Nothing was kept (--keep-nothing).");
        } else if !self.is_single() {
            let folder = context.store(Some(&wanted.settings)).root().join("records");
            let folder = quoted(&shorter(&folder, &context.cwd));
            console.talk(&format!("{} kept in {folder}.", counted(self.n_kept, "run")));
        }
        let lost = console.tell_of_lost_output();
        let is_measured = self.codes.iter().any(|code| *code != exit::NO_ANSWER);
        let is_whole = !lost && self.codes.iter().all(|code| *code == exit::YES);
        Ok(match (self.n_cells, is_measured, is_whole) {
            (0, ..) => exit::YES,
            (_, false, _) => exit::NO_ANSWER,
            (_, true, false) => exit::PARTIAL,
            (_, true, true) => exit::YES,
        })
    }
}

fn tell_of_spawning(wanted: &Wanted, session: &SuiteSession, context: &Context<'_>) {
    let how = match wanted.settings.launch_method.value.as_str() {
        "fork" | "forkserver" => "was forked as asked, which is not safe",
        _ => "got a new interpreter; forking is not safe",
    };
    for (module, reasons) in session.executor.fork_hazards() {
        context.console.talk(&format!("Each case of {module} {how}: {}.", reasons.join(", ")));
    }
}

impl Done {
    fn is_whole(&self) -> bool {
        self.finish == Finish::Complete && self.troubles.is_empty()
    }
}

/// Says why a run did not come to its end, what is left of it, and how it goes on.
fn tell_of_interruption(wanted: &Wanted, done: &Done, context: &Context<'_>) {
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

/// Prints the runs as they are kept, so that they read the same here and from `tacho show`.
fn print_json(wanted: &Wanted, runs: &[(Run, Option<PathBuf>)], context: &Context<'_>) {
    let store = context.store(Some(&wanted.settings));
    let kept: Vec<Run> = runs
        .iter()
        .map(|(run, path)| path.as_deref().and_then(|path| store.read(path).ok()).unwrap_or_else(|| run.clone()))
        .collect();
    let outcomes: Vec<Vec<Outcome>> = kept.iter().map(tacho_judge::outcomes).collect();
    let counts: Vec<_> = outcomes.iter().map(|outcomes| tacho_judge::counts(outcomes)).collect();
    let shown: Vec<Shown<'_>> = kept
        .iter()
        .zip(&outcomes)
        .zip(&counts)
        .map(|((run, outcomes), counts)| Shown { run, outcomes, counts })
        .collect();
    context.console.result(&tacho_report::json::show(&shown, false));
}

/// The commands that go on from here, as the user would type them.
fn next_steps(wanted: &Wanted, done: &Done, context: &Context<'_>) -> NextSteps {
    if context.console.quiet {
        return NextSteps { show: None, again: None };
    }
    let config = context.config_flag.as_deref().map(|path| format!(" --config {}", quoted(path))).unwrap_or_default();
    let file = wanted.args.range.as_deref().filter(|_| matches!(wanted.settings.suite.origin, Origin::Flag(_)));
    let file = file.map(|file| format!(" {}", shell_word(file))).unwrap_or_default();
    let python =
        wanted.args.python.as_deref().map(|program| format!(" --python {}", shell_word(program))).unwrap_or_default();
    NextSteps {
        show: done.kept.is_some().then(|| format!("tacho{config} show")),
        again: Some(format!("tacho{config} run{file}{python}")),
    }
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

pub(crate) fn shorter(path: &Path, cwd: &Path) -> PathBuf {
    let inside = path.strip_prefix(cwd).ok().filter(|_| cwd.parent().is_some());
    inside.unwrap_or(path).to_owned()
}

fn code(wanted: &Wanted, run: &Run, outcomes: &[Outcome], is_whole: bool) -> u8 {
    let measured = outcomes.iter().any(|outcome| outcome.state == State::Measured);
    let failed = outcomes.iter().any(|outcome| outcome.state.is_failure());
    // A module that cannot be imported matters where everything was asked for; with -b it may be beside the point.
    let listed = |name: &String| run.planned.iter().any(|plan| plan.benchmark.name == *name);
    let loses = |problem: &Problem| !problem.benchmark.as_ref().is_some_and(listed);
    let lost_modules = wanted.args.bench.is_empty() && run.problems.iter().any(loses);
    match (measured, failed || lost_modules || !is_whole) {
        (false, _) => exit::NO_ANSWER,
        (true, true) => exit::PARTIAL,
        (true, false) => exit::YES,
    }
}
