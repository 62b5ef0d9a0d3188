//! What a benchmark does to its process costs that case and no other, forked or spawned, and is told by its name.

use tacho_model::Round;
use tacho_store::Store;

use crate::env::TestEnv;

/// Begins the suite: `sound` returns 1 where the process is as any process should be that nobody has disturbed.
const HEAD: &str = r#"
import builtins, ctypes, faulthandler, gc, io, json, os, re, resource, shutil, signal, subprocess, sys, threading, time

STATE = []
DATA = open(__file__)

def open_descriptors():
    "Those below where the runner has its own."
    return sorted(int(fd) for fd in os.listdir('/proc/self/fd') if int(fd) < 480)

DESCRIPTORS = open_descriptors()

def facts():
    return {
        'global': STATE == [],
        'folder': os.listdir('.') == [] and os.access('.', os.W_OK),
        'path': len(sys.path) > 2 and 'json' in sys.modules,
        'environment': 'MARK' not in os.environ and 'PATH' in os.environ,
        'json': json.loads(json.dumps([1])) == [1] and callable(len),
        'signals': signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
            and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
            and signal.getsignal(signal.SIGINT) == signal.default_int_handler
            and not signal.pthread_sigmask(signal.SIG_BLOCK, []),
        'alarm': signal.alarm(0) == 0 and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0),
        'limits': resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY,
        'streams': sys.stdin.read() == '' and sys.stdout.fileno() == 1 and sys.stderr.fileno() == 2,
        'threads': threading.active_count() == 1 and len(os.listdir('/proc/self/task')) == 1,
        'children': subprocess.run(['ps', '-o', 'pid=', '--ppid', str(os.getpid())], stdout=subprocess.PIPE).stdout.split()[1:] == [],
        'descriptors': open_descriptors() == DESCRIPTORS,
        'data': DATA.tell() == 0 and len(DATA.read()) > 100,
        'recursion': sys.getrecursionlimit() == 1000,
        'umask': os.umask(0o22) == 0o22,
    }

def sound():
    wrong = [name for name, right in facts().items() if not right]
    if wrong:
        raise AssertionError('disturbed: ' + ', '.join(wrong))
    return 1

def escape():
    "Leaves a process that has left the group and whose parent is gone."
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(1234.5)
    os.wait()

def write_to_all(data, n=1):
    for fd in range(3, 4096):
        try:
            for _ in range(n):
                os.write(fd, data)
        except OSError:
            pass
"#;

