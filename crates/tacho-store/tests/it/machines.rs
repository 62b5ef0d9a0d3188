//! Machine files: the user's, asv's, and the copy beside the records.

use std::path::Path;

use tacho_model::Machine;
use tacho_store::{Machines, StoreError, asv_machine};

use crate::runs::{TestStore, rich_run, texts};

fn machine(name: &str) -> Machine {
    Machine { name: name.into(), facts: texts([("cpu", "Fast 9000"), ("ram", "135GB")]) }
}

#[test]
fn the_users_machines_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config/tacho/machines.json");
    let mut machines = Machines::load(&path).unwrap();
    assert_eq!(machines, Machines::default());
    machines.insert(machine("b"));
    machines.insert(machine("a"));
    machines.insert(Machine { facts: texts([("arch", "x86_64")]), ..machine("b") });
    machines.save(&path).unwrap();
    assert_eq!(Machines::load(&path).unwrap(), machines);
    assert_eq!(machines.get("a"), Some(&machine("a")));
    assert_eq!(machines.get("c"), None);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    insta::assert_snapshot!(std::fs::read_to_string(&path).unwrap(), @r#"
    {
      "schema": "tacho.machines/1",
      "machines": {
        "a": {
          "cpu": "Fast 9000",
          "ram": "135GB"
        },
        "b": {
          "arch": "x86_64"
        }
      }
    }
    "#);
}

#[test]
fn a_machine_is_kept_beside_its_records() {
    let test = TestStore::new();
    assert_eq!(test.store.read_machine("m").unwrap(), None);
    let run = rich_run();
    test.write_open(&run);
    assert_eq!(test.store.read_machine("m").unwrap(), Some(run.provenance.machine));
    test.store.write_machine(&machine("m")).unwrap();
    assert_eq!(test.store.read_machine("m").unwrap(), Some(machine("m")));
    let text = std::fs::read_to_string(test.store.machine_folder("m").join("machine.json")).unwrap();
    insta::assert_snapshot!(text, @r#"
    {
      "schema": "tacho.machine/1",
      "name": "m",
      "facts": {
        "cpu": "Fast 9000",
        "ram": "135GB"
      }
    }
    "#);
}

fn check_bad(text: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machines.json");
    std::fs::write(&path, text).unwrap();
    let error: StoreError = Machines::load(&path).unwrap_err();
    assert_eq!(error.line().replace(path.to_str().unwrap(), "machines.json"), expected);
}

#[test]
fn bad_machine_files_are_told_apart() {
    check_bad("", "`machines.json` is not a machine file: EOF while parsing a value at line 1 column 0");
    check_bad("[]", "`machines.json` is not a machine file: it names no schema");
    check_bad(
        r#"{"schema":"tacho.machine/1"}"#,
        "`machines.json` is not a machine file: its schema is `tacho.machine/1` and not `tacho.machines/1`",
    );
    check_bad(
        r#"{"schema":"tacho.machines/2"}"#,
        "`machines.json` is written in `tacho.machines/2`, and this version of tacho reads up to `tacho.machines/1`: update tacho",
    );
    check_bad(r#"{"schema":"tacho.machines/1"}"#, "`machines.json` is not a machine file: missing field `machines`");
}

fn check_asv(text: &str, host_name: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".asv-machine.json");
    std::fs::write(&path, text).unwrap();
    let found = match asv_machine(&path, host_name) {
        Ok(None) => "none".to_owned(),
        Ok(Some(Machine { name, facts })) => format!("{name} {facts:?}"),
        Err(error) => error.line().replace(path.to_str().unwrap(), "asv"),
    };
    assert_eq!(found, expected);
}

#[test]
fn asvs_machine_is_that_of_the_host_or_the_only_one() {
    let one = r#"{"lab": {"arch": "x86_64", "cpu": "", "machine": "lab", "num_cpu": 8, "os": "Linux 6.1", "ram": "134807384064"}, "version": 1}"#;
    let lab = r#"lab {"arch": "x86_64", "num_cpu": "8", "os": "Linux 6.1", "ram": "135GB"}"#;
    check_asv(one, "lab", lab);
    check_asv(one, "other", lab);
    let two = r#"{"a": {"ram": "8GB"}, "b": {}, "version": 1}"#;
    check_asv(two, "a", r#"a {"ram": "8GB"}"#);
    check_asv(two, "c", "none");
    check_asv(r#"{"version": 1}"#, "a", "none");
}

#[test]
fn bad_files_of_asv_are_told_apart() {
    check_asv("{", "a", "`asv` is not a machine file of asv: EOF while parsing an object at line 1 column 1");
    check_asv("{}", "a", "`asv` is not a machine file of asv: it names no version");
    check_asv(r#"{"version": 2}"#, "a", "`asv` is not a machine file of asv: its version is 2 and not 1");
    check_asv(r#"{"version": 1, "a": 3}"#, "a", "`asv` is not a machine file of asv: its entry `a` is no object");
    assert_eq!(asv_machine(Path::new("/no-such/.asv-machine.json"), "a").unwrap(), None);
}
