//! Result files of asv that are damaged, foreign or of another time.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tacho_store::{AsvResults, StoreError, read_asv_file};

use crate::asv::{AsvFolder, version_2};

fn error_of(text: &str) -> (StoreError, String) {
    let folder = AsvFolder::new();
    let error = read_asv_file(&folder.put("m/0123abcd-e.json", text), "example").unwrap_err();
    let text = folder.text_of(&error);
    (error, text)
}

fn check_foreign(text: &str, expected: &str) {
    let (error, found) = error_of(text);
    assert!(error.is_foreign(), "{text}");
    assert_eq!(found, format!("`[root]/m/0123abcd-e.json` is not a result file of asv: {expected}"));
}

fn check_damaged(text: &str, expected: &str) {
    let (error, found) = error_of(text);
    assert!(!error.is_foreign(), "{text}");
    assert_eq!(found, format!("cannot read `[root]/m/0123abcd-e.json`: {expected}"));
}

#[test]
fn other_json_is_foreign() {
    check_foreign(r#"{"base_commit": "x", "comparison": "y"}"#, "it has no `version`");
    check_foreign(r#"{"version": 2}"#, "it has no `results`");
    check_foreign(r#"{"version": 2, "results": {}}"#, "it names no commit");
    check_foreign(r#"{"version": 2, "results": {"time_x": [[1]]}, "commit_hash": "x"}"#, "it has no `result_columns`");
    check_foreign(r#"{"version": "2", "results": {}}"#, "its version is \"2\"");
    check_foreign(r#"{"version": 0, "results": {}}"#, "its version is 0");
    let shape = "invalid type: sequence, expected an object with `version` and `results` at line 1 column 0";
    check_foreign("[1, 2]", shape);
    let rows = "invalid type: integer `7`, expected results by benchmark at line 1 column 27";
    check_foreign(r#"{"version": 2, "results": 7}"#, rows);
}

#[test]
fn a_newer_format_says_what_to_do() {
    for text in [version_2("{}").replace("\"version\": 2", "\"version\": 3"), r#"{"results": [], "version": 3}"#.into()]
    {
        let (error, text) = error_of(&text);
        assert!(matches!(error, StoreError::Newer { .. }) && !error.is_foreign());
        insta::allow_duplicates! { insta::assert_snapshot!(text, @"`[root]/m/0123abcd-e.json` is written in `version 3 of asv's result format`, and this version of tacho reads up to `version 2`: update tacho"); }
    }
}

#[test]
fn damage_is_told_with_line_and_column() {
    check_damaged("", "EOF while parsing a value at line 1 column 0");
    check_damaged("{\n  \"version\" 2}", "expected `:` at line 2 column 13");
    check_damaged("{\"a\": [NaN,\n-Infinity, Infinity oops]}", "expected `,` or `]` at line 2 column 21");
    check_damaged("{} {}", "trailing characters at line 1 column 4");
    check_damaged(
        "{\"version\": \"\u{1}\"}",
        "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 14",
    );
}

#[test]
fn a_file_that_is_not_there_is_told_as_such() {
    let folder = AsvFolder::new();
    let error = read_asv_file(&folder.root().join("x-y.json"), "example").unwrap_err();
    assert!(matches!(error, StoreError::Io { verb: "read", .. }), "{error:?}");
}

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let files = |name: &str| AsvResults::open(&folder.join(name)).unwrap().files().unwrap();
    ["asv-results-1", "asv-results-2"].into_iter().flat_map(files).map(|file| file.path).collect()
}

#[test]
fn a_file_cut_anywhere_is_damaged() {
    let folder = AsvFolder::new();
    for path in fixtures() {
        let bytes = std::fs::read(path).unwrap();
        let n_bytes = bytes.trim_ascii_end().len();
        for length in 0..n_bytes {
            let cut = folder.put("m/0123abcd-e.json", &bytes[..length]);
            let error = read_asv_file(&cut, "example").unwrap_err();
            assert!(matches!(error, StoreError::BadJson { .. }), "{length} bytes: {error:?}");
            assert!(error.line().contains(" at line "), "{}", error.line());
        }
        assert!(read_asv_file(&folder.put("m/0123abcd-e.json", &bytes[..n_bytes]), "example").is_ok());
    }
}

#[test]
fn cut_definitions_and_machine_files_are_left_aside() {
    let folder = AsvFolder::new();
    folder.put("m/0123abcd-e.json", version_2("{}"));
    for (name, text) in [
        ("benchmarks.json", r#"{"time_x": {"type": "time", "unit": NaN, "param_names": ["n"]}, "version": 2}"#),
        ("m/machine.json", r#"{"machine": "m", "ram": "7110624", "num_cpu": 4, "version": 1}"#),
    ] {
        for length in 0..text.len() {
            let path = folder.put(name, &text[..length]);
            let results = folder.open();
            let unreadable: Vec<&Path> = results.unreadable().iter().map(|file| file.path.as_path()).collect();
            assert_eq!(unreadable, [path]);
            let files = results.files().unwrap();
            assert!(results.read(&files[0], "example").is_ok());
        }
        folder.put(name, text);
    }
    assert!(folder.open().unreadable().is_empty());
}

#[test]
fn deep_lists_end_at_a_limit() {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let folder = AsvFolder::new();
    for n in [200, 1_000_000] {
        let deep = deep(n);
        for text in [
            deep.clone(),
            format!("{{\"unknown\": {deep}, \"version\": 3}}"),
            version_2(&format!("{{\"time_x\": {deep}}}")),
            version_2(&format!("{{\"time_x\": [{deep}]}}")),
            version_2(&format!("{{\"time_x\": [[1], {deep}]}}")),
            version_2("{}").replace("\"requirements\": {}", &format!("\"requirements\": {deep}")),
        ] {
            let path = folder.put("m/0123abcd-e.json", &text);
            // What stands where a number should is passed over however deep it is; anything else ends at a limit.
            if let Err(error) = read_asv_file(&path, "example") {
                let is_told = matches!(error, StoreError::BadJson { .. }) && error.line().contains("recursion limit");
                assert!(is_told || error.is_foreign() || matches!(error, StoreError::Newer { .. }), "{error:?}");
            }
            let _ = folder.open().head(&folder.open().files().unwrap()[0], "example");
        }
        folder.put("m/machine.json", &deep);
        folder.put("benchmarks.json", &deep);
        assert_eq!(folder.open().unreadable().len(), 2);
    }
}

#[test]
fn what_is_no_text_is_damaged() {
    let folder = AsvFolder::new();
    let text = version_2(r#"{"time_x": [[1], [["@"]]]}"#);
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'@' { 0xff } else { byte }).collect();
    let error = read_asv_file(&folder.put("m/0123abcd-e.json", bytes), "example").unwrap_err();
    assert!(matches!(error, StoreError::BadJson { .. }), "{error:?}");
    for bytes in [b"\xff\xfe{\0}\0".as_slice(), b"\0", b"\x1f\x8b\x08"] {
        let error = read_asv_file(&folder.put("m/0123abcd-e.json", bytes), "example").unwrap_err();
        assert!(matches!(error, StoreError::BadJson { .. }), "{error:?}");
    }
}

#[test]
fn a_huge_file_is_refused_unread() {
    let folder = AsvFolder::new();
    let path = folder.put("m/0123abcd-e.json", "");
    // It takes no room on the disk.
    std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    let error = read_asv_file(&path, "example").unwrap_err();
    assert!(matches!(error, StoreError::TooLarge { .. }), "{error:?}");
}

proptest! {
    #[test]
    fn changed_bytes_are_no_reason_to_panic(
        which in 0usize..2,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = std::fs::read(&fixtures()[which]).unwrap();
        for (index, byte) in changes {
            let position = index.index(bytes.len());
            bytes[position] = byte;
        }
        let folder = AsvFolder::new();
        let path = folder.put("m/0123abcd-e.json", bytes);
        let results = folder.open();
        let head = results.head(&results.files().unwrap()[0], "example");
        // A head may be fine where a row is not.
        if let Ok(read) = read_asv_file(&path, "example") {
            prop_assert_eq!(head.unwrap(), read.provenance);
            prop_assert!(read.outcomes.iter().all(|outcome| outcome.value.is_none_or(f64::is_finite)));
        }
    }

    #[test]
    fn changed_values_are_no_reason_to_panic(text in "[\\[\\]{}:,\"0-9eNaInfity. \\-]{0,40}", is_row: bool) {
        let folder = AsvFolder::new();
        let results = if is_row { format!("{{\"time_x\": {text}}}") } else { text };
        let _ = read_asv_file(&folder.put("m/0123abcd-e.json", version_2(&results)), "example");
    }
}
