//! Series read back from an index filled by hand.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use super::*;
use crate::tests::{Folder, outcome, place_all, results, take};

fn reader(folder: &Folder) -> HistoryReader {
    HistoryReader::open(&folder.path()).unwrap()
}

#[test]
fn a_series_comes_back_with_where_its_points_are_of() {
    let folder = Folder::new();
    let mut index = folder.open();
    let with = |version: &str, value: f64| vec![outcome("b.time_x", ("n", "100"), version, value)];
    take(&mut index, "1.json", &results("aa", "lab", 1, with("1", 1.0)));
    take(&mut index, "2.json", &results("bb", "lab", 2, with("1", f64::NAN)));
    take(&mut index, "3.json", &results("cc", "lab", 3, with("2", 3.0)));
    place_all(&mut index);
    let reader = reader(&folder);
    let series = reader.series().unwrap();
    assert_eq!(series.len(), 1);
    let key = &series[0].key;
    assert_eq!((key.case.full_name().as_str(), key.case.parameters[0].name.as_str()), ("b.time_x(100)", "n"));
    assert_eq!((key.metric.unit.as_str(), key.metric.direction), ("seconds", Direction::Lower));
    assert_eq!((key.machine.as_str(), key.axes["python"].as_str()), ("lab", "3.12"));
    let (stored, cells) = (reader.points(series[0].id).unwrap(), reader.cells().unwrap());
    let told = |point: &StoredPoint| {
        let cell = &cells[&point.cell];
        let version = stored.definitions[point.definition].version.clone().unwrap();
        (cell.position, cell.subject.id(), version, point.value)
    };
    // What failed is no point.
    let found: Vec<_> = stored.points.iter().map(told).collect();
    assert_eq!(found, [(0, "aa".into(), "1".into(), 1.0), (2, "cc".into(), "2".into(), 3.0)]);
    let cell = &cells[&stored.points[0].cell];
    assert_eq!(cell.setup["method"], "asv/2");
    assert!(!cell.is_aside && !cell.quick);
}

#[test]
fn the_newest_attempt_counts_whether_it_was_measured_or_not() {
    let folder = Folder::new();
    let mut index = folder.open();
    let with = |value: f64| vec![outcome("b.time_x", ("n", "100"), "1", value)];
    take(&mut index, "1.json", &results("aa", "lab", 1, with(1.0)));
    take(&mut index, "2.json", &results("bb", "lab", 2, with(f64::NAN)));
    let mut quick = results("cc", "lab", 3, with(3.0));
    quick.provenance.settings.quick = true;
    take(&mut index, "3.json", &quick);
    place_all(&mut index);
    let reader = reader(&folder);
    let series = reader.series().unwrap()[0].id;
    assert_eq!(reader.newest_states().unwrap(), HashMap::from([(series, State::Failed)]));
}

#[test]
fn of_no_series_there_are_no_points() {
    let folder = Folder::new();
    drop(folder.open());
    let reader = reader(&folder);
    assert_eq!(reader.series().unwrap(), []);
    assert_eq!(reader.points(7).unwrap(), StoredSeries::default());
}

#[test]
fn what_others_write_meanwhile_is_seen() {
    let folder = Folder::new();
    let mut index = folder.open();
    // Nobody has filled it yet.
    assert!(!reader(&folder).is_unchanged().unwrap());
    take(&mut index, "1.json", &results("aa", "lab", 1, vec![outcome("b.time_x", ("n", "100"), "1", 1.0)]));
    place_all(&mut index);
    let reader = reader(&folder);
    assert!(reader.is_unchanged().unwrap());
    take(&mut index, "2.json", &results("bb", "lab", 2, vec![outcome("b.time_x", ("n", "100"), "1", 1.0)]));
    assert!(!reader.is_unchanged().unwrap());
}
