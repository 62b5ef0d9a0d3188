//! What `run` says: before a cell is measured, after it, and at the end.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tacho_measure::Finish;
use tacho_model::unit::counted;
use tacho_model::{Build, Completeness, Environment, Outcome, Problem, Provenance, Run, State};
use tacho_report::{NextSteps, Shown};

use super::Wanted;
use super::agenda::Agenda;
use super::cell::{Cell, Fate};
use super::made::Alone;
use crate::context::{Context, quoted, shell_word};
use crate::error::{CommandError, Result};
use crate::exit;
use crate::settings::Origin;
use crate::suite_session::SuiteSession;

/// So many runs that could not be built before are told one by one.
const TOLD: usize = 8;

/// How a run came to its end.
pub(super) struct Done {
    pub(super) finish: Finish,
    pub(super) kept: Option<PathBuf>,
    /// What kept it from coming to a better one.
    pub(super) troubles: Vec<CommandError>,
    pub(super) wall_s: f64,
    /// Whether it was the budget's time that was up.
    pub(super) is_out_of_time: bool,
}

/// What has come of the cells so far.
pub(super) struct Tally {
    /// Cells that are to be measured.
    n_cells: usize,
    /// Cells of the agenda, with those that are there already.
    n_all: usize,
    /// Whether nothing that is asked for can be built.
    is_hopeless: bool,
    n_begun: usize,
    codes: Vec<u8>,
    /// For JSON: each run, or where it is kept.
    runs: Vec<(Run, Option<PathBuf>)>,
    n_kept: usize,
    /// Cells that could not be begun at all.
    n_lost: usize,
    /// Cells that could not be built before, where that is not what was asked to be left out.
    n_unbuildable: usize,
    /// Whether it ended before all cells were begun or measured.
    is_stopped: bool,
    has_told_of_tool: bool,
    told_hints: Vec<String>,
    told_problems: BTreeSet<String>,
}

/// Says on standard error what is about to be measured, and what should be known about it.
pub(super) fn announce(
    run: &Run,
    taken_up: Option<String>,
    session: &SuiteSession,
    wanted: &Wanted,
    tally: &mut Tally,
    context: &Context<'_>,
) {
    let everything = wanted.args.bench.is_empty();
    let Run { provenance, planned, problems, .. } = run;
    let n_cases: usize = planned.iter().map(|plan| plan.cases.len()).sum();
    let environment = &provenance.environment;
    let of = if tally.is_single() { String::new() } else { format!("[{}/{}] ", tally.n_begun, tally.n_cells) };
    context.console.talk(&format!(
        "{of}Measuring {} ({}), {} of {}, in {} ({}) on {}.",
        tacho_report::harmless_line(&provenance.project),
        subject_words(provenance, tally),
        counted(n_cases, "case"),
        counted(planned.len(), "benchmark"),
        environment.interpreter,
        place_words(session, environment),
        provenance.machine.name,
    ));
    if let Some(taken_up) = taken_up {
        context.console.talk(&taken_up);
    }
    if std::env::var_os("PYTHONPATH").is_some() && std::env::var_os("ASV_PYTHONPATH").is_none() && tally.n_begun == 1 {
        context.console.warn("PYTHONPATH is not handed on to benchmarks; set ASV_PYTHONPATH to give them one");
    }
    if problems.is_empty() || !everything {
        return;
    }
    if tally.has_told_of(problems) {
        let n = counted(problems.len(), "part");
        context.console.complain(&format!("{n} of the suite could not be loaded, as before."));
    } else {
        let page = tacho_report::problems(problems, false);
        context.console.complain(page.terminal(&context.console.talk_screen()).trim_end());
    }
}

/// Returns the interpreter's path; an environment of our own is known by its label.
fn place_words<'a>(session: &'a SuiteSession, environment: &'a Environment) -> &'a str {
    if session.venue.dir.is_some() { &environment.label } else { &session.discovery.executable }
}

/// Where there are several cells, what they differ in is said with what is measured.
fn subject_words(provenance: &Provenance, tally: &Tally) -> String {
    let subject = tacho_report::subject_text(&provenance.subject);
    let axes = provenance.environment.axes.iter().filter(|(name, _)| *name != "python");
    let axes: Vec<String> = axes.map(|(name, value)| format!("{name}={value}")).collect();
    if tally.is_single() || axes.is_empty() { subject } else { format!("{subject}, {}", axes.join(" ")) }
}

impl Tally {
    pub(super) fn new(n_cells: usize, agenda: &Agenda) -> Tally {
        let is_hopeless = |cell: &Cell| matches!(cell.fate, Fate::Unbuildable(_));
        let n_unbuildable = agenda.cells.iter().filter(|cell| is_hopeless(cell)).count();
        let is_hopeless = n_unbuildable > 0 && n_unbuildable == agenda.cells.len();
        let n_all = agenda.cells.len();
        Tally {
            n_cells,
            n_all,
            is_hopeless,
            n_begun: 0,
            codes: vec![],
            runs: vec![],
            n_kept: 0,
            n_lost: 0,
            n_unbuildable,
            is_stopped: false,
            has_told_of_tool: false,
            told_hints: vec![],
            told_problems: BTreeSet::new(),
        }
    }

