//! What has changed since a run was interrupted: why its record may not go on.
//!
//! A record has one provenance for all of its rounds, so whatever that says has to be as true of the rounds that
//! are added. What is observed of a moment (load, governor, the branch's name) may change.

use std::collections::{BTreeMap, BTreeSet};

use tacho_model::{Build, Planned, Provenance, Purpose, RunSettings, Subject};

/// Facts of a machine that make it another one.
const IDENTIFYING_FACTS: [&str; 3] = ["arch", "cpu", "num_cpu"];

/// One thing that is not as it was when the run began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    what: String,
    then: String,
    now: String,
    /// Whether it is in what the command line asks for, rather than in what is there.
    pub(super) asked: bool,
}

impl Difference {
    /// Returns `suite: 77d0a1c2 then, 3c9d1f0e now`.
    pub(super) fn text(&self) -> String {
        format!("{}: {} then, {} now", self.what, self.then, self.now)
    }
}

/// The differences found so far.
#[derive(Default)]
struct Found(Vec<Difference>);

impl Found {
    fn compare(&mut self, what: impl Into<String>, then: impl Into<String>, now: impl Into<String>) {
        let (what, then, now) = (what.into(), then.into(), now.into());
        if then != now {
            self.0.push(Difference { what, then, now, asked: false });
        }
    }

    fn compare_maps(&mut self, what: &str, then: &BTreeMap<String, String>, now: &BTreeMap<String, String>) {
        let names: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
        let value = |map: &BTreeMap<String, String>, name| map.get(name).cloned().unwrap_or_else(|| "none".into());
        for name in names {
            self.compare(format!("{what} {name}"), value(then, name), value(now, name));
        }
    }
}

/// Returns in what the provenance of an interrupted run differs from that which a run begun now would have, both
/// as they are kept.
pub(super) fn differences(then: &Provenance, now: &Provenance) -> Vec<Difference> {
    let mut found = Found::default();
    found.compare("project", &then.project, &now.project);
    subjects(&mut found, &then.subject, &now.subject);
    found.compare("suite", short(then.harness.as_deref()), short(now.harness.as_deref()));
    found.compare("machine", &then.machine.name, &now.machine.name);
    let facts = |source: &Provenance| {
        let mut facts = source.machine.facts.clone();
        facts.retain(|name, _| IDENTIFYING_FACTS.contains(&name.as_str()));
        facts
    };
    found.compare_maps("machine's", &facts(then), &facts(now));
    environments(&mut found, then, now);
    builds(&mut found, then.build.as_ref(), now.build.as_ref());
    found.compare("method", &then.method, &now.method);
    found.compare("tacho", &then.tool_version, &now.tool_version);
    found.compare("runner", &then.runner, &now.runner);
    if then.purpose != Purpose::History {
        found.compare("purpose", then.purpose.word(), now.purpose.word());
    }
    settings(&mut found, &then.settings, &now.settings);
    found.0
}

/// Moments are never the same; what was measured at one has no other name.
fn subjects(found: &mut Found, then: &Subject, now: &Subject) {
    let is_moment = |subject: &Subject| matches!(subject, Subject::Date { .. });
    if !(is_moment(then) && is_moment(now)) && (then.kind(), then.id()) != (now.kind(), now.id()) {
        found.compare("measured", tacho_report::subject_text(then), tacho_report::subject_text(now));
    }
}

fn environments(found: &mut Found, then: &Provenance, now: &Provenance) {
    let (then, now) = (&then.environment, &now.environment);
    found.compare_maps("axis", &then.axes, &now.axes);
    found.compare("interpreter", &then.interpreter, &now.interpreter);
    found.compare("interpreter's path", &then.executable, &now.executable);
    let variables = |variables: &BTreeMap<String, Option<String>>| {
        let set = variables.iter().map(|(name, value)| (name.clone(), value.clone().unwrap_or_else(|| "unset".into())));
        set.collect()
    };
    found.compare_maps("variable", &variables(&then.variables), &variables(&now.variables));
    found.compare_maps("package", &then.packages, &now.packages);
    let node = |node: Option<u32>| node.map_or_else(|| "any".to_owned(), |node| node.to_string());
    found.compare("memory node", node(then.threads.memory_node), node(now.threads.memory_node));
}

