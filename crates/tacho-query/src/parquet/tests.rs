//! What is written is read back.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ::parquet::basic::{Compression, ConvertedType, LogicalType, TimeUnit};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::{Field, Row};
use tacho_model::{Datum, Outcome, State};

use super::*;
use crate::tests::{Folder, LIMITS, outcome, results, take};
use crate::{Index, Limits, query};

mod answers;
mod folders;

/// A name that is no harm to anybody.
const HOSTILE: &str = "a'; DROP TABLE points; --\u{1b}[31m\n<b>|µ∑😀";

fn reader(path: &Path) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

/// A value as a text that is the same for Parquet and for SQL.
fn told(field: &Field) -> String {
    match field {
        Field::Null => "null".into(),
        Field::Str(text) => text.clone(),
        Field::Long(whole) => whole.to_string(),
        Field::Double(number) => format!("{number:?}"),
        Field::Bool(truth) => i64::from(*truth).to_string(),
        Field::Bytes(bytes) => format!("{:?}", bytes.data()),
        Field::TimestampMicros(us) => format!("{us} us"),
        other => format!("unexpected: {other:?}"),
    }
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let told = |row: Row| row.get_column_iter().map(|(_, field)| told(field)).collect();
    reader(path).get_row_iter(None).unwrap().map(|row| told(row.unwrap())).collect()
}

fn names(path: &Path) -> Vec<String> {
    let reader = reader(path);
    reader.metadata().file_metadata().schema_descr().columns().iter().map(|column| column.name().to_owned()).collect()
}

/// An index with all kinds of outcomes, written file by file.
fn filled(order: &[usize]) -> Folder {
    let folder = Folder::new();
    let mut index = folder.open();
    let failed = |state: State, message: &str| Outcome {
        state,
        message: Some(message.into()),
        n_samples: 0,
        ..outcome("b.fails", ("n", "1"), "v1", f64::NAN)
    };
    let mut runs = [
        (
            "a",
            results(
                "aa",
                "lab",
                1,
                vec![outcome("x", ("n", "10"), "v1", 1.0), outcome(HOSTILE, ("µ", "'a\"b\\\\'"), "", 4.0)],
            ),
        ),
        ("b", results("bb", "lab", 2, vec![outcome("x", ("n", "10"), "v2", 2.0), failed(State::Failed, "no µ\0")])),
        (
            "c",
            results(
                "cc",
                "lab",
                3,
                vec![outcome("x", ("n", "9"), "v2", f64::INFINITY), failed(State::TimedOut, "60 s")],
            ),
        ),
        ("d", results("cc", "other", 4, vec![failed(State::Skipped, ""), failed(State::Killed, "9")])),
        ("e", results("dd", "lab", 5, vec![])),
    ];
    runs[3].1.outcomes[1].case.benchmark = "c.killed".into();
    runs[1].1.provenance.branch = Some("main".into());
    for at in order {
        take(&mut index, runs[*at].0, &runs[*at].1);
    }
    placed(&mut index);
    folder
}

/// Places subjects by their names.
fn placed(index: &mut Index) {
    let mut update = index.update().unwrap();
    let mut subjects = update.subjects().unwrap();
    subjects.sort_by_key(|subject| subject.subject.id());
    let place = |(at, subject): (usize, &crate::SubjectEntry)| crate::Placed {
        id: subject.id,
        position: at as u64,
        on_line: Some(at == 0).filter(|_| at < 2),
    };
    let placed: Vec<crate::Placed> = subjects.iter().enumerate().map(place).collect();
    update.place(&placed, "").unwrap();
    update.commit().unwrap();
}

fn export(folder: &Folder, to: &Path) -> Result<DataSet, ParquetError> {
    ResultsExport::open(&folder.path())?.write(to, &mut |_, _| {})
}

fn target(folder: &Folder) -> PathBuf {
    folder.path().with_file_name("set")
}

