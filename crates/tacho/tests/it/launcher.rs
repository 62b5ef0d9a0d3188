//! The launcher: what a command's process used is its own, and nothing outlives it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tacho_measure::{CommandLine, Ending, Finished, LaunchError, Launcher};
use wait4::Wait4;

const MB: u64 = 1_000_000;

fn start() -> Launcher {
    Launcher::start(Path::new(env!("CARGO_BIN_EXE_tacho"))).unwrap()
}

fn command(program: &str, arguments: &[&str]) -> CommandLine {
    CommandLine {
        program: program.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
        dir: PathBuf::from("/"),
        variables: Vec::new(),
        limit: Duration::from_secs(60),
        stdout_limit_bytes: 1000,
        stderr_limit_bytes: 1000,
        affinity: None,
    }
}

fn shell(text: &str) -> CommandLine {
    command("sh", &["-c", text])
}

fn run(command: &CommandLine) -> Result<Finished, LaunchError> {
    start().run(command, &AtomicBool::new(false))
}

fn check_ending(text: &str, expected: Ending) {
    let limit = Duration::from_millis(if expected == Ending::TimedOut { 100 } else { 60_000 });
    let finished = run(&CommandLine { limit, ..shell(text) }).unwrap();
    assert_eq!(finished.ending, expected, "{text}: {finished:?}");
}

#[test]
fn endings_are_told_apart() {
    check_ending("exit 0", Ending::Exited(0));
    check_ending("exit 7", Ending::Exited(7));
    check_ending("kill -SEGV $$", Ending::Signal("SIGSEGV".into()));
    check_ending("kill -KILL $$", Ending::Signal("SIGKILL".into()));
    check_ending("sleep 600", Ending::TimedOut);
    check_ending("trap '' TERM INT; while :; do :; done", Ending::TimedOut);
    check_ending("kill -STOP $$", Ending::TimedOut);
}

fn check_error(command: &CommandLine, expected: &str) {
    assert_eq!(run(command).unwrap_err().to_string(), expected);
}

#[test]
fn what_cannot_be_started_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode| {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    file("text", "", 0o644);
    file("script", "#!/no/such/interpreter\n", 0o755);
    let here = |program: &str| CommandLine { dir: folder.path().into(), ..command(program, &[]) };
    check_error(&here("no-such-program"), "no program `no-such-program`");
    check_error(&here("./absent"), "no program `./absent`");
    check_error(&here("./text"), "`./text` is not executable");
    check_error(&here("./script"), "cannot start `./script`: the interpreter that it names is not there");
    let absent = CommandLine { dir: "/no/such".into(), ..command("true", &[]) };
    check_error(&absent, "no folder `/no/such` to run `true` in");
    let pinned = CommandLine { affinity: Some(vec![1000]), ..command("true", &[]) };
    let told = run(&pinned).unwrap_err().to_string();
    assert!(told.starts_with("cannot start `true`: cannot restrict it to processors [1000]"), "{told}");
    let absent = Launcher::start(Path::new("/no/such")).unwrap_err().to_string();
    assert!(absent.starts_with("cannot start the launcher `/no/such`: No such file"), "{absent}");
}

fn check_output(command: &CommandLine, stdout: &str, stderr: &str) {
    let finished = run(command).unwrap();
    assert_eq!((finished.stdout.text.as_str(), finished.stderr.text.as_str()), (stdout, stderr));
}

#[test]
fn a_command_has_what_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().canonicalize().unwrap();
    check_output(&shell("echo out; echo err >&2"), "out\n", "err\n");
    check_output(&CommandLine { dir: dir.clone(), ..shell("pwd -P") }, &format!("{}\n", dir.display()), "");
    let variables = vec![("A".to_owned(), Some("ä".to_owned())), ("HOME".to_owned(), None)];
    check_output(&CommandLine { variables, ..shell("echo $A ${HOME-none}") }, "ä none\n", "");
    let bytes = OsString::from_vec(b"\xff'\n".to_vec());
    let arguments = vec!["%s".into(), bytes];
    check_output(&CommandLine { arguments, ..command("printf", &[]) }, "\u{fffd}'\n", "");
    check_output(&shell("cat; echo end"), "end\n", "");
    // A group of its own, and no descriptors beside the three and the one that lists them.
    check_output(&shell("[ $(cut -d' ' -f5 /proc/$$/stat) = $$ ] && echo own"), "own\n", "");
    check_output(&command("ls", &["/proc/self/fd"]), "0\n1\n2\n3\n", "");
    let pinned =
        CommandLine { affinity: Some(vec![0]), ..command("grep", &["Cpus_allowed_list", "/proc/self/status"]) };
    check_output(&pinned, "Cpus_allowed_list:\t0\n", "");
}