/// What was built anew has the same key, and need not have become the same.
fn builds(found: &mut Found, then: Option<&Build>, now: Option<&Build>) {
    let key = |build: Option<&Build>| short(build.map(|build| build.key.as_str()));
    found.compare("build", key(then), key(now));
    let digest = |build: Option<&Build>| short(build.and_then(|build| Some(build.wheel.as_ref()?.sha256.as_str())));
    found.compare("wheel", digest(then), digest(now));
}

fn settings(found: &mut Found, then: &RunSettings, now: &RunSettings) {
    found.compare("time limit", seconds(then.default_timeout_s), seconds(now.default_timeout_s));
    let first_asked = found.0.len();
    found.compare("--quick", yes_no(then.quick), yes_no(now.quick));
    found.compare_maps("attribute", &then.attributes, &now.attributes);
    found.compare("--bench", patterns(&then.bench), patterns(&now.bench));
    found.0[first_asked..].iter_mut().for_each(|difference| difference.asked = true);
}

fn seconds(value: f64) -> String {
    format!("{value} s")
}

fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

fn patterns(bench: &[String]) -> String {
    if bench.is_empty() { "all".into() } else { bench.join(" ") }
}

fn short(id: Option<&str>) -> String {
    id.map_or_else(|| "unknown".into(), |id| id.chars().take(12).collect())
}

/// Returns in what two plans differ, both as they are kept.
pub(super) fn plan_differences(then: &[Planned], now: &[Planned]) -> Vec<Difference> {
    let by_name = |plan: &[Planned]| -> BTreeMap<String, Planned> {
        plan.iter().map(|planned| (planned.benchmark.name.clone(), planned.clone())).collect()
    };
    let (then, now) = (by_name(then), by_name(now));
    let names: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    let differing = names.into_iter().filter(|name| then.get(*name) != now.get(*name));
    let difference = |name: &String| {
        let (then, now) = described(then.get(name), now.get(name));
        Difference { what: format!("benchmark {name}"), then, now, asked: false }
    };
    differing.map(difference).collect()
}

