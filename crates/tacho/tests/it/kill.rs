//! Runs that are killed at random moments, from their start to the last step of their end: what was told is
//! there, and going on gives the record that would have been.

use std::collections::HashSet;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tacho_model::{Case, Completeness, Round, Run, State};
use tacho_store::Store;

use crate::env::TestEnv;

const WORLDS: u64 = 4;
const KILLS_IN_EACH: usize = 50;

/// Nearly nothing is measured, so that most moments are those of the harness: forks, a spawn, a failure.
const SUITE: &str = "
class Many:
    params = list(range(6))
    def time_many(self, n): pass
def time_bad(): raise ValueError('no')
def track_one(): return 1
def peakmem_spawned(): pass
";

const FLAGS: [&str; 9] = ["run", "-a", "rounds=2", "-a", "repeat=1", "-a", "number=1", "-a", "warmup_time=0"];

/// Rounds of a whole run: two of each of six cases, and one of each of the others.
const N_ROUNDS: usize = 15;

/// Numbers that look random and are the same in every run of the test.
///
/// SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    fn time_below(&mut self, limit: Duration) -> Duration {
        Duration::from_micros(self.roll(limit.as_micros().max(1) as u64))
    }
}

/// What is known of the run that is going on, from outside of it.
#[derive(Default)]
struct Witness {
    /// Cases that were told on standard output as done.
    told: HashSet<String>,
    /// Rounds that could be read just before a kill.
    seen: Vec<Round>,
}

struct World {
    env: TestEnv,
    store: Store,
    dice: Dice,
    witness: Witness,
}

impl World {
    fn new(seed: u64) -> World {
        let env = TestEnv::with_project(&[("benchmarks/many.py", SUITE)]);
        let store = Store::open(&env.path(".tacho"));
        World { env, store, dice: Dice(seed), witness: Witness::default() }
    }

    /// Starts a run, or goes on with the one that was killed.
    fn start(&self) -> Child {
        let goes_on = !self.store.unfinished().unwrap().is_empty();
        let arguments = if goes_on { &["run", "--resume"][..] } else { &FLAGS };
        let mut command = self.env.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0).spawn().unwrap()
    }

    /// Returns the run whose record is the newest, as it can be read now.
    fn newest(&self) -> Option<Run> {
        let found = self.store.entries().unwrap();
        assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
        found.entries.last().map(|entry| self.store.read(&entry.path).unwrap())
    }

    /// Waits for a moment to kill at: any of the run's life, or one of its last steps.
    fn wait_for_a_moment(&mut self, child: &mut Child, life: Duration) {
        if self.dice.roll(4) > 0 {
            // The moment is what is random here, so there is nothing else to wait for.
            std::thread::sleep(self.dice.time_below(life));
            return;
        }
        let is_all_there = |run: Run| run.completeness == Completeness::Sealed || run.rounds.len() == N_ROUNDS;
        let n_sealed = self.n_sealed();
        while child.try_wait().unwrap().is_none()
            && self.n_sealed() == n_sealed
            && !self.unfinished().is_some_and(is_all_there)
        {
            std::thread::sleep(Duration::from_micros(300));
        }
        std::thread::sleep(self.dice.time_below(Duration::from_millis(12)));
    }

    fn unfinished(&self) -> Option<Run> {
        let entries = self.store.unfinished().unwrap();
        // It may come to its end between two looks.
        entries.last().and_then(|entry| self.store.read(&entry.path).ok())
    }

    fn n_sealed(&self) -> usize {
        let entries = self.store.entries().unwrap().entries;
        entries.iter().filter(|entry| entry.completeness == Completeness::Sealed).count()
    }

    /// Kills the program alone, or with its whole process group, or just after the interpreter.
    fn kill(&mut self, child: &mut Child) {
        self.witness.seen = self.unfinished().map(|run| run.rounds).unwrap_or_default();
        match self.dice.roll(3) {
            0 => {}
            1 => drop(Pid::from_raw(child.id() as i32).map(|group| kill_process_group(group, Signal::KILL))),
            _ => {
                for pid in children(child.id()) {
                    let _ = kill_process(pid, Signal::KILL);
                }
                std::thread::sleep(self.dice.time_below(Duration::from_millis(20)));
            }
        }
        let _ = child.kill();
    }

    /// Lets one run live until it is killed; returns whether it was.
    fn live_once(&mut self, life: Duration) -> bool {
        let mut child = self.start();
        self.wait_for_a_moment(&mut child, life);
        self.kill(&mut child);
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        let status = child.wait().unwrap();
        let killed = status.signal() == Some(9);
        assert!(killed || matches!(status.code(), Some(0 | 2 | 3)), "{status}");
        self.witness.told.extend(said.lines().filter(|line| line.starts_with("  ")).filter_map(told_case));
        self.check();
        killed
    }

    /// Everything that was told or seen is there; what is sealed is whole.
    fn check(&mut self) {
        let Some(run) = self.newest() else {
            assert!(self.witness.told.is_empty() && self.witness.seen.is_empty(), "all is lost");
            return;
        };
        let seen = std::mem::take(&mut self.witness.seen);
        assert_eq!(run.rounds.get(..seen.len()), Some(&seen[..]), "rounds that could be read are there still");
        for name in &self.witness.told {
            assert!(is_done(&run, name), "{name} was told as done: {:?}", states(&run, name));
        }
        for case in cases(&run) {
            check_order(&run, &case.full_name());
        }
        if run.completeness == Completeness::Sealed {
            assert!(cases(&run).iter().all(|case| is_done(&run, &case.full_name())), "a sealed record is whole");
            self.witness.told.clear();
        }
    }
}

