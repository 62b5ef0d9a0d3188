//! Where numbers come from. A run cannot be made without it.

use std::collections::BTreeMap;

use crate::{Build, Environment, Machine, Subject, Timestamp};

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It stands in the history of its subject.
    History,
    /// It is one side of a paired comparison.
    Pair,
    /// It is a candidate of a release gate.
    Gate,
}

impl Purpose {
    /// Returns the word used in every format: `history`, `pair` or `gate`.
    pub fn word(self) -> &'static str {
        match self {
            Purpose::History => "history",
            Purpose::Pair => "pair",
            Purpose::Gate => "gate",
        }
    }

    /// Reads [`Purpose::word`] back.
    pub fn parse(word: &str) -> Option<Purpose> {
        [Purpose::History, Purpose::Pair, Purpose::Gate].into_iter().find(|purpose| purpose.word() == word)
    }
}

/// Load averages of the last 1, 5 and 15 minutes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Over one minute.
    pub one_minute: f64,
    /// Over five minutes.
    pub five_minutes: f64,
    /// Over fifteen minutes.
    pub fifteen_minutes: f64,
}

/// What the user asked of the measuring loop.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunSettings {
    /// One call, one sample, one round: shown, never a baseline.
    pub quick: bool,
    /// Overridden benchmark attributes, as texts by name.
    pub attributes: BTreeMap<String, String>,
    /// The patterns that selected benchmarks; empty for all.
    pub bench: Vec<String>,
    /// Seconds for one process where the benchmark names no limit.
    pub default_timeout_s: f64,
}

/// Where a run's numbers come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// Sixteen hexadecimal digits, drawn at the start of the run.
    pub run_id: String,
    /// The project's name.
    pub project: String,
    /// What was measured.
    pub subject: Subject,
    /// The branch that was checked out, if any.
    pub branch: Option<String>,
    /// The tree id (or digest) of the benchmark suite.
    pub harness: Option<String>,
    /// Where it was measured.
    pub machine: Machine,
    /// In what.
    pub environment: Environment,
    /// How what was measured came into its environment, where this program built it.
    pub build: Option<Build>,
    /// What for.
    pub purpose: Purpose,
    /// Shared by runs that were interleaved.
    pub experiment: Option<String>,
    /// The version of Tachograph.
    pub tool_version: String,
    /// The runner's name and version.
    pub runner: String,
    /// The measuring method asked for (`asv/2`).
    pub method: String,
    /// When it began.
    pub started_at: Timestamp,
    /// Load of the machine just before it began.
    pub load: Option<Load>,
    /// What the user asked for.
    pub settings: RunSettings,
}

impl Provenance {
    /// Returns why nothing could be measured: the reason of the build that failed.
    pub fn build_failure(&self) -> Option<&str> {
        self.build.as_ref()?.failure.as_deref()
    }

    /// Returns in what else a run was measured, beside the machine's facts and what was installed, as name -> text: what may have moved
    /// a number though it is no part of what was measured. Only what is known is in it.
    pub fn setup(&self) -> BTreeMap<String, String> {
        let Environment { interpreter, variables, threads, tool, .. } = &self.environment;
        let mut setup = BTreeMap::new();
        let mut add = |name: String, text: String| {
            if !text.is_empty() {
                setup.insert(name, text);
            }
        };
        add("interpreter".into(), interpreter.clone());
        add("environment".into(), tool.clone());
        add("runner".into(), self.runner.clone());
        add("method".into(), self.method.clone());
        add("suite".into(), self.harness.clone().unwrap_or_default());
        for (name, value) in variables {
            add(format!("env.{name}"), value.clone().unwrap_or_else(|| "unset".into()));
        }
        add("threads".into(), threads.cap.map(|cap| cap.to_string()).unwrap_or_default());
        if let Some(build) = &self.build {
            build.compilers.iter().for_each(|(name, text)| add(format!("compiler.{name}"), text.clone()));
            build.variables.iter().for_each(|(name, text)| add(format!("build.{name}"), text.clone()));
            add("build commands".into(), build.commands.join(" && "));
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;

    #[test]
    fn the_setup_is_all_that_is_known_beside_facts_and_packages() {
        let variables = BTreeMap::from([("OMP".to_owned(), Some("1".to_owned())), ("MKL".to_owned(), None)]);
        let threads = Threads { cap: Some(2), ..Threads::default() };
        let environment =
            Environment { interpreter: "CPython 3.12.1".into(), variables, threads, ..Environment::default() };
        let provenance = Provenance {
            run_id: String::new(),
            project: String::new(),
            subject: Subject::Date { date: Timestamp { unix_us: 0 } },
            branch: None,
            harness: Some("aa".into()),
            machine: Machine { name: "m".into(), facts: BTreeMap::new() },
            environment,
            build: None,
            purpose: Purpose::History,
            experiment: None,
            tool_version: String::new(),
            runner: String::new(),
            method: "asv/2".into(),
            started_at: Timestamp { unix_us: 0 },
            load: None,
            settings: RunSettings::default(),
        };
        let told: Vec<String> = provenance.setup().iter().map(|(name, text)| format!("{name}={text}")).collect();
        let expected =
            ["env.MKL=unset", "env.OMP=1", "interpreter=CPython 3.12.1", "method=asv/2", "suite=aa", "threads=2"];
        assert_eq!(told, expected);
    }
}
