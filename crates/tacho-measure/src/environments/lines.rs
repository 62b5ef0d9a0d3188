//! The project's own command lines for building, installing and uninstalling, run by asv's rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::command_line::{BuildLine, parse_line};
use super::job::{Job, Step, Trouble};
use super::plan::Plan;
use super::wheel;
use super::workshop::{MakeError, Source, Workshop};

/// Where the lines are run, and what their placeholders stand for.
#[derive(Debug, Clone)]
pub(super) struct Surroundings<'a> {
    pub(super) env_dir: &'a Path,
    /// The environment's programs.
    pub(super) bin: PathBuf,
    pub(super) python: &'a Path,
    pub(super) build_dir: Option<&'a Path>,
    pub(super) build_cache_dir: Option<&'a Path>,
}

impl Surroundings<'_> {
    /// Returns the variables that asv sets for builds.
    pub(super) fn variables(&self, plan: &Plan<'_>, workshop: &Workshop) -> Vec<(String, Option<String>)> {
        let text = |path: &Path| path.display().to_string();
        let commit = commit(plan);
        let set = [
            ("ASV", Some("true".to_owned())),
            ("ASV_PROJECT", Some(plan.order.project.to_owned())),
            ("ASV_CONF_DIR", Some(text(&workshop.conf_dir))),
            ("ASV_ENV_NAME", Some(plan.order.spec.label.clone())),
            ("ASV_ENV_DIR", Some(text(self.env_dir))),
            ("ASV_ENV_TYPE", Some(plan.maker.word().to_owned())),
            ("ASV_COMMIT", commit.map(str::to_owned)),
            ("ASV_BUILD_DIR", self.build_dir.map(text)),
            ("ASV_BUILD_CACHE_DIR", self.build_cache_dir.map(text)),
        ];
        let set = set.into_iter().map(|(name, value)| (name.to_owned(), value));
        set.chain([workshop.search.variable(Some(&self.bin))]).collect()
    }

    fn placeholders<'p>(&self, plan: &'p Plan<'_>, conf_dir: &Path) -> BTreeMap<&'p str, String> {
        let text = |path: &Path| path.display().to_string();
        let wheel = self.build_cache_dir.and_then(|folder| wheel::only_one(folder).ok());
        let some = [
            ("build_dir", self.build_dir.map(text)),
            ("build_cache_dir", self.build_cache_dir.map(text)),
            ("commit", commit(plan).map(str::to_owned)),
            ("wheel_file", wheel.as_deref().map(text)),
        ];
        let mut all: BTreeMap<&str, String> =
            plan.order.spec.axes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        all.extend([
            ("project", plan.order.project.to_owned()),
            ("env_name", plan.order.spec.label.clone()),
            ("env_type", plan.maker.word().to_owned()),
            ("env_dir", text(self.env_dir)),
            ("conf_dir", text(conf_dir)),
            ("python", text(self.python)),
        ]);
        all.extend(some.into_iter().filter_map(|(name, value)| Some((name, value?))));
        all
    }
}

fn commit<'p>(plan: &'p Plan<'_>) -> Option<&'p str> {
    match &plan.order.source {
        Source::Code(code) => code.commit,
        _ => None,
    }
}

/// Runs lines one after the other in `dir`.
pub(super) fn run(
    job: &mut Job<'_>,
    plan: &Plan<'_>,
    around: &Surroundings<'_>,
    lines: &[String],
    dir: &Path,
) -> Result<(), Trouble> {
    let conf_dir = job.workshop.conf_dir.clone();
    for line in lines {
        if line.contains("{wheel_file}")
            && let Some(folder) = around.build_cache_dir
        {
            wheel::only_one(folder).map_err(Trouble::Failed)?;
        }
        let placeholders = around.placeholders(plan, &conf_dir);
        let BuildLine { variables, accepted_codes, dir: own_dir, words } =
            parse_line(line, &placeholders).map_err(MakeError::Line)?;
        let folder = own_dir.map_or_else(|| dir.to_owned(), |own| dir.join(own));
        let Some((program, arguments)) = words.split_first() else { continue };
        let mut step = Step::new(&short(&words), Path::new(program), &folder).with(arguments);
        step.accepted = accepted_codes;
        step.variables = around.variables(plan, job.workshop);
        step.variables.extend(variables.into_iter().map(|(name, value)| (name, Some(value))));
        job.run(step)?;
    }
    Ok(())
}

/// Returns the first words of a command, for messages.
fn short(words: &[String]) -> String {
    let named = words.iter().take(4).map(|word| word.rsplit('/').next().unwrap_or(word)).collect::<Vec<_>>().join(" ");
    named.chars().take(60).collect()
}
