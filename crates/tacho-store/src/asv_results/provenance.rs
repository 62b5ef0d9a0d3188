//! From the head of a result file to the provenance of a run.

use std::collections::BTreeMap;

use serde_json::Value;
use tacho_model::{Environment, Machine, Provenance, Purpose, RunSettings, Subject, Timestamp};

use super::document::Head;
use super::exported::Exported;
use crate::digest::sha256_hex;
use crate::machines::asv_facts;

/// asv does not write its own version, nor that of its runner, into what it keeps.
const BY_ASV: &str = "asv (version unknown)";

/// Tools that asv puts at the front of an environment's name.
const TOOLS: [&str; 6] = ["conda", "existing", "mamba", "rattler", "uv", "virtualenv"];

/// The latest time that is taken for one: the end of the year 9999.
const LAST_MS: f64 = 253_402_300_799_999.0;

/// Where a result file lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The name of the folder.
    pub(super) folder: &'a str,
    /// The name of the file.
    pub(super) file: &'a str,
    /// What `machine.json` beside it says.
    pub(super) machine: Option<&'a Machine>,
}

/// Returns where the numbers of a file come from; `starts_ms` are the starts of its benchmarks.
pub(super) fn provenance(
    head: Head,
    starts_ms: impl Iterator<Item = f64>,
    place: Place<'_>,
    project: &str,
) -> Provenance {
    let date = head.date_ms.and_then(timestamp);
    let told = |of: fn(&Exported) -> &String| head.exported.as_ref().map_or(BY_ASV, |exported| of(exported)).to_owned();
    let (tool_version, runner, method) =
        (told(|exported| &exported.tool_version), told(|exported| &exported.runner), told(|exported| &exported.method));
    let record = head.exported.as_ref().and_then(|exported| exported.records.last());
    let of_place = || run_id(place.folder, place.file);
    let began = starts_ms.filter_map(timestamp).min();
    Provenance {
        run_id: record.map_or_else(of_place, |record| record.run_id.clone()),
        project: project.to_owned(),
        machine: machine(&head, place),
        environment: environment(&head),
        subject: Subject::Commit { hash: head.commit_hash, date },
        branch: None,
        harness: None,
        build: None,
        purpose: Purpose::History,
        experiment: None,
        tool_version,
        runner,
        method,
        started_at: began.or(date).unwrap_or(Timestamp { unix_us: 0 }),
        load: None,
        settings: RunSettings::default(),
    }
}

/// Returns the id of a run that has none of its own.
pub(super) fn run_id(folder: &str, file: &str) -> String {
    sha256_hex(format!("{folder}/{file}").as_bytes())[..16].to_owned()
}

pub(super) fn timestamp(unix_ms: f64) -> Option<Timestamp> {
    (unix_ms > 0.0 && unix_ms <= LAST_MS).then(|| Timestamp::from_unix_seconds(unix_ms / 1e3))
}

// The file's own facts are those of its time; `machine.json` has what it leaves out.
fn machine(head: &Head, place: Place<'_>) -> Machine {
    let mut params = head.params.clone();
    let name = params.remove("machine").as_ref().and_then(Value::as_str).map(str::to_owned);
    let is_axis = |name: &String| head.exported.as_ref().is_some_and(|exported| exported.axes.contains_key(name));
    let is_fact = |name: &String| name != "python" && !head.requirements.contains_key(name) && !is_axis(name);
    params.retain(|name, _| is_fact(name));
    let mut facts = place.machine.map(|machine| machine.facts.clone()).unwrap_or_default();
    facts.extend(asv_facts(params));
    let given = place.machine.map(|machine| machine.name.clone());
    let mut names = [name, given].into_iter().flatten();
    let name = names.find(|name| !name.is_empty()).unwrap_or_else(|| place.folder.to_owned());
    Machine { name, facts }
}

fn environment(head: &Head) -> Environment {
    let label = head.env_name.clone().unwrap_or_else(|| label_of_version_1(head));
    let variables = head.env_vars.iter().map(|(name, value)| (name.clone(), Some(value.clone())));
    Environment {
        tool: tool(&label).to_owned(),
        axes: axes(head),
        variables: variables.collect(),
        label,
        ..Environment::default()
    }
}

fn axes(head: &Head) -> BTreeMap<String, String> {
    if let Some(exported) = &head.exported {
        return exported.axes.clone();
    }
    let mut axes = BTreeMap::new();
    axes.extend(head.python.iter().map(|python| ("python".to_owned(), python.clone())));
    for (name, version) in &head.requirements {
        // Who installs a package is no part of its name, unless it is required in both ways.
        let plain = name.strip_prefix("pip+").filter(|plain| !head.requirements.contains_key(*plain));
        axes.insert(format!("req.{}", plain.unwrap_or(name)), version.clone());
    }
    axes.extend(head.env_vars.iter().map(|(name, value)| (format!("env.{name}"), value.clone())));
    axes
}

fn tool(label: &str) -> &'static str {
    let first = label.split_once("-py").map_or("", |(first, _)| first);
    TOOLS.into_iter().find(|tool| *tool == first).unwrap_or("")
}

/// Returns the name that asv makes for an environment whose file has none: no tool, the interpreter, the
/// requirements by name.
fn label_of_version_1(head: &Head) -> String {
    let mut label = format!("py{}", head.python.as_deref().unwrap_or_default());
    for (name, version) in &head.requirements {
        label.push_str(&format!("-{name}{version}"));
    }
    label.replace(|c: char| matches!(c, '<' | '>' | ':' | '"' | '/' | '^' | '|' | '?' | '*' | '\0'..='\x1f'), "_")
}
