//! The Python executor: discovers a suite and measures its cases, forked where that is safe.

mod cache;
mod discovery;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tacho_model::{Benchmark, Isolation, Kind, Round, State, Timestamp};

use crate::convert;
use crate::execute::{Executor, Task};
use crate::protocol::{
    HelloReply, IsolationWire, LoadedReply, RanReply, Reply, Request, RunRequest, SetupCacheReply, SetupCacheRequest,
    SuiteWire,
};
use crate::session::{Launch, Session, SessionError, unexpected};

use cache::{Cache, cache_of, lost_cache, without_detail};
pub use discovery::Discovery;

/// How long the import and the listing of a suite may take.
const DISCOVERY_LIMIT: Duration = Duration::from_secs(600);

/// How much later than a case's limit an answer of the forking interpreter may come.
const GRACE: Duration = Duration::from_secs(15);

/// A timed-out fork that used less than this share of its limit on a processor hung rather than worked.
const IDLE_SHARE: f64 = 0.01;

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

/// An interpreter that has imported one module of the suite and runs nothing but forks.
///
/// One module only: what another module imports or changes would speed up or disturb the first calls of
/// this one, and asv imports no more either.
struct Warm {
    session: Session,
    module: String,
    fork_hazards: Vec<String>,
    /// Whether it has already served a round.
    used: bool,
}

/// Discovers a suite and measures its cases.
pub struct PythonExecutor {
    config: PythonConfig,
    warm: Option<Warm>,
    caches: HashMap<String, Cache>,
    cache_timeouts: HashMap<String, f64>,
    n_folders: u64,
}

impl PythonExecutor {
    /// Makes an executor. Nothing is started yet.
    pub fn new(config: PythonConfig) -> PythonExecutor {
        PythonExecutor { config, warm: None, caches: HashMap::new(), cache_timeouts: HashMap::new(), n_folders: 0 }
    }

    /// Imports the suite and lists its benchmarks.
    ///
    /// # Errors
    /// Where the interpreter cannot be started or ends before it has answered. Modules that fail to
    /// import are problems of the discovery, not errors.
    pub fn discover(&mut self) -> Result<Discovery, SessionError> {
        let (mut session, hello) = self.start()?;
        let loaded = self.load(&mut session, None, DISCOVERY_LIMIT)?;
        let facts = match session.ask(|id| Request::Facts { id }, DISCOVERY_LIMIT)? {
            Reply::Facts(facts) => facts,
            other => return Err(unexpected(&other)),
        };
        let may_fork = loaded.fork.safe && self.config.launch_method != LaunchMethod::Spawn;
        let isolation = if may_fork { IsolationWire::Fork } else { IsolationWire::Itself };
        let (benchmarks, mut problems) = discovery::list(&mut session, isolation)?;
        problems.splice(0..0, loaded.problems.into_iter().map(convert::load_problem));
        self.cache_timeouts = discovery::cache_timeouts(&benchmarks, self.config.default_timeout_s);
        let output = session.take_output();
        let hazards = loaded.fork.reasons;
        // An interpreter that has imported the only module and nothing but forked is as good as new.
        let only_module = benchmarks.first().map(|first| first.module.clone()).filter(|_| loaded.modules <= 2);
        self.warm = only_module
            .filter(|module| may_fork && benchmarks.iter().all(|benchmark| benchmark.module == *module))
            .map(|module| Warm { session, module, fork_hazards: hazards.clone(), used: false });
        Ok(discovery::assembled(hello, facts, benchmarks, problems, hazards, output))
    }

    fn start(&mut self) -> Result<(Session, HelloReply), SessionError> {
        let dir = self.folder("interpreter")?;
        Session::start(&self.config.launch, &dir)
    }

    fn load(&self, session: &mut Session, only: Option<String>, limit: Duration) -> Result<LoadedReply, SessionError> {
        let suite = match &self.config.suite {
            SuiteSource::Package(root) => SuiteWire::Package { root: text(root) },
            SuiteSource::File(path) => SuiteWire::File { path: text(path) },
        };
        match session.ask(|id| Request::Load { id, suite, only }, limit)? {
            Reply::Loaded(loaded) => Ok(loaded),
            other => Err(unexpected(&other)),
        }
    }

    /// Makes an empty folder for one process; they are removed with the scratch folder.
    fn folder(&mut self, purpose: &str) -> Result<PathBuf, SessionError> {
        self.n_folders += 1;
        let path = self.config.scratch.join(format!("{purpose}-{}", self.n_folders));
        std::fs::create_dir_all(&path)
            .map_err(|source| SessionError::Start { program: path.display().to_string(), source })?;
        Ok(path)
    }

    /// Returns the interpreter that forks cases of a module, a new one where the last served another module.
    fn warm(&mut self, module: &str) -> Result<Warm, SessionError> {
        let mut warm = match self.warm.take().filter(|warm| warm.module == module) {
            Some(warm) => warm,
            None => {
                let (mut session, _) = self.start()?;
                let loaded = self.load(&mut session, Some(module.to_owned()), DISCOVERY_LIMIT)?;
                Warm { session, module: module.to_owned(), fork_hazards: loaded.fork.reasons, used: false }
            }
        };
        warm.used = true;
        Ok(warm)
    }

