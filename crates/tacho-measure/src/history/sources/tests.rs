//! Work trees of our own: what is in them, what survives, and that nothing of the user's changes.

mod kinds;
mod submodules;

use std::fs;

use super::*;
use crate::git::Git;
use crate::history::fixture::{Project, fingerprint};

/// Returns what lies in a work tree: paths with contents, without `.git`.
fn files(top: &Path) -> Vec<(String, String)> {
    let mut folders = vec![top.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|entry| entry.file_name() != ".git") {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read_to_string(path).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}

fn names(top: &Path) -> Vec<String> {
    files(top).into_iter().map(|(name, _)| name).collect()
}

fn check_a(sources: &Sources, commit: &str, expected: &str) -> PathBuf {
    let check_out = sources.check_out("one", commit).unwrap();
    assert_eq!(files(check_out.path()), [("a.txt".to_owned(), format!("{expected}\n"))]);
    check_out.path().to_owned()
}

#[test]
fn a_slot_is_left_as_a_fresh_checkout_at_a_stable_path() {
    let project = Project::with_commits(3);
    let commit = |back: usize| project.git(&["rev-parse", &format!("HEAD~{back}")]);
    let before = project.fingerprint();
    let sources = project.sources();
    let path = check_a(&sources, &commit(0), "3");
    fs::write(path.join("a.txt"), "changed").unwrap();
    fs::create_dir_all(path.join("build/inner")).unwrap();
    fs::write(path.join("build/inner/x.o"), "built").unwrap();
    assert!(std::process::Command::new("git").arg("init").arg("-q").arg(path.join("dep")).status().unwrap().success());
    assert_eq!(check_a(&sources, &commit(1), "2"), path);
    assert_eq!(check_a(&project.sources(), &commit(0), "3"), path, "another process finds the same");
    assert_eq!(project.git_in(&path, &["rev-parse", "HEAD"]), commit(0));
    assert_eq!(project.git_in(&path, &["status", "--porcelain"]), "");
    assert_eq!(project.fingerprint(), before);
    assert_eq!(project.git(&["worktree", "list"]).lines().count(), 1);
    let name = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("work-") && name.ends_with(".trees"), "{name}");
}

#[test]
fn versions_can_be_told_from_tags_and_branches_as_in_the_users() {
    let project = Project::with_commits(3);
    project.git(&["tag", "--annotate", "--message", "x", "v1.0", "HEAD~2"]);
    let head = project.git(&["rev-parse", "HEAD"]);
    let describe = |sources: &Sources| {
        let check_out = sources.check_out("one", &head).unwrap();
        project.git_in(check_out.path(), &["describe", "--dirty", "--tags", "--long", "--abbrev=7"])
    };
    assert_eq!(describe(&project.sources()), format!("v1.0-2-g{}", &head[..7]));
    project.git(&["tag", "v2.0", "HEAD~1"]);
    project.git(&["tag", "--delete", "v1.0"]);
    project.git(&["branch", "a"]);
    assert_eq!(describe(&project.sources()), format!("v2.0-1-g{}", &head[..7]));
    // A branch may become a folder of branches.
    project.git(&["branch", "--delete", "a"]);
    project.git(&["branch", "a/b"]);
    describe(&project.sources());
    let check_out = project.sources().check_out("one", &head).unwrap();
    let branches = project.git_in(check_out.path(), &["branch", "--format=%(refname)", "--contains", "HEAD"]);
    assert_eq!(
        branches.lines().filter(|line| line.starts_with("refs/")).collect::<Vec<_>>(),
        ["refs/heads/a/b", "refs/heads/trunk"]
    );
}

#[test]
fn commits_on_no_branch_and_new_ones_are_there() {
    let project = Project::with_commits(2);
    let head = project.git(&["rev-parse", "HEAD"]);
    check_a(&project.sources(), &head, "2");
    project.git(&["checkout", "--quiet", "--detach"]);
    let detached = project.add(3);
    project.git(&["checkout", "--quiet", "trunk"]);
    let before = project.fingerprint();
    check_a(&project.sources(), &detached, "3");
    let none = project.sources().check_out("one", &"0".repeat(40)).unwrap_err().to_string();
    assert!(none.starts_with("cannot check out 00000000: "), "{none}");
    assert!(matches!(project.sources().check_out("one", "--orphan"), Err(HistoryError::CheckOut { .. })));
    check_a(&project.sources(), &head, "2");
    assert_eq!(project.fingerprint(), before);
}