/// What a benchmark does, and what is told of it: `state: message`, and something that the detail holds.
type Deed = (&'static str, &'static str, &'static str);

/// Each is followed by a benchmark that must find everything in order.
const DEEDS: &[Deed] = &[
    ("ctypes.string_at(0)", "killed: ended by SIGSEGV", "Fatal Python error: Segmentation fault"),
    ("os.abort()", "killed: ended by SIGABRT", "Fatal Python error: Aborted"),
    ("os.kill(os.getpid(), signal.SIGKILL)", "killed: ended by SIGKILL", ""),
    ("os.kill(0, signal.SIGKILL)", "killed: ended by SIGKILL", ""),
    ("os._exit(7)", "failed: exited with status 7 before it answered", ""),
    ("print('last words'); os._exit(0)", "failed: exited with status 0 before it answered", ""),
    ("sys.exit('bye')", "failed: SystemExit: bye", "in track_"),
    ("raise BaseException('odd')", "failed: BaseException: odd", "in track_"),
    // Memory: refused at once, and used up bit by bit until not even the failure can be told.
    ("return len(bytearray(1 << 50))", "failed: MemoryError", "in track_"),
    (
        "resource.setrlimit(resource.RLIMIT_AS, (800 << 20,) * 2); hoard = [bytearray(100) for _ in iter(int, 1)]",
        "failed: MemoryError",
        "in track_",
    ),
    (
        "fds = [os.open(os.devnull, os.O_RDONLY) for _ in iter(int, 1)]",
        "failed: OSError: [Errno 24] Too many open files: '/dev/null'",
        "",
    ),
    // Time: where Python cannot interrupt, stopped, deaf.
    ("sum(range(10 ** 15))", LATE, "in track_"),
    ("re.match('(a*)*b', 'a' * 40)", LATE, "in track_"),
    ("ctypes.CDLL(None).sleep(1000)", LATE, "in track_"),
    ("os.kill(os.getpid(), signal.SIGSTOP)", LATE, ""),
    ("[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 12, 14, 15)]; time.sleep(1000)", LATE, ""),
    ("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); signal.alarm(1); return 1", FINE, ""),
    // Output: much, and without end.
    ("[os.write(1, b'x' * 65536) for _ in range(4096)]; return 1", FINE, ""),
    ("while True: print('x' * 1000)", LATE, "xxxx"),
    // Descriptors: closed, replaced, written to.
    ("os.closerange(3, 65536); return 1", CLOSED, "The benchmark has closed or replaced the descriptor"),
    ("null = os.open(os.devnull, 2); [os.dup2(null, fd) for fd in range(3, 1024)]; return 1", CLOSED, ""),
    ("os.closerange(0, 3); return 1", FINE, ""),
    ("sys.stdout = sys.stderr = None; return 1", FINE, ""),
    (r#"write_to_all(b'\x00 half a line {"id":'); return 1"#, FINE, ""),
    (r#"write_to_all(b'x' * 65536, 1600); return 1"#, FINE, ""),
    (r#"write_to_all(b'{"state":"nonsense"}\n[1]\n"x"\n'); return 1"#, FINE, ""),
    (
        r#"write_to_all(b'{"id":1,"reply":"ran"}\n'); os._exit(0)"#,
        "failed: exited with status 0 before it answered",
        "",
    ),
    ("DATA.read(); return 1", FINE, ""),
    // Surroundings: the folder, other processes, threads.
    ("where = os.getcwd(); os.chdir('/'); shutil.rmtree(where); return 1", FINE, ""),
    ("open('left', 'w').write('x'); os.chmod('.', 0); return 1", FINE, ""),
    ("subprocess.Popen(['sleep', '1234.5']); escape(); return 1", FINE, ""),
    ("threading.Thread(target=time.sleep, args=(1234.5,)).start(); return 1", FINE, ""),
    ("import atexit; atexit.register(time.sleep, 1234.5); return 1", FINE, ""),
    // The interpreter: what is global to it.
    ("STATE.append(1); sys.path.clear(); sys.modules.clear(); del builtins.len; return 1", FINE, ""),
    ("os.environ.clear(); os.environ['MARK'] = '1'; os.umask(0); sys.setrecursionlimit(500); return 1", FINE, ""),
];

const FINE: &str = "measured: [1.0]";
const LATE: &str = "timed_out: ran longer than its limit of";
const CLOSED: &str = "failed: exited with status 1 before it answered";

/// Writes the suite. What is to be late has a limit; to start an interpreter counts against it where one is started.
fn suite(deeds: &[Deed], method: &str) -> String {
    let limit_s = if method == "spawn" { 2 } else { 1 };
    let mut text = HEAD.to_owned();
    for (k, (deed, told, _)) in deeds.iter().enumerate() {
        let limit = if *told == LATE { format!("track_{k:02}_deed.timeout = {limit_s}\n") } else { String::new() };
        text += &format!("def track_{k:02}_deed():\n    {deed}\n{limit}def track_{k:02}_then(): return sound()\n");
    }
    text
}

/// Returns `state: message`, or the values of a round that was measured.
fn told(round: &Round) -> String {
    let values: Vec<f64> = round.samples.values().flat_map(|samples| samples.values()).collect();
    let message = round.message.clone().unwrap_or_else(|| format!("{values:?}"));
    format!("{}: {message}", round.state.word())
}

fn rounds(deeds: &[Deed], method: &str) -> Vec<Round> {
    let env = TestEnv::with_project(&[("benchmarks/deeds.py", &suite(deeds, method))]);
    let said = env.tacho(&["run", "--quick", "--launch-method", method]);
    let store = Store::open(&env.path(".tacho"));
    let entries = store.entries().unwrap().entries;
    let newest = entries.last().unwrap_or_else(|| panic!("{}", said.all()));
    store.read(&newest.path).unwrap().rounds
}

fn check(deeds: &[Deed], method: &str) {
    let rounds = rounds(deeds, method);
    assert_eq!(rounds.len(), 2 * deeds.len());
    for ((deed, expected, detail), pair) in deeds.iter().zip(rounds.chunks(2)) {
        assert!(told(&pair[0]).starts_with(expected), "{method}: {deed}: {:?}", pair[0]);
        assert!(pair[0].detail.as_deref().unwrap_or_default().contains(detail), "{method}: {deed}: {:?}", pair[0]);
        assert_eq!(told(&pair[1]), FINE, "{method}: after {deed}");
    }
}

#[test]
fn a_forked_case_harms_itself_alone() {
    check(DEEDS, "fork");
}

#[test]
fn a_spawned_case_harms_itself_alone() {
    check(DEEDS, "spawn");
}

#[test]
fn a_case_that_has_closed_its_descriptors_has_all_its_time() {
    check(&[("os.closerange(3, 65536); time.sleep(2.5); return 1", CLOSED, "")], "spawn");
}

/// Ends the interpreter that forked it, or the launcher that spawned it.
const PARRICIDES: [&str; 2] = [
    "os.kill(os.getppid(), signal.SIGKILL); time.sleep(1234.5)",
    "os.killpg(os.getpgid(os.getppid()), signal.SIGKILL); time.sleep(1234.5)",
];

#[test]
fn a_case_that_kills_its_parent_harms_itself_alone() {
    let in_fork = PARRICIDES.map(|deed| (deed, "killed: ended by SIGKILL", ""));
    check(&in_fork, "fork");
    let spawned = "failed: ended with its parent (signal: 9 (SIGKILL)) before it answered";
    check(&PARRICIDES.map(|deed| (deed, spawned, "")), "spawn");
}
