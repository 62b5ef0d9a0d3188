//! Making an environment: under a lock, from nothing, with the marker written last.

use std::path::Path;
use std::sync::Arc;

use tacho_model::Build;

use super::builds::{self, clear};
use super::file_stamp::FileStamp;
use super::fitting::{self, Parts};
use super::job::{Job, Trouble};
use super::lock::Held;
use super::marker::{Marker, touch};
use super::places::Place;
use super::plan::Plan;
use super::tools::{Environment, Maker};
use super::workshop::{Made, MakeError, Workshop};

/// One environment of a conda-like tool takes one build after the other; so many may be in use side by side.
const LAST_SHARED: u32 = 64;

/// Returns the environment of a plan where it is there and whole.
pub(super) fn ready(workshop: &Workshop, plan: &Plan<'_>) -> Option<Made> {
    candidates(workshop, plan).into_iter().find_map(|place| ready_at(workshop, plan, &place))
}

fn ready_at(workshop: &Workshop, plan: &Plan<'_>, place: &Place) -> Option<Made> {
    let slot = match Marker::of(place, &plan.key)?.in_place {
        true => Some(workshop.slot_of(&plan.key)?),
        false => None,
    };
    let lock = Held::try_shared(&place.lock()).ok()??;
    // Whoever held all of the lock until now may have removed it.
    made(plan, place, lock).map(|made| Made { _slot: slot, ..made }).inspect(|_| touch(&place.marker()))
}

/// Returns what the marker of an environment says, if that still holds.
fn made(plan: &Plan<'_>, place: &Place, lock: Held) -> Option<Made> {
    let marker = Marker::of(place, &plan.key)?;
    let python = marker.python.clone()?;
    let is_whole = marker.program.as_ref().is_some_and(|program| FileStamp::of(&python).as_ref() == Some(program));
    let (label, tool) = (plan.order.spec.label.clone(), marker.tool.clone());
    let build = marker.into_build();
    is_whole.then(|| Made { dir: place.folder.clone(), python, build, label, tool, _lock: Arc::new(lock), _slot: None })
}

/// Returns where the environment of a plan may lie: in one place, or in one of several that take builds in turn.
fn candidates(workshop: &Workshop, plan: &Plan<'_>) -> Vec<Place> {
    match &plan.base_key {
        None => vec![workshop.places.environment(&plan.key)],
        Some(base) => {
            let all = (0..LAST_SHARED).map(|number| workshop.places.shared_environment(base, number));
            all.take_while(|place| place.lock().exists()).collect()
        }
    }
}

/// Returns how an earlier try failed: to build the wheel, or to make the environment.
pub(super) fn failed_before(workshop: &Workshop, plan: &Plan<'_>) -> Option<Build> {
    let of_wheel = plan.wheel_key.as_ref().and_then(|key| Marker::of_failure(&workshop.places.build(key), key));
    let failed = of_wheel.or_else(|| Marker::of_failure(&workshop.places.environment(&plan.key), &plan.key));
    failed.map(|marker| Build { key: plan.key.clone(), ..marker.into_build() })
}

/// Returns the environment of a plan, made where it is not there.
pub(super) fn make(workshop: &Workshop, plan: &Plan<'_>, say: &dyn Fn(&str)) -> Result<Made, MakeError> {
    workshop.places.prepare()?;
    let own = workshop.places.environment(&plan.key);
    loop {
        if let Some(made) = ready(workshop, plan) {
            return Ok(made);
        }
        // Of two processes that want the same, one makes it.
        let order = Held::exclusive(&own.lock(), &workshop.interrupted, || {
            say("waiting for another process that makes the same environment");
        })?;
        let (place, lock) = match &plan.base_key {
            None => (own.clone(), order),
            Some(base) => match ready(workshop, plan) {
                Some(made) => return Ok(made),
                None => shared_place(workshop, base)?,
            },
        };
        if made_is_whole(workshop, plan, &place) {
            continue;
        }
        say(&format!("making environment {}", plan.order.spec.label));
        let (reused, slot) = fresh(workshop, plan, &place, &own, say)?;
        let slot = slot.map(|slot| workshop.keep_slot(&plan.key, slot));
        // Between the two locks somebody may have removed it again.
        if let Some(made) = made(plan, &place, lock.share()) {
            return Ok(Made { build: Build { reused, ..made.build.clone() }, _slot: slot, ..made });
        }
    }
}