#[test]
fn every_value_is_that_of_the_view() {
    let folder = filled(&[0, 1, 2, 3, 4]);
    let written = export(&folder, &target(&folder)).unwrap();
    assert_eq!((written.benchmarks.len(), written.n_series, written.files.len()), (4, 6, 1));
    let path = target(&folder).join(&written.files[0].name);
    let (mut columns, mut expected) = (vec![], vec![]);
    let moment = |name: &str| ["subject_time", "commit_date", "started_at"].contains(&name);
    let column = |name: &str| match name {
        name if moment(name) => format!("(unixepoch({name}) * 1000000) || ' us' AS {name}"),
        "series_id" => "NULL AS series_id".into(),
        name => name.to_owned(),
    };
    let all = names(&path).iter().map(|name| column(name)).collect::<Vec<_>>().join(", ");
    let order = "benchmark, parameters, metric, machine, environment, position";
    let told_datum = |datum: &Datum| match datum {
        Datum::Null => "null".to_owned(),
        Datum::Integer(whole) => whole.to_string(),
        Datum::Real(number) => format!("{number:?}"),
        Datum::Text(text) => text.clone(),
        Datum::Bytes(bytes) => format!("{bytes:?}"),
    };
    let keep = |row: Vec<Datum>| {
        expected.push(row.iter().map(told_datum).collect::<Vec<String>>());
        Ok(())
    };
    query(&folder.path(), &format!("SELECT {all} FROM results ORDER BY {order}"), &LIMITS, |_| Ok(()), keep).unwrap();
    let mut found = rows(&path);
    assert_eq!(found.len(), 8);
    let at = names(&path).iter().position(|name| name == "series_id").unwrap();
    let numbers: Vec<String> = found.iter_mut().map(|row| std::mem::replace(&mut row[at], "null".into())).collect();
    assert_eq!(numbers, ["0", "1", "1", "2", "3", "4", "4", "5"]);
    assert_eq!(found, expected);
    let remember = |names| {
        columns = names;
        Ok(())
    };
    query(&folder.path(), "SELECT * FROM results LIMIT 0", &LIMITS, remember, |_| Ok(())).unwrap();
    assert_eq!(names(&path), columns, "a column of the view is one of the data set");
}

#[test]
fn types_are_what_they_mean() {
    let folder = filled(&[0, 1, 2, 3, 4]);
    let written = export(&folder, &target(&folder)).unwrap();
    let reader = reader(&target(&folder).join(&written.files[0].name));
    let told = |column: &::parquet::schema::types::ColumnDescPtr| {
        let logical = match column.logical_type_ref() {
            None => "",
            Some(LogicalType::String) => " UTF8",
            Some(LogicalType::Timestamp(t)) if t.is_adjusted_to_u_t_c && t.unit == TimeUnit::MICROS => " micros UTC",
            Some(_) => " ?",
        };
        // Old readers know these only.
        let is_known = match logical {
            " UTF8" => column.converted_type() == ConvertedType::UTF8,
            " micros UTC" => column.converted_type() == ConvertedType::TIMESTAMP_MICROS,
            _ => true,
        };
        assert!(is_known, "{}", column.name());
        let optional = if column.max_def_level() > 0 { " or null" } else { "" };
        format!("{}: {}{logical}{optional}", column.name(), column.physical_type())
    };
    let metadata = reader.metadata();
    let types: Vec<String> = metadata.file_metadata().schema_descr().columns().iter().map(told).collect();
    insta::assert_snapshot!(types.join("\n"));
    let said = metadata.file_metadata().key_value_metadata().unwrap();
    let said = said.iter().map(|pair| format!("{}={}", pair.key, pair.value.as_deref().unwrap_or_default()));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        said.collect::<Vec<_>>(),
        ["tacho.schema=tacho.results/1".to_owned(), format!("tacho.version={version}")]
    );
    assert_eq!(metadata.file_metadata().created_by(), Some(format!("tacho version {version}").as_str()));
}

#[test]
fn the_documentation_tells_every_column() {
    let page = include_str!("../../../../docs/formats/parquet.md");
    let columns = columns::declared();
    for (kind, named) in [
        (file::Kind::Text, "BYTE_ARRAY, String (UTF-8)"),
        (file::Kind::Whole, "INT64"),
        (file::Kind::Real, "DOUBLE"),
        (file::Kind::Truth, "BOOLEAN"),
        (file::Kind::Moment, "INT64, Timestamp (microseconds, UTC)"),
    ] {
        let cell = |is_needed: bool| {
            let those = columns.iter().filter(|column| column.kind == kind && column.is_needed == is_needed);
            let names = those.map(|column| format!("`{}`", column.name)).collect::<Vec<_>>().join(", ");
            if names.is_empty() { " ".to_owned() } else { format!(" {names} ") }
        };
        let row = format!("| {named} |{}|{}|", cell(true), cell(false));
        assert!(page.lines().any(|line| line == row), "docs/formats/parquet.md lacks the row\n{row}");
    }
}

