//! `cargo xtask`: one command for everything that is done to this repository.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Setting up, testing, demonstrating and tidying this repository")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the Python environment that the tests need; quick when it is up to date
    Setup {
        /// Also make ready the real suite NAME of tests/real/suites.json; `all` for every one
        #[arg(long, value_name = "NAME")]
        real: Vec<String>,
    },
    /// Build the binary and measure the example project, commit by commit
    Demo,
    /// Set up, then run every check and every test
    Test {
        /// Also run the whole of every real suite; takes long
        #[arg(long)]
        real: bool,
    },
    /// Time `tacho` against asv: on benchmarks that do nothing, and making environments
    Bench {
        /// Only this part
        #[command(subcommand)]
        part: Option<Bench>,
    },
    /// Build the site's page, which the next build of `tacho` takes in; needs Node 20 and npm
    Web,
    /// Hold the repository to its written habits
    Tidy,
}

#[derive(Subcommand)]
enum Bench {
    /// Benchmarks that do nothing, by `tacho run` and by asv
    Run,
    /// Making environments and installing a project in them
    Environments,
    /// How well changes are found in series whose changes are known, and how fast, beside others
    Changes(xtask::bench::changes::Arguments),
    /// What a large history takes: to index, to ask, to show, to compare, to search for changes
    History(xtask::bench::history::Arguments),
    /// Measure anew the noise that `changes` draws from
    Residuals(xtask::bench::residuals::Arguments),
}

fn bench(part: Option<Bench>) -> anyhow::Result<bool> {
    match part {
        None => xtask::bench::all().map(|()| true),
        Some(Bench::Run) => xtask::bench::run().map(|()| true),
        Some(Bench::Environments) => xtask::bench::environments::run().map(|()| true),
        Some(Bench::Changes(arguments)) => xtask::bench::changes::run(&arguments),
        Some(Bench::History(arguments)) => xtask::bench::history::run(&arguments),
        Some(Bench::Residuals(arguments)) => xtask::bench::residuals::run(&arguments).map(|()| true),
    }
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Setup { real } => xtask::setup::run(&real).map(|()| true),
        Command::Demo => xtask::demo::run().map(|()| true),
        Command::Test { real } => xtask::test::run(real),
        Command::Bench { part } => bench(part),
        Command::Web => xtask::web::run().map(|()| true),
        Command::Tidy => xtask::tidy::run(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            xtask::say(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
