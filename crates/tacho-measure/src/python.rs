//! The Python executor: discovers a suite and measures its cases, forked where that is safe.

mod cache;
mod case_folder;
mod discovery;
mod hung;
mod interpreters;
mod loss;
mod rehearsing;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tacho_model::{Benchmark, Case, Isolation, Kind, Round, State};

use crate::clock::now;
use crate::convert;
use crate::execute::{Executor, Task};
use crate::protocol::{IsolationWire, Reply, Request, RunRequest, SetupCacheReply, SetupCacheRequest};
use crate::session::{Launch, Places, Session, SessionError, limit, unexpected, was_interrupted};

use cache::Cache;
pub use discovery::Discovery;
use discovery::{Listing, OwnTexts, texts_at};
use hung::is_idle;
use interpreters::{Interpreters, Warm, text};
use loss::{Loss, Trouble};

/// How long the listing of a suite may take once it is imported.
const DISCOVERY_LIMIT: Duration = Duration::from_secs(600);

/// Where a suite is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuiteSource {
    /// A package: a folder with `__init__.py`.
    Package(PathBuf),
    /// One file.
    File(PathBuf),
}

/// How the processes of cases are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaunchMethod {
    /// Forked where that is safe, spawned elsewhere.
    Auto,
    /// Forked wherever the kind of benchmark allows.
    Fork,
    /// Spawned.
    Spawn,
}

/// What the executor needs to know.
#[derive(Debug, Clone)]
pub struct PythonConfig {
    /// How interpreters are started.
    pub launch: Launch,
    /// The suite.
    pub suite: SuiteSource,
    /// How processes are made.
    pub launch_method: LaunchMethod,
    /// The measuring method: `asv/2` or `asv/1`.
    pub method: String,
    /// Seconds for one process where the benchmark names no limit.
    pub default_timeout_s: f64,
    /// Processors the cases may use.
    pub affinity: Option<Vec<u32>>,
    /// An empty folder of the executor's own.
    pub scratch: PathBuf,
}

/// Discovers a suite and measures its cases.
pub struct PythonExecutor {
    interpreters: Interpreters,
    caches: HashMap<String, Cache>,
    cache_timeouts: HashMap<String, f64>,
    own_texts: OwnTexts,
}

impl PythonExecutor {
    /// Makes an executor. Nothing is started yet.
    pub fn new(config: PythonConfig) -> PythonExecutor {
        let interpreters = Interpreters::new(config);
        PythonExecutor {
            interpreters,
            caches: HashMap::new(),
            cache_timeouts: HashMap::new(),
            own_texts: OwnTexts::new(),
        }
    }

    /// Returns, by module, why its cases could not be forked and were spawned.
    pub fn fork_hazards(&self) -> BTreeMap<String, Vec<String>> {
        let hazards = self.interpreters.hazards.iter();
        hazards.filter(|(_, reasons)| !reasons.is_empty()).map(|(module, why)| (module.clone(), why.clone())).collect()
    }

    /// Sets the processors that cases may use from now on.
    pub fn pin(&mut self, affinity: Option<Vec<u32>>) {
        self.interpreters.config.affinity = affinity;
    }

    /// Imports the suite and lists its benchmarks.
    ///
    /// # Errors
    /// Where the interpreter cannot be started or ends before it has answered. Modules that fail to
    /// import are problems of the discovery, not errors.
    pub fn discover(&mut self) -> Result<Discovery, SessionError> {
        let opened = self.open(IsolationWire::Fork)?;
        Ok(self.keep_warm(opened))
    }

    /// Imports the suite and lists its benchmarks for somebody who measures none of them.
    ///
    /// Nothing is forked from the interpreter afterwards, so that it may list the suite itself, which is quicker.
    ///
    /// # Errors
    /// As [`PythonExecutor::discover`].
    pub fn survey(&mut self) -> Result<Discovery, SessionError> {
        Ok(self.open(IsolationWire::Itself)?.discovery)
    }

