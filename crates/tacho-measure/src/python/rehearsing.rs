//! Looking at a suite and setting its cases up, without measuring any.

use std::time::Instant;

use tacho_model::{Benchmark, Case, Isolation, Rehearsal, Remark, State};

use super::hung::is_idle;
use super::interpreters::text;
use super::loss::{Loss, Trouble};
use super::{DISCOVERY_LIMIT, Discovery, How, PythonConfig, PythonExecutor};
use crate::convert;
use crate::protocol::{CheckRequest, IsolationWire, Reply, Request};
use crate::session::{SessionError, unexpected};

impl PythonExecutor {
    /// Imports the suite, lists its benchmarks, and looks at how they are declared.
    ///
    /// # Errors
    /// As [`PythonExecutor::discover`].
    pub fn examine(&mut self) -> Result<(Discovery, Vec<Remark>), SessionError> {
        let mut opened = self.open(IsolationWire::Fork)?;
        let isolation = opened.isolation;
        let remarks = match opened.session.ask(|id| Request::Inspect { id, isolation }, DISCOVERY_LIMIT)? {
            Reply::Inspected(reply) => reply.findings.into_iter().map(convert::remark).collect(),
            other => return Err(unexpected(&other)),
        };
        Ok((self.keep_warm(opened), remarks))
    }

    /// Returns an executor that knows what this one has discovered, with interpreters and a folder of its own: for
    /// another thread.
    pub fn sibling(&self, name: &str) -> PythonExecutor {
        let config = self.config();
        let mut sibling = PythonExecutor::new(PythonConfig { scratch: config.scratch.join(name), ..config.clone() });
        sibling.cache_timeouts.clone_from(&self.cache_timeouts);
        sibling.own_texts.clone_from(&self.own_texts);
        sibling.interpreters.hazards.clone_from(&self.interpreters.hazards);
        sibling
    }

    /// Sets one case up and tears it down, in a process of its own. What goes wrong there is told by the rehearsal.
    ///
    /// # Errors
    /// Only for what is not the suite's fault: an interruption, an interpreter that cannot start.
    pub fn rehearse(&mut self, benchmark: &Benchmark, case: &Case) -> Result<Rehearsal, SessionError> {
        let began = Instant::now();
        self.rehearsed(benchmark, case).or_else(|trouble| lost(case, trouble, began))
    }

    fn rehearsed(&mut self, benchmark: &Benchmark, case: &Case) -> Result<Rehearsal, Trouble> {
        // Nothing is measured, so that kinds which need an interpreter of their own for that do without.
        let how = self.how(benchmark, None, |executor| executor.isolation_in(&benchmark.module))?;
        let (rehearsal, is_hung) = self.rehearse_in(benchmark, case, &how)?;
        if !is_hung {
            return Ok(rehearsal);
        }
        let began = Instant::now();
        let spawned = match self.rehearse_in(benchmark, case, &How { isolation: Isolation::Spawn, ..how }) {
            Ok((spawned, _)) => spawned,
            Err(trouble) => lost(case, trouble, began).map_err(Trouble::Fatal)?,
        };
        // Where a new interpreter did no better, the first one tells where it stood still.
        Ok(if spawned.state == State::TimedOut { rehearsal } else { spawned })
    }

    fn rehearse_in(&mut self, benchmark: &Benchmark, case: &Case, how: &How) -> Result<(Rehearsal, bool), Trouble> {
        let dir = self.interpreters.case_folder()?;
        let config = self.config();
        let request = CheckRequest {
            id: 0,
            benchmark: benchmark.name.clone(),
            case: case.index,
            params: self.texts_for_the_runner(case),
            isolation: how.wire(),
            timeout_s: how.timeout_s,
            dir: text(dir.path()),
            cache: how.cache.as_deref().map(text),
            affinity: config.affinity.clone(),
            output_limit_bytes: config.launch.output_limit_bytes as u64,
        };
        let request = move |id| Request::Check(Box::new(CheckRequest { id, ..request }));
        let answered = self.ask(&benchmark.module, request, how);
        self.interpreters.take_back(dir);
        match answered? {
            (Reply::Checked(reply), output) => {
                let state = State::parse(&reply.state).unwrap_or(State::Failed);
                let is_idle = state == State::TimedOut && is_idle(&reply.observed, how.timeout_s);
                let is_hung = how.isolation == Isolation::Fork && is_idle;
                Ok((convert::rehearsal(case, *reply, &output), is_hung))
            }
            (other, _) => Err(unexpected(&other).into()),
        }
    }
}

/// Returns the rehearsal of a case that was lost before it could answer.
fn lost(case: &Case, trouble: Trouble, began: Instant) -> Result<Rehearsal, SessionError> {
    let duration_ns = began.elapsed().as_nanos() as u64;
    match trouble {
        Trouble::Fatal(error) => Err(error),
        Trouble::Lost(Loss { state, message, detail, observed: _ }) => {
            Ok(Rehearsal { case: case.clone(), state, phase: None, message: Some(message), detail, duration_ns })
        }
    }
}
