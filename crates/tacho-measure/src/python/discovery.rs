//! Discovery: what a suite holds, and in what environment.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tacho_model::{Benchmark, Problem};

use crate::convert;
use crate::protocol::{BenchmarkReply, FactsReply, HelloReply, IsolationWire, Reply, Request};
use crate::session::{Places, Session, SessionError, unexpected};

/// What discovery found in one environment.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// Name and version of the runner.
    pub runner: String,
    /// Implementation and version of the interpreter: `CPython 3.11.7`.
    pub interpreter: String,
    /// Major and minor version: the `python` axis.
    pub python: String,
    /// The interpreter's path, by its own word.
    pub executable: String,
    /// The folder the environment lives in.
    pub prefix: String,
    /// Installed distributions.
    pub packages: BTreeMap<String, String>,
    /// The benchmarks, in the order of the suite.
    pub benchmarks: Vec<Benchmark>,
    /// What could not be loaded.
    pub problems: Vec<Problem>,
}

/// Parameter texts by benchmark, as the runner has them: where they hold the path of the suite's copy.
pub(super) type OwnTexts = HashMap<String, Vec<Vec<String>>>;

/// What a loaded suite holds.
pub(super) struct Listing {
    pub(super) benchmarks: Vec<Benchmark>,
    pub(super) problems: Vec<Problem>,
    pub(super) own_texts: OwnTexts,
}

/// Lists the benchmarks of a loaded suite.
pub(super) fn list(
    session: &mut Session,
    isolation: IsolationWire,
    limit: Duration,
    places: Option<&Places>,
) -> Result<Listing, SessionError> {
    let mut listing = Listing { benchmarks: Vec::new(), problems: Vec::new(), own_texts: HashMap::new() };
    let each = |reply: Reply| {
        if let Reply::Benchmark(reply) = reply {
            listing.take(*reply, places);
        }
    };
    match session.ask_many(|id| Request::Discover { id, isolation }, limit, each)? {
        Reply::Discovered(found) => {
            let n_told = listing.benchmarks.len() as u64;
            listing.problems.extend(found.problems.into_iter().map(convert::discovery_problem));
            let lost = found.n.saturating_sub(n_told);
            if lost > 0 {
                let error = format!("{lost} benchmarks were described in a way that is not understood");
                listing.problems.push(convert::problem_of_module("", error, String::new()));
            }
        }
        other => return Err(unexpected(&other)),
    }
    Ok(listing)
}

impl Listing {
    fn take(&mut self, mut reply: BenchmarkReply, places: Option<&Places>) {
        if let Some(places) = places {
            let told = |texts: &Vec<String>| texts.iter().map(|text| places.told(text)).collect();
            let params: Vec<Vec<String>> = reply.params.iter().map(told).collect();
            if params != reply.params {
                self.own_texts.insert(reply.name.clone(), std::mem::replace(&mut reply.params, params));
            }
            reply.version = places.told(&reply.version);
        }
        match convert::benchmark(reply) {
            Ok(benchmark) => self.benchmarks.push(benchmark),
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// Returns the texts of case `index` of the product, the last parameter fastest.
pub(super) fn texts_at(axes: &[Vec<String>], index: usize) -> Vec<String> {
    let mut rest = index;
    let mut texts: Vec<String> = Vec::with_capacity(axes.len());
    for axis in axes.iter().rev().filter(|axis| !axis.is_empty()) {
        texts.push(axis[rest % axis.len()].clone());
        rest /= axis.len();
    }
    texts.reverse();
    texts
}

/// A cache's limit is its own, else the largest of those who share it (asv's rule).
pub(super) fn cache_timeouts(benchmarks: &[Benchmark], default_s: f64) -> HashMap<String, f64> {
    let mut limits: HashMap<String, f64> = HashMap::new();
    for benchmark in benchmarks {
        let Some(cache) = &benchmark.setup_cache else { continue };
        let own = cache.timeout_s.or(benchmark.timeout_s).unwrap_or(default_s);
        let limit = limits.entry(cache.key.clone()).or_insert(own);
        *limit = limit.max(own);
    }
    limits
}

/// Puts together what the runner said.
pub(super) fn assembled(
    hello: HelloReply,
    facts: FactsReply,
    benchmarks: Vec<Benchmark>,
    problems: Vec<Problem>,
) -> Discovery {
    Discovery {
        runner: hello.runner,
        interpreter: format!("{} {}", hello.implementation, hello.version),
        python: hello.version.split('.').take(2).collect::<Vec<_>>().join("."),
        executable: hello.executable,
        prefix: hello.prefix,
        packages: facts.packages,
        benchmarks,
        problems,
    }
}
