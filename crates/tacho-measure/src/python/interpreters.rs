//! The interpreters of a run: started, loaded with the suite, kept warm for one module at a time.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tacho_model::Problem;

use super::case_folder::CaseFolder;
use super::loss::{Loss, Trouble};
use super::{PythonConfig, SuiteSource};
use crate::convert;
use crate::protocol::{HelloReply, LoadedReply, Reply, Request, SuiteWire};
use crate::session::{Session, SessionError, limit, unexpected};

/// How much later than a case's limit an answer of the forking interpreter may come.
const GRACE: Duration = Duration::from_secs(15);

/// An import may take as long as a benchmark, and at least so long: some libraries are slow to load.
const SHORTEST_IMPORT_LIMIT_S: f64 = 120.0;

/// Why cases of a module are no longer forked.
const STOOD_STILL: &str = "one that was forked stood still until its time was up";

/// An interpreter that has imported one module of the suite and runs nothing but forks.
///
/// One module only: what another module imports or changes would speed up or disturb the first calls of
/// this one, and asv imports no more either.
pub(super) struct Warm {
    pub(super) session: Session,
    pub(super) module: String,
    /// Whether it has already served a round.
    pub(super) used: bool,
}

/// Starts interpreters and remembers what is known of the suite's modules.
pub(super) struct Interpreters {
    pub(super) config: PythonConfig,
    pub(super) warm: Option<Warm>,
    /// By module: why cases cannot be forked from an interpreter that has imported it; empty if they can.
    pub(super) hazards: BTreeMap<String, Vec<String>>,
    /// Modules that could not be imported in this round.
    lost: HashMap<String, Loss>,
    n_folders: u64,
    /// A folder that a case has left as it was.
    unused: Option<CaseFolder>,
}

impl Interpreters {
    pub(super) fn new(config: PythonConfig) -> Interpreters {
        let (hazards, lost) = (BTreeMap::new(), HashMap::new());
        Interpreters { config, warm: None, hazards, lost, n_folders: 0, unused: None }
    }

    /// Forgets the warm interpreter if it has served: forks of one share its hash seed and address layout.
    pub(super) fn begin_round(&mut self) {
        self.warm = self.warm.take().filter(|warm| !warm.used);
        self.lost.clear();
    }

    /// Ends the interpreter that has served: it would not serve another round.
    pub(super) fn end_round(&mut self) {
        self.warm = self.warm.take().filter(|warm| !warm.used);
    }

    /// Starts an interpreter with the runner in it.
    pub(super) fn start(&mut self) -> Result<(Session, HelloReply), SessionError> {
        let dir = self.folder("interpreter")?;
        Session::start(&self.config.launch, &dir)
    }

    /// Makes an empty folder for one process, beside the suite's copy; they are removed with the scratch folder.
    pub(super) fn folder(&mut self, purpose: &str) -> Result<PathBuf, SessionError> {
        // Whatever clears up temporary files, the cases that are still to come are not to blame.
        let (SuiteSource::Package(suite) | SuiteSource::File(suite)) = &self.config.suite;
        if !suite.exists() {
            return Err(SessionError::Gone { path: suite.clone() });
        }
        self.n_folders += 1;
        let path = self.config.scratch.join(format!("{purpose}-{}", self.n_folders));
        match std::fs::create_dir_all(&path) {
            Ok(()) => Ok(path),
            Err(source) => Err(SessionError::Folder { path, source }),
        }
    }

    /// Returns an empty folder for a case.
    pub(super) fn case_folder(&mut self) -> Result<CaseFolder, SessionError> {
        match self.unused.take() {
            Some(folder) => Ok(folder),
            None => self.folder("case").map(CaseFolder::new),
        }
    }

    /// Takes back the folder of a case that has ended.
    pub(super) fn take_back(&mut self, folder: CaseFolder) {
        self.unused = folder.after_use();
    }

    /// How long the import of the suite or of a module may take.
    pub(super) fn import_limit(&self) -> Duration {
        limit(self.config.default_timeout_s.max(SHORTEST_IMPORT_LIMIT_S))
    }

    /// Imports the whole suite. A module that ends or stops the interpreter is a problem like one that raises: the
    /// others are imported by a new interpreter that leaves it out.
    pub(super) fn start_with_suite(
        &mut self,
    ) -> Result<(Session, HelloReply, LoadedReply, Vec<Problem>), SessionError> {
        let mut skip: Vec<String> = Vec::new();
        let mut problems = Vec::new();
        loop {
            let (mut session, hello) = self.start()?;
            let mut importing = None;
            let request = load_request(&self.config.suite, None, skip.clone());
            let each = |reply: Reply| {
                if let Reply::Importing { module, .. } = reply {
                    importing = Some(module);
                }
            };
            let error = match session.ask_many(request, self.import_limit(), each) {
                Ok(Reply::Loaded(loaded)) => return Ok((session, hello, loaded, problems)),
                Ok(other) => return Err(unexpected(&other)),
                Err(error @ (SessionError::Ended { .. } | SessionError::Late { .. })) => error,
                Err(error) => return Err(error),
            };
            // Without the module's name, or with the suite's root, there is nothing to leave out.
            let module = importing.filter(|module| !module.is_empty() && !skip.contains(module));
            let Some(module) = module else { return Err(error) };
            problems.push(import_problem(&module, error));
            skip.push(module);
        }
    }

