//! Mirrors of repositories that change, vanish and cannot be reached.

use std::fs;

use super::*;
use crate::history::Range;
use crate::history::fixture::Project;

fn mirror(project: &Project, pull: bool) -> Result<Mirrored, HistoryError> {
    let address = format!("file://{}", project.path("").display());
    mirror_with(&address, &project.beside("cache"), pull, project.variables())
}

fn n_all(mirrored: &Mirrored) -> usize {
    let branches = mirrored.repository.branches(&[]).unwrap();
    Range::All.select(&mirrored.repository, &branches, &|_| false, &[]).unwrap().commits.len()
}

#[test]
fn a_mirror_is_made_once_and_follows() {
    let project = Project::with_commits(2);
    let first = mirror(&project, false).unwrap();
    assert_eq!((n_all(&first), first.warning.as_deref()), (2, None));
    let name = first.repository.git_dir().file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("work-") && name.len() == "work-0123456789abcdef.git".len(), "{name}");
    project.add(3);
    project.git(&["tag", "v1"]);
    assert_eq!(n_all(&mirror(&project, false).unwrap()), 2);
    let pulled = mirror(&project, true).unwrap();
    assert_eq!((n_all(&pulled), pulled.repository.tags().unwrap().len()), (3, 1));
    assert_eq!(pulled.repository.git_dir(), first.repository.git_dir());
}

#[test]
fn a_force_push_is_followed_and_what_was_thrown_away_stays() {
    let project = Project::with_commits(3);
    mirror(&project, true).unwrap();
    let thrown_away = project.git(&["rev-parse", "HEAD"]);
    project.git(&["reset", "--quiet", "--hard", "HEAD~2"]);
    project.git(&["tag", "v1", "HEAD"]);
    let mirrored = mirror(&project, true).unwrap();
    assert_eq!((n_all(&mirrored), mirrored.warning), (1, None));
    let existing = [thrown_away.clone(), "0".repeat(40)];
    let branches = mirrored.repository.branches(&[]).unwrap();
    let found = Range::Existing.select(&mirrored.repository, &branches, &|_| true, &existing).unwrap();
    assert_eq!((found.commits[0].hash.as_str(), found.lost), (thrown_away.as_str(), vec!["0".repeat(40)]));
    // A fresh mirror never had it.
    fs::remove_dir_all(project.beside("cache")).unwrap();
    project.git(&["reflog", "expire", "--expire=now", "--all"]);
    project.git(&["gc", "--quiet", "--prune=now"]);
    let fresh = mirror(&project, true).unwrap().repository;
    let found = Range::Existing.select(&fresh, &branches, &|_| true, &existing).unwrap();
    assert_eq!((found.commits.len(), found.lost), (0, existing.to_vec()));
}

#[test]
fn a_renamed_default_branch_is_followed() {
    let project = Project::with_commits(1);
    mirror(&project, true).unwrap();
    project.git(&["branch", "--move", "trunk", "main"]);
    project.git(&["branch", "main2"]);
    let mirrored = mirror(&project, true).unwrap();
    assert_eq!(mirrored.warning, None);
    assert_eq!(mirrored.repository.default_branch().unwrap().name, "main");
    // A branch may become a folder of branches.
    project.git(&["branch", "--delete", "main2"]);
    project.git(&["branch", "main2/inner"]);
    assert_eq!(mirror(&project, true).unwrap().warning, None);
}

#[test]
fn what_cannot_be_reached_is_a_warning_only_where_a_mirror_is_at_hand() {
    let project = Project::with_commits(2);
    mirror(&project, true).unwrap();
    fs::rename(project.path(""), project.beside("moved")).unwrap();
    let mirrored = mirror(&project, true).unwrap();
    assert_eq!(n_all(&mirrored), 2);
    let warning = mirrored.warning.unwrap();
    assert!(warning.starts_with("cannot fetch from `file:///") && warning.contains("what is in the cache is used: "));
    fs::remove_dir_all(project.beside("cache")).unwrap();
    let error = mirror(&project, true).unwrap_err().to_string();
    assert!(error.starts_with("cannot clone `file:///") && error.contains("does not "), "{error}");
    let left: Vec<_> =
        fs::read_dir(project.beside("cache")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| name.to_string_lossy().ends_with(".lock")), "{left:?}");
}

#[test]
fn remains_of_killed_processes_are_in_nobodys_way() {
    let project = Project::with_commits(2);
    let path = mirror(&project, true).unwrap().repository.git_dir().to_owned();
    for lock in ["packed-refs.lock", "HEAD.lock", "config.lock", "refs/heads/trunk.lock"] {
        fs::write(path.join(lock), "").unwrap();
    }
    let half_a_pack = path.join("objects/pack/tmp_pack_x");
    fs::write(&half_a_pack, "PACK").unwrap();
    project.add(3);
    let mirrored = mirror(&project, true).unwrap();
    assert_eq!((n_all(&mirrored), mirrored.warning), (3, None));
    assert!(!half_a_pack.exists());
    // Half a clone under the unfinished name, and none under the final one.
    let unfinished = path.with_extension("git.new-x");
    fs::rename(&path, &unfinished).unwrap();
    fs::remove_file(unfinished.join("HEAD")).unwrap();
    assert_eq!(n_all(&mirror(&project, false).unwrap()), 3);
    assert!(!unfinished.exists());
}

#[test]
fn a_path_is_an_address_too_and_options_are_none() {
    let project = Project::with_commits(1);
    let path = project.path("").to_str().unwrap().to_owned();
    let mirrored = mirror_with(&path, &project.beside("cache"), true, project.variables()).unwrap();
    assert_eq!(n_all(&mirrored), 1);
    for address in ["--upload-pack=touch x", "ext::sh -c true", ""] {
        let error = mirror_with(address, &project.beside("cache"), true, project.variables()).unwrap_err();
        assert!(matches!(error, HistoryError::Clone { .. }), "{address}: {error}");
    }
}

#[test]
fn names_and_texts_hold_no_passwords() {
    let check = |address, expected| assert_eq!(last_part(address), expected);
    check("https://example.org/numpy/numpy.git", "numpy");
    check("git@example.org:numpy/numpy.git/", "numpy");
    check("host:numpy", "numpy");
    check("/srv/numpy/.git", "numpy");
    let address = "https://me:s3cret@example.org/x.git";
    assert_eq!(without_password(&format!("fatal: `{address}`"), address), "fatal: `https://example.org/x.git`");
    assert_eq!(without_password("ssh://git@host/x", "ssh://git@host/x"), "ssh://git@host/x");
    assert_eq!(folder_name_of("https://s3cret@example.org"), folder_name_of("https://me:other@example.org"));
}

#[test]
fn ssh_asks_nothing_where_it_is_openssh() {
    let check = |command, expected| assert_eq!(is_openssh(command), expected, "{command}");
    check("ssh", true);
    check("/usr/bin/ssh -i key", true);
    check("plink.exe -batch", false);
    check("", false);
}
