//! What a crash leaves can be read.

use tacho_model::Completeness;
use tacho_store::{Prefixes, StoreError};

use crate::runs::{TestStore, rich_run};

#[test]
fn an_open_record_cut_anywhere_holds_all_whole_rounds() {
    let test = TestStore::new();
    let run = rich_run();
    let bytes = std::fs::read(test.write_open(&run)).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|n| bytes[*n] == b'\n').map(|n| n + 1).collect();
    for length in 0..=bytes.len() {
        let path = test.put("cut.jsonl.open", &bytes[..length]);
        let n_lines = ends.iter().filter(|end| **end <= length).count();
        if n_lines == 0 {
            assert!(matches!(test.store.read(&path), Err(StoreError::CutShort { .. })), "{length} bytes");
            continue;
        }
        let read = test.store.read(&path).unwrap();
        assert_eq!(read.provenance, run.provenance);
        assert_eq!(read.completeness, Completeness::Interrupted);
        assert_eq!(read.rounds, run.rounds[..n_lines.saturating_sub(2)], "{length} bytes");
        assert_eq!(read.planned.len(), if n_lines > 1 { 2 } else { 0 });
    }
}

#[test]
fn a_sealed_record_cut_anywhere_is_refused() {
    let test = TestStore::new();
    let bytes = std::fs::read(test.write_sealed(&rich_run())).unwrap();
    for length in 0..bytes.len() {
        let path = test.put("cut.jsonl.zst", &bytes[..length]);
        assert!(matches!(test.store.read(&path), Err(StoreError::CutShort { .. })), "{length} bytes");
    }
}

#[test]
fn an_unpacked_record_cut_anywhere_is_refused() {
    let test = TestStore::new();
    let bytes = unpacked(&test);
    for length in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
        let path = test.put("cut.jsonl", &bytes[..length]);
        assert!(matches!(test.store.read(&path), Err(StoreError::CutShort { .. })), "{length} bytes");
    }
    let path = test.put("whole.jsonl", &bytes);
    assert_eq!(test.store.read(&path).unwrap().completeness, Completeness::Sealed);
}

#[test]
fn zeros_after_a_power_failure_are_dropped() {
    let test = TestStore::new();
    let run = rich_run();
    let mut bytes = std::fs::read(test.write_open(&run)).unwrap();
    bytes.extend([0; 4096]);
    let path = test.put("zeros.jsonl.open", &bytes);
    assert_eq!(test.store.read(&path).unwrap(), run);
}

#[test]
fn a_seal_counts_before_the_file_is_compressed() {
    let test = TestStore::new();
    let bytes = unpacked(&test);
    let path = test.put("x.jsonl.open", &bytes);
    assert_eq!(test.store.read(&path).unwrap().completeness, Completeness::Sealed);
    let entries = test.store.entries().unwrap().entries;
    let entry = entries.iter().find(|entry| entry.path == path).unwrap();
    assert_eq!(entry.completeness, Completeness::Sealed);
}

#[test]
fn a_record_in_two_forms_is_listed_once() {
    let test = TestStore::new();
    let bytes = unpacked(&test);
    let sealed = test.store.entries().unwrap().entries[0].path.clone();
    let name = sealed.file_name().unwrap().to_str().unwrap().replace(".zst", "");
    test.put(&name, &bytes);
    test.put(&format!("{name}.open"), &bytes[..bytes.len() / 2]);
    let found = test.store.entries().unwrap();
    assert_eq!(found.entries.iter().map(|entry| &entry.path).collect::<Vec<_>>(), [&sealed]);
    assert!(found.unreadable.is_empty());
}

#[test]
fn a_form_that_cannot_be_read_does_not_hide_another() {
    let test = TestStore::new();
    let run = rich_run();
    let open = test.write_open(&run);
    std::fs::write(open.with_extension("zst"), "damaged").unwrap();
    let found = test.store.entries().unwrap();
    assert_eq!(found.entries.iter().map(|entry| &entry.path).collect::<Vec<_>>(), [&open]);
    assert_eq!(found.unreadable.len(), 1);
}

#[test]
fn a_dropped_writer_leaves_an_interrupted_run() {
    let test = TestStore::new();
    let run = rich_run();
    drop(test.store.create(&run.provenance, &run.planned, &run.problems, &Prefixes::default()).unwrap());
    let entries = test.store.entries().unwrap().entries;
    assert_eq!(entries[0].completeness, Completeness::Interrupted);
    assert_eq!(test.store.read(&entries[0].path).unwrap().planned, run.planned);
}

/// Returns the bytes of a sealed record before they were compressed.
pub(crate) fn unpacked(test: &TestStore) -> Vec<u8> {
    let sealed = test.write_sealed(&rich_run());
    zstd::decode_all(std::fs::File::open(sealed).unwrap()).unwrap()
}
