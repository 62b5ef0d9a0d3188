//! What lies in asv's results folder, and where facts come from.

use tacho_model::Sheet;
use tacho_store::{AsvFile, AsvResults, StoreError, read_asv_file};

use crate::asv::{AsvFolder, version_2};

fn lines(files: &[AsvFile], folder: &AsvFolder) -> String {
    let line = |file: &AsvFile| {
        let place = file.path.strip_prefix(folder.root()).unwrap().display().to_string();
        format!("{place}: {} {} {}", file.machine, file.commit_prefix, file.environment)
    };
    files.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn result_files_are_known_by_their_names() {
    let folder = AsvFolder::new();
    for name in [
        "benchmarks.json",
        "0123abcd-at-the-top.json",
        "b/0123abcd-virtualenv-py3.11.json",
        "b/89abcdef-conda-py3.6-numpy.json",
        "b/v0.1-uv-py3.11.json",
        "b/machine.json",
        "b/notes.json",
        "b/-x.json",
        "b/0123abcd-.json",
        "b/0123abcde-too-long.json",
        "b/.12-hidden.json",
        "b/0123abcd-x.json.bak",
        "a/01234567-x.json",
        "a/no-machine-here/0123abcd-x.json",
        "a/deep/machine.json",
        "a/deep/0123abcd-y.json",
        ".git/0123abcd-x.json",
    ] {
        folder.put(name, "not opened");
    }
    folder.put("a/machine.json", r#"{"machine": "../../etc", "version": 1}"#);
    folder.put("a/deep/machine.json", r#"{"machine": "deep one", "version": 1}"#);
    let results = folder.open();
    insta::assert_snapshot!(lines(&results.files().unwrap(), &folder), @r#"
    a/01234567-x.json: ../../etc 01234567 x
    a/deep/0123abcd-y.json: deep one 0123abcd y
    b/0123abcd-virtualenv-py3.11.json: b 0123abcd virtualenv-py3.11
    b/89abcdef-conda-py3.6-numpy.json: b 89abcdef conda-py3.6-numpy
    b/v0.1-uv-py3.11.json: b v0.1 uv-py3.11
    "#);
    let unreadable = results.unreadable().iter().map(|file| folder.text_of(&file.error)).collect::<Vec<_>>();
    insta::assert_snapshot!(unreadable.join("\n"), @r#"
    cannot read `[root]/b/machine.json`: expected ident at line 1 column 2
    cannot read `[root]/benchmarks.json`: expected ident at line 1 column 2
    "#);
}

#[test]
fn a_folder_that_does_not_exist_cannot_be_opened() {
    let folder = AsvFolder::new();
    let error = AsvResults::open(&folder.root().join("results")).unwrap_err();
    assert!(matches!(error, StoreError::Io { verb: "read", .. }), "{error:?}");
}

#[test]
fn an_empty_folder_has_no_files() {
    let folder = AsvFolder::new();
    std::fs::create_dir(folder.root().join("m")).unwrap();
    assert!(folder.open().files().unwrap().is_empty() && folder.open().unreadable().is_empty());
}

#[cfg(unix)]
#[test]
fn links_to_files_are_followed_and_links_to_folders_are_not() {
    let folder = AsvFolder::new();
    let file = folder.put("m/0123abcd-x.json", version_2("{}"));
    std::os::unix::fs::symlink(file, folder.root().join("m/89abcdef-x.json")).unwrap();
    std::os::unix::fs::symlink(folder.root(), folder.root().join("round")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.root().join("m/01234567-x.json")).unwrap();
    // One that leads nowhere is listed: whoever reads it tells what is missing.
    let files = folder.open().files().unwrap();
    insta::assert_snapshot!(lines(&files, &folder), @r#"
    m/01234567-x.json: m 01234567 x
    m/0123abcd-x.json: m 0123abcd x
    m/89abcdef-x.json: m 89abcdef x
    "#);
}

#[test]
fn the_folder_of_one_machine_can_be_opened_too() {
    let folder = AsvFolder::new();
    folder.put("benchmarks.json", r#"{"time_x": {"type": "time", "unit": "hours"}, "version": 2}"#);
    folder.put("m/machine.json", r#"{"machine": "m", "version": 1}"#);
    folder.put("m/0123abcd-x.json", version_2(r#"{"time_x": [[1]]}"#));
    let results = AsvResults::open(&folder.root().join("m")).unwrap();
    let files = results.files().unwrap();
    let read = results.read(&files[0], "example").unwrap();
    assert_eq!(read.outcomes[0].metric.unit, "hours");
    assert_eq!(read, read_asv_file(&files[0].path, "example").unwrap());
}

#[test]
fn facts_are_those_of_the_file_and_then_those_of_the_machine_file() {
    let folder = AsvFolder::new();
    folder.put(
        "folder/machine.json",
        r#"{"machine": "beside", "cpu": "new", "arch": "x86_64", "os": "", "ram": "17179869184", "version": 1}"#,
    );
    let params = r#""params": {"machine": "inside", "cpu": "old", "ram": "16373796", "num_cpu": 4, "python": "3.11",
        "numpy": "1.26"}, "unused": 0"#;
    let text = version_2("{}")
        .replace(r#""params": {"machine": "m", "python": "3.11"}"#, params)
        .replace(r#""requirements": {}"#, r#""requirements": {"numpy": "1.26"}"#);
    folder.put("folder/0123abcd-x.json", &text);
    let results = folder.open();
    let machine = |text: &str| {
        folder.put("folder/0123abcd-x.json", text);
        results.head(&results.files().unwrap()[0], "example").unwrap().machine
    };
    let found = machine(&text);
    assert_eq!(found.name, "inside");
    let facts: Vec<String> = found.facts.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(facts, ["arch=x86_64", "cpu=old", "num_cpu=4", "ram=17GB"]);
    assert_eq!(machine(&text.replace(r#""machine": "inside""#, r#""machine": """#)).name, "beside");
    folder.put("folder/machine.json", r#"{"version": 1}"#);
    let without = folder.open();
    let file = &without.files().unwrap()[0];
    folder.put("folder/0123abcd-x.json", text.replace(r#""machine": "inside", "#, ""));
    assert_eq!((file.machine.as_str(), without.head(file, "p").unwrap().machine.name.as_str()), ("folder", "folder"));
}

#[test]
fn newer_definitions_and_machine_files_are_left_aside_and_told() {
    let folder = AsvFolder::new();
    folder.put("benchmarks.json", r#"{"time_x": {"unit": "hours"}, "version": 3}"#);
    folder.put("m/machine.json", r#"{"machine": "other", "version": 2}"#);
    folder.put("n/machine.json", r#"["m"]"#);
    folder.put("m/0123abcd-x.json", version_2(r#"{"time_x": [[1]]}"#));
    let results = folder.open();
    let told: Vec<String> = results.unreadable().iter().map(|file| folder.text_of(&file.error)).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    `[root]/m/machine.json` is written in `version 2 of asv's machine file`, and this version of tacho reads up to `version 1`: update tacho
    `[root]/n/machine.json` is not a machine file of asv: it is no object
    `[root]/benchmarks.json` is written in `version 3 of asv's list of benchmarks`, and this version of tacho reads up to `version 2`: update tacho
    "#);
    let read = results.read(&results.files().unwrap()[0], "example").unwrap();
    assert_eq!(read.outcomes[0].metric.unit, "seconds");
}

#[test]
fn names_in_files_are_texts_and_never_paths() {
    let folder = AsvFolder::new();
    let name = "../../../../etc/passwd";
    let text =
        version_2(&format!(r#"{{"{name}": [[1]]}}"#)).replace(r#""machine": "m""#, &format!(r#""machine": "{name}""#));
    folder.put("m/0123abcd-x.json", text.replace("virtualenv-py3.11", name));
    let results = folder.open();
    let read = results.read(&results.files().unwrap()[0], "example").unwrap();
    assert_eq!((read.provenance.machine.name.as_str(), read.provenance.environment.label.as_str()), (name, name));
    assert_eq!(read.outcomes[0].case.benchmark, name);
}

#[test]
fn the_id_of_a_run_depends_on_nothing_but_its_file() {
    let folder = AsvFolder::new();
    let id = |name: &str| read_asv_file(&folder.put(name, version_2("{}")), "example").unwrap().provenance.run_id;
    // `printf m/0123abcd-x.json | sha256sum`
    assert_eq!(id("m/0123abcd-x.json"), "a3c5e11647f85cd8");
    assert_eq!(id("elsewhere/m/0123abcd-x.json"), id("m/0123abcd-x.json"));
    assert_ne!(id("n/0123abcd-x.json"), id("m/0123abcd-x.json"));
    assert_ne!(id("m/0123abcd-y.json"), id("m/0123abcd-x.json"));
}

#[test]
fn sheets_say_what_outcomes_do() {
    let folder = AsvFolder::new();
    folder.put(
        "benchmarks.json",
        r#"{"time_x": {"type": "time", "unit": "hours", "param_names": ["n", "s"]}, "version": 2}"#,
    );
    let rows = r#"{"time_x": [[1, null, NaN, Infinity], [["1", "2"], ["'a'", "'b'"]], "v", 5, 2, [0.5], [1.5], [0.8], [1.2], [3], [10]],
        "track_y": [["text"]], "time_z": [null, [["1", "2"]]], "time_s": [[2.0], [], "1", 1, 1, [], [], [], [], [], [], [[1.0, NaN, 3.0]]]}"#;
    folder.put("m/0123abcd-x.json", version_2(rows));
    let results = folder.open();
    let file = &results.files().unwrap()[0];
    let (provenance, sheets, _) = results.sheets(file, "example").unwrap();
    let read = results.read(file, "example").unwrap();
    assert_eq!(provenance, read.provenance);
    // The values alone are found without parsing the rest.
    let values = results.values(file, "example").unwrap();
    let told = |sheets: &[Sheet]| {
        let of =
            |sheet: &Sheet| sheet.readings.iter().map(|one| (one.state, one.value, one.message)).collect::<Vec<_>>();
        sheets
            .iter()
            .map(|sheet| (sheet.benchmark.clone(), sheet.axes.clone(), sheet.version.clone(), of(sheet)))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&values), told(&sheets));
    let (subject, date) = results.peek(file).unwrap();
    assert_eq!((&subject, date.unix_us), (&read.provenance.subject, 1_700_000_000_000_000));
    let mut outcomes = read.outcomes.iter();
    for sheet in &sheets {
        for (index, reading) in sheet.readings.iter().enumerate() {
            let outcome = outcomes.next().unwrap();
            assert_eq!(
                (&sheet.case(index), &sheet.metric, &sheet.version),
                (&outcome.case, &outcome.metric, &outcome.version)
            );
            let said = (reading.state, reading.value, reading.spread, reading.interval, reading.n_samples);
            assert_eq!(said, (outcome.state, outcome.value, outcome.spread, outcome.interval, outcome.n_samples));
            assert_eq!(reading.message, outcome.message.as_deref());
        }
    }
    assert_eq!((outcomes.next(), sheets.iter().map(|sheet| sheet.readings.len()).sum::<usize>()), (None, 8));
}

#[test]
fn only_what_decides_how_a_file_is_read_marks_it() {
    let folder = AsvFolder::new();
    let benchmarks = |code: &str, unit: &str| {
        let text = format!(r#"{{"time_x": {{"code": "{code}", "type": "time", "unit": "{unit}"}}, "version": 2}}"#);
        folder.put("benchmarks.json", text);
    };
    folder.put("a/0123abcd-x.json", version_2("{}"));
    folder.put("b/0123abcd-x.json", version_2("{}"));
    benchmarks("one", "seconds");
    let marks = || {
        let results = folder.open();
        results.files().unwrap().iter().map(|file| results.mark_beside(file)).collect::<Vec<u64>>()
    };
    let first = marks();
    benchmarks("two", "seconds");
    assert_eq!(marks(), first);
    folder.put("b/machine.json", r#"{"machine": "b", "ram": "1", "version": 1}"#);
    let second = marks();
    assert_eq!(second[0], first[0]);
    assert_ne!(second[1], first[1]);
    benchmarks("two", "hours");
    assert!(marks().iter().zip(&second).all(|(one, other)| one != other));
}
