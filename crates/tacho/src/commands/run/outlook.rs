//! The outlook of an agenda: what it builds and measures, how long that may take, and what there is no time for.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use tacho_measure::budget::{self, Job, Lot};
use tacho_measure::environments::Combination;
use tacho_model::{Completeness, Run, State, Subject, Timestamp};
use tacho_report::{PlannedBuild, PlannedRun, PlannedState};

use super::Wanted;
use super::agenda::Agenda;
use super::cell::{Cell, Fate};
use super::existing::{Existing, Place};
use crate::error::Result;

/// So many of the newest runs tell how long benchmarks take and how they changed.
const RUNS_READ: usize = 12;

/// What earlier runs in one combination tell.
#[derive(Default)]
struct Experience {
    /// How many cases the newest run had, of those that are selected.
    n_cases: Option<usize>,
    benchmarks: BTreeMap<String, Past>,
    build_s: Option<f64>,
}

/// What is known of one benchmark.
struct Past {
    cost_s: f64,
    measured_at: Timestamp,
    change: Option<f64>,
    /// The newest value of each case and metric.
    values: HashMap<(usize, String), f64>,
}

/// Gives every cell its expected costs, and leaves out what there is no time for.
pub(super) struct Outlook<'a> {
    existing: &'a Existing,
    place: &'a Place,
    wanted: &'a Wanted,
    experience: HashMap<*const Combination, Experience>,
}

impl<'a> Outlook<'a> {
    pub(super) fn new(existing: &'a Existing, place: &'a Place, wanted: &'a Wanted) -> Outlook<'a> {
        Outlook { existing, place, wanted, experience: HashMap::new() }
    }

    /// Returns what would be done, for people and programs.
    ///
    /// # Errors
    /// A pattern takes too long on a name.
    pub(super) fn of(&mut self, agenda: &Agenda, budget_s: Option<f64>) -> Result<tacho_report::Agenda> {
        let mut builds = BTreeSet::new();
        let mut runs = Vec::new();
        for cell in &agenda.cells {
            runs.push(self.planned(cell, &mut builds)?);
        }
        Ok(tacho_report::Agenda { runs, budget_s })
    }

    fn planned(&mut self, cell: &Cell, builds: &mut BTreeSet<String>) -> Result<PlannedRun> {
        let axes = cell.axes(self.wanted);
        let experience = self.experience(&cell.combination)?;
        let left = |name: &String| !cell.left_out.contains(name);
        let costs = experience.benchmarks.iter().filter(|(name, _)| left(name)).map(|(_, past)| past.cost_s);
        let estimate_s = (!experience.benchmarks.is_empty()).then(|| costs.sum());
        let build = match &cell.build_key {
            None => PlannedBuild::None,
            Some(_) if cell.is_ready => PlannedBuild::Ready,
            Some(key) if cell.fate == Fate::Measure && !builds.insert(key.clone()) => PlannedBuild::Shared,
            Some(_) => PlannedBuild::Needed(experience.build_s),
        };
        let state = match &cell.fate {
            Fate::Measure => PlannedState::Measured,
            Fate::Exists => PlannedState::Exists,
            Fate::Unbuildable(why) => PlannedState::Unbuildable(why.clone()),
            Fate::LeftOut => PlannedState::LeftOut,
        };
        Ok(PlannedRun {
            subject: cell.subject.clone(),
            environment_label: cell.combination.environment.label.clone(),
            axes,
            build,
            n_cases: experience.n_cases,
            estimate_s,
            state,
            left_out: cell.left_out.iter().cloned().collect(),
        })
    }

    /// Leaves out of an agenda what does not fit into a time. The newest subject comes first, then the middle of the largest
    /// gap in history; at a subject what is stalest and has changed most.
    ///
    /// # Errors
    /// As [`Outlook::of`].
    pub(super) fn fit(&mut self, agenda: &mut Agenda, budget_s: f64) -> Result<()> {
        let ranks = ranks(agenda);
        let now = tacho_measure::now();
        let typical = self.typical(agenda)?;
        let mut lots = Vec::new();
        for (cell, rank) in agenda.cells.iter().zip(&ranks) {
            let experience = self.experience(&cell.combination)?;
            let has_build = cell.build_key.is_some() && !cell.is_ready;
            let build_s = experience.build_s.or(typical.build_s).unwrap_or(0.0);
            let fixed_s = if has_build { build_s } else { 0.0 };
            let jobs = match cell.fate {
                Fate::Measure if experience.benchmarks.is_empty() => typical.jobs(None),
                Fate::Measure => experience.jobs(Some(now)),
                _ => vec![],
            };
            lots.push(Lot { rank: *rank, fixed_s, jobs });
        }
        let share = budget::share_out(&lots, budget_s);
        for ((cell, lot), taken) in agenda.cells.iter_mut().zip(&lots).zip(&share.taken) {
            let lost = lot.jobs.iter().zip(taken).filter(|(_, taken)| !**taken).map(|(job, _)| job.name.clone());
            cell.left_out = lost.collect();
            if !lot.jobs.is_empty() && !taken.iter().any(|taken| *taken) {
                cell.fate = Fate::LeftOut;
            }
        }
        agenda.order_by(&ranks);
        Ok(())
    }

    /// Returns what is known of the first combination that anything is known of: others are taken to be like it.
    fn typical(&mut self, agenda: &Agenda) -> Result<Experience> {
        let mut seen = BTreeSet::new();
        for cell in agenda.cells.iter().filter(|cell| seen.insert(Arc::as_ptr(&cell.combination))) {
            if !self.experience(&cell.combination)?.benchmarks.is_empty() {
                return self.look_back(&cell.combination);
            }
        }
        Ok(Experience::default())
    }

    /// Cells of one combination share it.
    fn experience(&mut self, combination: &Arc<Combination>) -> Result<&Experience> {
        let place = Arc::as_ptr(combination);
        if !self.experience.contains_key(&place) {
            let found = self.look_back(combination)?;
            self.experience.insert(place, found);
        }
        Ok(&self.experience[&place])
    }

    fn look_back(&self, combination: &Combination) -> Result<Experience> {
        let mut experience = Experience::default();
        let entries: Vec<_> = self.existing.like(combination, self.place).take(RUNS_READ).collect();
        for entry in entries {
            let built = entry.provenance.build.as_ref().filter(|build| !build.reused && build.failure.is_none());
            let build_s = built.map(|build| build.duration_ns as f64 / 1e9);
            experience.build_s = experience.build_s.or(build_s);
            if entry.completeness == Completeness::Sealed
                && let Some(run) = self.existing.run(entry)
            {
                experience.take(&run, self.wanted)?;
            }
        }
        Ok(experience)
    }
}

impl Experience {
    /// Takes in a run that is older than those before.
    fn take(&mut self, run: &Run, wanted: &Wanted) -> Result<()> {
        let mut n_cases = 0;
        let mut selected = BTreeSet::new();
        for plan in &run.planned {
            let cases = wanted.selection.select(&plan.benchmark)?.len();
            n_cases += cases;
            if cases > 0 {
                selected.insert(plan.benchmark.name.as_str());
            }
        }
        if n_cases > 0 {
            self.n_cases.get_or_insert(n_cases);
        }
        let durations: HashMap<String, u64> = tacho_judge::durations(run).into_iter().collect();
        for outcome in tacho_judge::outcomes(run) {
            let name = &outcome.case.benchmark;
            if !selected.contains(name.as_str()) {
                continue;
            }
            let past = self.benchmarks.entry(name.clone()).or_insert_with(|| Past {
                cost_s: durations.get(name).map_or(0.0, |ns| *ns as f64 / 1e9),
                measured_at: run.provenance.started_at,
                change: None,
                values: HashMap::new(),
            });
            if let (State::Measured, Some(value)) = (outcome.state, outcome.value) {
                past.take((outcome.case.index, outcome.metric.name.clone()), value);
            }
        }
        Ok(())
    }