/// Says of a benchmark that is planned in two ways what it was and what it is.
fn described(then: Option<&Planned>, now: Option<&Planned>) -> (String, String) {
    let (Some(then), Some(now)) = (then, now) else {
        let word = |planned: Option<&Planned>| if planned.is_some() { "planned" } else { "absent" }.to_owned();
        return (word(then), word(now));
    };
    let parameters = |planned: &Planned| {
        let axes = planned.benchmark.parameters.iter().map(|axis| format!("{}=[{}]", axis.name, axis.texts.join(", ")));
        axes.collect::<Vec<String>>().join(" ")
    };
    let texts: [fn(&Planned) -> String; 4] = [
        |planned| format!("version {}", planned.benchmark.version.chars().take(12).collect::<String>()),
        |planned| format!("{} rounds of {} cases", planned.rounds, planned.cases.len()),
        |planned| format!("metrics {:?}", planned.benchmark.metrics),
        |planned| format!("settings {:?}", planned.benchmark.settings),
    ];
    let all = [parameters(then)].into_iter().zip([parameters(now)]);
    let mut all = all.chain(texts.map(|text| (text(then), text(now))));
    all.find(|(then, now)| then != now).unwrap_or_else(|| ("one definition".into(), "another".into()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tacho_model::{Benchmark, Environment, Kind, Load, Machine, ParameterAxis, Settings, Timestamp};

    use super::*;

    fn provenance() -> Provenance {
        Provenance {
            run_id: "0123456789abcdef".into(),
            project: "p".into(),
            subject: Subject::Commit { hash: "ab".repeat(20), date: None },
            branch: None,
            harness: Some("cd".repeat(20)),
            machine: Machine { name: "m".into(), facts: texts([("cpu", "A"), ("governor", "powersave")]) },
            environment: Environment { axes: texts([("python", "3.11")]), ..Environment::default() },
            build: None,
            purpose: Purpose::History,
            experiment: None,
            tool_version: "1".into(),
            runner: "r 1".into(),
            method: "asv/2".into(),
            started_at: Timestamp { unix_us: 0 },
            load: None,
            settings: RunSettings::default(),
        }
    }

    fn texts<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
        pairs.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    fn check(change: impl FnOnce(&mut Provenance), expected: &[&str]) {
        let mut now = provenance();
        change(&mut now);
        let found: Vec<String> = differences(&provenance(), &now).iter().map(Difference::text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_belongs_to_the_moment_may_change() {
        check(
            |now| {
                now.run_id = "fedcba9876543210".into();
                now.started_at = Timestamp { unix_us: 5 };
                now.load = Some(Load { one_minute: 1.0, five_minutes: 1.0, fifteen_minutes: 1.0 });
                now.branch = Some("other".into());
                now.environment.label = "another name".into();
                now.machine.facts.insert("governor".into(), "performance".into());
            },
            &[],
        );
    }

    #[test]
    fn what_the_provenance_says_of_all_rounds_may_not() {
        check(|now| now.harness = None, &["suite: cdcdcdcdcdcd then, unknown now"]);
        check(
            |now| now.subject = Subject::Tree { tree: "ef".repeat(20), parent: None },
            &["measured: commit abababab then, work tree efefefef before the first commit (local only) now"],
        );
        check(|now| now.machine.name = "n".into(), &["machine: m then, n now"]);
        check(|now| drop(now.machine.facts.insert("cpu".into(), "B".into())), &["machine's cpu: A then, B now"]);
        check(
            |now| now.environment.axes = texts([("env.X", "1"), ("python", "3.12")]),
            &["axis env.X: none then, 1 now", "axis python: 3.11 then, 3.12 now"],
        );
        check(|now| now.environment.packages = texts([("numpy", "2")]), &["package numpy: none then, 2 now"]);
        check(|now| now.method = "asv/1".into(), &["method: asv/2 then, asv/1 now"]);
        check(|now| now.tool_version = "2".into(), &["tacho: 1 then, 2 now"]);
        check(|now| now.settings.default_timeout_s = 5.0, &["time limit: 0 s then, 5 s now"]);
    }

    #[test]
    fn what_was_asked_for_is_told_apart() {
        let mut now = provenance();
        now.settings.quick = true;
        now.settings.bench = vec!["x".into()];
        now.settings.attributes = texts([("repeat", "3")]);
        let found = differences(&provenance(), &now);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|difference| difference.asked));
    }

    #[test]
    fn two_moments_are_one_subject_and_a_side_of_a_comparison_is_no_run_of_its_own() {
        let at = |unix_us| Subject::Date { date: Timestamp { unix_us } };
        let then = Provenance { subject: at(1), ..provenance() };
        assert_eq!(differences(&then, &Provenance { subject: at(2), ..provenance() }), []);
        let pair = Provenance { purpose: Purpose::Pair, ..provenance() };
        assert_eq!(differences(&pair, &provenance())[0].text(), "purpose: pair then, history now");
    }

    fn planned(name: &str, texts: &[&str]) -> Planned {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let benchmark = Benchmark {
            name: name.into(),
            module: "m".into(),
            kind: Kind::Time,
            version: "1".into(),
            code: None,
            metrics: vec![],
            parameters: vec![ParameterAxis { name: "n".into(), texts }],
            timeout_s: None,
            settings: Settings::default(),
            setup_cache: None,
            pretty_name: None,
            extra: BTreeMap::new(),
        };
        Planned { cases: vec![0], benchmark, rounds: 2 }
    }

    #[test]
    fn plans_differ_benchmark_by_benchmark() {
        let then = [planned("a", &["1"]), planned("b", &["1"]), planned("c", &["1"])];
        let mut changed = planned("c", &["1"]);
        changed.rounds = 3;
        let now = [planned("b", &["2"]), changed, planned("d", &["1"])];
        let found: Vec<String> = plan_differences(&then, &now).iter().map(Difference::text).collect();
        insta::assert_snapshot!(found.join("\n"), @"
        benchmark a: planned then, absent now
        benchmark b: n=[1] then, n=[2] now
        benchmark c: 2 rounds of 1 cases then, 3 rounds of 1 cases now
        benchmark d: absent then, planned now
        ");
        assert_eq!(plan_differences(&then, &then), []);
    }
}
