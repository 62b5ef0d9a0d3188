//! `bench`: what the harness itself costs, as a ratio to asv on benchmarks that do nothing, and for each command.

pub mod changes;
pub mod environments;
pub mod history;
pub mod report;
pub mod residuals;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Result;

use crate::{history as repository, process, real, root, say, setup};

/// Benchmarks in the suite.
const N_BENCHMARKS: usize = 500;
/// Times that the quick commands run; the tools take turns, so that both see the same machine.
const N_TURNS: usize = 5;
/// asv's default takes more than a minute for each of these.
const N_SLOW_TURNS: usize = 1;
/// Cases of the suite that shows how memory grows.
const N_MANY: (usize, usize) = (100, 100);
const MIB: f64 = 1024.0 * 1024.0;

/// Times `tacho run` and its neighbours against asv, then a single command.
///
/// # Errors
/// As [`run`].
pub fn all() -> Result<()> {
    run()?;
    environments::run()?;
    let root = root();
    launch(&root, &process::build_tacho(&root, true)?)
}

/// Times `tacho run` and its neighbours against asv; prints commands, machine, ratios and what they are held against.
///
/// # Errors
/// Something did not build, or one of the tools failed.
pub fn run() -> Result<()> {
    let bench = Bench::prepare()?;
    say(format_args!("suite: {N_BENCHMARKS} functions that do nothing"));
    say(format_args!("machine: {}", machine()));
    let python = bench.python.display().to_string();
    let quick = ["run", "--quick", "--python", &python];
    let spawn = [&quick[..], &["--launch-method", "spawn"]].concat();
    let existing = bench.existing();
    let asv_default = ["run", "--quick", "--environment", &existing, "--set-commit-hash", "HEAD"];
    let asv_server = [&asv_default[..], &["--launch-method", "forkserver"]].concat();
    let [tacho, server] = bench.turns(N_TURNS, [&|| bench.tacho(&quick), &|| bench.asv(&asv_server)])?;
    let listing = ["list", "--python", &python];
    let checking = ["check", "--environment", &existing];
    let [list, check] = bench.turns(N_TURNS, [&|| bench.tacho(&listing), &|| bench.asv(&checking)])?;
    let [spawned, default] = bench.turns(N_SLOW_TURNS, [&|| bench.tacho(&spawn), &|| bench.asv(&asv_default)])?;
    say(format_args!(""));
    tacho.against("forked run / asv's default", &default, 1.0 / 20.0);
    tacho.against("forked run / asv's fork server", &server, 1.0 / 2.0);
    spawned.against("spawned run / asv's default", &default, 1.0 / 2.0);
    list.against("list / asv check", &check, 1.0 / 5.0);
    bench.start()?;
    bench.many(&python)
}

/// Both tools and the suite that they run.
struct Bench {
    tacho: PathBuf,
    python: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn prepare() -> Result<Bench> {
        let root = root();
        let python = setup::test_environment(&root)?;
        let tacho = process::build_tacho(&root, true)?;
        let folder = root.join("target/bench");
        real::remove(&folder)?;
        suite(&folder.join("suite"))?;
        let bench = Bench { tacho, python, folder };
        process::run(bench.asv(&["machine", "--yes"]).stdout(Stdio::null()))?;
        process::run(bench.tacho(&["machine", "--yes"]).stdout(Stdio::null()))?;
        Ok(bench)
    }

    fn existing(&self) -> String {
        format!("existing:{}", self.python.display())
    }

    fn asv(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-m", "asv"]).args(words);
        at_home(command, &self.folder)
    }