    fn isolation(&mut self, benchmark: &Benchmark) -> Result<Isolation, SessionError> {
        if matches!(benchmark.kind, Kind::PeakMemory | Kind::TimeRaw) {
            return Ok(Isolation::Spawn);
        }
        match self.config.launch_method {
            LaunchMethod::Spawn => Ok(Isolation::Spawn),
            LaunchMethod::Fork => Ok(Isolation::Fork),
            LaunchMethod::Auto => {
                let warm = self.warm(&benchmark.module)?;
                let isolation = if warm.fork_hazards.is_empty() { Isolation::Fork } else { Isolation::Spawn };
                self.warm = Some(warm);
                Ok(isolation)
            }
        }
    }

    /// Asks the interpreter that forks. One that failed to answer is dropped, and the next case gets a new one.
    fn ask_warm(
        &mut self,
        module: &str,
        request: impl FnOnce(u64) -> Request,
        limit: Duration,
    ) -> Result<Reply, SessionError> {
        let mut warm = self.warm(module)?;
        let answer = warm.session.ask(request, limit + GRACE);
        if matches!(answer, Ok(_) | Err(SessionError::Unexpected { .. })) {
            self.warm = Some(warm);
        }
        answer
    }

    fn timeout_s(&self, benchmark: &Benchmark, task: &Task<'_>) -> f64 {
        let overridden = task.settings.get("timeout").and_then(serde_json::Value::as_f64);
        overridden.or(benchmark.timeout_s).unwrap_or(self.config.default_timeout_s)
    }

    fn run_request(&self, task: &Task<'_>, how: &How) -> impl FnOnce(u64) -> Request + use<> {
        let request = RunRequest {
            id: 0,
            benchmark: task.benchmark.name.clone(),
            case: task.case.index,
            params: task.case.texts(),
            isolation: how.wire(),
            method: self.config.method.clone(),
            settings: task.settings.clone(),
            timeout_s: how.timeout_s,
            dir: text(&how.dir),
            cache: how.cache.as_deref().map(text),
            affinity: self.config.affinity.clone(),
            output_limit_bytes: self.config.launch.output_limit_bytes as u64,
        };
        move |id| Request::Run(Box::new(RunRequest { id, ..request }))
    }

    fn measure_in(&mut self, task: &Task<'_>, how: &How) -> Result<Round, SessionError> {
        let began = (Instant::now(), SystemTime::now());
        let answered = match how.isolation {
            Isolation::Fork => self.ask_forked(task, how),
            Isolation::Spawn => self.ask_spawned(task, how),
        };
        let mut round = match answered {
            Ok((reply, output)) => convert::round(task, how.isolation, reply, &output),
            Err(error) => lost_round(task, how, error)?,
        };
        if how.isolation == Isolation::Spawn || round.duration_ns == 0 {
            round.duration_ns = began.0.elapsed().as_nanos() as u64;
            round.started_at = timestamp(began.1);
        }
        Ok(round)
    }

    fn ask_forked(&mut self, task: &Task<'_>, how: &How) -> Result<(RanReply, String), SessionError> {
        let request = self.run_request(task, how);
        match self.ask_warm(&task.benchmark.module, request, Duration::from_secs_f64(how.timeout_s))? {
            Reply::Ran(reply) => Ok((*reply, String::new())),
            other => Err(unexpected(&other)),
        }
    }

    fn ask_spawned(&mut self, task: &Task<'_>, how: &How) -> Result<(RanReply, String), SessionError> {
        let limit = Duration::from_secs_f64(how.timeout_s);
        let began = Instant::now();
        let (mut session, _) = self.start()?;
        let loaded = self.load(&mut session, Some(task.benchmark.module.clone()), limit)?;
        if let Some(problem) = loaded.problems.into_iter().find(|problem| problem.module == task.benchmark.module) {
            return Ok((import_failure(problem.error, problem.traceback), session.take_output()));
        }
        let left = limit.saturating_sub(began.elapsed()).max(Duration::from_millis(1));
        let reply = session.ask(self.run_request(task, how), left)?;
        session.finish();
        match reply {
            Reply::Ran(reply) => Ok((*reply, session.take_output())),
            other => Err(unexpected(&other)),
        }
    }

    fn cache(&mut self, benchmark: &Benchmark, kind: Isolation) -> Result<Option<Cache>, SessionError> {
        let Some(declared) = &benchmark.setup_cache else { return Ok(None) };
        if let Some(known) = self.caches.get(&declared.key) {
            return Ok(Some(known.clone()));
        }
        let dir = self.folder("cache")?;
        let timeout_s = *self.cache_timeouts.get(&declared.key).unwrap_or(&self.config.default_timeout_s);
        let made = match self.make_cache(benchmark, kind, &dir, timeout_s) {
            Ok((reply, output)) => cache_of(reply, &dir, &output),
            Err(error) => lost_cache(error)?,
        };
        self.caches.insert(declared.key.clone(), without_detail(&made));
        Ok(Some(made))
    }