#[test]
fn whatever_a_killed_process_left_is_made_anew() {
    let project = Project::with_commits(2);
    let head = project.git(&["rev-parse", "HEAD"]);
    let sources = project.sources();
    let path = check_a(&sources, &head, "2");
    let admin = sources.git_dir.join("worktrees/one");
    let check = |break_it: &dyn Fn()| {
        break_it();
        assert_eq!(check_a(&project.sources(), &head, "2"), path);
    };
    check(&|| fs::write(admin.join("index.lock"), "").unwrap());
    check(&|| fs::write(admin.join("index"), "nonsense").unwrap());
    check(&|| fs::write(path.with_extension("unfinished"), "").unwrap());
    check(&|| fs::remove_dir_all(&admin).unwrap());
    check(&|| fs::remove_dir_all(&path).unwrap());
    check(&|| fs::remove_dir_all(&sources.git_dir).unwrap());
    check(&|| fs::remove_file(sources.git_dir.join("HEAD")).unwrap());
    check(&|| fs::remove_file(admin.join("HEAD")).unwrap());
    check(&|| fs::write(sources.git_dir.join("packed-refs.lock"), "").unwrap());
    check(&|| fs::create_dir_all(sources.git_dir.with_extension("git.new").join("objects")).unwrap());
    check(&|| {
        fs::remove_dir_all(&path).unwrap();
        fs::write(&path, "a file").unwrap();
    });
}

#[test]
fn a_work_tree_without_its_link_never_leads_to_the_users() {
    let project = Project::with_commits(2);
    // The cache lies in the user's work tree, as it does in life.
    let cache = project.path(".tacho/cache/repos");
    let head = project.git(&["rev-parse", "HEAD"]);
    let sources = || Sources::open(&project.open(), &cache).unwrap();
    let path = check_a(&sources(), &head, "2");
    project.write("a.txt", "precious\n");
    project.write("untracked.txt", "precious\n");
    let before = project.fingerprint();
    for _ in 0..2 {
        fs::remove_file(path.join(".git")).unwrap();
        check_a(&sources(), &head, "2");
        fs::write(path.join(".git"), format!("gitdir: {}\n", project.path(".git").display())).unwrap();
        check_a(&sources(), &head, "2");
    }
    assert_eq!(fs::read_to_string(project.path("a.txt")).unwrap(), "precious\n");
    assert!(project.path("untracked.txt").exists());
    assert_eq!(project.fingerprint(), before);
}

#[test]
fn a_slot_in_use_is_nobody_elses() {
    let project = Project::with_commits(1);
    let head = project.git(&["rev-parse", "HEAD"]);
    let sources = project.sources();
    let held = sources.check_out("one", &head).unwrap();
    let busy = project.sources().check_out("one", &head).unwrap_err();
    assert!(matches!(busy, HistoryError::Busy { .. }) && busy.hint().is_some(), "{busy}");
    assert!(matches!(sources.remove("one"), Err(HistoryError::Busy { .. })));
    let other = sources.check_out("two", &head).unwrap();
    assert_ne!(other.path(), held.path());
    let path = held.path().to_owned();
    drop(held);
    sources.remove("one").unwrap();
    assert!(!path.exists() && other.path().exists());
    sources.remove("one").unwrap();
    check_a(&sources, &head, "1");
    for name in ["", "..", "a/b", "-x", ".git", "x.lock", "x.unfinished", &"x".repeat(101)] {
        assert!(matches!(sources.check_out(name, &head), Err(HistoryError::SlotName { .. })), "{name}");
    }
}

#[test]
fn several_may_begin_at_once() {
    let project = Project::with_commits(2);
    let commits = ["HEAD", "HEAD~1"].map(|name| project.git(&["rev-parse", name]));
    let work = |slot: usize| {
        let check_out = project.sources().check_out(&format!("slot-{slot}"), &commits[slot % 2]).unwrap();
        assert_eq!(files(check_out.path())[0].1, ["2\n", "1\n"][slot % 2]);
    };
    std::thread::scope(|scope| (0..6).for_each(|slot| drop(scope.spawn(move || work(slot)))));
}

