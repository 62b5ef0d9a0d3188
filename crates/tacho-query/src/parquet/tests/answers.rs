//! Answers to questions as files.

use super::*;

fn write(folder: &Folder, sql: &str) -> (PathBuf, WrittenAnswer) {
    let path = target(folder).with_extension("parquet");
    let written = write_answer_file(&folder.path(), sql, &LIMITS, &path, false).unwrap();
    (path, written)
}

#[test]
fn columns_are_of_the_type_of_their_values() {
    let folder = Folder::new();
    let _index = folder.open();
    let check = |values: &str, kind: &str, expected: &[&str]| {
        let (path, _) = write(&folder, &format!("SELECT column1 AS x FROM (VALUES {values})"));
        let reader = reader(&path);
        let column = reader.metadata().file_metadata().schema_descr().column(0);
        let logical = if column.logical_type_ref() == Some(&LogicalType::String) { " UTF8" } else { "" };
        assert_eq!(format!("{}{logical}", column.physical_type()), kind, "{values}");
        let found: Vec<String> = rows(&path).into_iter().map(|mut row| row.remove(0)).collect();
        assert_eq!(found, expected, "{values}");
    };
    check("(1), (NULL), (-9223372036854775808)", "INT64", &["1", "null", "-9223372036854775808"]);
    check("(1), (0.5), (NULL)", "DOUBLE", &["1.0", "0.5", "null"]);
    check("(9e999), (-9e999)", "DOUBLE", &["inf", "-inf"]);
    check("('µ'), (NULL), ('')", "BYTE_ARRAY UTF8", &["µ", "null", ""]);
    check("('a'), (1), (0.1), (x'00ff')", "BYTE_ARRAY UTF8", &["a", "1", "0.1", "00ff"]);
    check("(1), (x'00ff')", "BYTE_ARRAY UTF8", &["1", "00ff"]);
    check("(x'00ff'), (NULL)", "BYTE_ARRAY", &["[0, 255]", "null"]);
    check("(NULL)", "BYTE_ARRAY UTF8", &["null"]);
}

#[test]
fn an_answer_without_rows_has_its_columns() {
    let folder = Folder::new();
    let _index = folder.open();
    let (path, written) = write(&folder, "SELECT benchmark, value FROM results");
    assert_eq!(written, WrittenAnswer { n_rows: 0, n_columns: 2, is_cut: false });
    assert_eq!(names(&path), ["benchmark", "value"]);
    assert!(rows(&path).is_empty());
}

#[test]
fn no_two_columns_have_one_name() {
    let folder = Folder::new();
    let _index = folder.open();
    let (path, _) = write(&folder, "SELECT 1 AS a, 2 AS a, 3 AS A, 4 AS a_2, 5 AS \"\", 6 AS \"x.y\"");
    assert_eq!(names(&path), ["a", "a_2", "A_3", "a_2_2", "column", "x.y"]);
}

#[test]
fn a_file_tells_what_was_asked() {
    let folder = Folder::new();
    let _index = folder.open();
    let (path, _) = write(&folder, "SELECT 1 AS \"µ\"");
    let reader = reader(&path);
    let said = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let said: Vec<&str> = said.iter().filter_map(|pair| pair.value.as_deref()).collect();
    assert_eq!(said, ["tacho.answer/1", env!("CARGO_PKG_VERSION"), "SELECT 1 AS \"µ\""]);
}

#[test]
fn many_rows_come_back_in_their_order() {
    let folder = Folder::new();
    let _index = folder.open();
    let sql = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 150000) \
               SELECT x, 'a text that is longer than eight bytes, and ends with ' || x FROM r";
    let (path, written) = write(&folder, sql);
    assert_eq!(written, WrittenAnswer { n_rows: 150_000, n_columns: 2, is_cut: false });
    assert_eq!(reader(&path).num_row_groups(), 3);
    let found = rows(&path);
    assert!(
        found
            .iter()
            .enumerate()
            .all(|(at, row)| row[0] == (at + 1).to_string() && row[1].ends_with(&format!(" {}", at + 1)))
    );
}

#[test]
fn limits_hold_and_a_failure_leaves_what_was_there() {
    let folder = Folder::new();
    let _index = folder.open();
    let (path, _) = write(&folder, "SELECT 'old'");
    let endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r";
    let limits = Limits { seconds: Some(0.05), rows: None };
    assert!(matches!(
        write_answer_file(&folder.path(), endless, &limits, &path, false),
        Err(ParquetError::Query(crate::QueryError::TooSlow { .. }))
    ));
    assert!(write_answer_file(&folder.path(), "SELECT nothing", &LIMITS, &path, false).is_err());
    assert_eq!(rows(&path), [["old"]]);
    let limits = Limits { seconds: None, rows: Some(3) };
    let written = write_answer_file(&folder.path(), endless, &limits, &path, false).unwrap();
    assert_eq!((written.n_rows, written.is_cut), (3, true));
    let beside: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(beside.len(), 2, "the index and the file: {beside:?}");
}

#[test]
fn a_file_of_others_is_replaced_only_by_force() {
    let folder = Folder::new();
    let _index = folder.open();
    let path = target(&folder).with_extension("parquet");
    fs::write(&path, "mine").unwrap();
    let write = |path: &Path, force| write_answer_file(&folder.path(), "SELECT 1", &LIMITS, path, force);
    assert!(matches!(write(&path, false), Err(ParquetError::NotOurs { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    write(&path, true).unwrap();
    assert_eq!(rows(&path), [["1"]]);
    write(&path, false).unwrap();
    let link = path.with_file_name("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    write(&link, false).unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(matches!(write(path.parent().unwrap(), true), Err(ParquetError::NoFile { .. })));
    assert!(matches!(write(Path::new("/dev/null"), true), Err(ParquetError::NoFile { .. })));
    assert!(matches!(write(&path.with_file_name("none").join("x"), true), Err(ParquetError::Io { .. })));
}
