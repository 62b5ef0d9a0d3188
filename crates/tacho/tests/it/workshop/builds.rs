//! What is built, what is kept of it, and what is told of builds that fail.

use std::time::Duration;

use tacho_measure::environments::{MakeError, Order, Source, Tool};
use tacho_model::Build;

use super::bench::{Bench, requirement, search_without_uv};

fn failure(error: MakeError) -> Build {
    match error {
        MakeError::Failed(build) => *build,
        other => panic!("{other:?}"),
    }
}

fn check_made(bench: &Bench, workshop: &tacho_measure::environments::Workshop) {
    let made = bench.make(workshop, "one").unwrap();
    assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE, tiny_pkg.FLAGS)"), "1 None");
    let build = &made.build;
    assert_eq!((build.failure.as_deref(), build.reused), (None, false));
    assert_eq!(build.wheel.as_ref().unwrap().name, "tiny_pkg-1.0-py3-none-any.whl");
    assert_eq!(build.wheel.as_ref().unwrap().sha256.len(), 64);
    assert!(build.compilers.is_empty(), "a pure wheel needs none: {build:?}");
    assert!(build.dependencies.contains_key("tiny-pkg"), "{build:?}");
    assert!(build.log_tail.starts_with("$ "), "{}", build.log_tail);
    assert_eq!(bench.n_checkouts.get(), 1);
    // The project's own files are not there for the interpreter, only what was installed.
    assert!(made.python.starts_with(&made.dir));
}

#[test]
fn uv_makes_an_environment_with_the_project_in_it() {
    let bench = Bench::new(Tool::Uv);
    let made = bench.workshop();
    check_made(&bench, &made);
    let again = bench.make(&made, "one").unwrap();
    assert_eq!((again.tool.as_str(), again.build.reused, bench.n_checkouts.get()), ("uv", true, 1));
}

#[test]
fn venv_makes_an_environment_with_the_project_in_it() {
    let bench = Bench::new(Tool::Venv);
    check_made(&bench, &bench.workshop());
}

#[test]
fn folders_may_have_any_name() {
    for tool in [Tool::Uv, Tool::Venv] {
        let mut bench = Bench::named("tacho test #ä ${HOME}-", tool);
        // A lock file with hashes has pip want one of every file.
        bench.write("code/locked file.txt", "# nothing but --hash=\n");
        bench.spec.lock = Some("locked file.txt".into());
        let made = bench.make(&bench.workshop(), "one").unwrap();
        assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE)"), "1");
    }
}

#[test]
fn where_uv_is_missing_venv_takes_its_place_and_that_is_said_once() {
    let bench = Bench::new(Tool::Uv);
    let workshop = bench.workshop_with(Duration::from_secs(120), search_without_uv(&bench));
    let said = std::cell::RefCell::new(Vec::new());
    let made = bench.with_order("one", |order| {
        workshop.make(order, &|text| said.borrow_mut().push(text.to_owned())).unwrap();
        workshop.make(order, &|text| said.borrow_mut().push(text.to_owned())).unwrap()
    });
    assert_eq!(made.tool, "venv");
    let words = "`uv` is not installed: environments are made by `venv`, which takes longer";
    assert_eq!(said.borrow().iter().filter(|text| *text == words).count(), 1, "{said:?}");
}

#[test]
fn one_wheel_serves_all_environments_of_its_flags() {
    let mut bench = Bench::new(Tool::Uv);
    let log = bench.path("built.log");
    bench.spec.build_variables.insert("TINY_LOG".into(), log.display().to_string());
    let workshop = bench.workshop();
    for label in ["a", "b"] {
        bench.spec.label = label.into();
        bench.spec.packages = vec![format!("tiny-pkg=={}", if label == "a" { "1.0" } else { "1" })];
        bench.make(&workshop, "one").unwrap();
    }
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "\n", "two environments, one build");
    bench.spec.build_variables.insert("FLAGS".into(), "-O3".into());
    let made = bench.make(&workshop, "one").unwrap();
    assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.FLAGS)"), "-O3");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "\n-O3\n");
    assert_eq!(made.build.variables["FLAGS"], "-O3");
    assert_eq!(bench.environments().len(), 3);
}

#[test]
fn environments_of_two_commits_lie_side_by_side() {
    let bench = Bench::new(Tool::Uv);
    let workshop = bench.workshop();
    let one = bench.make(&workshop, "one").unwrap();
    bench.write("code/tiny_pkg.py", "VALUE = 2\n");
    let two = bench.make(&workshop, "two").unwrap();
    let value = |python| bench.run(python, "import tiny_pkg; print(tiny_pkg.VALUE)");
    assert_eq!((value(&one.python), value(&two.python)), ("1".into(), "2".into()));
    assert_ne!(one.build.dependencies["tiny-pkg"], "", "{:?}", one.build);
}

#[test]
fn what_is_compiled_is_told_with_its_compilers() {
    let bench = Bench::new(Tool::Uv);
    let tag = "import sysconfig, sys; print('cp%d%d-none-%s' % (*sys.version_info[:2], sysconfig.get_platform()))";
    let tag = bench.run(&super::bench::real_python(), tag).replace(['-', '.'], "_").replacen('_', "-", 1);
    bench.write("code/tag.txt", &tag.replacen("none_", "none-", 1));
    let made = bench.make(&bench.workshop(), "one").unwrap();
    assert!(made.build.compilers["cc"].contains(char::is_numeric), "{:?}", made.build.compilers);
}

