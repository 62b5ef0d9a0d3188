//! A sealed record that was changed is told apart, and so is a file of another kind or time.

use tacho_store::StoreError;

use crate::crash::unpacked;
use crate::runs::TestStore;

fn check(text: &str, expected: &str) {
    let test = TestStore::new();
    let path = test.put("x.jsonl", text.as_bytes());
    let found = test.text_of(&test.store.read(&path).unwrap_err());
    // Digests are as long as they are unreadable.
    let short: Vec<&str> = found.split('`').map(|part| if part.len() == 64 { "…" } else { part }).collect();
    assert_eq!(short.join("`").replace("[root]/records/m/", ""), expected);
}

fn record() -> String {
    String::from_utf8(unpacked(&TestStore::new())).unwrap()
}

fn without_line(text: &str, number: usize) -> String {
    let lines = text.split_inclusive('\n').enumerate().filter(|(n, _)| *n != number);
    lines.map(|(_, line)| line).collect()
}

#[test]
fn a_changed_number_is_seen() {
    let changed = record().replace("123456789012", "123456789013");
    check(&changed, "`x.jsonl` was changed after it was sealed: SHA-256 is `…` instead of `…`");
}

#[test]
fn any_changed_byte_is_seen() {
    let test = TestStore::new();
    let bytes = unpacked(&test);
    let seal = bytes.len() - bytes.split_inclusive(|byte| *byte == b'\n').next_back().unwrap().len();
    for position in (0..seal).step_by(11) {
        let mut changed = bytes.clone();
        changed[position] ^= 1;
        let path = test.put("x.jsonl", &changed);
        assert!(test.store.read(&path).is_err(), "byte {position}");
    }
}

#[test]
fn any_changed_byte_of_a_compressed_record_is_seen_or_harmless() {
    let test = TestStore::new();
    let sealed = test.store.read(&test.write_sealed(&crate::runs::rich_run())).unwrap();
    let path = test.store.entries().unwrap().entries[0].path.clone();
    let bytes = std::fs::read(&path).unwrap();
    for position in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[position] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        // A bit of the frame's header may say nothing about the content.
        assert!(test.store.read(&path).map_or(true, |run| run == sealed), "byte {position}");
    }
}

#[test]
fn a_missing_round_is_seen() {
    check(&without_line(&record(), 3), "`x.jsonl` was changed after it was sealed: 3 rounds instead of 4");
}

#[test]
fn a_missing_seal_is_seen() {
    check(&without_line(&record(), 6), "`x.jsonl` is cut short: it ends before its seal");
}

#[test]
fn lines_out_of_place_are_seen() {
    check(&without_line(&record(), 1), "line 2 of `x.jsonl` makes no sense: a round before the plan");
    let doubled = format!("{}\n", record().trim_end())
        .replace("{\"plan\"", "{\"plan\":{\"benchmarks\":[],\"problems\":[]}}\n{\"plan\"");
    check(&doubled, "line 3 of `x.jsonl` makes no sense: a second plan");
    check(&format!("{}{{}}\n", record()), "line 8 of `x.jsonl` makes no sense: something follows the seal");
}

#[test]
fn a_bad_line_is_named() {
    let bad = record().replace("\"isolation\":\"spawn\"", "\"isolation\":\"magic\"");
    check(
        &bad,
        "cannot read line 3 of `x.jsonl`: unknown variant `magic`, expected `fork` or `spawn` at line 1 column 203",
    );
    let late = record().replace("08:35:37.123457Z", "25:00:00Z");
    let test = TestStore::new();
    let path = test.put("x.jsonl", late.as_bytes());
    assert!(matches!(test.store.read(&path), Err(StoreError::Misfit { line: 3, .. })));
}

#[test]
fn a_newer_record_asks_for_a_newer_tacho() {
    check(
        &record().replace("tacho.record/1", "tacho.record/2"),
        "`x.jsonl` is written in `tacho.record/2`, and this version of tacho reads up to `tacho.record/1`: update tacho",
    );
}

#[test]
fn other_files_are_no_records() {
    check("", "`x.jsonl` is cut short: it ends before its header does");
    check("hello\n", "`x.jsonl` is not a record: it does not begin with a JSON object");
    check("{}\n", "`x.jsonl` is not a record: its first line names no schema");
    check("{\"schema\":\"x/1\"}\n", "`x.jsonl` is not a record: its schema is `x/1` and not `tacho.record/1`");
    check(
        "{\"schema\":\"tacho.record/0\"}\n",
        "`x.jsonl` is not a record: its schema is `tacho.record/0` and not `tacho.record/1`",
    );
    check(
        "{\"schema\":\"tacho.record/1\"}\n",
        "cannot read line 1 of `x.jsonl`: missing field `n_cases` at line 1 column 27",
    );
}

#[test]
fn fields_of_later_versions_are_passed_over() {
    let test = TestStore::new();
    let text = record().replace("\"slot\":", "\"later\":[1],\"slot\":");
    let text = without_line(&text, 6);
    let path = test.put("x.jsonl.open", text.as_bytes());
    assert_eq!(test.store.read(&path).unwrap().rounds.len(), 4);
}

#[test]
fn the_digest_of_a_record_is_that_of_its_seal() {
    let test = TestStore::new();
    let text = String::from_utf8(unpacked(&test)).unwrap();
    let path = test.store.entries().unwrap().entries[0].path.clone();
    let digest = test.store.read_record(&path).unwrap().digest;
    assert!(text.ends_with(&format!("{{\"seal\":{{\"n_rounds\":4,\"sha256\":\"{digest}\"}}}}\n")));
    let open = test.put("y.jsonl.open", without_line(&text, 6).as_bytes());
    assert_eq!(test.store.read_record(&open).unwrap().digest, digest);
}