    /// Returns true where there is nothing but one cell to tell of.
    pub(super) fn is_single(&self) -> bool {
        self.n_all == 1
    }

    /// Returns true where all of some problems have been told of, at another commit; notes that they are.
    fn has_told_of(&mut self, problems: &[Problem]) -> bool {
        let text = |problem: &Problem| format!("{} {}", problem.module, problem.error);
        let n_before = self.told_problems.len();
        self.told_problems.extend(problems.iter().map(text));
        self.told_problems.len() == n_before
    }

    /// Counts a cell that is begun.
    pub(super) fn begin(&mut self) {
        self.n_begun += 1;
    }

    /// Says once where another tool than the one that is asked for makes environments.
    pub(super) fn tell_of_tool(&mut self, tool: &str, cell: &Cell, context: &Context<'_>) {
        let asked = cell.combination.environment.tool.word();
        if tool == asked || std::mem::replace(&mut self.has_told_of_tool, true) {
            return;
        }
        context.console.talk(&format!("There is no {asked}: environments are made with {tool}, which is slower."));
        if asked == "uv" {
            context.console.talk("hint: pip install uv");
        }
    }

    /// Tells of a cell all of whose cases have results.
    pub(super) fn has_all(&mut self, cell: &Cell, context: &Context<'_>) {
        self.begin();
        self.codes.push(exit::YES);
        context.console.talk(&format!("{}: every case has results already.", cell.words()));
    }

    /// Tells of a cell that could not be built; why is kept, and the others go on.
    pub(super) fn not_built(&mut self, cell: &Cell, build: &Build, kept: Alone, context: &Context<'_>) {
        self.begin();
        self.fail(kept);
        let reason = build.failure.as_deref().unwrap_or("it could not be built");
        context.console.complain(&format!("{}: not built: {}", cell.words(), tacho_report::harmless_block(reason)));
        if self.is_single() {
            let config = config_words(context);
            context.console.complain(&format!("hint: the end of its log: tacho{config} show --details"));
            if reason.contains("pyproject.toml") {
                let keys = "where the package lies: `subdir` in [project]; how it is built: `build` in [environment]";
                context.console.complain(&format!("hint: {keys}; or measure what is installed: -E existing"));
            }
        }
    }

    /// Tells of a commit with which no part of the suite can be loaded; that is kept, and the others go on.
    pub(super) fn not_loaded(&mut self, cell: &Cell, kept: Alone, context: &Context<'_>) {
        self.begin();
        let problems = kept.run.problems.clone();
        self.fail(kept);
        context.console.complain(&format!("{}: no part of the suite can be loaded", cell.words()));
        for problem in problems.iter().take(3) {
            let told = format!("  {}: {}", problem.module, problem.error);
            context.console.complain(&tacho_report::harmless_line(&told));
        }
    }

    /// Counts a cell of which nothing could be measured; that is kept.
    fn fail(&mut self, kept: Alone) {
        self.codes.push(exit::NO_ANSWER);
        self.n_kept += usize::from(kept.path.is_some());
        self.runs.push((kept.run, kept.path));
    }

    /// Notes that not all cells come to their end.
    pub(super) fn stop(&mut self) {
        self.is_stopped = true;
        self.codes.push(exit::NO_ANSWER);
    }

    /// Returns true where nothing is left to go on with.
    pub(super) fn is_done(&self) -> bool {
        !self.is_stopped && self.n_lost == 0
    }

    /// Says that the budget's time is up.
    pub(super) fn run_out_of_time(&mut self, context: &Context<'_>) {
        self.stop();
        let left = self.n_cells.saturating_sub(self.n_begun);
        context.console.talk(&format!("The time is up: {} not begun.", counted(left, "run")));
    }

