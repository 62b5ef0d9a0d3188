//! What is there is replaced as a whole, or not at all.

use super::*;

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_data_set_of_ours_is_replaced_and_nothing_is_left_beside_it() {
    let folder = filled(&[0]);
    let set = target(&folder);
    for existing in ["none", "empty", "ours", "larger"] {
        match existing {
            "empty" => {
                fs::remove_dir_all(&set).unwrap();
                fs::create_dir(&set).unwrap();
            }
            "larger" => drop(fs::copy(set.join("results-00.parquet"), set.join("results-01.parquet")).unwrap()),
            _ => {}
        }
        export(&folder, &set).unwrap();
        assert_eq!(entries(&set), ["results-00.parquet"], "{existing}");
        assert_eq!(entries(set.parent().unwrap()), ["index.sqlite", "set"], "{existing}");
    }
}

#[test]
fn folders_above_are_made_and_links_stay() {
    let folder = filled(&[0]);
    let deep = target(&folder).join("a/b");
    export(&folder, &deep).unwrap();
    let link = target(&folder).join("link");
    std::os::unix::fs::symlink("a/b", &link).unwrap();
    export(&folder, &link).unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(entries(&deep), ["results-00.parquet"]);
}

#[test]
fn what_is_not_ours_is_never_touched() {
    let folder = filled(&[0]);
    let set = target(&folder);
    fs::create_dir(&set).unwrap();
    for (name, text) in
        [("notes.txt", "mine"), ("results-07.parquet", "mine"), (".hidden", ""), ("results-x.parquet", "")]
    {
        fs::write(set.join(name), text).unwrap();
        let error = export(&folder, &set).unwrap_err();
        assert!(matches!(&error, ParquetError::HoldsOthers { entry, .. } if entry == name), "{error}");
        assert_eq!(fs::read_to_string(set.join(name)).unwrap(), text);
        fs::remove_file(set.join(name)).unwrap();
    }
    fs::create_dir(set.join("results-00.parquet")).unwrap();
    assert!(matches!(export(&folder, &set), Err(ParquetError::HoldsOthers { .. })));
    let file = target(&folder).with_file_name("file");
    fs::write(&file, "mine").unwrap();
    assert!(matches!(export(&folder, &file), Err(ParquetError::Io { .. })));
    assert_eq!(entries(set.parent().unwrap()), ["file", "index.sqlite", "set"]);
}

#[test]
fn an_answer_is_no_data_set() {
    let folder = filled(&[0]);
    let set = target(&folder);
    fs::create_dir(&set).unwrap();
    write_answer_file(&folder.path(), "SELECT 1", &LIMITS, &set.join("results-00.parquet"), false).unwrap();
    assert!(matches!(export(&folder, &set), Err(ParquetError::HoldsOthers { .. })));
}

#[test]
fn what_killed_writers_left_goes_and_what_others_write_stays() {
    let folder = filled(&[0]);
    let set = target(&folder);
    let beside = |name: &str| {
        let path = set.with_file_name(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("results-00.parquet"), "half").unwrap();
        path
    };
    let leftover = beside(".set.0123456789abcdef.tmp");
    let in_use = beside(".set.0123456789abcdeg.tmp");
    let foreign = beside(".set.short.tmp");
    let lock = File::open(&in_use).unwrap();
    lock.lock().unwrap();
    export(&folder, &set).unwrap();
    assert_eq!([&leftover, &in_use, &foreign].map(|path| path.exists()), [false, true, true]);
}