fn check_failure(bench: &Bench, words: &str) -> Build {
    let workshop = bench.workshop();
    let build = failure(bench.make(&workshop, "one").unwrap_err());
    let told = build.failure.clone().unwrap();
    assert!(told.contains(words), "{told}\n{}", build.log_tail);
    let before = bench.with_order("one", |order| workshop.failed_before(order)).unwrap();
    assert_eq!((before.failure, before.key), (build.failure.clone(), build.key.clone()));
    assert!(bench.with_order("one", |order| workshop.ready(order)).is_none());
    assert_eq!(bench.environments(), Vec::<String>::new(), "nothing half made stays");
    build
}

#[test]
fn a_build_that_fails_is_kept_as_an_outcome_until_it_does_not() {
    for tool in [Tool::Uv, Tool::Venv] {
        let bench = Bench::new(tool);
        bench.write("code/refuse.txt", "tiny.c:3: this does not compile");
        let build = check_failure(&bench, ": RuntimeError: tiny.c:3: this does not compile");
        assert!(build.log_tail.contains("compiling tiny"), "{}", build.log_tail);
        std::fs::remove_file(bench.path("code/refuse.txt")).unwrap();
        let workshop = bench.workshop();
        bench.make(&workshop, "one").unwrap();
        assert!(bench.with_order("one", |order| workshop.failed_before(order)).is_none());
    }
}

#[test]
fn what_a_resolver_says_is_told() {
    let mut bench = Bench::new(Tool::Uv);
    bench.spec.requirements = vec![requirement("tiny-pkg", "2.0")];
    check_failure(&bench, "`uv pip install` exited with status 1: Because ");
    let mut bench = Bench::new(Tool::Venv);
    bench.spec.requirements = vec![requirement("tiny-pkg", "2.0")];
    check_failure(&bench, "`pip install` exited with status 1: ERROR: ");
}

#[test]
fn a_project_that_is_not_there_is_told() {
    let bench = Bench::new(Tool::Uv);
    let check_out = |_: &str| Ok(bench.path("code").into());
    let code = tacho_measure::environments::Code { id: "x", commit: None, check_out: &check_out, subdir: Some("sub") };
    let order = Order { project: "tiny-pkg", spec: &bench.spec, source: Source::Code(code) };
    let build = failure(bench.workshop().make(&order, &|_| {}).unwrap_err());
    assert_eq!(build.failure.unwrap(), "there is no folder `sub` in this source");
}

#[test]
fn an_interpreter_that_is_not_there_is_no_fault_of_the_source() {
    for tool in [Tool::Uv, Tool::Venv] {
        let mut bench = Bench::new(tool);
        bench.spec.python = Some("no-such-python".into());
        let workshop = bench.workshop();
        let error = bench.make(&workshop, "one").unwrap_err();
        assert!(matches!(error, MakeError::Tool { .. }), "{error:?}");
        assert!(error.to_string().starts_with("no interpreter `no-such-python`"), "{error}");
        assert!(bench.with_order("one", |order| workshop.failed_before(order)).is_none());
    }
}

#[test]
fn without_a_project_only_the_requirements_are_installed() {
    let bench = Bench::new(Tool::Uv);
    let order = Order { project: "tiny-pkg", spec: &bench.spec, source: Source::Nothing };
    let made = bench.workshop().make(&order, &|_| {}).unwrap();
    assert_eq!((made.build.wheel, made.build.dependencies.len()), (None, 0));
    assert_eq!(bench.run(&made.python, "import sys; print(sys.prefix)"), made.dir.display().to_string());
}

#[test]
fn a_release_is_installed_as_the_index_has_it() {
    let bench = Bench::new(Tool::Uv);
    let made = bench.make(&bench.workshop(), "one").unwrap();
    let wheels = made.build.wheel.unwrap().name;
    let folder = bench.path("cache/builds");
    let builds = bench.names("cache/builds").into_iter().map(|name| folder.join(name).join("wheel"));
    let of_wheel = builds.into_iter().find(|path| path.join(&wheels).is_file()).unwrap();
    let mut bench = Bench::new(Tool::Uv);
    bench.spec.build_variables.insert("UV_FIND_LINKS".into(), of_wheel.display().to_string());
    bench.spec.build_variables.insert("UV_NO_INDEX".into(), "1".into());
    let workshop = bench.workshop();
    let order = |version| Order {
        project: "other",
        spec: &bench.spec,
        source: Source::Release { package: "Tiny_Pkg", version },
    };
    let made = workshop.make(&order("1.0.0"), &|_| {}).unwrap();
    assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE)"), "1");
    assert!(made.build.dependencies.contains_key("tiny-pkg") && made.build.wheel.is_none());
    let build = failure(workshop.make(&order("3.0"), &|_| {}).unwrap_err());
    assert!(build.failure.as_ref().unwrap().contains("tiny-pkg==3.0"), "{build:?}");
}

#[test]
fn a_build_took_no_longer_than_whoever_waited_for_it() {
    let bench = Bench::new(Tool::Uv);
    let began = std::time::Instant::now();
    let made = bench.make(&bench.workshop(), "one").unwrap();
    assert!(u128::from(made.build.duration_ns) <= began.elapsed().as_nanos(), "{}", made.build.duration_ns);
}
