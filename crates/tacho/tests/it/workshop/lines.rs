//! Command lines of the project's own, and tools that are not there: what they are told is written down by fakes.

use std::time::Duration;

use tacho_measure::environments::{Commands, MakeError, Requirement, Search, Tool};

use super::bench::{Bench, real_python, requirement};

/// Takes conda's words, writes them down and makes an environment of the real interpreter.
const CONDA: &str = r#"#!/bin/sh
printf '%s\n' "$(basename "$0") $*" >> "LOG"
dir=
while [ $# -gt 0 ]; do
    case "$1" in
        --prefix) dir=$2 ;;
        --manifest-path) dir=$(dirname "$2")/.pixi/envs/default ;;
        impossible*) echo "PackagesNotFoundError: The following packages are not available: impossible"; exit 1 ;;
    esac
    shift
done
# The interpreter's own pip will do: to copy one takes seconds.
PYTHON -m pip --version > /dev/null 2>&1 && own="--without-pip --system-site-packages"
[ -e "$dir/bin/python" ] || exec PYTHON -m venv $own "$dir"
"#;

/// Takes `uv`'s words, and installs nothing.
const UV: &str = r#"#!/bin/sh
printf '%s\n' "$*" >> "LOG"
case "$1" in
    venv) for dir; do :; done; exec PYTHON -m venv --without-pip "$dir" ;;
    build) while [ "$1" != --out-dir ]; do shift; done; : > "$2/tiny_pkg-1.0-py3-none-any.whl" ;;
    export) for file; do :; done; echo "six==1.0 --hash=sha256:00" > "$file" ;;
esac
"#;

fn fake(bench: &Bench, name: &str, text: &str) -> String {
    let log = bench.path("log");
    let text = text.replace("LOG", &log.display().to_string()).replace("PYTHON", &real_python().display().to_string());
    bench.program(name, &text).display().to_string()
}

/// Returns what a fake was told, with the folders named.
fn told(bench: &Bench) -> Vec<String> {
    let text = std::fs::read_to_string(bench.path("log")).unwrap();
    let mut text = text.replace(&bench.path("").display().to_string(), "[T]/");
    text = text.replace(&real_python().display().to_string(), "[PYTHON]");
    for (place, name) in [("cache/envs", "[ENV]"), ("cache/builds", "[BUILD]")] {
        for (k, folder) in bench.names(place).iter().filter(|name| !name.contains('.')).enumerate() {
            let name = if k == 0 { name.to_owned() } else { format!("{name}{k}") };
            text = text.replace(&format!("[T]/{place}/{folder}"), &name);
        }
    }
    text.lines().map(str::to_owned).collect()
}

fn search(bench: &Bench) -> Search {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let own = std::env::split_paths(&own);
    let folder = bench.path("python");
    std::fs::create_dir_all(&folder).unwrap();
    let _ = std::os::unix::fs::symlink(real_python(), folder.join("python3"));
    Search::of([bench.path("bin"), folder].into_iter().chain(own).collect())
}