    fn open(&mut self, preferred: IsolationWire) -> Result<Opened, SessionError> {
        let (mut session, hello, loaded, mut problems) = self.interpreters.start_with_suite()?;
        let facts = match session.ask(|id| Request::Facts { id }, DISCOVERY_LIMIT)? {
            Reply::Facts(facts) => facts,
            other => return Err(unexpected(&other)),
        };
        let may_fork = loaded.fork.safe && self.config().launch_method != LaunchMethod::Spawn;
        let (mut isolation, other) = match (may_fork, preferred) {
            (false, _) => (IsolationWire::Itself, None),
            (true, IsolationWire::Fork) => (IsolationWire::Fork, Some(IsolationWire::Itself)),
            (true, IsolationWire::Itself) => (IsolationWire::Itself, Some(IsolationWire::Fork)),
        };
        let listing = match (self.listed(&mut session, isolation), other) {
            (Err(error), Some(other)) if may_be_listed(isolation, &error) => {
                isolation = other;
                (session, ..) = self.interpreters.start_with_suite()?;
                self.listed(&mut session, isolation)?
            }
            (listing, _) => listing?,
        };
        let benchmarks = listing.benchmarks;
        self.own_texts = listing.own_texts;
        problems.extend(loaded.problems.into_iter().map(convert::load_problem));
        problems.extend(listing.problems);
        self.cache_timeouts = discovery::cache_timeouts(&benchmarks, self.config().default_timeout_s);
        let discovery = discovery::assembled(hello, facts, benchmarks, problems);
        Ok(Opened { session, isolation, n_modules: loaded.modules, hazards: loaded.fork.reasons, discovery })
    }

    /// An interpreter that has imported the only module and nothing but forked is as good as new.
    fn keep_warm(&mut self, opened: Opened) -> Discovery {
        let Opened { session, isolation, n_modules, hazards, discovery } = opened;
        let benchmarks = &discovery.benchmarks;
        let only_module = benchmarks.first().map(|first| first.module.clone()).filter(|module| {
            let is_alone = n_modules <= 2 && benchmarks.iter().all(|benchmark| benchmark.module == *module);
            is_alone && isolation == IsolationWire::Fork
        });
        if let Some(module) = only_module {
            self.interpreters.hazards.insert(module.clone(), hazards);
            self.interpreters.warm = Some(Warm { session, module, used: false });
        }
        discovery
    }

    fn listed(&self, session: &mut Session, isolation: IsolationWire) -> Result<Listing, SessionError> {
        let limit = match isolation {
            IsolationWire::Fork => limit(self.config().default_timeout_s),
            IsolationWire::Itself => DISCOVERY_LIMIT,
        };
        discovery::list(session, isolation, limit, self.places())
    }

    fn places(&self) -> Option<&Places> {
        self.config().launch.places.as_ref()
    }

    fn config(&self) -> &PythonConfig {
        &self.interpreters.config
    }

    fn isolation(&mut self, benchmark: &Benchmark) -> Result<Isolation, Trouble> {
        match benchmark.kind {
            Kind::PeakMemory | Kind::TimeRaw => Ok(Isolation::Spawn),
            _ => self.isolation_in(&benchmark.module),
        }
    }

    /// Returns how processes are made for what needs no interpreter of its own.
    fn isolation_in(&mut self, module: &str) -> Result<Isolation, Trouble> {
        let launch_method = self.config().launch_method;
        match launch_method {
            LaunchMethod::Spawn => Ok(Isolation::Spawn),
            LaunchMethod::Fork => Ok(Isolation::Fork),
            LaunchMethod::Auto if self.interpreters.may_fork(module)? => Ok(Isolation::Fork),
            LaunchMethod::Auto => Ok(Isolation::Spawn),
        }
    }

    fn attempt(&mut self, task: &Task<'_>) -> Result<Round, Trouble> {
        let overridden = task.settings.get("timeout").and_then(serde_json::Value::as_f64);
        let how = self.how(task.benchmark, overridden, |executor| executor.isolation(task.benchmark))?;
        let Tried { round, hung } = self.measure_in(task, &how)?;
        if !hung {
            return Ok(round);
        }
        let spawned = self.measure_in(task, &How { isolation: Isolation::Spawn, ..how })?.round;
        if spawned.state == State::Measured {
            self.interpreters.distrust(&task.benchmark.module);
        }
        // Where a new interpreter did no better, the first round tells where it stood still.
        let mut kept = if spawned.state == State::Measured { spawned } else { round };
        kept.observed.insert("hung_forks".into(), 1.0);
        Ok(kept)
    }

    fn how(
        &mut self,
        benchmark: &Benchmark,
        limit_s: Option<f64>,
        isolation: impl Fn(&mut PythonExecutor) -> Result<Isolation, Trouble>,
    ) -> Result<How, Trouble> {
        let first = isolation(self)?;
        let cache = match self.cache(benchmark, first)? {
            None => None,
            Some(Cache::Ready(dir)) => Some(dir),
            Some(Cache::Failed(loss)) => return Err(Trouble::Lost(loss)),
        };
        // The cache may have shown that forks stand still.
        let isolation = isolation(self)?;
        let timeout_s = limit_s.or(benchmark.timeout_s).unwrap_or(self.config().default_timeout_s);
        Ok(How { isolation, timeout_s, cache })
    }

