//! `tacho init`: settings and a first benchmark for a new project; an asv project is taken as it is.

mod ask;
mod asv;
mod found;
mod template;
mod write;

use std::path::{Path, PathBuf};

use clap::Args;
use tacho_report::harmless_line;

use crate::context::{Context, quoted};
use crate::error::{CommandError, Result, WithHint};
use crate::exit;
use crate::settings::{ConfigFile, Settings, SuitePath, find_config};

use ask::Answers;
use found::SuiteFolder;

/// Prepare a project: write a tacho.toml and a first benchmark
///
/// A project with an asv.conf.json is taken as it is, and nothing is written. No file that is there is ever
/// changed. Asks at a terminal; --yes takes what would be the default.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The project's folder, made if it is not there [default: the current one]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Take the default of every question
    #[arg(long, short = 'y')]
    yes: bool,
    /// Write a tacho.toml beside an asv.conf.json too: what it sets goes over asv's
    #[arg(long)]
    toml: bool,
}

pub(crate) fn run(args: InitArgs, context: &Context<'_>) -> Result<u8> {
    if context.config_flag.is_some() {
        return Err(
            CommandError::new("init looks for no configuration").hint("name the project's folder: `tacho init FOLDER`")
        );
    }
    let folder = args.folder.as_deref().map_or_else(|| context.cwd.clone(), |folder| context.cwd.join(folder));
    if folder.exists() && !folder.is_dir() {
        return Err(CommandError::new(format!("`{}` is no folder", folder.display())));
    }
    // Dots and links on the way would lead astray whoever looks above it.
    let folder = folder.canonicalize().or_else(|_| std::path::absolute(&folder))?;
    let answers = Answers::new(args.yes);
    let story = Story { folder, answers, context };
    match find_config(&story.folder, None)? {
        Some(config) if config.root != story.folder => story.below_another(&config),
        Some(config) if config.tacho_toml.is_some() => story.already(&config),
        Some(config) => story.adopt_asv(&config, args.toml),
        None => story.begin(),
    }
}

/// What is done where, and who is asked.
struct Story<'a> {
    folder: PathBuf,
    answers: Answers,
    context: &'a Context<'a>,
}

impl Story<'_> {
    /// A new project: settings, and a suite unless there is one.
    fn begin(&self) -> Result<u8> {
        let name = self.answers.text("Name of the project", &found::project_name(&self.folder), found::is_name)?;
        let existing = found::suite_below(&self.folder);
        let usual = existing.as_ref().map_or_else(|| found::free_folder(&self.folder), |suite| suite.dir.clone());
        let is_usable = |text: &str| found::usable_as_suite(&self.folder, text);
        let dir =
            PathBuf::from(self.answers.text("Folder of the benchmarks", &usual.display().to_string(), is_usable)?);
        let suite = SuiteFolder::scan(&self.folder, &dir);
        let mut lines = vec![];
        if suite.n_functions == 0 {
            let first = self.answers.yes_or_no("Write a first benchmark there?", true)?;
            lines.extend(self.write_suite(&dir, first)?);
        } else {
            lines.push(format!("Found {}.", suite.words()));
            lines.extend(self.complete_package(&dir)?);
        }
        lines.push(self.write_toml(&template::settings(&name, &dir))?);
        self.tell(&lines)
    }

    /// Settings are there: they stay, and only a suite that is missing is made.
    fn already(&self, config: &ConfigFile) -> Result<u8> {
        let settings = self.settings(config)?;
        let toml = config.tacho_toml.as_deref().unwrap_or(&self.folder);
        let mut lines = vec![format!("`{}` is there already and stays as it is.", self.shown(toml))];
        if let SuitePath::Package(dir) = &settings.suite.value {
            let is_missing = !settings.path(dir).exists();
            if is_missing
                && self.answers.yes_or_no("Its folder of benchmarks is not: write a first benchmark?", true)?
            {
                lines.extend(self.write_suite(dir, true)?);
            }
        }
        self.tell(&lines)
    }

    /// A project of asv's: understood as it is.
    fn adopt_asv(&self, config: &ConfigFile, toml: bool) -> Result<u8> {
        let settings = self.settings(config)?;
        let lines: String = asv::understood(config, &settings)?.iter().map(|line| format!("{line}\n")).collect();
        // Said first, so that the question has something to refer to.
        self.context.console.data(&lines)?;
        let question = "Write a tacho.toml that goes over `asv.conf.json`?";
        let is_wanted = toml || (self.answers.may_ask() && self.answers.yes_or_no(question, false)?);
        let line = match is_wanted {
            true => self.write_toml(&template::settings_over_asv())?,
            false => "Nothing was written: `tacho run` takes the project as it is.".to_owned(),
        };
        self.tell(&[line])
    }

    /// What is above holds here too, and settings of our own would hide it.
    fn below_another(&self, config: &ConfigFile) -> Result<u8> {
        let above = config.tacho_toml.as_ref().or(config.asv_conf.as_ref()).unwrap_or(&config.root);
        let question = format!("`{}` holds here too. Hide it with a tacho.toml?", above.display());
        if self.answers.yes_or_no(&question, false)? {
            return self.begin();
        }
        let message = format!("`{}` holds here too, and a tacho.toml in this folder would hide it", above.display());
        Err(CommandError::new(message).hint(format!("work there: `cd {}`", quoted(&config.root))))
    }

    fn settings(&self, config: &ConfigFile) -> Result<Settings> {
        let settings = Settings::load(config, &self.context.dirs)?;
        settings.warnings.iter().for_each(|warning| self.context.console.warn(warning));
        Ok(settings)
    }

    /// Makes the suite's folder, all of it or nothing, and returns what was written.
    fn write_suite(&self, dir: &Path, with_example: bool) -> Result<Vec<String>> {
        let mut files = vec![("__init__.py", template::PACKAGE)];
        if with_example {
            files.push(("example.py", template::EXAMPLE));
        }
        let target = self.folder.join(dir);
        write::new_folder(&target, &files).hint("nothing was written")?;
        Ok(files.iter().map(|(name, _)| format!("Wrote {}.", self.shown(&target.join(name)))).collect())
    }

    /// A folder of benchmarks that is no package yet becomes one.
    fn complete_package(&self, dir: &Path) -> Result<Option<String>> {
        let path = self.folder.join(dir).join("__init__.py");
        if path.exists() {
            return Ok(None);
        }
        write::new_file(&path, template::PACKAGE)?;
        Ok(Some(format!("Wrote {}: a suite is a package.", self.shown(&path))))
    }

    fn write_toml(&self, text: &str) -> Result<String> {
        let path = self.folder.join("tacho.toml");
        write::new_file(&path, text)?;
        Ok(format!("Wrote {}.", self.shown(&path)))
    }

    fn shown(&self, path: &Path) -> String {
        harmless_line(&super::run::shorter(path, &self.context.cwd).display().to_string())
    }

    /// Prints what was done, and the commands that go on from here.
    fn tell(&self, lines: &[String]) -> Result<u8> {
        let mut text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        text.push_str("\nNext:\n");
        if self.folder != self.context.cwd {
            text.push_str(&format!("  cd {}\n", quoted(&super::run::shorter(&self.folder, &self.context.cwd))));
        }
        for (command, why) in template::NEXT {
            text.push_str(&format!("  {command:<20}# {why}\n"));
        }
        self.context.console.data(&text)?;
        Ok(exit::YES)
    }
}