    fn tacho(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.tacho);
        command.args(words);
        at_home(command, &self.folder)
    }

    /// Runs two commands in turn, so often, and returns the median cost of each.
    fn turns(&self, n_turns: usize, commands: [&dyn Fn() -> Command; 2]) -> Result<[Cost; 2]> {
        let mut costs = [Vec::new(), Vec::new()];
        for _ in 0..n_turns {
            for (command, costs) in commands.iter().zip(&mut costs) {
                costs.push(cost(command())?);
            }
        }
        let medians = costs.map(|costs| Cost::median(&costs));
        for (command, cost) in commands.iter().zip(&medians) {
            say(format_args!("\n{}", process::text(&command())));
            say(format_args!("  processor {:.2} s, wall {:.2} s ({n_turns} times)", cost.cpu_s, cost.wall_s));
        }
        Ok(medians)
    }

    /// Times the program doing nothing.
    fn start(&self) -> Result<()> {
        let starts = (0..20).map(|_| cost(self.tacho(&["--version"]))).collect::<Result<Vec<Cost>>>()?;
        let wall_ms = median(starts.iter().map(|cost| cost.wall_s * 1e3).collect());
        say(format_args!("start of tacho: {wall_ms:.1} ms, at most 10: {}", met(wall_ms < 10.0)));
        Ok(())
    }

    /// Watches the memory of `tacho` over many cases.
    fn many(&self, python: &str) -> Result<()> {
        let file = self.folder.join("suite/many.py");
        let (n_benchmarks, n_cases) = N_MANY;
        let functions = (0..n_benchmarks)
            .map(|k| format!("def time_{k}(n):\n    pass\n\n\ntime_{k}.params = list(range({n_cases}))\n\n\n"));
        fs::write(&file, functions.collect::<String>())?;
        let words = ["run", "many.py", "--quick", "--python", python];
        let mut command = self.tacho(&words);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let began = Instant::now();
        let mut peak_kib = 0;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            peak_kib = peak_kib.max(peak_of(child.id()).unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        anyhow::ensure!(status.success(), "`{}` failed: {status}", process::text(&command));
        let peak_mib = peak_kib as f64 / 1024.0;
        let n = n_benchmarks * n_cases;
        say(format_args!("\n{}: {n} cases in {:.1} s", process::text(&command), began.elapsed().as_secs_f64()));
        say(format_args!(
            "  peak memory of tacho {peak_mib:.0} MiB, at most {:.0}: {}",
            1e8 / MIB,
            met(peak_mib * MIB < 1e8)
        ));
        Ok(())
    }
}

/// The peak of a process so far, in KiB.
fn peak_of(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What a command cost, with all its children.
struct Cost {
    cpu_s: f64,
    wall_s: f64,
}

impl Cost {
    fn median(costs: &[Cost]) -> Cost {
        let of = |part: &dyn Fn(&Cost) -> f64| median(costs.iter().map(part).collect());
        Cost { cpu_s: of(&|cost| cost.cpu_s), wall_s: of(&|cost| cost.wall_s) }
    }

    /// Prints the ratio to a peer's cost beside the largest that it should be.
    fn against(&self, name: &str, peer: &Cost, most: f64) {
        let (cpu, wall) = (self.cpu_s / peer.cpu_s, self.wall_s / peer.wall_s);
        let verdict = met(cpu <= most && wall <= most);
        say(format_args!("{name}: processor {cpu:.3}, wall {wall:.3}, at most {most:.3}: {verdict}"));
    }
}

fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

fn cost(mut command: Command) -> Result<Cost> {
    use wait4::Wait4;
    let started = Instant::now();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let used = child.wait4()?;
    anyhow::ensure!(used.status.success(), "`{}` failed: {}", process::text(&command), used.status);
    let cpu_s = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Cost { cpu_s, wall_s: started.elapsed().as_secs_f64() })
}

/// Prints what the launcher adds to a command.
fn launch(root: &Path, tacho: &Path) -> Result<()> {
    say(format_args!("\none command"));
    let mut example = process::cargo(root);
    example.args(["run", "--quiet", "--release", "--package", "tacho-measure", "--example", "launch_overhead"]);
    process::run(example.arg("--").arg(tacho))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn suite(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("benchmarks"))?;
    let configuration = r#"{"version": 1, "project": "noop", "repo": ".", "branches": ["main"],
        "environment_type": "virtualenv", "results_dir": ".asv/results", "env_dir": ".asv/env"}"#;
    fs::write(folder.join("asv.conf.json"), configuration)?;
    fs::write(folder.join(".gitignore"), ".asv/\n.tacho/\n__pycache__/\n")?;
    let functions = (0..N_BENCHMARKS).map(|k| format!("def time_nothing_{k}():\n    pass\n\n\n"));
    fs::write(folder.join("benchmarks/__init__.py"), "")?;
    fs::write(folder.join("benchmarks/nothing.py"), functions.collect::<String>().trim_end().to_owned() + "\n")?;
    repository::git(folder, &["init", "--quiet", "--initial-branch", "main"])?;
    repository::git(folder, &["add", "--all"])?;
    repository::git(folder, &["commit", "--quiet", "--message", "Nothing"])?;
    Ok(())
}

/// Both tools keep what they know of the user in a home of their own.
fn at_home(mut command: Command, folder: &Path) -> Command {
    let home = folder.join("home");
    command.current_dir(folder.join("suite")).env("HOME", &home);
    for (name, inner) in [("XDG_CONFIG_HOME", ".config"), ("XDG_STATE_HOME", ".state"), ("XDG_CACHE_HOME", ".cache")] {
        command.env(name, home.join(inner));
    }
    // It would keep an interpreter for each case from using what the first has compiled.
    command.env_remove("PYTHONDONTWRITEBYTECODE");
    command
}

fn machine() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = load.split(' ').next().unwrap_or_default().to_owned();
    format!("{} ({processors} processors), load {load}", model.map_or("unknown processor", |(_, name)| name))
}