#[test]
fn a_launcher_runs_one_command_after_the_other() {
    let mut launcher = start();
    let go_on = AtomicBool::new(false);
    let pinned = CommandLine { affinity: Some(vec![0]), ..shell("exit 1") };
    assert_eq!(launcher.run(&pinned, &go_on).unwrap().ending, Ending::Exited(1));
    assert!(launcher.run(&command("no-such-program", &[]), &go_on).is_err());
    for k in 0..20 {
        let finished = launcher.run(&shell(&format!("echo {k}; exit {k}")), &go_on).unwrap();
        assert_eq!((finished.ending, finished.stdout.text), (Ending::Exited(k), format!("{k}\n")));
    }
    // The processors of the first are not those of the others.
    let allowed = |launcher: &mut Launcher| launcher.run(&command("nproc", &[]), &go_on).unwrap().stdout.text;
    assert_eq!(allowed(&mut launcher), allowed(&mut start()));
}

#[test]
fn of_what_is_printed_the_end_is_kept() {
    let finished = run(&shell("head -c 200000000 /dev/zero | tr '\\0' x; echo end; echo short >&2")).unwrap();
    assert_eq!((finished.stdout.text.len(), finished.stdout.dropped_bytes), (1000, 200_000_004 - 1000));
    assert!(finished.stdout.text.ends_with("xxend\n"));
    assert_eq!((finished.stderr.text.as_str(), finished.stderr.dropped_bytes), ("short\n", 0));
}

#[test]
fn what_the_kernel_counts_is_of_the_command_and_what_it_waited_for() {
    let finished = run(&shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; sleep 0.2")).unwrap();
    let usage = finished.usage;
    assert!(usage.user_ns > 10_000_000, "{usage:?}");
    assert!(finished.wall_ns > 200_000_000 + usage.user_ns / 2, "{finished:?}");
    assert!(usage.minor_faults > 50 && usage.voluntary_switches > 1, "{usage:?}");
    let idle = run(&command("sleep", &["0.2"])).unwrap();
    assert!(idle.usage.user_ns + idle.usage.system_ns < 100_000_000, "{idle:?}");
    assert!(idle.wall_ns > 200_000_000, "{idle:?}");
    assert!(idle.started_at > finished.started_at);
}

#[test]
fn peak_memory_is_the_commands_own_however_large_its_starter() {
    let large = vec![1_u8; 300 * MB as usize];
    let bare = Command::new("/bin/true").spawn().unwrap().wait4().unwrap();
    assert!(bare.rusage.maxrss > 300 * MB, "the control: {}", bare.rusage.maxrss);
    let finished = run(&command("/bin/true", &[])).unwrap();
    assert!(finished.usage.max_rss_bytes < 5 * MB, "{finished:?}");
    let script = "head -c 100000000 /dev/zero | tail -c 90000000 | wc -c";
    let finished = run(&shell(script)).unwrap();
    assert!((90 * MB..200 * MB).contains(&finished.usage.max_rss_bytes), "{finished:?}");
    assert_eq!(large.iter().map(|byte| u64::from(*byte)).sum::<u64>(), 300 * MB);
}

/// Leaves processes behind: in its group, in another group, in another session, and daemons whose parents have ended.
/// Prints their numbers once they are where they mean to be.
const LEAVING: &str = "
import os, signal, time
def leave(*steps):
    reader, writer = os.pipe()
    if os.fork() == 0:
        for step in steps: step()
        os.write(writer, b'%d' % os.getpid())
        time.sleep(1234.5)
    print(os.read(reader, 20).decode(), flush=True)
def fork():
    if os.fork(): os._exit(0)
def ignore():
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
leave()
leave(lambda: os.setpgid(0, 0))
leave(os.setsid)
leave(os.setsid, fork, ignore)
leave(fork, os.setsid, fork)
";

/// How many of them are not in its group.
const N_LEFT: usize = 4;
const N_LEAVING: usize = 1 + N_LEFT;

fn leaving(then: &str) -> CommandLine {
    command("python3", &["-c", &format!("{LEAVING}{then}")])
}

fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

#[test]
fn what_a_command_leaves_behind_is_gone_before_it_is_told() {
    let mut launcher = start();
    let go_on = AtomicBool::new(false);
    let finished = launcher.run(&leaving("os._exit(3)"), &go_on).unwrap();
    let pids: Vec<&str> = finished.stdout.text.lines().collect();
    assert_eq!((&finished.ending, pids.len()), (&Ending::Exited(3), N_LEAVING), "{finished:?}");
    assert_eq!(pids.iter().filter(|pid| is_alive(pid)).count(), 0);
    assert_eq!(finished.leftover_processes, N_LEFT as u64);
    assert_eq!(launcher.run(&shell("sleep 0.01 & wait"), &go_on).unwrap().leftover_processes, 0);
}

#[test]
fn so_is_what_a_killed_command_leaves_behind() {
    let limit = Duration::from_secs(2);
    let finished = run(&CommandLine { limit, ..leaving("time.sleep(1234.5)") }).unwrap();
    assert_eq!((finished.ending, finished.stdout.text.lines().count()), (Ending::TimedOut, N_LEAVING));
    assert_eq!(finished.stdout.text.lines().filter(|pid| is_alive(pid)).count(), 0);
}

fn wait_for(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed().as_secs() < 20, "it does not come");
        std::thread::yield_now();
    }
}

