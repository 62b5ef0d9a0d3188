//! A benchmark: what is asked, before any of its cases ran.

use std::collections::BTreeMap;

use crate::{Case, Metric, Parameter};

/// The way a benchmark measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Times a function (asv's `time_`).
    Time,
    /// Times code in a fresh interpreter for each sample (asv's `timeraw_`).
    TimeRaw,
    /// The size of an object (asv's `mem_`).
    Memory,
    /// The highest resident memory of a process (asv's `peakmem_`).
    PeakMemory,
    /// A value the benchmark returns (asv's `track_`).
    Track,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Time, Kind::TimeRaw, Kind::Memory, Kind::PeakMemory, Kind::Track];

    /// Returns the word used in every format and in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Time => "time",
            Kind::TimeRaw => "timeraw",
            Kind::Memory => "mem",
            Kind::PeakMemory => "peakmem",
            Kind::Track => "track",
        }
    }

    /// Reads [`Kind::word`] back.
    pub fn parse(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Returns the name of the metric that a benchmark of this kind declares.
    pub fn metric_name(self) -> &'static str {
        match self {
            Kind::Time | Kind::TimeRaw => "time",
            Kind::Memory => "memory",
            Kind::PeakMemory => "peak_memory",
            Kind::Track => "value",
        }
    }

    /// Returns true where readings are inner-loop times rather than values.
    pub fn is_timing(self) -> bool {
        matches!(self, Kind::Time | Kind::TimeRaw)
    }
}

/// One parameter of a benchmark with all its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterAxis {
    /// The parameter's name; no part of any identity.
    pub name: String,
    /// The values as texts (Python literals), in declared order.
    pub texts: Vec<String>,
}

/// What a benchmark says about how it wants to be timed, in asv's words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// How many fresh processes measure a case.
    pub rounds: Option<u32>,
    /// Everything else (`number`, `repeat`, `sample_time`, `warmup_time`, `min_run_count`) as JSON text by name.
    pub other: BTreeMap<String, String>,
}

/// A function that runs once and serves all cases that need its result.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupCache {
    /// Equal for all benchmarks that share the result.
    pub key: String,
    /// Its own time limit in seconds.
    pub timeout_s: Option<f64>,
}

/// Something that stopped a module or a benchmark from being found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The module's name below the suite's root.
    pub module: String,
    /// The benchmark's name, where the problem is that of one benchmark.
    pub benchmark: Option<String>,
    /// The file and, where known, the line.
    pub place: Option<String>,
    /// One line: the exception and its text.
    pub error: String,
    /// The traceback.
    pub traceback: String,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Benchmark {
    /// The dotted name that identifies the benchmark.
    pub name: String,
    /// The module it was found in, below the suite's root.
    pub module: String,
    /// The way it measures.
    pub kind: Kind,
    /// Changes when the workload does; two versions are never compared silently.
    pub version: String,
    /// Source text, where the harness gives it.
    pub code: Option<String>,
    /// What it counts.
    pub metrics: Vec<Metric>,
    /// Its parameters, first slowest.
    pub parameters: Vec<ParameterAxis>,
    /// Its time limit in seconds for one process.
    pub timeout_s: Option<f64>,
    /// How it wants to be measured.
    pub settings: Settings,
    /// Its cache function.
    pub setup_cache: Option<SetupCache>,
    /// A name for people.
    pub pretty_name: Option<String>,
    /// The user's own attributes, as JSON text by name.
    pub extra: BTreeMap<String, String>,
}

impl Benchmark {
    /// Returns how many cases there are: the product of the parameters' sizes, 1 without parameters.
    pub fn n_cases(&self) -> usize {
        self.parameters.iter().map(|axis| axis.texts.len()).product()
    }

    /// Returns case `index` of the cartesian product, the last parameter fastest; `None` past the end.
    pub fn case(&self, index: usize) -> Option<Case> {
        if index >= self.n_cases() {
            return None;
        }
        let mut rest = index;
        let mut parameters: Vec<Parameter> = Vec::with_capacity(self.parameters.len());
        for axis in self.parameters.iter().rev() {
            let text = axis.texts[rest % axis.texts.len()].clone();
            parameters.push(Parameter { name: axis.name.clone(), text });
            rest /= axis.texts.len();
        }
        parameters.reverse();
        Some(Case { benchmark: self.name.clone(), index, parameters })
    }

    /// Returns all cases in order.
    pub fn cases(&self) -> impl Iterator<Item = Case> + '_ {
        (0..self.n_cases()).filter_map(|index| self.case(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benchmark(sizes: &[usize]) -> Benchmark {
        let axis = |(k, n): (usize, &usize)| ParameterAxis {
            name: format!("p{k}"),
            texts: (0..*n).map(|i| i.to_string()).collect(),
        };
        Benchmark {
            name: "m.time_x".into(),
            module: "m".into(),
            kind: Kind::Time,
            version: "1".into(),
            code: None,
            metrics: vec![],
            parameters: sizes.iter().enumerate().map(axis).collect(),
            timeout_s: None,
            settings: Settings::default(),
            setup_cache: None,
            pretty_name: None,
            extra: BTreeMap::new(),
        }
    }

    fn check(sizes: &[usize], expected: &[&str]) {
        let found: Vec<String> = benchmark(sizes).cases().map(|case| case.full_name()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_last_parameter_is_fastest() {
        check(&[2, 2], &["m.time_x(0, 0)", "m.time_x(0, 1)", "m.time_x(1, 0)", "m.time_x(1, 1)"]);
    }

    #[test]
    fn without_parameters_there_is_one_case_and_with_an_empty_one_none() {
        check(&[], &["m.time_x"]);
        check(&[2, 0], &[]);
    }
}
