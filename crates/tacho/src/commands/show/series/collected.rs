//! Points put together to series, run by run.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use tacho_measure::history::version_order;
use tacho_measure::matching::Selection;
use tacho_model::{Case, Completeness, Outcome, Provenance, Results, State, Subject};
use tacho_report::{Point, Series};

use crate::error::Result;

/// Benchmark, parameters, metric, machine, axes: what makes a series.
type Key = (String, Vec<String>, String, String, BTreeMap<String, String>);

/// All points so far. Subjects come in the order of history.
#[derive(Default)]
pub(super) struct Collected {
    series: Vec<Series>,
    /// For each series, the position of each of its points' subjects.
    positions: Vec<Vec<usize>>,
    by_key: HashMap<Key, usize>,
    unbuilt: Vec<Unbuilt>,
    names: BTreeSet<String>,
    n_subjects: usize,
    last_subject: Option<(&'static str, String)>,
}

/// What could not be measured at all.
struct Unbuilt {
    position: usize,
    subject: Subject,
    run_id: String,
    machine: String,
    axes: BTreeMap<String, String>,
    reason: String,
}

impl Collected {
    /// Adds what one machine and environment say at a subject.
    pub(super) fn add(&mut self, subject: &Subject, results: &Results, selection: &Selection) -> Result<()> {
        let position = self.position(subject);
        let Provenance { run_id, machine, environment, .. } = &results.provenance;
        if let Some(reason) = results.provenance.build_failure() {
            self.unbuilt.push(Unbuilt {
                position,
                subject: subject.clone(),
                run_id: run_id.clone(),
                machine: machine.name.clone(),
                axes: environment.axes.clone(),
                reason: format!("not built: {reason}"),
            });
            return Ok(());
        }
        for outcome in self.selected(&results.outcomes, selection)? {
            self.point(position, subject, outcome, results);
        }
        Ok(())
    }

    fn position(&mut self, subject: &Subject) -> usize {
        let id = Some((subject.kind(), subject.id()));
        if self.last_subject != id {
            self.last_subject = id;
            self.n_subjects += 1;
        }
        self.n_subjects
    }

    fn selected<'a>(&mut self, outcomes: &'a [Outcome], selection: &Selection) -> Result<Vec<&'a Outcome>> {
        let mut selected = Vec::new();
        for group in outcomes.chunk_by(|a, b| a.case.benchmark == b.case.benchmark) {
            self.names.insert(group[0].case.benchmark.clone());
            if selection.is_everything() {
                selected.extend(group);
                continue;
            }
            let cases: Vec<&Case> = group.iter().map(|outcome| &outcome.case).collect();
            selected.extend(selection.select_cases(&cases)?.into_iter().map(|at| &group[at]));
        }
        Ok(selected)
    }

    fn point(&mut self, position: usize, subject: &Subject, outcome: &Outcome, results: &Results) {
        let Provenance { machine, environment, .. } = &results.provenance;
        let Outcome { case, metric, .. } = outcome;
        let texts = case.texts();
        let key = (case.benchmark.clone(), texts, metric.name.clone(), machine.name.clone(), environment.axes.clone());
        let at = *self.by_key.entry(key).or_insert_with(|| {
            let (machine, axes) = (machine.name.clone(), environment.axes.clone());
            self.series.push(Series { case: case.clone(), metric: metric.clone(), machine, axes, points: vec![] });
            self.positions.push(vec![]);
            self.series.len() - 1
        });
        let series = &mut self.series[at];
        // What a case and its metric are called is what the newest says.
        (series.case, series.metric) = (case.clone(), metric.clone());
        series.points.push(point(subject, outcome, results));
        self.positions[at].push(position);
    }

    /// Returns the series, those of one benchmark together, and the names of all benchmarks, selected or not.
    pub(super) fn finish(mut self) -> (Vec<Series>, BTreeSet<String>) {
        for (series, positions) in self.series.iter_mut().zip(&mut self.positions) {
            let concerning: Vec<&Unbuilt> = self.unbuilt.iter().filter(|unbuilt| unbuilt.concerns(series)).collect();
            for unbuilt in concerning {
                let before = positions.partition_point(|position| *position < unbuilt.position);
                if positions.get(before) != Some(&unbuilt.position) {
                    positions.insert(before, unbuilt.position);
                    series.points.insert(before, unbuilt.point());
                }
            }
        }
        self.series.sort_by(in_listing);
        (self.series, self.names)
    }
}

