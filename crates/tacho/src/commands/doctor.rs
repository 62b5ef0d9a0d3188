//! `tacho doctor`: what disturbs measurements on this machine, and how small a change it can see.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use tacho_measure::noise::{Snapshot, Surroundings, TEMPORARY_FILES, findings};
use tacho_measure::{CalibrationError, calibrate, machine, measure_calibration, measure_control};
use tacho_model::{Clock, ControlRound, Timing, Workload};
use tacho_report::{Diagnosis, MeasuredControl};
use tacho_store::Machines;

use crate::console::Console;
use crate::context::Context;
use crate::error::{Result, WithHint};
use crate::exit;
use crate::lock::MeasuringLock;
use crate::machine_choice;
use crate::progress::Progress;

/// Say what makes measurements noisy here, and how small a change can be seen
///
/// Looks at the machine without changing anything and without special rights, and measures a small program against
/// itself: the smallest change that this machine can see. Fixes are printed, never carried out.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Rounds of the program against itself
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = rounds, allow_negative_numbers = true)]
    rounds: u16,
    /// Look, and measure nothing
    #[arg(long, conflicts_with = "rounds")]
    no_measure: bool,
    /// Print JSON (schema tacho.doctor/1)
    #[arg(long)]
    json: bool,
    /// Wait while another run measures on this machine
    #[arg(long)]
    wait: bool,
}

fn rounds(text: &str) -> std::result::Result<u16, String> {
    let rounds = text.parse().ok().filter(|rounds| (1..=500).contains(rounds));
    rounds.ok_or_else(|| "it is a whole number from 1 to 500".to_owned())
}

pub(crate) fn run(args: DoctorArgs, context: &Context<'_>) -> Result<u8> {
    let machines = Machines::load(&context.dirs.machines_file())?;
    // A broken configuration is another command's matter.
    let name = machine_choice::configured_name(context).unwrap_or(None);
    let machine = machine_choice::for_records(machine_choice::choose(context, &machines, name.as_deref())?);
    let seen = if args.no_measure { look(context) } else { look_and_measure(&args, context)? };
    let findings = findings(&seen.surroundings);
    let floors = tacho_judge::noise_floors(&seen.rounds);
    let control = (!args.no_measure).then(|| MeasuredControl {
        floors: &floors,
        is_valid: tacho_judge::is_valid(&floors),
        n_rounds: usize::from(args.rounds),
        duration_ns: seen.duration_ns,
    });
    let diagnosis = Diagnosis { machine: &machine, findings: &findings, control };
    let text = if args.json {
        tacho_report::json::doctor(&diagnosis)
    } else {
        tacho_report::doctor(&diagnosis).terminal(&context.console.screen())
    };
    context.console.data(&text)?;
    Ok(exit::YES)
}

/// What was seen of the machine, and measured on it.
struct Seen {
    surroundings: Surroundings,
    rounds: Vec<ControlRound>,
    duration_ns: u64,
}

fn look(context: &Context<'_>) -> Seen {
    Seen { surroundings: surroundings(context, Snapshot::take(), None, 0), rounds: Vec::new(), duration_ns: 0 }
}

fn look_and_measure(args: &DoctorArgs, context: &Context<'_>) -> Result<Seen> {
    let about = format!("tacho doctor in {}", context.cwd.display());
    let _lock = MeasuringLock::take(&context.dirs, context.console, args.wait, &about)?;
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let before = Snapshot::take();
    let began = Instant::now();
    let mut own_cpu_ns = 0;
    let mut measure = |workload: Workload| -> Calibrated<Timing> {
        let timing = measure_calibration(&program, &[CALIBRATE], workload)?;
        own_cpu_ns += Clock::Cpu.of(timing);
        Ok(timing)
    };
    let rounds = with_progress(usize::from(args.rounds), context.console, &mut measure)
        .hint("look without measuring: tacho doctor --no-measure")?;
    let duration_ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let surroundings = surroundings(context, before, Some(Snapshot::take()), own_cpu_ns);
    Ok(Seen { surroundings, rounds, duration_ns })
}

type Calibrated<T> = std::result::Result<T, CalibrationError>;

fn with_progress(
    n_rounds: usize,
    console: &Console,
    measure: &mut dyn FnMut(Workload) -> Calibrated<Timing>,
) -> Calibrated<Vec<ControlRound>> {
    let mut progress = Progress::new(console);
    progress.start();
    let mut began = |round: usize| progress.step(round as u64, n_rounds as u64, "a program against itself");
    // Which side begins is drawn, so that nothing in the machine can be in step with it.
    measure_control(n_rounds, tacho_measure::now().unix_us.unsigned_abs(), measure, &mut began)
}

fn surroundings(context: &Context<'_>, before: Snapshot, after: Option<Snapshot>, own_cpu_ns: u64) -> Surroundings {
    let temporary = std::env::temp_dir();
    let folders = vec![(TEMPORARY_FILES, real(&temporary)), ("records", real(&records(context)))];
    Surroundings { usable_processors: machine::processors(), folders, before, after, own_cpu_ns }
}

/// Where records of measurements from here would be kept.
fn records(context: &Context<'_>) -> PathBuf {
    match context.settings_if_any() {
        Ok(Some(settings)) => settings.path(&settings.store.value),
        Ok(None) | Err(_) => context.dirs.state.clone(),
    }
}

/// Mounts are told by paths without links. What does not exist yet will be where its parent is.
fn real(path: &Path) -> PathBuf {
    path.ancestors().find_map(|folder| folder.canonicalize().ok()).unwrap_or_else(|| path.to_owned())
}

/// The first argument that makes this program a calibration program, for itself only.
const CALIBRATE: &str = "__calibrate";

/// Does the work of a calibration program where the command line asks for that; `None` where it does not.
pub(crate) fn calibration(mut words: impl Iterator<Item = OsString>) -> Option<u8> {
    if words.next()? != CALIBRATE {
        return None;
    }
    let workload = words.next().and_then(|word| Workload::parse(word.to_str()?));
    let said = workload.map(|workload| Console::new(true, true).data(&calibrate(workload)));
    Some(if matches!(said, Some(Ok(()))) { exit::YES } else { exit::NO_ANSWER })
}
