//! Wheels: built once for a source, and kept.

use std::path::PathBuf;

use tacho_model::Build;

use super::checkout::Checkout;
use super::compilers;
use super::job::{Job, Trouble};
use super::lock::Held;
use super::marker::{Marker, touch};
use super::places::Place;
use super::plan::Plan;
use super::tools::Environment;
use super::wheel::{self, WheelName};
use super::workshop::{Code, MakeError, Workshop};

/// A wheel that is there, and stays so as long as this value.
pub(super) struct Kept {
    pub(super) path: PathBuf,
    pub(super) build: Build,
    _lock: Held,
}

/// Returns the wheel of an isolated build, built where it is not there.
pub(super) fn wheel(
    workshop: &Workshop,
    plan: &Plan<'_>,
    code: &Code<'_>,
    key: &str,
    say: &dyn Fn(&str),
) -> Result<Kept, MakeError> {
    let place = workshop.places.build(key);
    let lock = Held::exclusive(&place.lock(), &workshop.interrupted, || {
        say("waiting for another process that builds the same");
    })?;
    if let Some((path, build)) = kept(&place, key) {
        touch(&place.marker());
        return Ok(Kept { path, build, _lock: lock.share() });
    }
    say(&format!("building {}", plan.order.project));
    let build = built(workshop, plan, code, key, &place)?;
    let path = wheel::only_one(&place.wheels()).map_err(|problem| MakeError::Tool { problem, hint: again() })?;
    Ok(Kept { path, build, _lock: lock.share() })
}

fn again() -> String {
    "something has removed it meanwhile: try again".into()
}

fn kept(place: &Place, key: &str) -> Option<(PathBuf, Build)> {
    let marker = Marker::of(place, key)?;
    let build = marker.into_build();
    let path = place.wheels().join(&build.wheel.as_ref()?.name);
    path.is_file().then_some((path, build))
}

fn built(workshop: &Workshop, plan: &Plan<'_>, code: &Code<'_>, key: &str, place: &Place) -> Result<Build, MakeError> {
    clear(place)?;
    std::fs::create_dir_all(place.wheels()).map_err(MakeError::io("create", &place.folder))?;
    let mut job = Job::begin(workshop, &place.log())?;
    match steps(&mut job, plan, code, place) {
        Ok((wheel, compilers)) => {
            let build = Build { wheel: Some(wheel), compilers, ..described(&job, plan, key, None) };
            Marker::new(&plan.order.spec.label, plan.maker.word(), &build).write(&place.marker())?;
            let _ = std::fs::remove_file(place.failure());
            Ok(build)
        }
        Err(trouble) => {
            let _ = clear(place);
            Err(kept_failure(&mut job, plan, key, place, trouble, |build| build))
        }
    }
}

fn steps(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    code: &Code<'_>,
    place: &Place,
) -> Result<(tacho_model::Wheel, std::collections::BTreeMap<String, String>), Trouble> {
    let workshop = job.workshop;
    let checkout = Checkout::of(workshop, code)?;
    if !checkout.project.is_dir() {
        let subdir = code.subdir.unwrap_or_default();
        return Err(Trouble::Failed(format!("there is no folder `{subdir}` in this source")));
    }
    let path = |path: &std::path::Path| Some(path.display().to_string());
    job.variables.extend([
        ("ASV".into(), Some("true".into())),
        ("ASV_PROJECT".into(), Some(plan.order.project.to_owned())),
        ("ASV_CONF_DIR".into(), path(&workshop.conf_dir)),
        ("ASV_COMMIT".into(), code.commit.map(str::to_owned)),
        ("ASV_BUILD_DIR".into(), path(&checkout.project)),
        ("ASV_BUILD_CACHE_DIR".into(), path(&place.wheels())),
    ]);
    job.variables.extend(plan.variables.iter().map(|(name, value)| (name.clone(), Some(value.clone()))));
    let environment = Environment {
        dir: &place.folder,
        spec: plan.order.spec,
        interpreter: plan.interpreter.as_ref(),
        with_pip: false,
    };
    plan.maker.build(job, &environment, &checkout.project, &place.wheels())?;
    let path = wheel::only_one(&place.wheels()).map_err(Trouble::Failed)?;
    let wheel = wheel::described(&path)?;
    let is_pure = WheelName::parse(&wheel.name).is_some_and(|name| name.is_pure);
    let compilers = match is_pure {
        true => std::collections::BTreeMap::new(),
        false => compilers::versions(workshop, &plan.variables, &checkout.project),
    };
    Ok((wheel, compilers))
}

/// Removes what is left of an earlier try.
pub(super) fn clear(place: &Place) -> Result<(), MakeError> {
    match std::fs::remove_dir_all(&place.folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(MakeError::io("remove", &place.folder)(error))
        }
        _ => Ok(()),
    }
}

/// Returns what a piece of work was, as far as it came.
pub(super) fn described(job: &Job<'_>, plan: &Plan<'_>, key: &str, failure: Option<String>) -> Build {
    Build {
        key: key.to_owned(),
        failure,
        commands: job.commands.clone(),
        variables: plan.variables.clone(),
        compilers: std::collections::BTreeMap::new(),
        wheel: None,
        dependencies: std::collections::BTreeMap::new(),
        started_at: job.started_at,
        duration_ns: job.duration_ns(),
        log_tail: job.log_tail(),
        reused: false,
    }
}

/// Keeps a failure that is the source's own, joined with what has come before it, and leads any other on.
pub(super) fn kept_failure(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    key: &str,
    place: &Place,
    trouble: Trouble,
    join: impl FnOnce(Build) -> Build,
) -> MakeError {
    let reason = match trouble {
        Trouble::Failed(reason) => reason,
        Trouble::Other(error) => return error,
    };
    job.note(&reason);
    let mut build = join(described(job, plan, key, Some(reason)));
    if plan.wheel_key.as_deref() == Some(key) {
        build.compilers = compilers::versions(job.workshop, &plan.variables, &place.folder);
    }
    let note = Marker::new(&plan.order.spec.label, plan.maker.word(), &build);
    match note.write(&place.failure()) {
        Ok(()) => MakeError::Failed(Box::new(build)),
        Err(error) => error,
    }
}