    fn measure_in(&mut self, task: &Task<'_>, how: &How) -> Result<Tried, Trouble> {
        let began = (Instant::now(), now());
        let dir = self.interpreters.case_folder()?;
        let request = self.run_request(task, how, text(dir.path()));
        let answered = self.ask(&task.benchmark.module, request, how);
        self.interpreters.take_back(dir);
        let forked = how.isolation == Isolation::Fork;
        let (mut round, hung) = match answered {
            Ok((Reply::Ran(reply), output)) => {
                let round = convert::round(task, how.isolation, *reply, &output);
                let idle = round.state == State::TimedOut && is_idle(&round.observed, how.timeout_s);
                (round, forked && idle)
            }
            Ok((other, _)) => return Err(unexpected(&other).into()),
            Err(Trouble::Lost(Loss { state, message, detail, observed })) => {
                let mut round = convert::unmeasured(task, how.isolation, state, message, detail);
                // What was counted for an interpreter that forks is not the case's.
                round.observed = if forked { BTreeMap::new() } else { observed };
                // It ends cases that are late, so that it is late itself means that it cannot even fork.
                (round, forked && state == State::TimedOut)
            }
            Err(fatal) => return Err(fatal),
        };
        if how.isolation == Isolation::Spawn || round.duration_ns == 0 {
            round.duration_ns = began.0.elapsed().as_nanos() as u64;
            round.started_at = began.1;
        }
        Ok(Tried { round, hung })
    }

    fn run_request(&self, task: &Task<'_>, how: &How, dir: String) -> impl FnOnce(u64) -> Request + use<> {
        let config = self.config();
        let request = RunRequest {
            id: 0,
            benchmark: task.benchmark.name.clone(),
            case: task.case.index,
            params: self.texts_for_the_runner(task.case),
            isolation: how.wire(),
            method: config.method.clone(),
            settings: task.settings.clone(),
            timeout_s: how.timeout_s,
            dir,
            cache: how.cache.as_deref().map(text),
            affinity: config.affinity.clone(),
            output_limit_bytes: config.launch.output_limit_bytes as u64,
        };
        move |id| Request::Run(Box::new(RunRequest { id, ..request }))
    }

    /// Returns the texts by which the runner knows a case: as it told them itself.
    fn texts_for_the_runner(&self, case: &Case) -> Vec<String> {
        let own_texts = self.own_texts.get(&case.benchmark).map(|axes| texts_at(axes, case.index));
        own_texts.unwrap_or_else(|| case.texts())
    }

    /// Asks for one case; returns the answer, with what the process printed where it was one of its own.
    fn ask(
        &mut self,
        module: &str,
        request: impl FnOnce(u64) -> Request,
        how: &How,
    ) -> Result<(Reply, String), Trouble> {
        let limit = limit(how.timeout_s);
        let answered = match how.isolation {
            Isolation::Fork => self.interpreters.ask_warm(module, request, limit).map(|reply| (reply, String::new())),
            Isolation::Spawn => self.ask_spawned(module, request, how),
        };
        // Whoever stops a whole job ends the case's process too: that is not the case's doing.
        match is_killed(&answered) && was_interrupted(&self.config().launch.interrupted) {
            true => Err(SessionError::Interrupted.into()),
            false => answered,
        }
    }

    fn ask_spawned(
        &mut self,
        module: &str,
        request: impl FnOnce(u64) -> Request,
        how: &How,
    ) -> Result<(Reply, String), Trouble> {
        let limit = limit(how.timeout_s);
        let began = Instant::now();
        let (mut session, _) = self.interpreters.start()?;
        self.interpreters.load_module(&mut session, module, limit)?;
        let left = limit.saturating_sub(began.elapsed()).max(Duration::from_millis(1));
        let reply = session.ask(request, left).map_err(|error| error.with_limit(how.timeout_s))?;
        let leftovers = session.finish().and_then(|ended| ended.observed_leftovers());
        let reply = match reply {
            Reply::Ran(mut ran) => {
                ran.observed.extend(leftovers);
                Reply::Ran(ran)
            }
            other => other,
        };
        Ok((reply, session.take_output()))
    }

