//! An interrupted record goes on where it stopped, and what killed writers leave is cleared up.

use std::path::{Path, PathBuf};

use tacho_model::{Completeness, Load, Resumption, Round, Run, Timestamp};
use tacho_store::{Prefixes, RecordWriter, StoreError, as_kept};

use crate::crash::unpacked;
use crate::runs::{TestStore, provenance, rich_run};

fn resumed(test: &TestStore, path: &Path, run: &Run) -> (Run, RecordWriter) {
    let reopened = test.store.reopen(path).unwrap();
    let found = reopened.run().clone();
    (found, reopened.resume(&run.planned, &run.problems, &Prefixes::default()).unwrap())
}

/// Resumes the record at `path`, adds the rounds that it lacks, and seals it.
fn completed(test: &TestStore, path: &Path, run: &Run) -> Run {
    let (found, mut writer) = resumed(test, path, run);
    run.rounds[found.rounds.len()..].iter().for_each(|round| writer.append(round).unwrap());
    test.store.read(&writer.seal().unwrap()).unwrap()
}

fn sealed(run: Run) -> Run {
    Run { completeness: Completeness::Sealed, ..run }
}

/// Returns the bytes of an open record of `run`, and where its lines end.
fn open_bytes(run: &Run) -> (Vec<u8>, Vec<usize>) {
    let bytes = std::fs::read(TestStore::new().write_open(run)).unwrap();
    let ends = (0..bytes.len()).filter(|n| bytes[*n] == b'\n').map(|n| n + 1).collect();
    (bytes, ends)
}

#[test]
fn a_record_cut_at_every_byte_of_its_tail_goes_on() {
    let run = rich_run();
    let (bytes, ends) = open_bytes(&run);
    let [header, plan, .., before_last, _] = ends[..] else { panic!("a header, a plan and rounds") };
    let test = TestStore::new();
    // All of the last line, and some bytes of the others.
    for length in (header..plan).step_by(199).chain((plan..before_last).step_by(61)).chain(before_last..=bytes.len()) {
        let path = test.put("cut.jsonl.open", &bytes[..length]);
        let (found, mut writer) = resumed(&test, &path, &run);
        run.rounds[found.rounds.len()..].iter().for_each(|round| writer.append(round).unwrap());
        assert!(std::fs::read(&path).unwrap() == bytes, "{length} bytes");
    }
}

#[test]
fn a_record_cut_where_a_line_ends_is_sealed_as_one() {
    let run = rich_run();
    let (bytes, ends) = open_bytes(&run);
    let test = TestStore::new();
    for length in ends.iter().flat_map(|end| [end - 1, *end, end + 1]).filter(|n| (ends[0]..=bytes.len()).contains(n)) {
        let path = test.put("cut.jsonl.open", &bytes[..length]);
        assert_eq!(completed(&test, &path, &run), sealed(run.clone()), "{length} bytes");
        assert!(!path.exists());
    }
}

#[test]
fn a_record_without_its_header_cannot_go_on() {
    let test = TestStore::new();
    let (bytes, ends) = open_bytes(&rich_run());
    let path = test.put("cut.jsonl.open", &bytes[..ends[0] - 1]);
    assert!(matches!(test.store.reopen(&path), Err(StoreError::CutShort { .. })));
}

#[test]
fn a_torn_line_is_cut_off_before_anything_is_added() {
    let test = TestStore::new();
    let run = rich_run();
    let (bytes, ends) = open_bytes(&run);
    let path = test.put("cut.jsonl.open", &bytes[..bytes.len() - 5]);
    let reopened = test.store.reopen(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len() - 5, "looking at it changes nothing");
    drop(reopened.resume(&[], &[], &Prefixes::default()).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), &bytes[..ends[ends.len() - 2]]);
}

#[test]
fn a_resumption_stands_with_the_first_round_after_it() {
    let test = TestStore::new();
    let mut run = rich_run();
    let load = Load { one_minute: 0.5, five_minutes: 1.0, fifteen_minutes: 2.0 };
    run.rounds[2].resumed = Some(Resumption { at: Timestamp { unix_us: 1 }, load: Some(load) });
    run.rounds[3].resumed = Some(Resumption { at: Timestamp { unix_us: 2 }, load: None });
    let read = test.store.read(&test.write_sealed(&run)).unwrap();
    assert_eq!(read, sealed(run));
}