/// Runs an endless command and calls `end` with the number of its launcher once it runs. Returns the numbers of its
/// processes, its own the last, and what `run` said.
fn endless(
    launcher: &mut Launcher,
    text: &str,
    end: impl FnOnce(&AtomicBool, &str),
) -> (Vec<String>, Result<Finished, LaunchError>) {
    let folder = tempfile::tempdir().unwrap();
    let told = "print(os.getpid(), os.getppid(), file=open('new', 'w')); os.rename('new', 'pids'); time.sleep(1234.5)";
    let command = CommandLine { dir: folder.path().into(), ..command("python3", &["-c", &format!("{text}{told}")]) };
    let interrupted = AtomicBool::new(false);
    let pids = || std::fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
    let result = std::thread::scope(|scope| {
        let running = scope.spawn(|| launcher.run(&command, &interrupted));
        wait_for(|| !pids().is_empty());
        end(&interrupted, pids().split_whitespace().last().unwrap());
        running.join().unwrap()
    });
    (pids().split_whitespace().map(str::to_owned).collect(), result)
}

#[test]
fn an_interruption_kills_at_once() {
    let mut launcher = start();
    let (pids, result) = endless(&mut launcher, LEAVING, |interrupted, _| interrupted.store(true, Ordering::Relaxed));
    assert!(matches!(result, Err(LaunchError::Interrupted)), "{result:?}");
    assert!(!is_alive(&pids[0]) && is_alive(&pids[1]));
    assert_eq!(launcher.run(&shell("exit 5"), &AtomicBool::new(false)).unwrap().ending, Ending::Exited(5));
    drop(launcher);
    assert!(!is_alive(&pids[1]), "the launcher outlives its value");
}

#[test]
fn a_launcher_that_is_killed_costs_one_command() {
    let mut launcher = start();
    let (pids, result) = endless(&mut launcher, "import os, time\n", |_, launcher| {
        Command::new("kill").args(["-KILL", launcher]).status().unwrap();
    });
    assert!(matches!(result, Err(LaunchError::Lost { .. })), "{result:?}");
    assert_eq!(result.unwrap_err().to_string(), "the process that starts commands ended (signal: 9 (SIGKILL))");
    wait_for(|| !is_alive(&pids[0]));
    assert_eq!(launcher.run(&shell("exit 4"), &AtomicBool::new(false)).unwrap().ending, Ending::Exited(4));
}

#[test]
fn the_word_for_it_is_no_command_of_the_users() {
    let said = crate::env::TestEnv::new().tacho(&["__launcher"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("unrecognized subcommand"), "{}", said.all());
}