#[test]
fn uv_is_told_everything_in_one_resolution_and_its_answer_is_checked() {
    let mut bench = Bench::new(Tool::Uv);
    fake(&bench, "uv", UV);
    bench.write("code/uv.lock", "");
    bench.spec.lock = Some("uv.lock".into());
    bench.spec.requirements = vec![requirement("numpy", "1.26"), requirement("six", "")];
    bench.spec.packages = vec!["scipy>=1.11; python_version > '3'".into()];
    let workshop = bench.workshop_with(Duration::from_secs(60), search(&bench));
    let MakeError::Failed(build) = bench.make(&workshop, "one").unwrap_err() else { panic!("it has not failed") };
    assert_eq!(build.failure.as_deref(), Some("`tiny_pkg` is not installed after the installation"));
    // What was made is gone, so its name is taken from what was told.
    let lines = told(&bench);
    let dir = lines[1].rsplit(' ').next().unwrap();
    let builds = bench.names("cache/builds");
    let key = builds.iter().find_map(|name| name.strip_suffix(".log")).unwrap();
    let lines: Vec<String> = lines.iter().map(|line| line.replace(dir, "[ENV]").replace(key, "[KEY]")).collect();
    assert_eq!(
        lines,
        [
            "build --wheel --python [PYTHON] --out-dir [BUILD]/wheel [T]/code",
            "venv --no-project --python [PYTHON] [ENV]",
            "export --frozen --no-emit-project --no-default-groups --quiet --output-file [ENV].locked.txt",
            "pip install --compile-bytecode --python [ENV]/bin/python -r [ENV].locked.txt -- numpy==1.26 six scipy>=1.11; \
             python_version > '3' ../builds/[KEY]/wheel/tiny_pkg-1.0-py3-none-any.whl",
        ]
    );
    assert_eq!(build.commands.len(), 4, "{build:?}");
    assert!(build.commands[3].contains(r#" "scipy>=1.11; python_version > '3'" "#), "{:?}", build.commands);
}

fn check_conda(name: &str, expected: &[&str]) {
    let mut bench = Bench::new(Tool::Uv);
    let program = fake(&bench, name, CONDA);
    bench.spec.tool = Tool::Conda { program };
    bench.spec.python = Some("3.12".into());
    bench.spec.channels = vec!["conda-forge".into()];
    bench.spec.requirements = vec![requirement("numpy", "1.26")];
    let workshop = bench.workshop_with(Duration::from_secs(120), search(&bench));
    let made = bench.make(&workshop, "one").unwrap();
    assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE)"), "1");
    assert_eq!((made.tool.as_str(), told(&bench)), ("conda", expected.iter().map(|line| (*line).to_owned()).collect()));
}

#[test]
fn micromamba_is_told_in_its_words() {
    check_conda(
        "micromamba",
        &["micromamba create --yes --prefix [ENV] --channel conda-forge python=3.12 pip numpy=1.26"],
    );
}

#[test]
fn pixi_is_told_in_its_words() {
    check_conda("pixi", &["pixi install --manifest-path [ENV]/pixi.toml"]);
}

#[test]
fn conda_makes_one_environment_that_takes_one_build_after_the_other() {
    let mut bench = Bench::new(Tool::Uv);
    let program = fake(&bench, "conda", CONDA);
    bench.spec.tool = Tool::Conda { program };
    bench.write("conf/environment.yml", "dependencies: [python]\n");
    bench.spec.environment_file = Some("environment.yml".into());
    let workshop = bench.workshop_with(Duration::from_secs(120), search(&bench));
    let value =
        |made: &tacho_measure::environments::Made| bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE)");
    let one = bench.make(&workshop, "one").unwrap();
    let dir = one.dir.clone();
    assert_eq!(value(&one), "1");
    drop(one);
    bench.write("code/tiny_pkg.py", "VALUE = 2\n");
    let two = bench.make(&workshop, "two").unwrap();
    assert_eq!((value(&two), &two.dir), ("2".into(), &dir), "the same version, another commit");
    assert!(two.build.commands.iter().any(|line| line.contains("pip uninstall -y tiny.pkg")), "{:?}", two.build);
    assert!(bench.with_order("one", |order| workshop.ready(order)).is_none());
    let made = told(&bench);
    assert_eq!(
        made,
        [
            "conda env create --prefix [ENV] --file [T]/conf/environment.yml",
            "conda install --yes --prefix [ENV] python pip",
        ]
    );
    // A build that fails leaves the environment as it was made, for the next.
    bench.write("code/refuse.txt", "broken");
    drop(two);
    assert!(matches!(bench.make(&workshop, "three").unwrap_err(), MakeError::Failed(_)));
    std::fs::remove_file(bench.path("code/refuse.txt")).unwrap();
    let four = bench.make(&workshop, "four").unwrap();
    assert_eq!((told(&bench).len(), &four.dir), (2, &dir));
    // While it is in use another one is made.
    let one = bench.make(&workshop, "one").unwrap();
    assert_eq!((told(&bench).len(), bench.environments().len()), (4, 2));
    assert_ne!(one.dir, four.dir);
}

#[test]
fn what_conda_cannot_find_is_told_in_its_own_words() {
    let mut bench = Bench::new(Tool::Uv);
    let program = fake(&bench, "mamba", CONDA);
    bench.spec.tool = Tool::Conda { program };
    bench.spec.requirements = vec![requirement("impossible", "1")];
    let workshop = bench.workshop_with(Duration::from_secs(120), search(&bench));
    let MakeError::Failed(build) = bench.make(&workshop, "one").unwrap_err() else { panic!("it has not failed") };
    let words = "`mamba create` exited with status 1: PackagesNotFoundError: The following packages are not available: impossible";
    assert_eq!(build.failure.as_deref(), Some(words));
}

