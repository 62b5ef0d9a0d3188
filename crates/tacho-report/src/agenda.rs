//! What a run would do: subjects, environments, builds, cases and the time they may take.

use std::collections::{BTreeMap, BTreeSet};

use tacho_model::Subject;
use tacho_model::unit::{counted, human_duration};

use crate::axes::value_text;
use crate::page::Page;
use crate::style::Style;
use crate::subject_text;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
pub(crate) mod tests;

/// What becomes of the build of a planned run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlannedBuild {
    /// Nothing is built: the interpreter that is there is measured in.
    None,
    /// It is there from an earlier run.
    Ready,
    /// It has to be made; how long that took last time, in seconds, where it is known.
    Needed(Option<f64>),
    /// Another planned run makes it: they differ only in how they are run.
    Shared,
}

/// What becomes of a planned run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedState {
    /// It is measured.
    Measured,
    /// Its results are there already.
    Exists,
    /// It could not be built before, for this reason.
    Unbuildable(String),
    /// There is no time for it.
    LeftOut,
}

/// One run that is planned.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRun {
    /// What is measured; `None` where only the installed packages will tell.
    pub subject: Option<Subject>,
    /// The environment's label.
    pub environment_label: String,
    /// The declared axes.
    pub axes: BTreeMap<String, String>,
    /// What has to be built.
    pub build: PlannedBuild,
    /// How many cases are measured, where an earlier run tells.
    pub n_cases: Option<usize>,
    /// How long the cases may take, in seconds, from how long they took before.
    pub estimate_s: Option<f64>,
    /// What becomes of it.
    pub state: PlannedState,
    /// Benchmarks that there is no time for.
    pub left_out: Vec<String>,
}

/// All that a run would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Agenda {
    /// The runs, in order.
    pub runs: Vec<PlannedRun>,
    /// The time there is, in seconds, where there is a limit.
    pub budget_s: Option<f64>,
}

/// So many benchmarks that are left out are named for each run.
const NAMED: usize = 5;

/// Returns the plan as a page.
pub fn agenda(agenda: &Agenda) -> Page {
    let mut page = Page::default();
    let mut table = Table::new(vec![
        ("subject".into(), Holds::Marks),
        ("environment".into(), Holds::Labels),
        ("axes".into(), Holds::Labels),
        ("build".into(), Holds::Marks),
        ("cases".into(), Holds::Numbers),
        ("time".into(), Holds::Numbers),
        ("state".into(), Holds::Words),
    ]);
    let varying = varying_axes(&agenda.runs);
    for run in &agenda.runs {
        table.push(row(run, &varying));
    }
    page.table(table);
    page.line(totals(agenda), Style::Strong);
    for run in agenda.runs.iter().filter(|run| !run.left_out.is_empty() && run.state == PlannedState::Measured) {
        page.line(left_out_text(run), Style::Plain);
    }
    for run in &agenda.runs {
        if let PlannedState::Unbuildable(why) = &run.state {
            page.line(
                format!("Not built again: {} ({}): {why}", subject_of(run), run.environment_label),
                Style::Warning,
            );
        }
    }
    page
}

/// Returns the axes whose values differ between the runs: the others say nothing about any one of them.
fn varying_axes(runs: &[PlannedRun]) -> BTreeSet<&str> {
    let names: BTreeSet<&str> = runs.iter().flat_map(|run| run.axes.keys().map(String::as_str)).collect();
    let varies = |name: &&str| runs.iter().any(|run| run.axes.get(*name) != runs[0].axes.get(*name));
    names.into_iter().filter(varies).collect()
}

fn row(run: &PlannedRun, varying: &BTreeSet<&str>) -> Vec<Cell> {
    let is_measured = run.state == PlannedState::Measured;
    let (state, style) = match &run.state {
        PlannedState::Measured if !run.left_out.is_empty() => ("measure some".to_owned(), Style::Plain),
        PlannedState::Measured => ("measure".to_owned(), Style::Plain),
        PlannedState::Exists => ("there already".to_owned(), Style::Faint),
        PlannedState::Unbuildable(_) => ("cannot be built".to_owned(), Style::Warning),
        PlannedState::LeftOut => ("no time".to_owned(), Style::Faint),
    };
    let build = match run.build {
        _ if !is_measured => "-".to_owned(),
        PlannedBuild::None => "-".to_owned(),
        PlannedBuild::Ready => "ready".to_owned(),
        PlannedBuild::Shared => "shared".to_owned(),
        PlannedBuild::Needed(None) => "build".to_owned(),
        PlannedBuild::Needed(Some(seconds)) => format!("build, {}", human_duration(seconds)),
    };
    let known = |text: Option<String>| text.filter(|_| is_measured).unwrap_or_else(|| "-".to_owned());
    vec![
        Cell::text(run.subject.as_ref().map_or_else(|| "installed".to_owned(), subject_words)),
        Cell::text(&run.environment_label),
        Cell::text(axes_text(run, varying)),
        Cell::text(build),
        Cell::text(known(run.n_cases.map(|n| n.to_string()).or(Some("?".into())))),
        Cell::text(known(run.estimate_s.map(human_duration).or(Some("?".into())))),
        Cell::text(state).styled(style),
    ]
}

