//! Commands work with the network cut off.

use std::net::TcpListener;
use std::process::Command;

use crate::env::{Said, TestEnv};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// What has to work without a network, in this order, and how it ends. New commands that read or measure belong here.
const OFFLINE: &[(&[&str], i32)] = &[
    (&["init", "--yes"], 0),
    (&["check"], 0),
    (&["list", "--cases"], 0),
    (&["run", "--quick"], 0),
    (&["run", "--quick", "speed.py"], 0),
    (&["show"], 0),
    (&["show", "--list"], 0),
    (&["show", "--json", "--samples"], 0),
    (&["run", "--quick", "-m", "one", "--set-commit-hash", COMMIT], 0),
    (&["run", "--quick", "-m", "two", "--set-commit-hash", COMMIT], 0),
    (&["compare", "machine=one", "machine=two"], 0),
    (&["export", "asv", "--quick", "--dir", "results"], 0),
    (&["changes"], 0),
    (&["export", "parquet", "--dir", "set"], 0),
    (&["query", "SELECT count(*) FROM results"], 0),
    (&["query", "--parquet", "answer.parquet", "SELECT * FROM results"], 0),
    (&["publish"], 0),
    (&["index", "--rebuild"], 0),
    (&["clean"], 0),
    (&["machine"], 0),
    (&["config", "show"], 0),
];

/// How commands are kept from the network, or caught at using it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// In a network namespace of their own, which has no way out.
    Namespace,
    /// With every system call about addresses written down.
    Trace,
}

impl Cut {
    /// Returns the best way that this machine allows, with proof that it keeps a program from a port that is open.
    fn of_this_machine(env: &TestEnv) -> Option<Cut> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connect = format!("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}), 5)'");
        env.shell(&connect).with_code(0);
        [Cut::Namespace, Cut::Trace].into_iter().find(|cut| {
            let here = Command::new(cut.words()[0]).args(&cut.words()[1..]).arg("true").output();
            if !here.is_ok_and(|output| output.status.success()) {
                return false;
            }
            let said = env.shell(&format!("{} {connect}", cut.words().join(" ")));
            assert!(said.code != Some(0) || cut.has_seen_the_network(env), "{cut:?}: {}", said.all());
            true
        })
    }

    fn words(self) -> &'static [&'static str] {
        match self {
            Cut::Namespace => &["unshare", "--map-root-user", "--net", "--"],
            Cut::Trace => &["strace", "-f", "-qq", "-e", "trace=network", "-o", "network.trace", "--"],
        }
    }

    fn has_seen_the_network(self, env: &TestEnv) -> bool {
        let trace = std::fs::read_to_string(env.path("network.trace")).unwrap_or_default();
        self == Cut::Trace && trace.lines().any(|line| line.contains("sa_family=AF_INET"))
    }

    /// Runs a command; whatever it wants of the network fails it.
    fn run(self, env: &TestEnv, arguments: &[&str]) -> Said {
        let _ = std::fs::remove_file(env.path("network.trace"));
        let said = env.command_with(self.words(), arguments);
        assert!(!self.has_seen_the_network(env), "{arguments:?} used the network: {}", said.all());
        said
    }
}

#[test]
fn everything_but_getting_things_works_without_a_network() {
    let env = TestEnv::new();
    let Some(cut) = Cut::of_this_machine(&env) else {
        eprintln!("skipped: neither `unshare --net` nor `strace` is allowed here");
        return;
    };
    env.write("speed.py", "def track_one(): return 1\n");
    for (arguments, code) in OFFLINE {
        let said = cut.run(&env, arguments);
        assert_eq!(said.code, Some(*code), "{cut:?}: tacho {arguments:?}\n{}", said.all());
    }
}