#[test]
fn a_program_like_conda_that_is_not_there_is_named() {
    let mut bench = Bench::new(Tool::Uv);
    bench.spec.tool = Tool::Conda { program: "no-such-conda".into() };
    let error = bench.make(&bench.workshop(), "one").unwrap_err();
    assert_eq!(error.to_string(), "no program `no-such-conda`");
}

fn of_lines(build: &[&str], install: &[&str]) -> Commands {
    let lines = |lines: &[&str]| Some(lines.iter().map(|line| (*line).to_owned()).collect());
    Commands { build: lines(build), install: lines(install), uninstall: None }
}

#[test]
fn lines_alone_make_an_environment() {
    let mut bench = Bench::new(Tool::Command);
    bench.spec.axes.insert("build.MODE".into(), "fast mode".into());
    bench.spec.build_variables.insert("FLAGS".into(), "-O3".into());
    bench.spec.commands = of_lines(
        &[
            "NAME=own sh -c 'echo $NAME $FLAGS $ASV $ASV_ENV_TYPE $ASV_COMMIT $ASV_PROJECT ${{PYTHONPATH-none}} $PIP_USER > {env_dir}/vars'",
            "return-code=7 sh -c 'exit 7'",
            "in-dir={conf_dir} sh -c 'pwd > {env_dir}/pwd'",
            "sh -c 'printf %s\\\\n \"$1\" > \"$2\"' sh {build.MODE} {build_cache_dir}/made",
        ],
        &["cp {build_cache_dir}/made {build_dir}/version.txt {env_dir}"],
    );
    let workshop = bench.workshop_with(Duration::from_secs(60), search(&bench));
    let made = bench.make(&workshop, "c0ffee").unwrap();
    let read = |name: &str| std::fs::read_to_string(made.dir.join(name)).unwrap().trim().to_owned();
    assert_eq!(read("vars"), "own -O3 true command c0ffee tiny.pkg none false");
    assert_eq!(read("pwd"), bench.path("conf").display().to_string());
    assert_eq!((read("made"), read("version.txt")), ("fast mode".into(), "1.0".into()));
    assert_eq!(made.python, real_python());
    assert!(made.build.log_tail.contains("note: no distribution `tiny.pkg` is installed"), "{}", made.build.log_tail);
    assert!(made.build.compilers.contains_key("cc"));
}

fn check_lines(build: &[&str], install: &[&str], expected: &str) {
    let mut bench = Bench::new(Tool::Command);
    bench.spec.commands = of_lines(build, install);
    let workshop = bench.workshop_with(Duration::from_secs(60), search(&bench));
    let told = bench.make(&workshop, "one").unwrap_err().to_string();
    let told = told.replace(&bench.path("").display().to_string(), "[T]/");
    assert_eq!(told, expected);
}

#[test]
fn lines_that_cannot_work_are_told() {
    check_lines(&["false"], &["true"], "`false` exited with status 1");
    check_lines(
        &["sh -c 'echo working; echo fatal: no such thing; exit 3'"],
        &[],
        "`sh -c echo working; echo fatal: no such thing; exit 3` exited with status 3: fatal: no such thing",
    );
    check_lines(&["sh -c 'kill -SEGV $$'"], &[], "`sh -c kill -SEGV $$` ended by SIGSEGV");
    check_lines(&["no-such-tool --fast"], &[], "`no-such-tool --fast` could not be run: no program `no-such-tool`");
    check_lines(
        &["in-dir=no/such true"],
        &[],
        "`true` could not be run: no folder `[T]/code/no/such` to run `true` in",
    );
    check_lines(&["true"], &["cp {wheel_file} ."], "the build has left no wheel");
    let two = "sh -c 'touch {build_cache_dir}/a-1-py3-none-any.whl {build_cache_dir}/b-1-py3-none-any.whl'";
    let words = "the build has left 2 wheels where one is expected: `a-1-py3-none-any.whl`, `b-1-py3-none-any.whl`";
    check_lines(&[two], &["cp {wheel_file} ."], words);
    check_lines(
        &["echo {nothing}"],
        &[],
        "`echo {nothing}` has `{nothing}`, which stands for nothing; there are \
        {project} {env_name} {env_type} {env_dir} {conf_dir} {build_dir} {build_cache_dir} {commit} {wheel_file} {python}",
    );
}