#[test]
fn a_row_group_is_of_one_benchmark_and_says_which() {
    let folder = filled(&[0, 1, 2, 3]);
    let long = "m.time_".to_owned() + &"long".repeat(100);
    take(&mut folder.open(), "z", &results("ee", "lab", 9, vec![outcome(&long, ("n", "1"), "v", 1.0)]));
    placed(&mut folder.open());
    let written = export(&folder, &target(&folder)).unwrap();
    let reader = reader(&target(&folder).join(&written.files[0].name));
    let of_group = |group: &::parquet::file::metadata::RowGroupMetaData| {
        assert!(group.columns().iter().all(|column| column.compression() == Compression::SNAPPY));
        assert_eq!(group.sorting_columns().map(Vec::len), Some(5));
        let statistics = group.column(0).statistics().unwrap();
        assert_eq!(statistics.min_bytes_opt(), statistics.max_bytes_opt());
        assert!(group.column(0).dictionary_page_offset().is_some());
        String::from_utf8(statistics.min_bytes_opt().unwrap().to_vec()).unwrap()
    };
    let benchmarks: Vec<String> = reader.metadata().row_groups().iter().map(of_group).collect();
    assert_eq!(benchmarks, [HOSTILE, "b.fails", "c.killed", &long, "x"]);
}

#[test]
fn the_same_results_make_the_same_bytes() {
    let bytes = |order: &[usize]| {
        let folder = filled(order);
        export(&folder, &target(&folder)).unwrap();
        fs::read(target(&folder).join("results-00.parquet")).unwrap()
    };
    let once = bytes(&[0, 1, 2, 3, 4]);
    assert_eq!(once, bytes(&[0, 1, 2, 3, 4]));
    assert_eq!(once, bytes(&[4, 3, 1, 2, 0]), "whatever was read first");
}

#[test]
fn an_empty_history_has_columns_all_the_same() {
    let folder = Folder::new();
    let _index = folder.open();
    let written = export(&folder, &target(&folder)).unwrap();
    let only = DataSetFile { n_bytes: written.files[0].n_bytes, name: "results-00.parquet".into(), n_rows: 0 };
    assert_eq!(written, DataSet { files: vec![only], benchmarks: vec![], n_series: 0 });
    assert_eq!(names(&target(&folder).join("results-00.parquet")).len(), 38);
    assert!(rows(&target(&folder).join("results-00.parquet")).is_empty());
}

#[test]
fn what_is_not_wanted_stays_out() {
    let folder = filled(&[0, 1, 2, 3, 4]);
    let mut export = ResultsExport::open(&folder.path()).unwrap();
    let keys: Vec<String> =
        export.series().map(|key| format!("{} {} {}", key.benchmark, key.parameter_texts, key.machine)).collect();
    assert_eq!(
        keys[1..],
        ["b.fails [\"1\"] lab", "b.fails [\"1\"] other", "c.killed [\"1\"] other", "x [\"10\"] lab", "x [\"9\"] lab"]
    );
    export.retain(&[false, false, true, false, true, false]);
    let written = export.write(&target(&folder), &mut |_, _| {}).unwrap();
    assert_eq!((written.benchmarks.len(), written.n_series), (2, 2));
    let found = rows(&target(&folder).join("results-00.parquet"));
    assert_eq!(found.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["b.fails", "x", "x"]);
}

#[test]
fn many_rows_make_many_files_and_row_groups() {
    let check = |n_rows: &[u64], expected: &[usize]| {
        let parts: Vec<usize> = results::shares(n_rows.iter().copied()).collect();
        assert_eq!(parts, expected, "{n_rows:?}");
    };
    check(&[], &[]);
    check(&[1, 1, 1], &[0, 0, 0]);
    check(&[399_999], &[0]);
    check(&[200_000, 200_000], &[0, 1]);
    check(&[10, 10, 799_980], &[0, 0, 0]);
    check(&[799_980, 10, 10], &[0, 3, 3]);
    let many: Vec<u64> = vec![100_000; 1000];
    let files: Vec<usize> = results::shares(many.into_iter()).collect();
    assert_eq!((files[0], files[999]), (0, 63));
    assert!(files.is_sorted());
}