    /// Imports one module into a session; one that cannot be imported is the module's loss.
    pub(super) fn load_module(
        &self,
        session: &mut Session,
        module: &str,
        limit: Duration,
    ) -> Result<LoadedReply, Trouble> {
        let request = load_request(&self.config.suite, Some(module.to_owned()), Vec::new());
        let mut loaded =
            match session.ask(request, limit).map_err(|error| Trouble::from(error).while_doing("import"))? {
                Reply::Loaded(loaded) => loaded,
                other => return Err(unexpected(&other).into()),
            };
        // Without the module there is nothing to run; a problem of its package is one of its own.
        match loaded.problems.is_empty() {
            true => Ok(loaded),
            false => Err(Trouble::Lost(Loss::of_import(loaded.problems.swap_remove(0)))),
        }
    }

    /// Returns the interpreter that forks cases of a module, a new one where the last served another module.
    fn warm_for(&mut self, module: &str) -> Result<Warm, Trouble> {
        if let Some(loss) = self.lost.get(module) {
            return Err(Trouble::Lost(loss.clone()));
        }
        let mut warm = match self.warm.take().filter(|warm| warm.module == module) {
            Some(warm) => warm,
            None => self.new_warm(module)?,
        };
        warm.used = true;
        Ok(warm)
    }

    fn new_warm(&mut self, module: &str) -> Result<Warm, Trouble> {
        let (mut session, _) = self.start()?;
        match self.load_module(&mut session, module, self.import_limit()) {
            Ok(loaded) => {
                self.hazards.insert(module.to_owned(), loaded.fork.reasons);
                Ok(Warm { session, module: module.to_owned(), used: false })
            }
            Err(trouble) => {
                if let Trouble::Lost(loss) = &trouble {
                    // Told in full once; and not every case of the module starts an interpreter in vain.
                    self.lost.insert(module.to_owned(), Loss { detail: None, ..loss.clone() });
                }
                Err(trouble)
            }
        }
    }

    /// Returns whether cases of a module can be forked. One that cannot keeps no warm interpreter alive.
    pub(super) fn may_fork(&mut self, module: &str) -> Result<bool, Trouble> {
        if !self.hazards.contains_key(module) {
            self.warm = Some(self.warm_for(module)?);
        }
        let safe = self.hazards.get(module).is_none_or(Vec::is_empty);
        if !safe {
            self.warm = None;
        }
        Ok(safe)
    }

    /// Has cases of a module spawned from now on: one that was forked stood still, and spawned it did not.
    pub(super) fn distrust(&mut self, module: &str) {
        self.warm = None;
        let reasons = self.hazards.entry(module.to_owned()).or_default();
        if reasons.is_empty() {
            reasons.push(STOOD_STILL.to_owned());
        }
    }

    /// Asks the interpreter that forks. One that failed to answer is dropped, and the next case gets a new one.
    pub(super) fn ask_warm(
        &mut self,
        module: &str,
        request: impl FnOnce(u64) -> Request,
        limit: Duration,
    ) -> Result<Reply, Trouble> {
        let mut warm = self.warm_for(module)?;
        let answer = warm.session.ask(request, limit + GRACE);
        if matches!(answer, Ok(_) | Err(SessionError::Unexpected { .. })) {
            self.warm = Some(warm);
        }
        Ok(answer.map_err(|error| error.with_limit(limit.as_secs_f64()))?)
    }
}

fn load_request(suite: &SuiteSource, only: Option<String>, skip: Vec<String>) -> impl FnOnce(u64) -> Request + use<> {
    let suite = match suite {
        SuiteSource::Package(root) => SuiteWire::Package { root: text(root) },
        SuiteSource::File(path) => SuiteWire::File { path: text(path) },
    };
    move |id| Request::Load { id, suite, only, skip }
}

fn import_problem(module: &str, error: SessionError) -> Problem {
    let Trouble::Lost(loss) = Trouble::from(error) else {
        return convert::problem_of_module(module, "it could not be imported".into(), String::new());
    };
    convert::problem_of_module(module, format!("its import {}", loss.message), loss.detail.unwrap_or_default())
}

/// Returns a path as the protocol carries it.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