#[test]
fn lines_are_run_inside_of_an_environment_with_what_builds_need() {
    let mut bench = Bench::new(Tool::Venv);
    // pip is there; the other two are what this folder has under their names.
    for name in ["wheel", "build"] {
        wheel_named(&bench, name);
    }
    bench.spec.build_variables.insert("PIP_FIND_LINKS".into(), bench.path("links").display().to_string());
    bench.spec.commands = of_lines(
        &["python -m pip wheel --no-build-isolation --no-deps -w {build_cache_dir} {build_dir}"],
        &["in-dir={env_dir} python -m pip install {wheel_file} --force-reinstall"],
    );
    let workshop = bench.workshop();
    let made = bench.make(&workshop, "one").unwrap();
    assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE)"), "1");
    assert!(made.build.dependencies.contains_key("build"), "{:?}", made.build);
    assert!(made.build.commands.last().unwrap().starts_with("python -m pip install "));
}

fn wheel_named(bench: &Bench, name: &str) {
    let file = bench.path("links").join(format!("{name}-1.0-py3-none-any.whl"));
    std::fs::create_dir_all(bench.path("links")).unwrap();
    let script = format!(
        "import zipfile\nwith zipfile.ZipFile({file:?}, 'w') as z:\n \
         z.writestr('{name}-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n')\n \
         z.writestr('{name}-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n \
         z.writestr('{name}-1.0.dist-info/RECORD', '')\n"
    );
    bench.run(&real_python(), &script);
}

#[test]
fn a_requirement_that_pip_installs_is_told_to_pip() {
    let mut bench = Bench::new(Tool::Uv);
    let program = fake(&bench, "conda", CONDA);
    bench.spec.tool = Tool::Conda { program };
    wheel_named(&bench, "extra");
    bench.spec.build_variables.insert("PIP_FIND_LINKS".into(), bench.path("links").display().to_string());
    bench.spec.requirements = vec![Requirement { by_pip: true, ..requirement("extra", "1.0") }];
    let workshop = bench.workshop_with(Duration::from_secs(120), search(&bench));
    let made = bench.make(&workshop, "one").unwrap();
    assert!(made.build.dependencies.contains_key("extra"), "{:?}", made.build);
    assert_eq!(told(&bench), ["conda create --yes --prefix [ENV] python pip"]);
}

#[test]
fn a_build_that_prints_without_end_fails_and_fills_no_disk() {
    let mut bench = Bench::new(Tool::Command);
    bench.spec.commands = of_lines(&["yes gigabytes"], &[]);
    let workshop = bench.workshop_with(Duration::from_secs(60), search(&bench));
    assert_eq!(bench.make(&workshop, "one").unwrap_err().to_string(), "`yes gigabytes` printed more than 256 MiB");
    let logs = bench.names("cache/envs").into_iter().filter(|name| name.ends_with(".log"));
    let sizes: Vec<u64> =
        logs.map(|name| std::fs::metadata(bench.path("cache/envs").join(name)).unwrap().len()).collect();
    assert!(matches!(sizes[..], [size] if size < 2 << 20), "{sizes:?}");
}

#[test]
fn an_environment_that_takes_its_code_from_the_checkout_is_made_anew_when_that_has_gone() {
    let mut bench = Bench::new(Tool::Command);
    bench.spec.commands = of_lines(
        &[],
        &[
            "sh -c 'mkdir -p {env_dir}/lib/python3/site-packages; echo {build_dir} > {env_dir}/lib/python3/site-packages/tiny.pth; echo made >> {conf_dir}/made'",
        ],
    );
    let n_made = || std::fs::read_to_string(bench.path("conf/made")).unwrap().lines().count();
    let workshop = bench.workshop_with(Duration::from_secs(60), search(&bench));
    let slot = |number: u32| {
        let lock = std::fs::File::open(bench.path("cache/builds").join(format!("slot-{number}.lock"))).unwrap();
        lock.try_lock().is_ok()
    };
    let one = bench.make(&workshop, "one").unwrap();
    let again = bench.make(&workshop, "one").unwrap();
    assert_eq!((n_made(), slot(1)), (1, false), "it serves, and its checkout is held, while it is used");
    let two = bench.make(&workshop, "two").unwrap();
    assert_eq!((n_made(), slot(2)), (2, false), "the next gets another checkout");
    drop((one, again));
    assert!(slot(1));
    bench.with_order("one", |order| assert!(workshop.ready(order).is_none()));
    let _one = bench.make(&workshop, "one").unwrap();
    assert_eq!(n_made(), 3);
    drop(two);
}