/// Returns the case that a line of the output tells of.
fn told_case(line: &str) -> Option<String> {
    let (name, _) = line.trim_start().split_once("  ")?;
    Some(name.to_owned())
}

fn cases(run: &Run) -> Vec<Case> {
    let case = |plan: &tacho_model::Planned, index: &usize| plan.benchmark.case(*index);
    run.planned.iter().flat_map(|plan| plan.cases.iter().filter_map(move |index| case(plan, index))).collect()
}

fn rounds<'a>(run: &'a Run, name: &str) -> Vec<&'a Round> {
    let full_name = |round: &Round| match round.parameters.is_empty() {
        true => round.benchmark.clone(),
        false => format!("{}({})", round.benchmark, round.parameters.join(", ")),
    };
    run.rounds.iter().filter(|round| full_name(round) == name).collect()
}

fn states(run: &Run, name: &str) -> Vec<State> {
    rounds(run, name).iter().map(|round| round.state).collect()
}

/// Returns true where a case has all of its rounds, or was given up after the last of them.
fn is_done(run: &Run, name: &str) -> bool {
    let states = states(run, name);
    let planned = run.planned.iter().find(|plan| {
        plan.benchmark.name == name || name.strip_prefix(&plan.benchmark.name).is_some_and(|rest| rest.starts_with('('))
    });
    let given_up = states.last().is_some_and(|state| *state != State::Measured);
    given_up || states.len() == planned.expect("a planned case").rounds as usize
}

/// Each round of a case stands once, one after the other, and none after the case was given up.
fn check_order(run: &Run, name: &str) {
    let rounds = rounds(run, name);
    let numbers: Vec<u32> = rounds.iter().map(|round| round.round).collect();
    assert_eq!(numbers, (0..rounds.len() as u32).collect::<Vec<u32>>(), "{name}");
    let before_last = &rounds[..rounds.len().saturating_sub(1)];
    assert!(before_last.iter().all(|round| round.state == State::Measured), "{name}: {:?}", states(run, name));
}

/// Returns the processes that a process has started.
fn children(parent: u32) -> Vec<Pid> {
    let parent_of = |pid: i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()
    };
    let pids = processes().into_iter().filter(|pid| parent_of(*pid) == Some(parent));
    pids.filter_map(Pid::from_raw).collect()
}

fn processes() -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Returns the command lines of processes that were started from files in the world's folder.
fn left_behind(env: &TestEnv) -> Vec<String> {
    let folder = env.folder().display().to_string();
    let command = |pid: i32| {
        let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        Some(String::from_utf8_lossy(&bytes).replace('\0', " "))
    };
    processes().into_iter().filter_map(command).filter(|command| command.contains(&folder)).collect()
}

/// Kills runs in a world of its own.
fn kill_at_random(seed: u64) {
    let mut world = World::new(seed);
    let began = Instant::now();
    let _ = world.env.tacho(&FLAGS).with_code(3);
    let life = began.elapsed();
    let mut n_kills = 0;
    while n_kills < KILLS_IN_EACH {
        n_kills += usize::from(world.live_once(life));
    }
    while !world.store.unfinished().unwrap().is_empty() {
        let said = world.env.tacho(&["run", "--resume"]);
        assert!(matches!(said.code, Some(0 | 2 | 3)), "{}", said.all());
        world.check();
    }
    // Whatever killed runs have left, the next one clears up.
    let _ = world.env.tacho(&FLAGS).with_code(3);
    check_nothing_is_left(&world);
}

fn check_nothing_is_left(world: &World) {
    let found = world.store.entries().unwrap().entries;
    assert!(found.iter().all(|entry| entry.completeness == Completeness::Sealed));
    let names = |folder: &std::path::Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let folder = found[0].path.parent().unwrap();
    assert_eq!(names(folder).len(), found.len() + 1, "records and machine.json: {:?}", names(folder));
    let scratch = names(world.env.folder()).into_iter().filter(|name| name.starts_with("tacho-"));
    assert_eq!(scratch.collect::<Vec<String>>(), Vec::<String>::new());
    let began = Instant::now();
    while !left_behind(&world.env).is_empty() {
        assert!(began.elapsed().as_secs() < 20, "{:?}", left_behind(&world.env));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn whatever_the_moment_nothing_is_lost() {
    std::thread::scope(|scope| {
        let worlds: Vec<_> = (1..=WORLDS).map(|seed| scope.spawn(move || kill_at_random(seed))).collect();
        for world in worlds {
            world.join().expect("nothing is lost in any world");
        }
    });
}
