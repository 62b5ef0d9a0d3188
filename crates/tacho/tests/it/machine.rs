//! `tacho machine`.

use crate::env::TestEnv;

#[test]
fn facts_are_found_without_a_question_and_stored_once() {
    let env = TestEnv::new();
    let said = env.tacho(&["machine", "--yes", "--json"]).json(0);
    assert_eq!(said["schema"], "tacho.machine/1");
    let facts = &said["machine"]["facts"];
    for name in ["arch", "num_cpu", "ram", "os", "kernel"] {
        assert!(facts[name].as_str().is_some_and(|text| !text.is_empty()), "{name} in {facts}");
    }
    assert!(env.home(".config/tacho/machines.json").is_file());
    let again = env.tacho(&["machine"]);
    assert!(!again.stderr.contains("Stored"), "nothing new is stored: {}", again.all());
}

#[test]
fn a_name_and_facts_can_be_declared_and_stay() {
    let env = TestEnv::new();
    let flags = ["machine", "--machine", "lab-7", "--ram", "134807384064", "--cpu", "Own CPU", "--json"];
    let said = env.tacho(&flags).json(0);
    let later = env.tacho(&["machine", "--json"]).json(0);
    for found in [&said, &later] {
        assert_eq!(found["machine"]["name"], "lab-7");
        assert_eq!(found["machine"]["facts"]["ram"], "135GB");
        assert_eq!(found["machine"]["facts"]["cpu"], "Own CPU");
    }
}

#[test]
fn asvs_machine_file_is_read() {
    let env = TestEnv::new();
    let asv = r#"{"version": 1, "old-box": {"machine": "old-box", "os": "Linux 5", "arch": "x86_64", "cpu": "Xeon",
                  "num_cpu": "8", "ram": "134807396352"}}"#;
    env.write_home(".asv-machine.json", asv);
    let said = env.tacho(&["machine", "--json"]).json(0);
    assert_eq!(said["machine"]["name"], "old-box");
}

#[test]
fn an_empty_name_is_refused() {
    let env = TestEnv::new();
    insta::assert_snapshot!(env.tacho(&["machine", "--machine", " "]).all(), @r"
    exit: 2
    ----- stdout

    ----- stderr
    error: a machine's name cannot be empty
    hint: give it one, such as lab-7, or none at all: then the host's name holds
    ");
    let env = TestEnv::with_project(&[("benchmarks/a.py", "def track_one(): return 1")]);
    for arguments in [&["run", "--machine", ""][..], &["run", "--keep-nothing", "--machine", ""]] {
        let said = env.tacho(arguments);
        assert_eq!(said.code, Some(2), "{}", said.all());
        assert!(said.stderr.contains("a machine's name cannot be empty"), "{}", said.all());
    }
}