    fn make_cache(
        &mut self,
        benchmark: &Benchmark,
        isolation: Isolation,
        dir: &Path,
        timeout_s: f64,
    ) -> Result<(SetupCacheReply, String), SessionError> {
        let affinity = self.config.affinity.clone();
        let output_limit_bytes = Some(self.config.launch.output_limit_bytes as u64);
        let request = |wire: IsolationWire| {
            let (benchmark, dir) = (benchmark.name.clone(), text(dir));
            move |id| {
                Request::SetupCache(SetupCacheRequest {
                    id,
                    benchmark,
                    isolation: wire,
                    dir,
                    timeout_s,
                    affinity,
                    output_limit_bytes,
                })
            }
        };
        let limit = Duration::from_secs_f64(timeout_s);
        let (reply, output) = match isolation {
            Isolation::Fork => (self.ask_warm(&benchmark.module, request(IsolationWire::Fork), limit)?, String::new()),
            Isolation::Spawn => {
                let (mut session, _) = self.start()?;
                self.load(&mut session, Some(benchmark.module.clone()), limit)?;
                let reply = session.ask(request(IsolationWire::Itself), limit)?;
                session.finish();
                (reply, session.take_output())
            }
        };
        match reply {
            Reply::SetupCache(reply) => Ok((reply, output)),
            other => Err(unexpected(&other)),
        }
    }
}

/// How one case is to be run.
struct How {
    isolation: Isolation,
    timeout_s: f64,
    dir: PathBuf,
    cache: Option<PathBuf>,
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
        // Forks of one interpreter share its hash seed and address layout, so every round gets a new one.
        self.warm = self.warm.take().filter(|warm| !warm.used);
        Ok(())
    }

    fn measure(&mut self, task: &Task<'_>) -> Result<Round, SessionError> {
        let isolation = self.isolation(task.benchmark)?;
        let cache = match self.cache(task.benchmark, isolation)? {
            None => None,
            Some(Cache::Ready(dir)) => Some(dir),
            Some(Cache::Failed { state, message, detail }) => {
                let mut round = convert::unmeasured(task, isolation, state, message, detail);
                round.started_at = timestamp(SystemTime::now());
                return Ok(round);
            }
        };
        let timeout_s = self.timeout_s(task.benchmark, task);
        let how = How { isolation, timeout_s, dir: self.folder("case")?, cache };
        let round = self.measure_in(task, &how)?;
        let _ = std::fs::remove_dir_all(&how.dir);
        if !hung(&round, &how) {
            return Ok(round);
        }
        let spawned = How { isolation: Isolation::Spawn, dir: self.folder("case")?, ..how };
        self.measure_in(task, &spawned)
    }
}

/// Returns true for a fork that timed out without working: some library does not survive forking.
fn hung(round: &Round, how: &How) -> bool {
    let used = |name: &str| round.observed.get(name).copied();
    let cpu_s = match (used("cpu_user_s"), used("cpu_system_s")) {
        (None, None) => return false,
        (user, system) => user.unwrap_or(0.0) + system.unwrap_or(0.0),
    };
    how.isolation == Isolation::Fork && round.state == State::TimedOut && cpu_s < how.timeout_s * IDLE_SHARE
}

/// Turns the loss of a session into a round, unless it is nobody's fault here.
fn lost_round(task: &Task<'_>, how: &How, error: SessionError) -> Result<Round, SessionError> {
    let text = error.to_string();
    let (state, message, output) = match error {
        SessionError::Start { .. } | SessionError::Interrupted => return Err(error),
        SessionError::Late { output, .. } => {
            (State::TimedOut, format!("ran past its limit of {} s", how.timeout_s), output)
        }
        SessionError::Ended { signal: Some(signal), output, .. } => {
            (State::Killed, format!("ended by {signal}"), output)
        }
        SessionError::Ended { output, status, .. } => {
            (State::Failed, format!("ended before it answered ({status})"), output)
        }
        SessionError::Unexpected { .. } => (State::Failed, text, String::new()),
    };
    let detail = convert::detail(state, None, &output);
    Ok(convert::unmeasured(task, how.isolation, state, message, detail))
}

fn import_failure(error: String, traceback: Option<String>) -> RanReply {
    RanReply {
        id: 0,
        state: State::Failed.word().to_owned(),
        method: None,
        number: None,
        samples_ns: None,
        values: None,
        message: Some(error),
        traceback,
        started_at_s: 0.0,
        duration_ns: 0,
        signal: None,
        exit_status: None,
        observed: BTreeMap::new(),
        output: String::new(),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn timestamp(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp { unix_us: since.as_micros() as i64 }
}