/// Returns `1a2b3c4d 2024-05-01`, or what else the subject is called.
fn subject_words(subject: &Subject) -> String {
    match subject {
        Subject::Commit { date: Some(date), .. } => {
            let day: String = crate::moment_text(*date).chars().take(10).collect();
            format!("{} {day}", subject.short())
        }
        Subject::Tree { .. } => format!("work tree {}", subject.short()),
        Subject::Version { version, .. } => version.clone(),
        other => subject_text(other),
    }
}

fn axes_text(run: &PlannedRun, varying: &BTreeSet<&str>) -> String {
    let axes = run.axes.iter().filter(|(name, _)| varying.contains(name.as_str()));
    let axes: Vec<String> = axes.map(|(name, value)| format!("{name}={}", value_text(name, value))).collect();
    if axes.is_empty() { "-".to_owned() } else { axes.join(" ") }
}

/// Returns `4 runs to measure: 2 subjects, 2 environments; 3 builds; about 12 min`.
fn totals(agenda: &Agenda) -> String {
    let measured: Vec<&PlannedRun> = agenda.runs.iter().filter(|run| run.state == PlannedState::Measured).collect();
    if measured.is_empty() {
        return "Nothing to measure".to_owned();
    }
    let subjects: BTreeSet<String> =
        measured.iter().map(|run| run.subject.as_ref().map_or_else(String::new, Subject::id)).collect();
    let environments: BTreeSet<_> = measured.iter().map(|run| (&run.environment_label, &run.axes)).collect();
    let n_builds = measured.iter().filter(|run| matches!(run.build, PlannedBuild::Needed(_))).count();
    let mut parts = vec![format!(
        "{} to measure: {}, {}",
        counted(measured.len(), "run"),
        counted(subjects.len(), "subject"),
        counted(environments.len(), "environment"),
    )];
    if n_builds > 0 {
        parts.push(counted(n_builds, "build"));
    }
    parts.push(time_text(agenda));
    if let Some(budget) = agenda.budget_s {
        parts.push(format!("of {}", human_duration(budget)));
    }
    parts.join("; ")
}

/// Returns the time that all may take, and what is not known of it.
fn time_text(agenda: &Agenda) -> String {
    let Estimate { known_s, n_unknown } = agenda.estimate();
    let unknown = match n_unknown {
        0 => String::new(),
        n => format!(", without {} whose length no earlier run tells", counted(n, "step")),
    };
    if known_s == 0.0 && n_unknown > 0 {
        return "no earlier run tells how long it takes".to_owned();
    }
    format!("about {}{unknown}", human_duration(known_s))
}

/// How long a plan may take.
pub(crate) struct Estimate {
    pub(crate) known_s: f64,
    /// How many durations are not known.
    pub(crate) n_unknown: usize,
}

impl Agenda {
    pub(crate) fn estimate(&self) -> Estimate {
        let mut estimate = Estimate { known_s: 0.0, n_unknown: 0 };
        let mut add = |seconds: Option<f64>| match seconds {
            Some(seconds) => estimate.known_s += seconds,
            None => estimate.n_unknown += 1,
        };
        for run in self.runs.iter().filter(|run| run.state == PlannedState::Measured) {
            add(run.estimate_s);
            if let PlannedBuild::Needed(seconds) = run.build {
                add(seconds);
            }
        }
        estimate
    }
}

fn left_out_text(run: &PlannedRun) -> String {
    let mut names = run.left_out.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if run.left_out.len() > NAMED {
        names.push_str(&format!(" and {} more", run.left_out.len() - NAMED));
    }
    format!("No time at {} ({}) for {names}", subject_of(run), run.environment_label)
}

fn subject_of(run: &PlannedRun) -> String {
    run.subject.as_ref().map_or_else(|| "what is installed".to_owned(), subject_text)
}