    fn cache(&mut self, benchmark: &Benchmark, isolation: Isolation) -> Result<Option<Cache>, Trouble> {
        let Some(declared) = &benchmark.setup_cache else { return Ok(None) };
        if let Some(known) = self.caches.get(&declared.key) {
            return Ok(Some(known.clone()));
        }
        let dir = self.interpreters.folder("cache")?;
        let timeout_s = *self.cache_timeouts.get(&declared.key).unwrap_or(&self.config().default_timeout_s);
        let how = How { isolation, timeout_s, cache: Some(dir.clone()) };
        let mut made = self.make_cache(benchmark, &how, text(&dir));
        if isolation == Isolation::Fork && hung::is_cache(&made, timeout_s) {
            let spawned = self.make_cache(benchmark, &How { isolation: Isolation::Spawn, ..how }, text(&dir));
            if matches!(&spawned, Ok((reply, _)) if reply.state == State::Measured.word()) {
                self.interpreters.distrust(&benchmark.module);
                made = spawned;
            }
        }
        let made = match made {
            Ok((reply, output)) => Cache::of(reply, &dir, &output),
            Err(Trouble::Lost(loss)) => Cache::Failed(loss.while_doing("setup_cache")),
            Err(fatal) => return Err(fatal),
        };
        self.caches.insert(declared.key.clone(), made.remembered());
        Ok(Some(made))
    }

    fn make_cache(
        &mut self,
        benchmark: &Benchmark,
        how: &How,
        dir: String,
    ) -> Result<(SetupCacheReply, String), Trouble> {
        let request = SetupCacheRequest {
            id: 0,
            benchmark: benchmark.name.clone(),
            isolation: how.wire(),
            dir,
            timeout_s: how.timeout_s,
            affinity: self.config().affinity.clone(),
            output_limit_bytes: Some(self.config().launch.output_limit_bytes as u64),
        };
        let request = move |id| Request::SetupCache(SetupCacheRequest { id, ..request });
        match self.ask(&benchmark.module, request, how)? {
            (Reply::SetupCache(reply), output) => Ok((reply, output)),
            (other, _) => Err(unexpected(&other).into()),
        }
    }
}

/// Returns true where a signal ended the process of a case.
fn is_killed(answered: &Result<(Reply, String), Trouble>) -> bool {
    let state = match answered {
        Ok((Reply::Ran(reply), _)) => &reply.state,
        Ok((Reply::Checked(reply), _)) => &reply.state,
        Ok((Reply::SetupCache(reply), _)) => &reply.state,
        _ => return false,
    };
    state == State::Killed.word()
}

/// A suite that has been imported and listed, and the interpreter that did it.
struct Opened {
    session: Session,
    isolation: IsolationWire,
    n_modules: u64,
    hazards: Vec<String>,
    discovery: Discovery,
}

/// Tells whether a suite that could not be listed in one way may be in the other: what stands still in a fork may do without
/// one, and what ends an interpreter only ends a fork.
fn may_be_listed(isolation: IsolationWire, error: &SessionError) -> bool {
    match isolation {
        IsolationWire::Fork => matches!(error, SessionError::Late { .. }),
        IsolationWire::Itself => matches!(error, SessionError::Late { .. } | SessionError::Ended { .. }),
    }
}

/// How one case is to be run.
struct How {
    isolation: Isolation,
    timeout_s: f64,
    cache: Option<PathBuf>,
}

/// A round, and whether it was forked and stood still.
struct Tried {
    round: Round,
    hung: bool,
}

impl How {
    fn wire(&self) -> IsolationWire {
        match self.isolation {
            Isolation::Fork => IsolationWire::Fork,
            Isolation::Spawn => IsolationWire::Itself,
        }
    }
}

impl Executor for PythonExecutor {
    fn begin_round(&mut self, _round: u32) -> Result<(), SessionError> {
        self.interpreters.begin_round();
        Ok(())
    }

    fn end_round(&mut self) {
        self.interpreters.end_round();
    }

    fn measure(&mut self, task: &Task<'_>) -> Result<Round, SessionError> {
        match self.attempt(task) {
            Ok(round) => Ok(round),
            Err(Trouble::Fatal(error)) => Err(error),
            Err(Trouble::Lost(Loss { state, message, detail, observed: _ })) => {
                // Lost before the case itself: by its module or its cache.
                let mut round = convert::unmeasured(task, Isolation::Fork, state, message, detail);
                round.started_at = now();
                Ok(round)
            }
        }
    }
}
