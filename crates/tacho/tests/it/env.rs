//! A hermetic world for the binary: own home, cleared variables, fixed width, normalised output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The folder that holds a test's project, home and everything else.
pub(crate) struct TestEnv {
    folder: tempfile::TempDir,
    python: String,
}

/// What a command said.
#[must_use = "compare the output, or assert the exit code"]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// Returns the exit code and both streams as one text, for snapshots.
    pub(crate) fn all(&self) -> String {
        let code = self.code.map_or("a signal".into(), |code| code.to_string());
        format!("exit: {code}\n----- stdout\n{}\n----- stderr\n{}", self.stdout.trim_end(), self.stderr.trim_end())
    }

    /// Returns standard output after asserting the exit code.
    pub(crate) fn with_code(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.all());
        self.stdout
    }

    /// Returns standard output as JSON, after asserting the exit code.
    pub(crate) fn json(self, code: i32) -> serde_json::Value {
        let text = self.with_code(code);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("no JSON: {error}\n{text}"))
    }
}

impl TestEnv {
    /// Makes an empty world.
    pub(crate) fn new() -> TestEnv {
        let folder = tempfile::Builder::new().prefix("tacho-test-").tempdir().unwrap();
        for name in ["home", "project"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        TestEnv { folder, python: test_python() }
    }

    /// Makes a world with a committed project: an `asv.conf.json` and these files.
    pub(crate) fn with_project(files: &[(&str, &str)]) -> TestEnv {
        let env = TestEnv::new();
        env.write("asv.conf.json", r#"{"version": 1, "project": "demo", "repo": "."}"#);
        env.write("benchmarks/__init__.py", "");
        for (name, text) in files {
            env.write(name, text);
        }
        env.git(&["init", "--quiet", "--initial-branch=main"]);
        env.commit("first");
        env
    }

    /// Returns the folder that holds everything, which is also that for temporary files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, inner: &str) -> PathBuf {
        self.folder.path().join("project").join(inner)
    }

    pub(crate) fn home(&self, inner: &str) -> PathBuf {
        self.folder.path().join("home").join(inner)
    }

    pub(crate) fn write(&self, inner: &str, text: &str) {
        write(&self.path(inner), text);
    }

    pub(crate) fn write_home(&self, inner: &str, text: &str) {
        write(&self.home(inner), text);
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        self.clear(&mut command);
        let output = command.current_dir(self.path("")).args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Runs `tacho` in the project.
    pub(crate) fn tacho(&self, arguments: &[&str]) -> Said {
        self.tacho_with(arguments, |_| {})
    }

    /// Runs `tacho` in the project with changes to the command.
    pub(crate) fn tacho_with(&self, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Said {
        let mut command = self.command(arguments);
        change(&mut command);
        self.said(&command.output().unwrap())
    }

    /// Starts `tacho`, and once the file `mark` is there sends it a signal and waits for its end.
    pub(crate) fn tacho_until(&self, arguments: &[&str], mark: &str, signal: &str) -> Said {
        let mut command = self.command(arguments);
        let run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        self.wait_for(mark, || false);
        let _ = self.shell(&format!("kill -{signal} {}", run.id()));
        self.said(&run.wait_with_output().unwrap())
    }

    /// Waits for a file of the project.
    pub(crate) fn wait_for(&self, inner: &str, is_over: impl Fn() -> bool) {
        let began = std::time::Instant::now();
        while !self.path(inner).exists() {
            assert!(!is_over() && began.elapsed().as_secs() < 60, "{inner} is still awaited");
            std::thread::yield_now();
        }
    }

    /// Runs `tacho` by way of another program: its words stand before.
    pub(crate) fn command_with(&self, before: &[&str], arguments: &[&str]) -> Said {
        let mut command = Command::new(before[0]);
        self.clear(&mut command);
        command.current_dir(self.path("")).args(&before[1..]).arg(env!("CARGO_BIN_EXE_tacho")).args(arguments);
        self.said(&command.output().unwrap())
    }

    /// Runs a shell command in the project.
    pub(crate) fn shell(&self, text: &str) -> Said {
        let mut command = Command::new("sh");
        self.clear(&mut command);
        self.said(&command.current_dir(self.path("")).args(["-c", text]).output().unwrap())
    }

    /// Returns a command that runs `tacho`.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tacho"));
        self.clear(&mut command);
        command.current_dir(self.path("")).args(arguments);
        command
    }

    fn clear(&self, command: &mut Command) {
        let home = self.home("");
        command.env_clear();
        command.env("HOME", &home).env("TMPDIR", self.folder.path()).env("COLUMNS", "100").env("LC_ALL", "C.UTF-8");
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"] {
            command.env(name, "Test");
        }
        for name in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
            command.env(name, "test@example.org");
        }
        for name in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            command.env(name, "2026-01-02T03:04:05Z");
        }
        let python = Path::new(&self.python).parent().unwrap().display().to_string();
        command.env("PATH", format!("{python}:{}", std::env::var("PATH").unwrap()));
    }

    fn said(&self, output: &Output) -> Said {
        let text = |bytes: &[u8]| self.normal(&String::from_utf8_lossy(bytes));
        Said { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// Replaces what differs from run to run: folders, the interpreter, hashes of records, measured times.
    fn normal(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (path, name) in [(self.path(""), "[PROJECT]"), (self.home(""), "[HOME]")] {
            text = text.replace(path.display().to_string().trim_end_matches('/'), name);
        }
        // The interpreter is found as `python3`, whether it was named so or `python`.
        text.replace(&format!("{}3", self.python), "[PYTHON]").replace(&self.python, "[PYTHON]")
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Returns the interpreter that tests measure in: the one `cargo xtask setup` prepared, else `python3`.
pub(crate) fn test_python() -> String {
    let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python3");
    let asked = std::env::var("TACHO_TEST_PYTHON").ok();
    let candidate = asked.unwrap_or_else(|| prepared.display().to_string());
    let program = if Path::new(&candidate).exists() { candidate } else { "python3".into() };
    let script = "import sys; print(sys.executable)";
    let output = Command::new(program).args(["-c", script]).output().expect("a python3 to measure in");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
