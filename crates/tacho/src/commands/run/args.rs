//! The command line of `run`.

use std::time::Duration;

use clap::Args;

use crate::commands::show::Limit;
use crate::settings::METHODS;

/// Measure benchmarks and keep every reading
///
/// Without RANGE the current checkout is measured: HEAD, or the work tree itself when it has changes. Other commits are built
/// in environments of their own, for every combination of the project's axes. With a file, the benchmarks in that file
/// are measured, with or without a project around it.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// What to measure: a revision (that commit alone), a range of git's, NEW, ALL, EXISTING, MISSING, LATEST, TAGS,
    /// HASHFILE:FILE (`-` for standard input), a version where versions are the history; or a file of benchmarks
    #[arg(value_name = "RANGE|FILE.py", allow_hyphen_values = false)]
    pub(super) range: Option<String>,
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    pub(super) bench: Vec<String>,
    /// One call, one sample, one round: shows whether everything works, never a baseline
    #[arg(long, short = 'q')]
    pub(super) quick: bool,
    /// Print what would be built and measured and how long it may take, and measure nothing
    #[arg(long, short = 'n')]
    pub(super) dry_run: bool,
    /// Measure, and keep nothing (asv's --dry-run)
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) keep_nothing: bool,
    /// Measure at most so many of the commits, evenly spaced
    #[arg(long, short = 's', value_name = "N", value_parser = at_least_one)]
    pub(super) steps: Option<usize>,
    /// Measure one commit of each period: a number and d, w, M, q or y
    #[arg(long, value_name = "PERIOD", conflicts_with = "steps")]
    pub(super) date_period: Option<String>,
    /// Leave out what has results: successful or failed, for this version of the benchmark
    #[arg(long, short = 'k')]
    pub(super) skip_existing: bool,
    /// Leave out what has successful results
    #[arg(long)]
    pub(super) skip_existing_successful: bool,
    /// Leave out what has failed
    #[arg(long)]
    pub(super) skip_existing_failed: bool,
    /// Leave out commits that have any results of this machine
    #[arg(long)]
    pub(super) skip_existing_commits: bool,
    /// Measure what tells most within this time, such as 30m: the stalest and most changed first
    #[arg(long, value_name = "TIME", value_parser = budget)]
    pub(super) budget: Option<Duration>,
    /// Let the rounds of all commits take turns, rather than measure one commit after the other
    #[arg(long, alias = "interleave-processes", overrides_with = "no_interleave_rounds")]
    pub(super) interleave_rounds: bool,
    #[arg(long, hide = true)]
    pub(super) no_interleave_rounds: bool,
    /// Build so many environments at the same time, before what they are for is measured [default with -j alone: the number
    /// of processors]
    #[arg(long, short = 'j', value_name = "N", num_args = 0..=1, default_value = "1", default_missing_value = "0",
          value_parser = jobs)]
    pub(super) parallel: usize,
    /// Build the next commit while the present one is measured, which disturbs it
    #[arg(long)]
    pub(super) build_ahead: bool,
    /// Try again what could not be built before
    #[arg(long)]
    pub(super) retry_failed: bool,
    /// Do not fetch a remote repository anew
    #[arg(long)]
    pub(super) no_pull: bool,
    /// Let every threading library use so many threads: OpenMP, OpenBLAS, MKL, BLIS, numexpr, Rayon, Julia, Go, …
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(super) threads: Option<usize>,
    /// Interpreter to measure in: a path, a name, a version, or `same` [default: the active python3]
    #[arg(long, value_name = "PROGRAM")]
    pub(super) python: Option<String>,
    /// Environments to measure in: `existing`, `existing:PROGRAM`, TOOL, TOOL:PYTHON, a label, or axes as
    /// `name=value,name=value` (can be repeated)
    #[arg(long, short = 'E', value_name = "SPEC")]
    pub(super) environment: Vec<String>,
    /// Name of this machine [default: see `tacho machine`]
    #[arg(long, short = 'm', value_name = "NAME")]
    pub(super) machine: Option<String>,
    /// Override an attribute of all benchmarks: rounds, repeat, number, sample_time, warmup_time, timeout, …
    #[arg(long, short = 'a', value_name = "NAME=VALUE")]
    pub(super) attribute: Vec<String>,
    /// Processors that benchmarks may use: `0`, `0-3`, `0,2`
    #[arg(long, value_name = "LIST")]
    pub(super) cpu_affinity: Option<String>,
    /// How processes of cases are made: auto, fork (asv's `forkserver`), spawn
    #[arg(long, value_name = "METHOD", value_parser = ["auto", "fork", "forkserver", "spawn"])]
    pub(super) launch_method: Option<String>,
    /// Measuring method
    #[arg(long, value_name = "METHOD", value_parser = METHODS)]
    pub(super) method: Option<String>,
    /// Say that this commit is measured, whatever is checked out
    #[arg(long, value_name = "COMMIT")]
    pub(super) set_commit_hash: Option<String>,
    /// Refuse a work tree with changes
    #[arg(long)]
    pub(super) clean: bool,
    /// Print what failing benchmarks print
    #[arg(long, short = 'e')]
    pub(super) show_stderr: bool,
    /// Pool with the samples that this commit has already
    #[arg(long)]
    pub(super) append_samples: bool,
    /// Kept for scripts: samples are always recorded
    #[arg(long, overrides_with = "no_record_samples")]
    pub(super) record_samples: bool,
    #[arg(long, hide = true)]
    pub(super) no_record_samples: bool,
    /// Print how long benchmarks took: the slowest N, or `all`
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all", value_parser = Limit::parse)]
    pub(super) durations: Option<Limit>,
    /// Print the run as JSON at its end (schema tacho.show/1) instead of a line for each case
    #[arg(long, conflicts_with = "durations")]
    pub(super) json: bool,
    /// Wait while another run measures on this machine
    #[arg(long)]
    pub(super) wait: bool,
    /// Go on with the newest interrupted run of what is checked out, or with the one that is named
    #[arg(
        long,
        value_name = "RUN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["keep_nothing", "append_samples", "dry_run"]
    )]
    pub(super) resume: Option<String>,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "it is a whole number from 1 on".to_owned())
}

fn jobs(text: &str) -> Result<usize, String> {
    let asked: usize = text.parse().map_err(|_| "it is a whole number".to_owned())?;
    let processors = || std::thread::available_parallelism().map_or(1, |n| n.get());
    Ok(if asked == 0 { processors() } else { asked })
}

fn budget(text: &str) -> Result<Duration, String> {
    let plain = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let parsed = plain.map_or_else(|| humantime::parse_duration(text).map_err(|error| error.to_string()), Ok);
    let wrong = |reason: String| format!("{reason}; it is a time such as 90s, 30m or 1h 30m");
    parsed.map_err(wrong).and_then(|time| if time.is_zero() { Err(wrong("there is no time".into())) } else { Ok(time) })
}