    /// Returns what could be measured; nothing of it is old where there is no `now`, as it was measured elsewhere.
    fn jobs(&self, now: Option<Timestamp>) -> Vec<Job> {
        let age_s = |past: &Past, now: Timestamp| (now.unix_us - past.measured_at.unix_us).max(0) as f64 / 1e6;
        let job = |(name, past): (&String, &Past)| Job {
            name: name.clone(),
            cost_s: Some(past.cost_s),
            age_s: now.map(|now| age_s(past, now)),
            change: past.change,
        };
        self.benchmarks.iter().map(job).collect()
    }
}

impl Past {
    /// Takes an older value: the first one that is not the newest says how large the last change was.
    fn take(&mut self, key: (usize, String), older: f64) {
        let Some(newest) = self.values.insert(key.clone(), f64::NAN) else {
            self.values.insert(key, older);
            return;
        };
        if newest > 0.0 && older > 0.0 {
            let change = (newest / older).ln().abs();
            self.change = Some(self.change.map_or(change, |largest| largest.max(change)));
        }
    }
}

/// Returns for each cell the turn of its subject.
fn ranks(agenda: &Agenda) -> Vec<usize> {
    let mut subjects: Vec<Option<String>> = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    let mut position_of: HashMap<Option<String>, usize> = HashMap::new();
    for cell in &agenda.cells {
        let id = cell.subject.as_ref().map(Subject::id);
        let position = *position_of.entry(id.clone()).or_insert_with(|| {
            subjects.push(id);
            open.push(false);
            subjects.len() - 1
        });
        open[position] |= cell.fate == Fate::Measure;
    }
    let covered: Vec<bool> = open.iter().map(|open| !open).collect();
    let mut rank = vec![usize::MAX; subjects.len()];
    for (turn, position) in budget::spread(&covered).into_iter().enumerate() {
        rank[position] = turn;
    }
    agenda.cells.iter().map(|cell| rank[position_of[&cell.subject.as_ref().map(Subject::id)]]).collect()
}