    /// Tells of a cell that could not be begun; the others go on.
    pub(super) fn lose(&mut self, cell: &Cell, error: &CommandError, context: &Context<'_>) {
        self.n_lost += 1;
        self.codes.push(exit::NO_ANSWER);
        let text = format!("{}: {}", cell.words(), error.text().trim_start_matches("error: "));
        // What can be done about many of them is said once.
        for line in text.lines() {
            let is_hint = line.starts_with("hint: ");
            if !(is_hint && self.told_hints.iter().any(|told| told == line)) {
                context.console.complain(line);
                self.told_hints.extend(is_hint.then(|| line.to_owned()));
            }
        }
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
        tell_of_interruption(wanted, done, self.is_single(), context);
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
        } else if !self.is_single() && self.n_cells > 0 {
            let folder = context.store(Some(&wanted.settings)).root().join("records");
            let folder = quoted(&shorter(&folder, &context.cwd));
            console.talk(&format!("{} kept in {folder}.", counted(self.n_kept, "run")));
        }
        if self.is_stopped && !self.is_single() && !wanted.args.keep_nothing {
            console.complain(&format!("hint: {}", resuming(wanted, context)));
        }
        let lost = console.tell_of_lost_output();
        let is_measured = self.codes.is_empty() || self.codes.iter().any(|code| *code != exit::NO_ANSWER);
        let is_whole = !lost && self.n_unbuildable == 0 && self.codes.iter().all(|code| *code == exit::YES);
        Ok(match (self.n_cells, is_measured, is_whole) {
            (0, ..) if self.is_hopeless => exit::NO_ANSWER,
            (0, ..) => exit::YES,
            (_, false, _) => exit::NO_ANSWER,
            (_, true, false) => exit::PARTIAL,
            (_, true, true) => exit::YES,
        })
    }
}

/// Says which cells are not measured, and why.
pub(super) fn pass_over(agenda: &Agenda, context: &Context<'_>) {
    let n_there = agenda.cells.iter().filter(|cell| cell.fate == Fate::Exists).count();
    if n_there > 0 {
        context.console.talk(&format!("{} there already.", counted(n_there, "run")));
    }
    let mut n_unbuildable: usize = 0;
    for cell in &agenda.cells {
        if let Fate::Unbuildable(reason) = &cell.fate {
            n_unbuildable += 1;
            if n_unbuildable > TOLD {
                continue;
            }
            let reason = tacho_report::harmless_line(reason.lines().next().unwrap_or_default());
            context.console.complain(&format!("{}: could not be built before: {reason}", cell.words()));
        }
    }
    if n_unbuildable > TOLD {
        let others = counted(n_unbuildable - TOLD, "other");
        context.console.complain(&format!("{others} could not be built before: see them with --dry-run"));
    }
    if n_unbuildable > 0 {
        context.console.talk("hint: --retry-failed tries again what could not be built");
    }
    let n_left_out = agenda.cells.iter().filter(|cell| cell.fate == Fate::LeftOut).count();
    if n_left_out > 0 {
        context.console.talk(&format!("No time for {}: see them with --dry-run.", counted(n_left_out, "run")));
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
fn tell_of_interruption(wanted: &Wanted, done: &Done, is_single: bool, context: &Context<'_>) {
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
        _ if done.is_out_of_time => format!("The time is up: {n_rounds} kept, as a partial run."),
        (_, true) => format!("Interrupted: {n_rounds} kept, as a partial run."),
        (_, false) => format!("Interrupted: {n_rounds} kept, as a partial run. Once that is put right it can go on."),
    });
    // Of several runs the way on is said once, at the end.
    if is_single {
        console.complain(&format!("hint: {}", resuming(wanted, context)));
    }
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
    let times: Vec<_> = kept.iter().map(tacho_judge::benchmark_times).collect();
    let shown = Shown::each(&kept, &outcomes, &counts, &times);
    context.console.result(&tacho_report::json::show(&shown, false));
}

/// Returns the flag that names the configuration, where one was given.
fn config_words(context: &Context<'_>) -> String {
    context.config_flag.as_deref().map(|path| format!(" --config {}", quoted(path))).unwrap_or_default()
}

/// The commands that go on from here, as the user would type them.
fn next_steps(wanted: &Wanted, done: &Done, context: &Context<'_>) -> NextSteps {
    if context.console.quiet {
        return NextSteps { show: None, again: None };
    }
    let config = config_words(context);
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
    if !wanted.is_in_place {
        // Of many runs each goes on by itself, and what is asked for holds for those that begin too.
        words.extend(args.bench.iter().map(|pattern| format!("-b {}", shell_word(pattern))));
        words.extend(args.attribute.iter().map(|attribute| format!("-a {}", shell_word(attribute))));
        words.extend(args.quick.then(|| "--quick".to_owned()));
        words.extend(args.interleave_rounds.then(|| "--interleave-rounds".to_owned()));
        words.extend(args.steps.map(|n| format!("--steps {n}")));
        words.extend(args.date_period.as_deref().map(|period| format!("--date-period {}", shell_word(period))));
        let switches = [
            ("--skip-existing", args.skip_existing),
            ("--skip-existing-successful", args.skip_existing_successful),
            ("--skip-existing-failed", args.skip_existing_failed),
            ("--skip-existing-commits", args.skip_existing_commits),
            ("--build-ahead", args.build_ahead),
        ];
        words.extend(switches.iter().filter(|(_, is_given)| *is_given).map(|(switch, _)| (*switch).to_owned()));
        words.extend((args.parallel > 1).then(|| format!("-j {}", args.parallel)));
        words.extend(args.threads.map(|n| format!("--threads {n}")));
        words.extend(args.cpu_affinity.as_deref().map(|list| format!("--cpu-affinity {}", shell_word(list))));
    }
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