impl Unbuilt {
    /// An environment that could not be made does not know everything of itself: what it declares has to fit.
    fn concerns(&self, series: &Series) -> bool {
        self.machine == series.machine && self.axes.iter().all(|(name, value)| series.axes.get(name) == Some(value))
    }

    fn point(&self) -> Point {
        Point {
            subject: self.subject.clone(),
            run_id: self.run_id.clone(),
            state: State::NotRun,
            value: None,
            spread: None,
            interval: None,
            n_samples: 0,
            version: None,
            message: Some(self.reason.clone()),
            quick: false,
            complete: true,
        }
    }
}

fn point(subject: &Subject, outcome: &Outcome, results: &Results) -> Point {
    Point {
        subject: subject.clone(),
        run_id: results.provenance.run_id.clone(),
        state: outcome.state,
        value: outcome.value,
        spread: outcome.spread,
        interval: outcome.interval,
        n_samples: outcome.n_samples,
        version: outcome.version.clone(),
        message: outcome.message.clone(),
        quick: results.provenance.settings.quick,
        complete: results.completeness == Completeness::Sealed,
    }
}

/// Benchmarks by name, cases as they are declared, then machines and values of axes, numbers and versions as such.
fn in_listing(a: &Series, b: &Series) -> Ordering {
    let key = |series: &Series| (series.case.benchmark.clone(), series.case.index, series.case.texts());
    let place = |series: &Series| (series.metric.name.clone(), series.machine.clone());
    key(a).cmp(&key(b)).then_with(|| place(a).cmp(&place(b))).then_with(|| by_axes(&a.axes, &b.axes))
}