#[test]
fn a_damaged_record_does_not_go_on() {
    let test = TestStore::new();
    let (mut bytes, ends) = open_bytes(&rich_run());
    bytes[ends[2] + 1] = b'!';
    let path = test.put("bad.jsonl.open", &bytes);
    assert!(matches!(test.store.reopen(&path), Err(StoreError::BadLine { line: 4, .. })));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_record_that_is_being_written_is_left_alone() {
    let test = TestStore::new();
    let run = rich_run();
    let mut writer = test.store.create(&run.provenance, &run.planned, &run.problems, &Prefixes::default()).unwrap();
    let path = writer.path().to_owned();
    assert!(matches!(test.store.reopen(&path), Err(StoreError::InUse { .. })));
    test.store.tidy("m");
    writer.append(&run.rounds[0]).unwrap();
    drop(writer);
    let (found, writer) = resumed(&test, &path, &run);
    assert_eq!(found.rounds, run.rounds[..1]);
    assert!(matches!(test.store.reopen(&path), Err(StoreError::InUse { .. })), "who resumes it writes it");
    drop(writer);
}

#[test]
fn a_sealed_record_only_remains_to_be_compressed() {
    let test = TestStore::new();
    let bytes = unpacked(&TestStore::new());
    let path = test.put("x.jsonl.open", &bytes);
    let (found, mut writer) = resumed(&test, &path, &rich_run());
    assert_eq!(found, sealed(rich_run()));
    assert!(matches!(writer.append(&rich_run().rounds[0]), Err(StoreError::Refused { .. })));
    let compressed = writer.seal().unwrap();
    assert_eq!(zstd::decode_all(std::fs::File::open(compressed).unwrap()).unwrap(), bytes);
    assert!(!path.exists());
}

#[test]
fn a_record_that_cannot_be_compressed_is_whole_all_the_same() {
    let test = TestStore::new();
    let run = rich_run();
    let open = test.write_open(&run);
    let in_the_way = open.with_extension("zst");
    std::fs::create_dir(&in_the_way).unwrap();
    let (_, writer) = resumed(&test, &open, &run);
    let error = writer.seal().unwrap_err();
    assert!(error.line().starts_with(&format!("cannot write `{}`", in_the_way.display())), "{}", error.line());
    assert_eq!(test.store.read(&open).unwrap(), sealed(run.clone()));
    std::fs::remove_dir(&in_the_way).unwrap();
    assert_eq!(completed(&test, &open, &run), sealed(run));
    assert_eq!(names(&test), [in_the_way.file_name().unwrap().to_str().unwrap(), "machine.json"]);
}

#[test]
fn a_record_that_cannot_be_made_leaves_no_file() {
    let test = TestStore::new();
    std::fs::create_dir_all(test.store.root()).unwrap();
    std::fs::write(test.store.root().join("records"), "a file where the folder should be").unwrap();
    let run = rich_run();
    let made = test.store.create(&run.provenance, &run.planned, &run.problems, &Prefixes::default());
    assert!(made.unwrap_err().line().contains("records"));
    assert_eq!(test.files(), ["project/.tacho/.gitignore", "project/.tacho/records"]);
}

fn names(test: &TestStore) -> Vec<String> {
    let folder = std::fs::read_dir(test.store.machine_folder("m")).unwrap();
    let mut names: Vec<String> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Puts what writers may leave that are killed one step before the other, and returns where.
fn leavings(test: &TestStore) -> Vec<PathBuf> {
    let bytes = unpacked(&TestStore::new());
    let compressed = zstd::encode_all(&bytes[..], 1).unwrap();
    let names: [(&str, &[u8]); 6] = [
        ("1.jsonl.open", &bytes),
        (".1.jsonl.zst.0123456789abcdef.tmp", &compressed[..100]),
        ("2.jsonl.open", &bytes),
        ("2.jsonl.zst", &compressed),
        (".machine.json.fedcba9876543210.tmp", b"{"),
        ("3.jsonl.open", &bytes[..bytes.len() - 200]),
    ];
    names.map(|(name, bytes)| test.put(name, bytes)).to_vec()
}

#[test]
fn what_killed_writers_leave_is_cleared_up() {
    let test = TestStore::new();
    leavings(&test);
    test.store.tidy("m");
    assert_eq!(names(&test), ["1.jsonl.zst", "2.jsonl.zst", "3.jsonl.open"]);
    let found = test.store.entries().unwrap();
    assert_eq!((found.entries.len(), found.unreadable.len()), (3, 0));
    for name in ["1", "2"] {
        let path = test.store.machine_folder("m").join(format!("{name}.jsonl.zst"));
        assert_eq!(test.store.read(&path).unwrap(), sealed(rich_run()));
    }
    test.store.tidy("no such machine");
}

#[test]
fn what_no_other_file_holds_is_not_cleared_up() {
    let test = TestStore::new();
    let bytes = unpacked(&TestStore::new());
    let other: Vec<Round> = rich_run().rounds[..2].to_vec();
    let mut twin = rich_run();
    twin.rounds = other;
    let (shorter, _) = open_bytes(&twin);
    test.put("x.jsonl.zst", &zstd::encode_all(&bytes[..], 1).unwrap());
    test.put("x.jsonl.open", &shorter);
    test.put("y.jsonl.zst", b"damaged");
    test.put("y.jsonl.open", &bytes);
    test.store.tidy("m");
    assert_eq!(names(&test), ["x.jsonl.open", "x.jsonl.zst", "y.jsonl.open", "y.jsonl.zst"]);
}

#[test]
fn unfinished_runs_are_those_whose_records_are_open() {
    let test = TestStore::new();
    test.write_sealed(&rich_run());
    let open = test.write_open(&Run { provenance: provenance("m", "fedcba9876543210"), ..rich_run() });
    let compressing = test.put("x.jsonl.open", &unpacked(&TestStore::new()));
    let found: Vec<PathBuf> = test.store.unfinished().unwrap().into_iter().map(|entry| entry.path).collect();
    assert_eq!(found, [open, compressing]);
}

#[test]
fn a_run_as_kept_is_the_one_that_is_read_back() {
    let test = TestStore::new();
    let mut run = rich_run();
    run.planned[0].benchmark.parameters[0].texts[0] = "'/no-such/alice/x'".into();
    run.provenance.environment.executable = "/no-such/alice/bin/python".into();
    let prefixes = Prefixes::default().home(Path::new("/no-such/alice"));
    let writer = test.store.create(&run.provenance, &run.planned, &run.problems, &prefixes).unwrap();
    let read = test.store.read(writer.path()).unwrap();
    let kept = as_kept(&run, &prefixes).unwrap();
    assert_eq!((kept.provenance, kept.planned, kept.problems), (read.provenance, read.planned, read.problems));
    assert_eq!(kept.rounds, run.rounds);
}
