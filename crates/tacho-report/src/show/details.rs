//! Everything that is known: full provenance, and for every case its figures and tracebacks.

use std::collections::BTreeMap;

use tacho_model::unit::{human, human_duration, significant};
use tacho_model::{BenchmarkTime, Load, Outcome, Provenance, Resumption, Round, Threads};

use super::Shown;
use super::build::build_facts;
use super::results::{parameter_cells, parameter_columns, result_cell};
use crate::list::short_version;
use crate::machine::machine_facts;
use crate::page::{Fact, Page};
use crate::state::{reason, state_style};
use crate::table::{Cell, Holds, Table};
use crate::{moment_text, rfc3339};

/// What asv keeps of an environment.
const KNOWN_TO_ASV: [&str; 4] = ["label", "made by", "axes", "variables"];

/// Appends all of the provenance that the head does not say.
pub(crate) fn append_provenance(page: &mut Page, shown: &Shown<'_>) {
    let provenance = &shown.run.provenance;
    page.title("Provenance");
    let mut facts = run_facts(provenance, shown.by_asv);
    facts.extend(shown.times_beside().filter_map(time_fact));
    facts.extend(shown.run.rounds.iter().filter_map(resumption_fact));
    page.facts(facts);
    page.title("Machine");
    let mut facts = vec![Fact::new("name", &provenance.machine.name)];
    facts.extend(machine_facts(&provenance.machine));
    page.facts(facts);
    page.title("Environment");
    let known = |fact: &Fact| !shown.by_asv || KNOWN_TO_ASV.contains(&fact.label.as_str()) && !fact.value.is_empty();
    page.facts(environment_facts(provenance).into_iter().filter(known).collect());
    if let Some(build) = &provenance.build {
        page.title("Build");
        page.facts(build_facts(build));
    }
}

/// How long asv took for what is no benchmark.
fn time_fact(time: &BenchmarkTime) -> Option<Fact> {
    Some(Fact::new(&time.name, human_duration(time.duration_ns? as f64 / 1e9)))
}

fn run_facts(provenance: &Provenance, by_asv: bool) -> Vec<Fact> {
    let optional = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".into());
    let settings = &provenance.settings;
    if by_asv {
        // What asv does not keep needs no lines that say so.
        return vec![
            Fact::new("run", &provenance.run_id),
            Fact::new("started", rfc3339(provenance.started_at).unwrap_or_else(|| "unknown".into())),
            Fact::new("subject", format!("{} {}", provenance.subject.kind(), provenance.subject.id())),
            Fact::new("tool", &provenance.tool_version),
        ];
    }
    let mut facts = vec![
        Fact::new("run", &provenance.run_id),
        Fact::new("started", rfc3339(provenance.started_at).unwrap_or_else(|| "unknown".into())),
        Fact::new("subject", format!("{} {}", provenance.subject.kind(), provenance.subject.id())),
        Fact::new("suite", optional(&provenance.harness)),
        Fact::new("purpose", provenance.purpose.word()),
        Fact::new("tool", format!("tacho {}", provenance.tool_version)),
        Fact::new("runner", &provenance.runner),
        Fact::new("method", &provenance.method),
        Fact::new("load before", load_text(provenance.load)),
        Fact::new("time limit", format!("{} s unless a benchmark has its own", settings.default_timeout_s)),
    ];
    facts.extend(provenance.experiment.as_ref().map(|experiment| Fact::new("experiment", experiment)));
    if !settings.bench.is_empty() {
        facts.push(Fact::new("selected by", settings.bench.join(" ")));
    }
    if !settings.attributes.is_empty() {
        facts.push(Fact::new("overridden", pairs(&settings.attributes, "=")));
    }
    facts
}

fn load_text(load: Option<Load>) -> String {
    let averages = load.map(|load| [load.one_minute, load.five_minutes, load.fifteen_minutes]);
    averages.map_or("unknown".into(), |load| load.map(significant).join(" "))
}

fn resumption_fact(round: &Round) -> Option<Fact> {
    let Resumption { at, load } = round.resumed?;
    let at = rfc3339(at).unwrap_or_else(|| "unknown".into());
    Some(Fact::new("resumed", format!("{at} after {} rounds, load before {}", round.slot, load_text(load))))
}

