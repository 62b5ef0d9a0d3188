//! Fits an environment out: made empty, the project built, everything installed in one resolution, and looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_model::{Build, Wheel};

use super::builds::{self, Kept};
use super::checkout::{Checkout, build_requirements};
use super::compilers;
use super::installed::{self, Distribution, is_same_version, normal_name};
use super::job::{Job, Trouble};
use super::lines::{self, Surroundings};
use super::lock::Held;
use super::making::environment;
use super::marker::Marker;
use super::places::Place;
use super::plan::{Plan, requirement_line};
use super::tools::{Environment, Maker, Wanted};
use super::wheel::{self, WheelName};
use super::workshop::{MakeError, Source};

/// What a build inside of the environment needs in it, asv's way.
const FOR_BUILDING: [&str; 3] = ["pip", "wheel", "build"];

/// So much of the log stands in a record.
const TAIL_BYTES: usize = 32 << 10;

/// What has come together so far.
#[derive(Default)]
pub(super) struct Parts {
    /// The environment was there, and only the project in it changes.
    has_base: bool,
    /// Nothing but the tool has put anything into it yet.
    pub(super) is_clean_base: bool,
    /// The wheel was built by an earlier order.
    pub(super) is_reused: bool,
    wheel: Option<(PathBuf, Wheel)>,
    isolated: Option<Kept>,
    /// Held so that nobody removes what was built until it is installed.
    inside: Option<Held>,
    /// Held so that nobody changes the checkout, where the environment takes its code from there.
    pub(super) in_place: Option<Held>,
    compilers: BTreeMap<String, String>,
    dependencies: BTreeMap<String, String>,
}

impl Parts {
    pub(super) fn new(has_base: bool) -> Parts {
        Parts { has_base, ..Parts::default() }
    }

    /// Returns the build that has led to the environment: that of the wheel, and then the work on the environment itself.
    pub(super) fn joined(&self, own: Build) -> Build {
        let mut build = own;
        build.dependencies = self.dependencies.clone();
        build.compilers = self.compilers.clone();
        build.wheel = self.wheel.as_ref().map(|(_, wheel)| wheel.clone());
        if let Some(Kept { build: of_wheel, .. }) = &self.isolated {
            build.commands = of_wheel.commands.iter().cloned().chain(build.commands).collect();
            build.compilers = of_wheel.compilers.clone();
            // One that was built just now was built while the work on the environment was under way.
            build.duration_ns += if of_wheel.reused { of_wheel.duration_ns } else { 0 };
            build.started_at = of_wheel.started_at.min(build.started_at);
            build.log_tail = tail(&format!("{}{}", of_wheel.log_tail, build.log_tail));
        }
        build
    }
}