fn made_is_whole(workshop: &Workshop, plan: &Plan<'_>, place: &Place) -> bool {
    let marker = Marker::of(place, &plan.key);
    let marker = marker.filter(|marker| !marker.in_place || workshop.slot_of(&plan.key).is_some());
    let python = marker.and_then(|marker| Some((marker.python?, marker.program?)));
    python.is_some_and(|(python, program)| FileStamp::of(&python) == Some(program))
}

/// Returns an environment of a conda-like tool that nobody uses.
fn shared_place(workshop: &Workshop, base: &str) -> Result<(Place, Held), MakeError> {
    for number in 0..LAST_SHARED {
        let place = workshop.places.shared_environment(base, number);
        if let Some(held) = Held::try_exclusive(&place.lock()).map_err(MakeError::io("lock", &place.folder))? {
            return Ok((place, held));
        }
    }
    let place = workshop.places.shared_environment(base, LAST_SHARED);
    Held::exclusive(&place.lock(), &workshop.interrupted, || {}).map(|held| (place, held))
}

/// Makes the environment and returns whether its wheel was there already, and the slot that it takes its code from. Whatever goes wrong, nothing is left that could
/// be taken for one.
fn fresh(
    workshop: &Workshop,
    plan: &Plan<'_>,
    place: &Place,
    own: &Place,
    say: &dyn Fn(&str),
) -> Result<(bool, Option<Held>), MakeError> {
    let base = Base::of(plan, place);
    match base {
        Base::Kept => drop(std::fs::remove_file(place.marker())),
        Base::New => clear(place)?,
    }
    let mut job = Job::begin(workshop, &own.log())?;
    let mut parts = Parts::new(base == Base::Kept);
    let fitted = fitting::fit(&mut job, plan, place, &mut parts, say);
    match fitted.and_then(|python| marked(&job, plan, place, &parts, &python)) {
        Ok(()) => {
            let _ = std::fs::remove_file(own.failure());
            Ok((parts.is_reused, parts.in_place))
        }
        Err(trouble) => {
            if !parts.is_clean_base {
                let _ = clear(place);
            }
            Err(builds::kept_failure(&mut job, plan, &plan.key, own, trouble, |build| parts.joined(build)))
        }
    }
}

/// Whether an environment of a conda-like tool is there that can take another build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    New,
    Kept,
}

impl Base {
    fn of(plan: &Plan<'_>, place: &Place) -> Base {
        let marker = Marker::read(&place.base_marker());
        let is_there = marker.is_some_and(|marker| Some(&marker.key) == plan.base_key.as_ref());
        let environment = environment(plan, &place.folder);
        match is_there && plan.maker.python(&environment).is_file() {
            true => Base::Kept,
            false => Base::New,
        }
    }
}

/// Returns the environment of a plan in the words of its tool.
pub(super) fn environment<'a>(plan: &'a Plan<'_>, dir: &'a Path) -> Environment<'a> {
    let commands = &plan.order.spec.commands;
    let with_pip = commands.build.is_some() || commands.install.is_some();
    let with_pip = with_pip && matches!(plan.maker, Maker::Uv(_) | Maker::Venv);
    Environment { dir, spec: plan.order.spec, interpreter: plan.interpreter.as_ref(), with_pip }
}

/// Writes the marker, which makes the folder an environment.
fn marked(job: &Job<'_>, plan: &Plan<'_>, place: &Place, parts: &Parts, python: &Path) -> Result<(), Trouble> {
    let own = builds::described(job, plan, &plan.key, None);
    let build = parts.joined(own);
    let mut marker = Marker::new(&plan.order.spec.label, plan.maker.word(), &build);
    marker.program = FileStamp::of(python);
    if marker.program.is_none() {
        return Err(Trouble::Failed(format!("there is no interpreter `{}` in the environment", python.display())));
    }
    marker.python = Some(python.to_owned());
    marker.in_place = parts.in_place.is_some();
    Ok(marker.write(&place.marker())?)
}