fn environment_facts(provenance: &Provenance) -> Vec<Fact> {
    let environment = &provenance.environment;
    let variables: Vec<String> = environment
        .variables
        .iter()
        .map(|(name, value)| value.as_ref().map_or(format!("{name} unset"), |value| format!("{name}={value}")))
        .collect();
    vec![
        Fact::new("label", &environment.label),
        Fact::new("made by", &environment.tool),
        Fact::new("axes", or_none(pairs(&environment.axes, "="))),
        Fact::new("interpreter", &environment.interpreter),
        Fact::new("executable", &environment.executable),
        Fact::new("threads", threads(&environment.threads)),
        Fact::new("variables", or_none(variables.join(", "))),
        Fact::new("packages", or_none(pairs(&environment.packages, " "))),
    ]
}

pub(super) fn pairs(map: &BTreeMap<String, String>, between: &str) -> String {
    map.iter().map(|(name, value)| format!("{name}{between}{value}")).collect::<Vec<_>>().join(", ")
}

pub(super) fn or_none(text: String) -> String {
    if text.is_empty() { "none".into() } else { text }
}

fn threads(threads: &Threads) -> String {
    let cap = threads.cap.map_or("no cap".into(), |cap| format!("at most {cap}"));
    let pinned = match &threads.cpus {
        Some(cpus) => {
            let cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
            format!("on processors {}", cpus.join(","))
        }
        None => "not pinned".to_owned(),
    };
    let memory = threads.memory_node.map_or(String::new(), |node| format!(", memory of node {node}"));
    format!("{cap}, {pinned}{memory}")
}

/// Appends the figures of every case, and the tracebacks of those that failed.
pub(crate) fn append_results(page: &mut Page, shown: &Shown<'_>) {
    for group in shown.outcomes.chunk_by(|a, b| a.case.benchmark == b.case.benchmark) {
        page.name(&group[0].case.benchmark, &group_note(group, shown.times));
        page.table(figures(group));
        for outcome in group {
            append_detail(page, outcome);
        }
    }
}

/// Appends the whole reason and the traceback; the table may have had to shorten the reason.
fn append_detail(page: &mut Page, outcome: &Outcome) {
    let detail = outcome.detail.as_deref().filter(|detail| !detail.trim().is_empty());
    if outcome.state.is_failure() || detail.is_some() {
        page.line(format!("{} {}", outcome.case.full_name(), reason(outcome)), state_style(outcome.state));
    }
    if let Some(detail) = detail {
        page.text(detail);
    }
}

fn group_note(group: &[Outcome], times: &[BenchmarkTime]) -> String {
    let methods: Vec<&str> = group.iter().filter_map(|outcome| outcome.method.as_deref()).collect();
    let method = methods.first().map_or(String::new(), |method| format!(", {method}"));
    let time = times.iter().find(|time| time.name == group[0].case.benchmark);
    let started = time.and_then(|time| time.started_at).map(|at| format!(", started {}", moment_text(at)));
    let took = time.and_then(|time| time.duration_ns).map(|ns| format!(", took {}", human_duration(ns as f64 / 1e9)));
    let version = group[0].version.as_deref().map_or_else(|| "unknown".into(), short_version);
    format!("version {version}{method}{}{}", started.unwrap_or_default(), took.unwrap_or_default())
}

fn figures(group: &[Outcome]) -> Table {
    let several = group.windows(2).any(|pair| pair[0].case == pair[1].case);
    let mut columns = parameter_columns(group);
    if several {
        columns.push(("metric".into(), Holds::Names));
    }
    columns.push(("result".into(), Holds::Words));
    let numbers = ["25 %", "75 %", "99 % interval", "samples", "number", "rounds", "took"];
    columns.extend(numbers.map(|header| (header.to_owned(), Holds::Numbers)));
    let mut table = Table::new(columns);
    for outcome in group {
        let mut row = parameter_cells(outcome);
        if several {
            row.push(Cell::text(&outcome.metric.name));
        }
        row.push(result_cell(outcome));
        row.extend(figure_cells(outcome));
        table.push(row);
    }
    table
}

fn figure_cells(outcome: &Outcome) -> Vec<Cell> {
    let unit = &outcome.metric.unit;
    let value = |value: Option<f64>| value.map_or(String::new(), |value| human(value, unit));
    let interval = outcome.interval.map(|(low, high)| format!("{} to {}", human(low, unit), human(high, unit)));
    vec![
        Cell::text(value(outcome.quartiles.map(|quartiles| quartiles.0))),
        Cell::text(value(outcome.quartiles.map(|quartiles| quartiles.1))),
        Cell::text(interval.unwrap_or_default()),
        Cell::text(outcome.n_samples.to_string()),
        Cell::text(outcome.number.map_or(String::new(), |number| number.to_string())),
        Cell::text(outcome.n_rounds.to_string()),
        Cell::text(human_duration(outcome.duration_ns as f64 / 1e9)),
    ]
}
