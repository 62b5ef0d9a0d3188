//! `tacho doctor`.

use crate::env::TestEnv;

/// Conditions that every Linux tells something of, whatever it is.
const TOLD_BY_LINUX: [&str; 5] = ["load", "processors", "memory_pressure", "address_layout", "file_systems"];

#[test]
fn a_machine_is_looked_at_and_measured() {
    let env = TestEnv::new();
    let said = env.tacho(&["doctor", "--json", "--rounds", "2"]).json(0);
    assert_eq!(said["schema"], "tacho.doctor/1");
    let findings = said["findings"].as_array().unwrap();
    for name in TOLD_BY_LINUX.iter().filter(|_| cfg!(target_os = "linux")) {
        let finding = findings.iter().find(|finding| finding["condition"] == *name).unwrap();
        assert_ne!(finding["state"], "unknown", "{finding}");
        assert!(finding["observed"].is_string(), "{finding}");
    }
    let control = &said["control"];
    assert_eq!(control["n_rounds"], 2);
    assert_eq!(control["valid"], serde_json::Value::Null, "two rounds cannot tell");
    let floors = control["noise_floor"].as_array().unwrap();
    let names: Vec<(&str, &str)> =
        floors.iter().map(|floor| (floor["program"].as_str().unwrap(), floor["clock"].as_str().unwrap())).collect();
    let expected = [("cpu", "cpu_time"), ("cpu", "wall_time"), ("memory", "cpu_time"), ("memory", "wall_time")];
    assert_eq!(names, expected);
    for floor in floors {
        let ratio = floor["ratio"].as_f64().unwrap();
        assert!(ratio > 0.1 && ratio < 10.0, "{floor}");
        assert_eq!(floor["smallest_change"], serde_json::Value::Null, "{floor}");
    }
}

#[test]
fn eight_rounds_say_in_words_what_can_be_seen_and_leave_nothing_behind() {
    let env = TestEnv::with_project(&[]);
    let said = env.tacho(&["doctor", "--rounds", "8"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let answers = ["can be seen in 8 rounds of a CPU-bound benchmark.", "not fit for comparisons now"];
    assert!(answers.iter().any(|answer| words.contains(answer)), "{}", said.all());
    assert_eq!(said.stderr, "", "progress is for terminals");
    assert!(!env.path(".tacho").exists() && !env.home(".config/tacho").exists(), "a doctor only looks");
}

#[test]
fn looking_alone_measures_nothing_and_needs_no_lock() {
    let env = TestEnv::new();
    let said = env.tacho(&["doctor", "--no-measure", "--json"]).json(0);
    assert_eq!(said["control"], serde_json::Value::Null);
    assert!(!env.home(".local/state/tacho").exists());
    let page = env.tacho_with(&["doctor", "--no-measure"], |command| _ = command.env("COLUMNS", "60")).with_code(0);
    assert!(page.ends_with("Noise floor\nNot measured.\n"), "{page}");
    // Commands are for copying and stay on one line, indented.
    let wide: Vec<&str> = page.lines().filter(|line| line.chars().count() > 60 && !line.starts_with("    ")).collect();
    assert_eq!(wide, [""; 0], "{page}");
}

#[test]
fn two_measurements_at_once_are_refused() {
    let env = TestEnv::new();
    let _ = env.tacho(&["doctor", "--rounds", "1"]).with_code(0);
    let state = std::fs::read_dir(env.home(".local/state/tacho")).unwrap();
    let lock = state.map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|end| end == "lock"));
    let file = std::fs::File::options().write(true).open(lock.unwrap()).unwrap();
    file.lock().unwrap();
    let said = env.tacho(&["doctor"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("is measuring on this machine") && said.stderr.contains("--wait"), "{}", said.all());
}

#[test]
fn a_broken_configuration_stops_no_diagnosis() {
    let env = TestEnv::new();
    env.write("tacho.toml", "[nonsense]\n");
    assert_eq!(env.tacho(&["doctor", "--no-measure"]).code, Some(0));
}

#[test]
fn impossible_wishes_are_refused() {
    let env = TestEnv::new();
    for flags in [&["--rounds", "0"][..], &["--rounds", "501"], &["--rounds", "5", "--no-measure"]] {
        let said = env.tacho(&[&["doctor"], flags].concat());
        assert_eq!(said.code, Some(2), "{flags:?}: {}", said.all());
    }
}

#[test]
fn the_calibration_program_is_for_nobody_else() {
    let env = TestEnv::new();
    assert!(!env.tacho(&["--help"]).with_code(0).contains("calibrate"));
    let said = env.tacho(&["__calibrate", "cpu"]).with_code(0);
    let cpu_ns: u64 = said.split(' ').next().unwrap().parse().unwrap();
    assert!(cpu_ns > 1_000_000, "15 million steps take a millisecond at the very least: {said}");
    assert_eq!(env.tacho(&["__calibrate", "nothing"]).code, Some(2));
}
