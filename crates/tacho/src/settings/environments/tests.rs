//! Configurations, and the environments that they come to.

use std::path::Path;

use super::*;
use crate::settings::{asv_conf, read_file, tacho_toml};

/// Reads the files, the more important ones last, as a project with an `asv.conf.json` and a `tacho.toml` is read.
fn settings(files: &[(&str, &str)]) -> Result<Settings> {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::defaults(folder.path());
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        match *name {
            "asv.conf.json" => asv_conf::apply(&path, &mut settings)?,
            name if name.ends_with(".toml") => tacho_toml::apply(&path, &mut settings)?,
            _ => {}
        }
    }
    super::warn(&mut settings);
    Ok(settings)
}

fn labels(settings: &Settings) -> Vec<String> {
    combinations(settings).unwrap_or_else(|error| panic!("{}", error.text())).into_iter().map(|one| one.label).collect()
}

fn check(files: &[(&str, &str)], expected: &[&str]) {
    let settings = settings(files).unwrap_or_else(|error| panic!("{}", error.text()));
    assert_eq!(labels(&settings), expected, "{files:?}");
}

fn check_error(files: &[(&str, &str)], expected: &str) {
    let error = settings(files).and_then(|settings| combinations(&settings)).expect_err(expected);
    assert!(error.text().contains(expected), "{}", error.text());
}

fn check_warning(files: &[(&str, &str)], expected: &str) {
    let warnings = settings(files).unwrap().warnings;
    assert!(warnings.iter().any(|warning| warning.contains(expected)), "{warnings:?}");
}

// Expected names are those of asv 0.6.6: `iter_matrix` and `get_env_name`, on Linux.
#[test]
fn asvs_matrix_gives_the_environments_that_asv_makes() {
    let check = |text: &str, expected: &[&str]| check(&[("asv.conf.json", text)], expected);
    check(r#"{"environment_type": "virtualenv", "pythons": ["3.6"]}"#, &["virtualenv-py3.6"]);
    check(
        r#"{"environment_type": "virtualenv", "pythons": ["3.12"], "matrix": {
            "env": {"ENV_VAR_1": ["val1", "val2"], "ENV_VAR_2": ["val3", null]},
            "env_nobuild": {"ENV_VAR_3": ["val4", "val5"]}}}"#,
        &[
            "virtualenv-py3.12-ENV_VAR_1val1-ENV_VAR_2val3-ENV_VAR_3val4",
            "virtualenv-py3.12-ENV_VAR_1val1-ENV_VAR_2val3-ENV_VAR_3val5",
            "virtualenv-py3.12-ENV_VAR_1val1-ENV_VAR_3val4",
            "virtualenv-py3.12-ENV_VAR_1val1-ENV_VAR_3val5",
            "virtualenv-py3.12-ENV_VAR_1val2-ENV_VAR_2val3-ENV_VAR_3val4",
            "virtualenv-py3.12-ENV_VAR_1val2-ENV_VAR_2val3-ENV_VAR_3val5",
            "virtualenv-py3.12-ENV_VAR_1val2-ENV_VAR_3val4",
            "virtualenv-py3.12-ENV_VAR_1val2-ENV_VAR_3val5",
        ],
    );
    check(r#"{"environment_type": "uv", "pythons": [3.9]}"#, &["uv-py3.9"]);
    // The form of older configurations, with rules and additions.
    check(
        r#"{"environment_type": "conda", "pythons": ["2.7", "3.8"],
            "matrix": {"numpy": ["1.6", "1.7"], "six": ["", null], "pip+emcee": [""], "scipy": []},
            "exclude": [{"python": "2.7", "numpy": "1.7"}, {"environment_type": "conda", "six": null},
                        {"sys_platform": "win32", "scipy": ""}],
            "include": [{"python": "2.7", "numpy": "1.8"}, {"sys_platform": "win.*", "python": "3.9"},
                        {"environment_type": "con.*", "python": "3.9", "six": null}]}"#,
        &[
            "conda-py2.7-numpy1.6-pip+emcee-scipy-six",
            "conda-py3.8-numpy1.6-pip+emcee-scipy-six",
            "conda-py3.8-numpy1.7-pip+emcee-scipy-six",
            "conda-py2.7-numpy1.8",
            "conda-py3.9",
        ],
    );
    // The tool's own name is what rules see, and only what fits as a whole.
    check(
        r#"{"environment_type": "virtualenv", "pythons": "3.11", "matrix": {"req": {"numpy": "1.26", "A": [null, "2"]}},
            "exclude": [{"environment_type": "(?!conda).*", "req": {"A": "2"}}, {"req": {"numpy": "1.2"}}]}"#,
        &["virtualenv-py3.11-numpy1.26"],
    );
}