fn tail(text: &str) -> String {
    let start = text.len().saturating_sub(TAIL_BYTES);
    let start = (start..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text[start..].to_owned()
}

/// Fits the environment out and returns its interpreter.
pub(super) fn fit(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    place: &Place,
    parts: &mut Parts,
    say: &dyn Fn(&str),
) -> Result<PathBuf, Trouble> {
    let environment = environment(plan, &place.folder);
    let python = plan.maker.python(&environment);
    if let (Source::Code(code), Some(key), true) = (&plan.order.source, &plan.wheel_key, plan.is_isolated()) {
        let kept = builds::wheel(job.workshop, plan, code, key, say).map_err(|error| of_order(error, plan))?;
        parts.wheel = kept.build.wheel.clone().map(|wheel| (kept.path.clone(), wheel));
        parts.is_reused = kept.build.reused;
        parts.isolated = Some(kept);
    }
    job.variables.extend(plan.variables.iter().map(|(name, value)| (name.clone(), Some(value.clone()))));
    if !parts.has_base {
        plan.maker.create(job, &environment)?;
        note_base(plan, place, job)?;
    }
    parts.is_clean_base = plan.base_key.is_some();
    let checkout = needed_checkout(job, plan, parts)?;
    let around = Surroundings {
        env_dir: &place.folder,
        bin: plan.maker.prefix(&place.folder).join("bin"),
        python: &python,
        build_dir: checkout.as_ref().map(|checkout| checkout.project.as_path()),
        build_cache_dir: None,
    };
    let cache = plan.wheel_key.as_ref().map(|key| job.workshop.places.build(key));
    let wheels = cache.as_ref().map(Place::wheels);
    let around = Surroundings { build_cache_dir: wheels.as_deref(), ..around };
    take_out(job, plan, parts, &around)?;
    build_inside(job, plan, &environment, parts, &around, cache.as_ref(), say)?;
    parts.is_clean_base = false;
    say(&format!("installing into environment {}", plan.order.spec.label));
    install(job, plan, &environment, parts, &around, checkout.as_ref())?;
    look_at(job, plan, place, parts)?;
    let prefix = plan.maker.prefix(&place.folder);
    parts.in_place = checkout.filter(|one| installed::is_taken_from(&prefix, &one.root)).map(Checkout::into_slot);
    Ok(python)
}

/// Whoever ordered knows the order's key, and not the wheel's.
fn of_order(error: MakeError, plan: &Plan<'_>) -> MakeError {
    match error {
        MakeError::Failed(build) => MakeError::Failed(Box::new(Build { key: plan.key.clone(), ..*build })),
        other => other,
    }
}

/// Marks an environment that will take one build after the other as made.
fn note_base(plan: &Plan<'_>, place: &Place, job: &Job<'_>) -> Result<(), Trouble> {
    let Some(key) = &plan.base_key else { return Ok(()) };
    let build = builds::described(job, plan, key, None);
    Ok(Marker::new(&plan.order.spec.label, plan.maker.word(), &build).write(&place.base_marker())?)
}

/// Checks the code out where something besides the kept wheel is needed of it.
fn needed_checkout(job: &Job<'_>, plan: &Plan<'_>, parts: &Parts) -> Result<Option<Checkout>, MakeError> {
    let Source::Code(code) = &plan.order.source else { return Ok(None) };
    let spec = plan.order.spec;
    let is_needed = spec.lock.is_some() || spec.commands.install.is_some() || parts.isolated.is_none();
    is_needed.then(|| Checkout::of(job.workshop, code)).transpose()
}

/// Takes the project that an earlier build has put into the environment out of it.
fn take_out(job: &mut Job<'_>, plan: &Plan<'_>, parts: &Parts, around: &Surroundings<'_>) -> Result<(), Trouble> {
    if !parts.has_base {
        return Ok(());
    }
    let asv_default = ["return-code=any {python} -m pip uninstall -y {project}".to_owned()];
    let lines = plan.order.spec.commands.uninstall.as_deref().unwrap_or(&asv_default);
    lines::run(job, plan, around, lines, around.env_dir)
}

/// Builds the project inside of the environment: by lines of its settings, or where the tool brings the interpreter.
fn build_inside(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    environment: &Environment<'_>,
    parts: &mut Parts,
    around: &Surroundings<'_>,
    cache: Option<&Place>,
    say: &dyn Fn(&str),
) -> Result<(), Trouble> {
    let (Some(cache), Some(source), None) = (cache, around.build_dir, &parts.isolated) else { return Ok(()) };
    let lock = Held::exclusive(&cache.lock(), &job.workshop.interrupted, || {})?;
    let key = plan.wheel_key.as_deref().unwrap_or_default();
    // Lines that leave nothing behind have done all their work in the checkout, and have to do it again (asv's rule).
    if let Some(marker) = Marker::of(cache, key).filter(|_| has_files(&cache.wheels())) {
        let build = marker.into_build();
        parts.compilers = build.compilers;
        parts.is_reused = true;
        job.commands.extend(build.commands);
    } else {
        say(&format!("building {}", plan.order.project));
        builds::clear(cache)?;
        let wheels = cache.wheels();
        std::fs::create_dir_all(&wheels).map_err(MakeError::io("create", &wheels))?;
        let built = run_build(job, plan, environment, around, source, &wheels);
        if let Err(trouble) = built {
            let _ = builds::clear(cache);
            return Err(trouble);
        }
        parts.compilers = compilers_of(job, plan, source, &wheels);
        let build = Build { compilers: parts.compilers.clone(), ..builds::described(job, plan, key, None) };
        Marker::new(&plan.order.spec.label, plan.maker.word(), &build).write(&cache.marker())?;
    }
    parts.inside = Some(lock.share());
    if let Ok(path) = wheel::only_one(&cache.wheels()) {
        parts.wheel = Some((path.clone(), wheel::described(&path)?));
    }
    Ok(())
}

fn has_files(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

fn run_build(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    environment: &Environment<'_>,
    around: &Surroundings<'_>,
    source: &Path,
    wheels: &Path,
) -> Result<(), Trouble> {
    match (&plan.order.spec.commands.build, &plan.maker) {
        (Some(lines), maker) => {
            if !matches!(maker, Maker::Command) {
                let lines = requirement_lines(plan, maker);
                let tools = FOR_BUILDING.iter().map(|name| (*name).to_owned());
                let lines = tools.chain(build_requirements(source)).chain(lines).collect();
                maker.install(job, environment, &Wanted { lines, ..Wanted::default() })?;
            }
            lines::run(job, plan, around, lines, source)
        }
        (None, maker) => maker.build(job, environment, source, wheels),
    }
}

fn compilers_of(job: &Job<'_>, plan: &Plan<'_>, source: &Path, wheels: &Path) -> BTreeMap<String, String> {
    let only = wheel::only_one(wheels).ok().and_then(|path| WheelName::parse(&wheel::file_name(&path)));
    match only.is_some_and(|name| name.is_pure) {
        true => BTreeMap::new(),
        false => compilers::versions(job.workshop, &plan.variables, source),
    }
}

/// Returns the requirement lines that pip or `uv` install: a conda-like tool has installed its own already.
fn requirement_lines(plan: &Plan<'_>, maker: &Maker) -> Vec<String> {
    let spec = plan.order.spec;
    let is_conda = matches!(maker, Maker::Conda(_));
    let own = spec.requirements.iter().filter(|requirement| requirement.by_pip || !is_conda).map(requirement_line);
    let fixed = spec.packages.iter().filter_map(|line| match (line.strip_prefix("pip+"), is_conda) {
        (Some(line), _) => Some(line.to_owned()),
        (None, true) => None,
        (None, false) => Some(line.clone()),
    });
    own.chain(fixed).collect()
}

fn install(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    environment: &Environment<'_>,
    parts: &Parts,
    around: &Surroundings<'_>,
    checkout: Option<&Checkout>,
) -> Result<(), Trouble> {
    let mut wanted = Wanted { lines: requirement_lines(plan, &plan.maker), ..Wanted::default() };
    wanted.lock = locked(job, plan, around.env_dir, checkout)?;
    if let Source::Release { package, version } = &plan.order.source {
        wanted.lines.push(format!("{package}=={version}"));
    }
    let Some(lines) = &plan.order.spec.commands.install else {
        wanted.wheel = parts.wheel.as_ref().map(|(path, wheel)| (path.clone(), wheel.sha256.clone()));
        if wanted.wheel.is_none()
            && matches!(plan.order.source, Source::Code(_))
            && let (Some(folder), false) = (around.build_cache_dir, plan.maker == Maker::Command)
        {
            wheel::only_one(folder).map_err(Trouble::Failed)?;
        }
        return match plan.maker {
            Maker::Command => Ok(()),
            _ => plan.maker.install(job, environment, &wanted),
        };
    };
    if plan.maker != Maker::Command {
        plan.maker.install(job, environment, &wanted)?;
    }
    lines::run(job, plan, around, lines, around.build_dir.unwrap_or(around.env_dir))
}

/// Returns the file of locked requirements as the installer reads it.
fn locked(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    env_dir: &Path,
    checkout: Option<&Checkout>,
) -> Result<Option<PathBuf>, Trouble> {
    let Some(lock) = &plan.order.spec.lock else { return Ok(None) };
    let root = checkout.map_or(job.workshop.conf_dir.as_path(), |checkout| checkout.root.as_path());
    let path = root.join(lock);
    if !path.is_file() {
        let name = lock.display();
        return Err(Trouble::Failed(format!("there is no lock file `{name}` at the top of this source")));
    }
    plan.maker.export_lock(job, &path, &env_dir.with_extension("locked.txt")).map(Some)
}

/// Sees that what was asked for is what is installed, and notes everything that is.
fn look_at(job: &mut Job<'_>, plan: &Plan<'_>, place: &Place, parts: &mut Parts) -> Result<(), Trouble> {
    let found = installed::distributions(&plan.maker.prefix(&place.folder));
    let of_wheel = parts.wheel.as_ref().and_then(|(_, wheel)| WheelName::parse(&wheel.name));
    let is_own = plan.order.spec.commands.install.is_some() || plan.maker == Maker::Command;
    let expected = match (&plan.order.source, of_wheel) {
        (Source::Release { package, version }, _) => Some(((*package).to_owned(), (*version).to_owned())),
        (Source::Code(_), Some(name)) => Some((name.distribution, name.version)),
        _ => None,
    };
    if let Some((name, version)) = expected {
        let has = found.iter().find(|distribution| normal_name(&distribution.name) == normal_name(&name));
        match mismatch(&name, &version, has) {
            Some(problem) if !is_own || has.is_some() => return Err(Trouble::Failed(problem)),
            Some(problem) => job.note(&format!("note: {problem}")),
            None => {}
        }
    } else if is_own && !found.iter().any(|one| normal_name(&one.name) == normal_name(plan.order.project)) {
        job.note(&format!("note: no distribution `{}` is installed in the environment", plan.order.project));
    }
    let digests = found.into_iter().filter_map(|distribution| Some((distribution.name, distribution.sha256?)));
    parts.dependencies = digests.collect();
    Ok(())
}

fn mismatch(name: &str, version: &str, has: Option<&Distribution>) -> Option<String> {
    match has {
        None => Some(format!("`{name}` is not installed after the installation")),
        Some(has) if !is_same_version(&has.version, version) => {
            Some(format!("`{name}` {} is installed where {version} was asked for", has.version))
        }
        Some(_) => None,
    }
}