#[test]
fn hooks_never_run_and_filters_do() {
    let project = Project::empty();
    project.write("a.txt", "text\n");
    project.write(".gitattributes", "*.txt filter=upper\n");
    let head = project.commit_on(1, "one");
    let witness = project.beside("witness");
    for hook in ["post-checkout", "reference-transaction", "post-index-change"] {
        let path = project.beside("hooks").join(hook);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\ntouch '{}'\n", witness.display())).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let hooks = project.beside("hooks");
    let config = format!("[core]\nhooksPath = {}\n[filter \"upper\"]\nsmudge = tr a-z A-Z\n", hooks.display());
    fs::write(project.beside("config"), config).unwrap();
    let mut variables = project.variables();
    variables.push(("GIT_CONFIG_GLOBAL".into(), project.beside("config").into()));
    let repository = Repository::open(&project.path(""), false, variables).unwrap();
    let sources = Sources::open(&repository, &project.beside("cache")).unwrap();
    let check_out = sources.check_out("one", &head).unwrap();
    assert_eq!(fs::read_to_string(check_out.path().join("a.txt")).unwrap(), "TEXT\n");
    assert!(!witness.exists());
}

#[test]
fn changed_attributes_change_files_whose_content_did_not() {
    let project = Project::empty();
    project.write("a.txt", "text\n");
    let first = project.commit_on(1, "one");
    project.write(".gitattributes", "*.txt eol=crlf\n");
    let second = project.commit_on(2, "two");
    let sources = project.sources();
    let text =
        |commit: &str| fs::read_to_string(sources.check_out("one", commit).unwrap().path().join("a.txt")).unwrap();
    assert_eq!([text(&first), text(&second), text(&first)], ["text\n", "text\r\n", "text\n"]);
}

#[test]
fn a_dirty_work_tree_is_taken_as_it_is() {
    let project = Project::with_commits(2);
    project.git(&["tag", "v1"]);
    project.write("inner/old.txt", "old\n");
    project.write(".gitignore", "*.o\n");
    let head = project.commit_on(3, "three");
    project.write("a.txt", "changed\n");
    project.write("new.txt", "new\n");
    project.write("x.o", "ignored\n");
    fs::remove_file(project.path("inner/old.txt")).unwrap();
    let before = project.fingerprint();
    let sources = project.sources();
    let git = Git::discover_with(&project.path(""), project.variables()).unwrap().unwrap();
    let snapshot = git.work_tree().unwrap();
    project.write("a.txt", "later\n");
    let check_out = sources.check_out_tree("one", &snapshot, Some(&head)).unwrap();
    let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let expected = [text(".gitignore", "*.o\n"), text("a.txt", "changed\n"), text("new.txt", "new\n")];
    assert_eq!(files(check_out.path()), expected);
    let describe = ["describe", "--tags", "--dirty", "--abbrev=7"];
    drop(snapshot);
    assert_eq!(project.git_in(check_out.path(), &describe), format!("v1-1-g{}-dirty", &head[..7]));
    assert_eq!(project.git_in(check_out.path(), &["ls-files", "--others"]), "new.txt");
    let path = check_out.path().to_owned();
    drop(check_out);
    sources.check_out("one", &head).unwrap();
    assert_eq!(names(&path), [".gitignore", "a.txt", "inner/old.txt"]);
    assert_eq!(project.fingerprint(), before);
}

#[test]
fn a_work_tree_before_the_first_commit_can_be_taken() {
    let project = Project::empty();
    project.write("a.txt", "one\n");
    let git = Git::discover_with(&project.path(""), project.variables()).unwrap().unwrap();
    let check_out = project.sources().check_out_tree("one", &git.work_tree().unwrap(), None).unwrap();
    assert_eq!(files(check_out.path()), [("a.txt".to_owned(), "one\n".to_owned())]);
    assert!(fingerprint(&project.path(".git/refs")).iter().all(|line| !line.contains("heads/")));
}