#[test]
fn what_asv_refuses_is_refused() {
    let check = |text: &str, expected: &str| check_error(&[("asv.conf.json", text)], expected);
    check(r#"{"matrix": {"req": {}, "envs": {}}}"#, "`matrix` in `");
    check(r#"{"matrix": {"req": {}, "envs": {}}}"#, "unknown key `envs`\nhint: did you mean `env`?");
    check(r#"{"matrix": []}"#, "`matrix` in `");
    check(r#"{"matrix": {"req": ["numpy"]}}"#, "`matrix.req` in `");
    check(r#"{"matrix": {"req": {"numpy": [1.10]}}}"#, "1.1 is no text\nhint: write it in quotes");
    check(r#"{"pythons": [3.10]}"#, "3.1 is no text\nhint: write it in quotes");
    check(r#"{"matrix": {"env": {"A B": "1"}}}"#, "`A B` is no name of an environment variable");
    check(r#"{"include": [{"numpy": "1"}]}"#, "has no `python`");
    check(r#"{"exclude": [{"python": "("}]}"#, "missing ), unterminated subpattern at position 0");
    check(r#"{"exclude": {"python": "3"}}"#, "not a list of objects");
    check(r#"{"build_command": {"a": 1}}"#, "not a list of texts");
    check(r#"{"environment_type": "conda", "exclude": [{}]}"#, "no environment is left");
    check(r#"{"build_command": "make {commits}"}"#, "`{commits}`, which stands for nothing");
}

#[test]
fn asvs_other_keys_are_taken_over() {
    let text = r#"{"environment_type": "mamba", "repo_subdir": "python", "install_timeout": 900,
        "build_command": "python -m build", "install_command": ["a", "b"], "uninstall_command": [],
        "conda_channels": ["defaults"], "build_cache_size": 2, "wheel_cache_size": 2, "env_dir": "e"}"#;
    let settings = settings(&[("environment.yml", ""), ("asv.conf.json", text)]).unwrap();
    let one = combinations(&settings).unwrap().remove(0).environment;
    assert_eq!(one.tool, Tool::Conda { program: "mamba".into() });
    assert_eq!(one.commands.build, Some(vec!["python -m build".into()]));
    assert_eq!(one.commands.install.map(|lines| lines.len()), Some(2));
    assert_eq!(one.commands.uninstall, Some(vec![]));
    assert_eq!(one.environment_file.as_deref(), Some(Path::new("environment.yml")));
    assert_eq!(one.channels, ["defaults"]);
    assert_eq!((settings.environment.build_timeout_s.value, settings.subdir.value.as_deref()), (900.0, Some("python")));
    assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
}

#[test]
fn a_file_of_condas_is_taken_where_it_is_meant() {
    let check = |text: &str, expected: Option<&str>| {
        let settings = settings(&[("environment.yml", ""), ("asv.conf.json", text)]).unwrap();
        assert_eq!(settings.environment.environment_file.value.as_deref(), expected.map(Path::new), "{text}");
    };
    check(r#"{"environment_type": "conda"}"#, Some("environment.yml"));
    check(r#"{"environment_type": "conda", "conda_environment_file": "IGNORE"}"#, None);
    check(r#"{"environment_type": "conda", "conda_environment_file": "ci/bench.yml"}"#, Some("ci/bench.yml"));
    check(r#"{"environment_type": "virtualenv"}"#, None);
}

#[test]
fn tools_are_asked_for_or_follow_from_what_is_declared() {
    let check = |files: &[(&str, &str)], name: &str, tool: Tool| {
        let settings = settings(files).unwrap();
        let found = combinations(&settings).unwrap().remove(0).environment.tool;
        let managed = settings.manages_environments();
        assert_eq!((settings.tool_name(), &found, managed), (name, &tool, tool != Tool::Existing), "{files:?}");
    };
    let conda = |program: &str| Tool::Conda { program: program.into() };
    check(&[], "existing", Tool::Existing);
    check(&[("tacho.toml", "[environment]\npython = \"3.12\"\n[run]\nthreads = 2")], "existing", Tool::Existing);
    check(&[("tacho.toml", "[axes]\nenv.A = [\"1\"]\nthreads = [1, 2]")], "existing", Tool::Existing);
    check(&[("tacho.toml", "[axes]\nreq.numpy = \"2\"")], "uv", Tool::Uv);
    check(&[("tacho.toml", "[axes]\npython = [\"3.12\"]")], "uv", Tool::Uv);
    check(&[("tacho.toml", "[environment]\nrequirements = [\"six\"]")], "uv", Tool::Uv);
    check(&[("tacho.toml", "[environment]\ntool = \"venv\"")], "venv", Tool::Venv);
    check(&[("tacho.toml", "[environment]\ntool = \"conda\"\nprogram = \"/opt/mm\"")], "conda", conda("/opt/mm"));
    check(&[("tacho.toml", "[environment]\ntool = \"pixi\"")], "pixi", conda("pixi"));
    check(&[("asv.conf.json", "{}")], "existing", Tool::Existing);
    check(&[("asv.conf.json", r#"{"pythons": []}"#)], "existing", Tool::Existing);
    check(&[("asv.conf.json", r#"{"pythons": ["3.12"]}"#)], "uv", Tool::Uv);
    check(&[("asv.conf.json", r#"{"environment_type": "virtualenv"}"#)], "virtualenv", Tool::Uv);
    check(&[("asv.conf.json", r#"{"environment_type": "rattler"}"#)], "rattler", conda("conda"));
    check(
        &[("asv.conf.json", r#"{"environment_type": "existing:x", "matrix": {"a": "1"}}"#)],
        "existing",
        Tool::Existing,
    );
    let over = "[environment]\ntool = \"uv\"";
    check(&[("asv.conf.json", r#"{"environment_type": "conda"}"#), ("tacho.toml", over)], "uv", Tool::Uv);
    check_warning(
        &[("asv.conf.json", r#"{"environment_type": "delegated"}"#)],
        "is `delegated`, which is not known here",
    );
}

#[test]
fn axes_of_tacho_toml_go_over_asvs_by_name() {
    let asv = r#"{"environment_type": "uv", "pythons": ["3.11", "3.12"],
        "matrix": {"req": {"numpy": ["1", "2"], "six": ""}, "env": {"A": "1"}}}"#;
    check(
        &[("asv.conf.json", asv), ("tacho.toml", "[axes]\npython = \"3.13\"\nreq.six = false\nenv.A = [\"8\", \"9\"]")],
        &["uv-py3.13-numpy1-A8", "uv-py3.13-numpy1-A9", "uv-py3.13-numpy2-A8", "uv-py3.13-numpy2-A9"],
    );
    check(
        &[("asv.conf.json", asv), ("tacho.toml", "[environment]\npython = \"3.9\"\n[axes]\nreq.numpy = 1")],
        &["uv-py3.9-numpy1-six-A1"],
    );
}

#[test]
fn in_one_file_an_axis_goes_over_the_single_value_and_a_flag_over_both() {
    let text = "[environment]\npython = \"3.12\"\nvariables = { A = \"1\", B = \"2\" }\n\
                [run]\nthreads = 8\ncpu_affinity = \"0\"\n\
                [axes]\nenv.A = [\"x\", \"y\"]\nthreads = [1, 2]\ncpus = [\"0-1\"]\n";
    let mut settings = settings(&[("tacho.toml", text)]).unwrap();
    assert_eq!(
        labels(&settings),
        [
            "existing-py3.12-Ax-B2-threads1-cpus0,1",
            "existing-py3.12-Ax-B2-threads2-cpus0,1",
            "existing-py3.12-Ay-B2-threads1-cpus0,1",
            "existing-py3.12-Ay-B2-threads2-cpus0,1",
        ]
    );
    settings.cpu_affinity.take_from_flag(Some(Some("2,3".into())), "--cpu-affinity");
    settings.threads.take_from_flag(Some(Some(4)), "--threads");
    assert_eq!(labels(&settings), ["existing-py3.12-Ax-B2-threads4-cpus2,3", "existing-py3.12-Ay-B2-threads4-cpus2,3"]);
}

#[test]
fn single_values_are_axes_of_their_series() {
    let text = "[environment]\nvariables = { A = \"1\" }\n[run]\nthreads = 2\ncpu_affinity = \"3,0-1\"";
    let one = combinations(&settings(&[("tacho.toml", text)]).unwrap()).unwrap().remove(0);
    let axes: Vec<String> = one.axes().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(axes, ["cpus=0,1,3", "env.A=1", "threads=2"]);
    assert_eq!((one.run.threads, one.run.cpus), (Some(2), Some(vec![0, 1, 3])));
    assert_eq!(one.run.variables, BTreeMap::from([("A".to_owned(), Some("1".to_owned()))]));
}

#[test]
fn rules_of_tacho_toml_are_globs_and_additions_are_whole() {
    let text = "[environment]\nvariables = { MODE = \"x\" }\n\
        exclude = [{ python = \"3.13\", req.numpy = [\"1.*\", \"0.*\"] }, { req.numpy = false, \"cpus\" = \"0-1\" },\n\
                   { tool = \"conda\" }, { platform = \"/^win/\" }]\n\
        include = [{ python = \"3.9\", req.numpy = \"1.20\" }, { platform = \"win32\", python = \"3.8\" }]\n\
        [axes]\npython = [\"3.12\", \"3.13\"]\nreq.numpy = [\"1.26\", \"2.1\", false]\ncpus = \"1,0\"";
    check(
        &[("tacho.toml", text)],
        &[
            "uv-py3.12-numpy1.26-MODEx-cpus0,1",
            "uv-py3.12-numpy2.1-MODEx-cpus0,1",
            "uv-py3.13-numpy2.1-MODEx-cpus0,1",
            "uv-py3.9-numpy1.20-MODEx",
        ],
    );
}

#[test]
fn what_is_wrong_in_tacho_toml_is_told() {
    let check = |text: &str, expected: &str| check_error(&[("tacho.toml", text)], expected);
    check("[axes]\npyton = \"3\"", "unknown axis `pyton` in `axes` of `");
    check("[axes]\npyton = \"3\"", "hint: did you mean `python`? Axes are python, req.PACKAGE, env.VARIABLE");
    check("[axes]\nreq = \"3\"", "hint: did you mean `req.PACKAGE`?");
    check("[axes]\ncolour = \"3\"", "hint: axes are python, ");
    check("[axes]\npython = 3.10", "3.1 is a number whose zeros would be lost");
    check("[axes]\nthreads = [0]", "the axis `threads` cannot be `0`");
    check("[axes]\npython = []", "the axis `python` has no values");
    check("[environment]\ntool = \"poetry\"", "hint: it is one of existing, uv, venv");
    check("[environment]\ninclude = [{ python = [\"3\"] }]", "gives `python` a list");
    check("[environment]\nexclude = [{ req.a = [\"1\", false] }]", "has `false` in the list of `req.a`");
    check("[environment]\nexclude = [{ req.a = \"[\" }]", "`environment.exclude` in `");
    check("[environment]\nbuild_timeout_s = 0", "which is no time limit");
    check("[environment]\nbuild = \"cc 'a\"", "no command line (tacho.toml: environment.build)");
    check("[environment]\nrebuild = \"# nothing\"", "no command line (tacho.toml: environment.rebuild)");
    check("[project]\nhistory = \"tags\"", "hint: it is one of commits, versions, dates");
    check("[project]\nsubdir = \"../x\"", "hint: it is a folder below the top of the repository");
    check("[run]\nthreads = 0", "`run.threads` in `");
    check("[run]\ncpu_affinity = \"a\"", "the axis `cpus` cannot be `a`: it is a list of processors");
    check("[store]\ncache_limit_gb = -1", "which is no size");
    check("[environment]\nexclude = [{}]", "no environment is left");
}

#[test]
fn what_multiplies_too_far_is_refused_with_the_way_out() {
    let values: Vec<String> = (0..200).map(|n| format!("\"{n}\"")).collect();
    let values = values.join(", ");
    let text = format!("[axes]\nreq.a = [{values}]\nreq.b = [{values}]");
    check_error(
        &[("tacho.toml", &text)],
        "the axes make 40000 combinations, and 10000 is the most: 200 of req.a, 200 of req.b",
    );
    check_error(&[("tacho.toml", &text)], "hint: give the axes fewer values, and list single combinations");
}

#[test]
fn what_cannot_hold_is_warned_of() {
    let text =
        "[environment]\ntool = \"existing\"\n[axes]\nreq.numpy = [\"1\", \"2\"]\nbuild.CC = \"gcc\"\nthreads = [1, 2]";
    check_warning(&[("tacho.toml", text)], "these axes are left out: `req.numpy`, `build.CC`");
    check(&[("tacho.toml", text)], &["existing-threads1", "existing-threads2"]);
    let text = "[environment]\nexclude = [{ req.numpi = \"1\" }]\n[axes]\nreq.numpy = \"1\"";
    check_warning(
        &[("tacho.toml", text)],
        "names the axis `req.numpi`, which is not declared (did you mean `req.numpy`?)",
    );
}

#[test]
fn words_choose_and_those_that_do_not_are_answered_with_what_there_is() {
    let text = "[axes]\npython = [\"3.12\", \"3.13\"]\nreq.numpy = [\"1.26\", \"2.1\"]";
    let settings = settings(&[("tacho.toml", text)]).unwrap();
    let choose =
        |word: &str| chosen(&settings, &EnvironmentWish { words: &[word.to_owned()], ..EnvironmentWish::default() });
    assert_eq!(choose("python=3.13,req.numpy=2*").unwrap()[0].label, "uv-py3.13-numpy2.1");
    let error = choose("uv-py3.13-numpy2.2").unwrap_err().text();
    assert!(error.contains("hint: there are `uv-py3.13-numpy2.1`, "), "{error}");
    assert!(error.contains("hint: or a tool with an interpreter (`TOOL:PYTHON`), of existing, uv, "), "{error}");
    let error = choose("python=3.14").unwrap_err().text();
    assert!(error.contains("no environment has `python=3.14`\nhint: there are `python=3.1"), "{error}");
    let python = EnvironmentWish { python: Some("3.14"), ..EnvironmentWish::default() };
    assert_eq!(chosen(&settings, &python).unwrap()[0].label, "uv-py3.14-numpy1.26");
    let same = EnvironmentWish { python: Some("same"), ..EnvironmentWish::default() };
    assert_eq!(chosen(&settings, &same).unwrap()[0].environment.tool, Tool::Existing);
}

#[test]
fn the_active_interpreter_is_named_where_none_is_declared() {
    let text = r#"{"environment_type": "virtualenv", "matrix": {"numpy": ""}}"#;
    let settings = settings(&[("asv.conf.json", text)]).unwrap();
    let wish = EnvironmentWish { active_python: Some("3.11"), ..EnvironmentWish::default() };
    assert_eq!(chosen(&settings, &wish).unwrap()[0].label, "virtualenv-py3.11-numpy");
}

/// Returns the fenced blocks of a page: (language, text).
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').unwrap_or((block, ""))).collect()
}

#[test]
fn the_examples_of_the_guide_come_to_what_it_says() {
    let page = include_str!("../../../../../docs/guides/environments.md");
    let blocks = blocks(page);
    let mut n_checked = 0;
    for pair in blocks.windows(2) {
        let ((language, text), ("text", names)) = (pair[0], pair[1]) else { continue };
        let file = if language == "json" { "asv.conf.json" } else { "tacho.toml" };
        check(&[(file, text)], &names.lines().collect::<Vec<_>>());
        n_checked += 1;
    }
    assert_eq!(n_checked, 5);
}

#[test]
fn released_versions_are_installed_and_never_what_is_there_by_chance() {
    let toml = |more: &str| format!("[project]\nname = \"six\"\nhistory = \"versions\"\n{more}");
    check(&[("tacho.toml", &toml(""))], &["uv"]);
    check(&[("tacho.toml", &toml("version_command = \"cc -dumpversion\"\n"))], &["existing"]);
    let existing = toml("[environment]\ntool = \"existing\"\n");
    check_error(&[("tacho.toml", &existing)], "an existing environment holds none of the versions");
    let settings = settings(&[("tacho.toml", &toml(""))]).unwrap();
    for word in ["existing", "existing:python3"] {
        let words = [word.to_owned()];
        let error = chosen(&settings, &EnvironmentWish { words: &words, ..EnvironmentWish::default() }).unwrap_err();
        assert!(error.text().contains("hint: have them installed: `-E uv`"), "{}", error.text());
    }
}

#[test]
fn keys_that_say_nothing_to_the_tool_or_the_history_are_told() {
    let check = |toml: &str, expected: &[&str]| {
        assert_eq!(settings(&[("tacho.toml", toml)]).unwrap().warnings, expected, "{toml}");
    };
    check(
        "[environment]\ntool = \"uv\"\nrequirements = [\"six\"]\nchannels = [\"a\"]\nuninstall = \"true\"\n",
        &["no effect with the tool `uv`: `environment.channels`, `environment.uninstall`"],
    );
    check(
        "[environment]\ntool = \"command\"\nrequirements = [\"six\"]\nbuild = \"make\"\n",
        &["no effect with the tool `command`: `environment.requirements`"],
    );
    check(
        "[environment]\ntool = \"existing\"\nlock = \"uv.lock\"\nbuild = \"make\"\nrebuild = \"make\"\n",
        &["no effect with the tool `existing`: `environment.lock`, `environment.build`"],
    );
    check("[environment]\ntool = \"pixi\"\nchannels = [\"a\"]\nprogram = \"x\"\n", &[]);
    check("[project]\nversions = [\"1.0\"]\n", &["no effect on a history of commits: `project.versions`"]);
    let asv = r#"{"environment_type": "virtualenv", "conda_channels": ["a"], "uninstall_command": ["x"]}"#;
    assert!(settings(&[("asv.conf.json", asv)]).unwrap().warnings.is_empty());
}

#[test]
fn one_package_is_one_axis_however_it_is_written() {
    let toml = "[axes]\nreq.scikit_Image = \"1\"\nreq.scikit-image = \"2\"\n";
    check_error(&[("tacho.toml", toml)], "it is the same package as `req.scikit_Image`");
    check_error(&[("tacho.toml", "[axes]\n\"req.my pkg\" = \"1\"\n")], "`my pkg` is no name of a package");
    check_error(&[("tacho.toml", "[axes]\n\"req.numpy==1\" = \"\"\n")], "`numpy==1` is no name of a package");
    check(&[("tacho.toml", "[axes]\n\"req.dask[array, test]\" = \"\"\n")], &["uv-dask[array, test]"]);
    check(&[("tacho.toml", "[axes]\nreq.scikit = \"1\"\nreq.scikit-image = \"2\"\n")], &["uv-scikit1-scikit-image2"]);
}

#[test]
#[expect(clippy::print_stderr, reason = "a skip is told")]
fn configurations_of_real_projects_are_read() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/asv-results");
    let Ok(projects) = std::fs::read_dir(&data) else {
        eprintln!("skipped: no real data in {}", data.display());
        return;
    };
    let files: Vec<_> =
        projects.flatten().map(|entry| entry.path().join("asv.conf.json")).filter(|p| p.is_file()).collect();
    assert!(!files.is_empty());
    for file in files {
        let settings = read_file(&file).unwrap_or_else(|error| panic!("{}", error.text()));
        assert!(settings.warnings.is_empty(), "{}: {:?}", file.display(), settings.warnings);
        let wish = EnvironmentWish { active_python: Some("3.11"), ..EnvironmentWish::default() };
        let all = chosen(&settings, &wish).unwrap();
        // They list their environments elsewhere: asv has the one of its own interpreter.
        assert_eq!(all.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["virtualenv-py3.11"]);
    }
}
