//! Lists of records: in order, and with what cannot be read.

use tacho_model::{Run, Timestamp};
use tacho_store::draw_run_id;

use crate::runs::{TestStore, provenance, rich_run};

#[test]
fn a_store_that_does_not_exist_is_empty_and_stays_so() {
    let test = TestStore::new();
    let found = test.store.entries().unwrap();
    assert!(found.entries.is_empty() && found.unreadable.is_empty());
    assert!(test.files().is_empty());
}

#[test]
fn records_of_all_machines_are_listed_by_their_start() {
    let test = TestStore::new();
    for (machine, second) in [("b", 2), ("a", 3), ("c", 1)] {
        let mut provenance = provenance(machine, &draw_run_id());
        provenance.started_at = Timestamp { unix_us: second * 1_000_000 };
        test.write_sealed(&Run { provenance, ..rich_run() });
    }
    let entries = test.store.entries().unwrap().entries;
    let machines: Vec<&str> = entries.iter().map(|entry| entry.provenance.machine.name.as_str()).collect();
    assert_eq!(machines, ["c", "b", "a"]);
    for entry in &entries {
        assert_eq!(entry.n_bytes, std::fs::metadata(&entry.path).unwrap().len());
        let mut read = test.store.read(&entry.path).unwrap().provenance;
        assert_ne!(read.build.as_ref().unwrap().log_tail, "");
        read.build.as_mut().unwrap().log_tail.clear();
        assert_eq!(entry.provenance, read);
    }
}

#[test]
fn bad_files_are_listed_and_hide_no_others() {
    let test = TestStore::new();
    test.write_sealed(&rich_run());
    let bytes = std::fs::read(&test.store.entries().unwrap().entries[0].path).unwrap();
    test.put("1.jsonl.zst", b"this is no zstd");
    test.put("2.jsonl.zst", &bytes[..10]);
    test.put("3.jsonl.open", b"{\"schema\":\"tacho.rec");
    test.put("4.jsonl", b"\x7fELF");
    test.put("5.jsonl.open", b"{\"schema\":\"tacho.record/7\"}\n");
    std::fs::create_dir(test.store.machine_folder("m").join("6.jsonl")).unwrap();
    test.put("notes.txt", b"not named like a record");
    test.put(".7.jsonl.zst.tmp", b"half a file");
    std::fs::write(test.store.root().join("records/8.jsonl"), b"not in the folder of a machine").unwrap();
    let found = test.store.entries().unwrap();
    assert_eq!(found.entries.len(), 1);
    let lines: Vec<String> = found.unreadable.iter().map(|file| test.text_of(&file.error)).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    `[root]/records/m/1.jsonl.zst` is not a record: it cannot be unpacked: Unknown frame descriptor
    `[root]/records/m/2.jsonl.zst` is cut short: it ends inside a block
    `[root]/records/m/3.jsonl.open` is cut short: it ends before its header does
    `[root]/records/m/4.jsonl` is not a record: it does not begin with a JSON object
    `[root]/records/m/5.jsonl.open` is written in `tacho.record/7`, and this version of tacho reads up to `tacho.record/1`: update tacho
    cannot read `[root]/records/m/6.jsonl`: Is a directory (os error 21)
    ");
}

#[test]
fn a_list_reads_the_first_line_only() {
    let test = TestStore::new();
    let path = test.write_open(&rich_run());
    let text = std::fs::read_to_string(&path).unwrap();
    let first = text.split_inclusive('\n').next().unwrap();
    std::fs::write(&path, format!("{first}nonsense\n")).unwrap();
    assert_eq!(test.store.entries().unwrap().entries.len(), 1);
    assert!(test.store.read(&path).is_err());
}