fn by_axes(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> Ordering {
    let pairs = a.iter().zip(b).map(|((name, value), (other_name, other_value))| {
        name.cmp(other_name).then_with(|| version_order(value, other_value))
    });
    let first = pairs.into_iter().find(|order| order.is_ne());
    first.unwrap_or_else(|| a.len().cmp(&b.len()))
}

#[cfg(test)]
mod tests {
    use tacho_model::{Build, Environment, Machine, Metric, Parameter, Purpose, RunSettings, Timestamp};

    use super::*;

    fn subject(version: &str) -> Subject {
        Subject::Version { package: "p".into(), version: version.into() }
    }

    fn results(version: &str, axes: &[(&str, &str)], values: &[(&str, f64)]) -> Results {
        let axes = axes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let provenance = Provenance {
            run_id: format!("run of {version}"),
            project: "p".into(),
            subject: subject(version),
            branch: None,
            harness: None,
            machine: Machine { name: "lab".into(), facts: BTreeMap::new() },
            environment: Environment { axes, ..Environment::default() },
            build: None,
            purpose: Purpose::History,
            experiment: None,
            tool_version: "1".into(),
            runner: "r 1".into(),
            method: "asv/2".into(),
            started_at: Timestamp { unix_us: 0 },
            load: None,
            settings: RunSettings::default(),
        };
        let outcomes = values.iter().enumerate().map(|(index, (text, value))| outcome(index, text, *value));
        Results { provenance, outcomes: outcomes.collect(), completeness: Completeness::Sealed }
    }

    fn outcome(index: usize, text: &str, value: f64) -> Outcome {
        let parameters = vec![Parameter { name: "n".into(), text: text.into() }];
        Outcome {
            case: Case { benchmark: "m.time_x".into(), index, parameters },
            metric: Metric::new("time", "seconds", None),
            version: Some("1".into()),
            state: State::Measured,
            value: Some(value),
            spread: None,
            quartiles: None,
            interval: None,
            samples: vec![value],
            n_samples: 1,
            round_values: vec![value],
            number: None,
            n_rounds: 1,
            duration_ns: 0,
            method: None,
            message: None,
            detail: None,
        }
    }

    fn unbuilt(version: &str, axes: &[(&str, &str)]) -> Results {
        let mut results = results(version, axes, &[]);
        results.provenance.build = Some(Build {
            key: String::new(),
            failure: Some("no compiler".into()),
            commands: vec![],
            variables: BTreeMap::new(),
            compilers: BTreeMap::new(),
            wheel: None,
            dependencies: BTreeMap::new(),
            started_at: Timestamp { unix_us: 0 },
            duration_ns: 0,
            log_tail: String::new(),
            reused: false,
        });
        results
    }

    /// Returns a line for each series: its parameter and axes, then each point's version with its value or message.
    fn collected(all: &[Results], pattern: &[&str]) -> String {
        let patterns: Vec<String> = pattern.iter().map(ToString::to_string).collect();
        let selection = Selection::parse(&patterns).unwrap();
        let mut collected = Collected::default();
        for one in all {
            collected.add(&one.provenance.subject, one, &selection).unwrap();
        }
        let point = |point: &Point| {
            let said = point.value.map(|value| value.to_string()).or(point.message.clone());
            format!("{}: {}", point.subject.id(), said.unwrap_or_default())
        };
        let line = |series: &Series| {
            let points: Vec<String> = series.points.iter().map(point).collect();
            format!("{} {:?}: {}", series.case.full_name(), series.axes, points.join(", "))
        };
        collected.finish().0.iter().map(line).collect::<Vec<String>>().join("\n")
    }

    #[test]
    fn each_combination_of_axes_is_a_series_and_numbers_count_as_such() {
        let axes = |threads| [("threads", threads)];
        let all = [
            results("1", &axes("10"), &[("5", 1.0), ("40", 2.0)]),
            results("1", &axes("2"), &[("5", 3.0)]),
            results("2", &axes("10"), &[("5", 4.0), ("40", 5.0)]),
        ];
        insta::assert_snapshot!(collected(&all, &[]), @r#"
        m.time_x(5) {"threads": "2"}: p==1: 3
        m.time_x(5) {"threads": "10"}: p==1: 1, p==2: 4
        m.time_x(40) {"threads": "10"}: p==1: 2, p==2: 5
        "#);
        insta::assert_snapshot!(collected(&all, &["40"]), @r#"m.time_x(40) {"threads": "10"}: p==1: 2, p==2: 5"#);
    }

    #[test]
    fn what_was_not_built_is_a_gap_with_its_reason_in_the_series_that_it_would_have_been_of() {
        let axes = |flags| [("build.CFLAGS", flags), ("python", "3.12"), ("threads", "1")];
        let all = [
            unbuilt("1", &axes("-O1")[..2]),
            results("1", &axes("-O3"), &[("5", 1.0)]),
            results("2", &axes("-O1"), &[("5", 2.0)]),
            unbuilt("3", &axes("-O3")[..1]),
            unbuilt("3", &axes("-O3")[..1]),
            results("3", &axes("-O1"), &[("5", 3.0)]),
        ];
        insta::assert_snapshot!(collected(&all, &[]), @r#"
        m.time_x(5) {"build.CFLAGS": "-O1", "python": "3.12", "threads": "1"}: p==1: not built: no compiler, p==2: 2, p==3: 3
        m.time_x(5) {"build.CFLAGS": "-O3", "python": "3.12", "threads": "1"}: p==1: 1, p==3: not built: no compiler
        "#);
    }
}
