//! Rehearses the cases of a suite on several processors at once: nothing is timed, so they may share the machine.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

use tacho_model::{Benchmark, Case, Planned, Rehearsal};

use crate::execute::{Finish, execution_order};
use crate::python::PythonExecutor;
use crate::session::SessionError;

/// So many cases at most are taken at once, unless they share a cache: enough to pay for an interpreter that has
/// imported their module, few enough to keep all processors busy.
const PORTION: usize = 32;

/// Cases of one module, and of one cache if they need any.
struct Portion<'a> {
    cases: Vec<(&'a Benchmark, Case)>,
}

/// Sets every planned case up and tears it down, on up to `n_jobs` processors, and hands each result to `sink` as it
/// comes. Returns the results in the order of the plan.
///
/// # Errors
/// What cannot be blamed on a case. An interruption is none: what has been rehearsed by then is returned.
pub fn rehearse(
    planned: &[Planned],
    executor: PythonExecutor,
    n_jobs: NonZeroUsize,
    sink: &mut dyn FnMut(&Rehearsal),
) -> Result<(Vec<Rehearsal>, Finish), SessionError> {
    let portions = portions(planned);
    let n_jobs = n_jobs.get().min(portions.len().max(1));
    let siblings: Vec<PythonExecutor> = (1..n_jobs).map(|job| executor.sibling(&format!("job-{job}"))).collect();
    let queue = Mutex::new(portions);
    let (sender, receiver) = channel();
    let mut rehearsals = Vec::new();
    let mut failure = None;
    std::thread::scope(|scope| {
        for executor in siblings.into_iter().chain([executor]) {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || work(executor, queue, &sender));
        }
        drop(sender);
        for result in receiver {
            match result {
                Ok(rehearsal) => {
                    sink(&rehearsal);
                    rehearsals.push(rehearsal);
                }
                Err(error) => failure = failure.take().or(Some(error)),
            }
        }
    });
    sort(&mut rehearsals, planned);
    match failure {
        None => Ok((rehearsals, Finish::Complete)),
        Some(SessionError::Interrupted) => Ok((rehearsals, Finish::Stopped)),
        Some(error) => Err(error),
    }
}

/// Takes portions until there are none, or one fails.
fn work(
    mut executor: PythonExecutor,
    queue: &Mutex<VecDeque<Portion<'_>>>,
    sender: &Sender<Result<Rehearsal, SessionError>>,
) {
    let next = || queue.lock().ok()?.pop_front();
    while let Some(portion) = next() {
        if portion.rehearse(&mut executor, sender).is_break() {
            // The others stop with their present case.
            if let Ok(mut queue) = queue.lock() {
                queue.clear();
            }
        }
    }
}

impl Portion<'_> {
    fn rehearse(
        &self,
        executor: &mut PythonExecutor,
        sender: &Sender<Result<Rehearsal, SessionError>>,
    ) -> ControlFlow<()> {
        for (benchmark, case) in &self.cases {
            let rehearsed = executor.rehearse(benchmark, case);
            let failed = rehearsed.is_err();
            if sender.send(rehearsed).is_err() || failed {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

fn portions(planned: &[Planned]) -> VecDeque<Portion<'_>> {
    let mut portions: VecDeque<Portion<'_>> = VecDeque::new();
    for plan in execution_order(planned).iter().map(|index| &planned[*index]) {
        for case in plan.cases.iter().filter_map(|index| plan.benchmark.case(*index)) {
            match portions.back_mut().filter(|portion| portion.takes(&plan.benchmark)) {
                Some(portion) => portion.cases.push((&plan.benchmark, case)),
                None => portions.push_back(Portion { cases: vec![(&plan.benchmark, case)] }),
            }
        }
    }
    portions
}

impl Portion<'_> {
    /// Returns true where a case of the benchmark belongs with those that are here.
    fn takes(&self, benchmark: &Benchmark) -> bool {
        let Some((first, _)) = self.cases.first() else { return true };
        let key = |benchmark: &Benchmark| benchmark.setup_cache.as_ref().map(|cache| cache.key.clone());
        let alike = first.module == benchmark.module && key(first) == key(benchmark);
        alike && (self.cases.len() < PORTION || first.setup_cache.is_some())
    }
}

fn sort(rehearsals: &mut [Rehearsal], planned: &[Planned]) {
    let places: std::collections::HashMap<&str, usize> =
        planned.iter().enumerate().map(|(place, plan)| (plan.benchmark.name.as_str(), place)).collect();
    rehearsals.sort_by_key(|rehearsal| (places.get(rehearsal.case.benchmark.as_str()).copied(), rehearsal.case.index));
}

#[cfg(test)]
mod tests;
