//! Questions to real repositories, made here with an environment of their own.

use std::fs;
use std::process::Command;

use super::*;

struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn empty() -> Repository {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(repository.path("")).unwrap();
        repository.git(&["init", "--quiet", "--initial-branch=trunk"]);
        repository
    }

    fn with_a_commit() -> Repository {
        let repository = Repository::empty();
        repository.write("a.txt", "one\n");
        repository.write("benchmarks/b.py", "x = 1\n");
        repository.write(".gitignore", "*.log\n");
        repository.commit("first");
        repository
    }

    fn path(&self, inner: &str) -> PathBuf {
        self.folder.path().join("work").join(inner)
    }

    fn write(&self, inner: &str, text: &str) {
        fs::create_dir_all(self.path(inner).parent().unwrap()).unwrap();
        fs::write(self.path(inner), text).unwrap();
    }

    fn variables(&self) -> Vec<(OsString, OsString)> {
        let home = self.folder.path().to_str().unwrap();
        let own = [("HOME", home), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")];
        own.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(folder).envs(self.variables()).args(arguments);
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "A. Author").env(format!("GIT_{role}_EMAIL"), "a@example.org");
            let date = if role == "AUTHOR" { "2024-02-03T04:05:06Z" } else { "2025-01-01T00:00:00Z" };
            command.env(format!("GIT_{role}_DATE"), date);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.path(""), arguments)
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    fn open_at(&self, folder: &Path) -> Git {
        Git::discover_with(folder, self.variables()).unwrap().expect("a repository")
    }

    fn open(&self) -> Git {
        self.open_at(&self.path(""))
    }

    /// Everything that lies in `.git`, with sizes and times: equal before and after a question. Objects have
    /// no time here: git renews it, to protect from pruning, when it meets the same content again.
    fn fingerprint(&self) -> Vec<String> {
        let mut folders = vec![self.path(".git")];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let metadata = entry.metadata().unwrap();
                let is_object = metadata.is_file() && entry.path().starts_with(self.path(".git/objects"));
                let time = (!is_object).then(|| metadata.modified().unwrap());
                found.push(format!("{:?} {} {time:?}", entry.path(), metadata.len()));
                if metadata.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        found.sort();
        found
    }
}

#[test]
fn a_commit_tells_hash_branch_and_author_date() {
    let repository = Repository::with_a_commit();
    let git = repository.open_at(&repository.path("benchmarks"));
    let head = repository.git(&["rev-parse", "HEAD"]);
    assert_eq!(git.root(), repository.path("").canonicalize().unwrap());
    assert_eq!(git.head().unwrap(), Some(head.clone()));
    assert_eq!(git.branch().unwrap().as_deref(), Some("trunk"));
    assert_eq!(git.author_date("HEAD").unwrap().unix_us, 1_706_933_106_000_000);
    assert_eq!(git.resolve("trunk").unwrap(), head);
    assert_eq!(git.resolve(&head[..9]).unwrap(), head);
}

#[test]
fn a_revision_that_names_no_commit_is_told_with_gits_reason() {
    let git = Repository::with_a_commit();
    let git = git.open();
    let check = |revision: &str| git.resolve(revision).unwrap_err().to_string();
    assert_eq!(check("nope"), "`nope` names no commit of this repository: Needed a single revision");
    for revision in ["", "--all", "^HEAD", "HEAD:a.txt"] {
        assert!(matches!(git.resolve(revision), Err(GitError::UnknownRevision { .. })), "{revision}");
    }
}

#[test]
fn before_the_first_commit_there_is_a_branch_and_no_head() {
    let repository = Repository::empty();
    let git = repository.open();
    assert_eq!((git.head().unwrap(), git.branch().unwrap().as_deref()), (None, Some("trunk")));
    assert!(!git.is_dirty().unwrap());
    repository.write("a.txt", "one\n");
    assert!(git.is_dirty().unwrap());
    let tree = git.tree_id().unwrap();
    repository.commit("first");
    assert_eq!(tree, repository.git(&["rev-parse", "HEAD^{tree}"]));
}

#[test]
fn a_detached_head_is_on_no_branch() {
    let repository = Repository::with_a_commit();
    repository.git(&["checkout", "--quiet", "--detach"]);
    let git = repository.open();
    assert_eq!(git.branch().unwrap(), None);
    assert!(git.head().unwrap().is_some());
}

#[test]
fn linked_work_trees_are_repositories_of_their_own() {
    let repository = Repository::with_a_commit();
    let linked = repository.folder.path().join("linked: tree");
    repository.git(&["worktree", "add", "--quiet", "-b", "side", linked.to_str().unwrap()]);
    let git = repository.open_at(&linked);
    assert_eq!(git.root(), linked.canonicalize().unwrap());
    assert_eq!(git.branch().unwrap().as_deref(), Some("side"));
    fs::write(linked.join("new.txt"), "x").unwrap();
    assert!(git.is_dirty().unwrap());
    assert!(!repository.open().is_dirty().unwrap());
    assert_ne!(git.tree_id().unwrap(), repository.open().tree_id().unwrap());
}

#[test]
fn what_has_no_work_tree_says_so() {
    let repository = Repository::with_a_commit();
    assert!(Git::discover_with(repository.folder.path(), repository.variables()).unwrap().is_none());
    let bare = repository.folder.path().join("bare.git");
    repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let error = Git::discover_with(&bare, repository.variables()).unwrap_err();
    assert!(error.to_string().ends_with("is a bare repository: it has no files to measure"), "{error}");
    let inside = Git::discover_with(&repository.path(".git"), repository.variables());
    assert!(matches!(inside, Err(GitError::NoWorkTree { .. })));
    let missing = Git::discover_with(&repository.path("no/such"), repository.variables());
    assert!(matches!(missing, Err(GitError::NotStarted { .. })));
}

#[test]
fn a_repository_of_another_user_is_told_with_the_way_out() {
    let repository = Repository::with_a_commit();
    let mut variables = repository.variables();
    variables.push(("GIT_TEST_ASSUME_DIFFERENT_OWNER".into(), "1".into()));
    let error = Git::discover_with(&repository.path(""), variables).unwrap_err();
    assert!(error.to_string().ends_with("another user owns it"), "{error}");
    let hint = error.hint().unwrap();
    assert!(hint.starts_with("run `git config --global --add safe.directory '/"), "{hint}");
    assert!(hint.ends_with("/work'`"), "{hint}");
}

fn check_dirty(change: impl Fn(&Repository), expected: bool) {
    let repository = Repository::with_a_commit();
    change(&repository);
    assert_eq!(repository.open().is_dirty().unwrap(), expected);
}

#[test]
fn changes_make_dirty_and_ignored_files_do_not() {
    check_dirty(|_| {}, false);
    check_dirty(|r| r.write("a.txt", "two\n"), true);
    check_dirty(|r| r.write("new.txt", "x"), true);
    check_dirty(|r| fs::remove_file(r.path("a.txt")).unwrap(), true);
    check_dirty(|r| r.write("x.log", "ignored"), false);
    // The user's own wish about untracked files changes what they see, not what is measured.
    let hidden = |r: &Repository| {
        r.git(&["config", "status.showUntrackedFiles", "no"]);
        r.write("new.txt", "x");
    };
    check_dirty(hidden, true);
}

#[test]
fn a_submodule_never_makes_dirty() {
    let inner = Repository::with_a_commit();
    let repository = Repository::with_a_commit();
    let source = inner.path("");
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source.to_str().unwrap(), "sub"];
    repository.git(&add);
    repository.commit("with a submodule");
    let clean = repository.git(&["rev-parse", "HEAD^{tree}"]);
    repository.write("sub/a.txt", "changed\n");
    repository.git_in(&repository.path("sub"), &["commit", "--quiet", "--all", "--message", "moved"]);
    let git = repository.open();
    assert!(!git.is_dirty().unwrap());
    assert_eq!(git.tree_id().unwrap(), clean);
}

/// The id must be what a commit of everything would get, and asking must leave no trace.
fn check_tree(change: impl Fn(&Repository)) {
    let repository = Repository::with_a_commit();
    change(&repository);
    let before = repository.fingerprint();
    let git = repository.open();
    git.is_dirty().unwrap();
    let snapshot = git.work_tree().unwrap();
    let benchmarks = snapshot.subtree(&repository.path("benchmarks")).unwrap();
    assert_eq!(repository.fingerprint(), before);
    repository.commit("everything");
    assert_eq!(snapshot.id(), repository.git(&["rev-parse", "HEAD^{tree}"]));
    assert_eq!(benchmarks, Some(repository.git(&["rev-parse", "HEAD:benchmarks"])));
}

#[test]
fn a_tree_id_is_that_of_a_commit_of_everything() {
    check_tree(|r| r.write("a.txt", "two\n"));
    check_tree(|r| {
        r.write("new folder/ä.txt", "x");
        r.write("x.log", "ignored");
        r.write("benchmarks/b.py", "x = 2\n");
    });
    check_tree(|r| {
        r.write("staged.txt", "x");
        r.git(&["add", "staged.txt"]);
        r.write("staged.txt", "changed after staging");
        r.git(&["rm", "--quiet", "--cached", "a.txt"]);
    });
}

#[test]
fn files_and_folders_may_change_places() {
    check_tree(|r| {
        fs::remove_file(r.path("a.txt")).unwrap();
        r.write("a.txt/inner", "x");
    });
    check_tree(|r| {
        r.write("d/e", "x");
        r.commit("a folder");
        fs::remove_dir_all(r.path("d")).unwrap();
        r.write("d", "now a file");
    });
    check_tree(|r| {
        fs::remove_file(r.path("a.txt")).unwrap();
        std::os::unix::fs::symlink("benchmarks", r.path("a.txt")).unwrap();
    });
}

#[test]
fn a_change_right_after_staging_is_seen() {
    for _ in 0..5 {
        check_tree(|r| {
            r.write("quick.txt", "one");
            r.git(&["add", "quick.txt"]);
            r.write("quick.txt", "two");
        });
    }
}

#[test]
fn a_repository_that_lies_around_untracked_is_left_out() {
    let repository = Repository::with_a_commit();
    let clean = repository.git(&["rev-parse", "HEAD^{tree}"]);
    fs::create_dir(repository.path("other")).unwrap();
    repository.git_in(&repository.path("other"), &["init", "--quiet"]);
    repository.write("other/file", "x");
    assert_eq!(repository.open().tree_id().unwrap(), clean);
}

#[test]
fn a_conflict_has_a_tree_as_well() {
    let repository = Repository::with_a_commit();
    repository.git(&["checkout", "--quiet", "-b", "side"]);
    repository.write("a.txt", "side\n");
    repository.commit("side");
    repository.git(&["checkout", "--quiet", "trunk"]);
    repository.write("a.txt", "trunk\n");
    repository.commit("trunk");
    let mut merge = Command::new("git");
    let merge = merge.current_dir(repository.path("")).envs(repository.variables());
    assert!(!merge.args(["merge", "--quiet", "side"]).output().unwrap().status.success());
    let tree = repository.open().tree_id().unwrap();
    repository.git(&["add", "--all"]);
    assert_eq!(tree, repository.git(&["write-tree"]));
}

#[test]
fn a_folder_without_files_has_no_tree_and_one_outside_is_an_error() {
    let repository = Repository::with_a_commit();
    let git = repository.open();
    fs::create_dir(repository.path("hollow")).unwrap();
    assert_eq!(git.subtree_id(&repository.path("hollow")).unwrap(), None);
    assert_eq!(git.subtree_id(&repository.path("no-such")).unwrap(), None);
    assert_eq!(git.subtree_id(git.root()).unwrap(), Some(git.tree_id().unwrap()));
    let outside = git.subtree_id(repository.folder.path());
    assert!(matches!(outside, Err(GitError::Outside { .. })));
}

#[test]
fn variables_of_a_hook_do_not_lead_elsewhere() {
    let repository = Repository::with_a_commit();
    let command = command::run(&repository.path(""), &repository.variables(), ["rev-parse", "--git-dir"], &[]);
    assert_eq!(command.unwrap().stdout(), ".git");
    // The process of this test cannot change its own environment safely, so the list itself is held.
    let names = repository.git(&["rev-parse", "--local-env-vars"]);
    let kept = ["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"];
    for name in names.lines().filter(|name| !kept.contains(name)) {
        assert!(command::REMOVED.contains(&name), "{name}");
    }
}

#[test]
fn a_folder_may_become_a_link() {
    let repository = Repository::with_a_commit();
    fs::rename(repository.path("benchmarks"), repository.path("real")).unwrap();
    std::os::unix::fs::symlink("real", repository.path("benchmarks")).unwrap();
    let snapshot = repository.open().work_tree().unwrap();
    let suite = snapshot.subtree(&repository.path("benchmarks")).unwrap();
    repository.commit("everything");
    assert_eq!(snapshot.id(), repository.git(&["rev-parse", "HEAD^{tree}"]));
    assert_eq!(suite, Some(repository.git(&["rev-parse", "HEAD:real"])), "what the link leads to");
}

#[test]
fn the_first_parent_line_leaves_merged_branches_out() {
    let repository = Repository::with_a_commit();
    repository.git(&["switch", "--quiet", "--create", "side"]);
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "beside"]);
    let beside = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["switch", "--quiet", "trunk"]);
    repository.git(&["merge", "--quiet", "--no-ff", "--message", "merge", "side"]);
    let line = repository.open().first_parent_line().unwrap();
    assert_eq!(line, [repository.git(&["rev-parse", "HEAD~1"]), repository.git(&["rev-parse", "HEAD"])]);
    assert!(!line.contains(&beside));
    assert_eq!(Repository::empty().open().first_parent_line().unwrap(), Vec::<String>::new());
}

#[test]
fn commits_are_known_wherever_they_are() {
    let repository = Repository::with_a_commit();
    repository.git(&["switch", "--quiet", "--create", "side"]);
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "beside"]);
    let beside = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["switch", "--quiet", "trunk"]);
    let (tree, nowhere) = (repository.git(&["rev-parse", "HEAD^{tree}"]), "ab".repeat(20));
    let asked = [beside.as_str(), &tree, &nowhere, "HEAD", "trunk\nHEAD", "", &beside[..8]];
    assert_eq!(repository.open().known_commits(&asked).unwrap(), HashSet::from([beside.clone()]));
    assert_eq!(repository.open().known_commits(&[]).unwrap(), HashSet::new());
}

#[test]
fn a_bare_repository_has_a_history() {
    let repository = Repository::with_a_commit();
    let head = repository.git(&["rev-parse", "HEAD"]);
    let bare = repository.folder.path().join("bare.git");
    repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let git = Git::for_history(&bare);
    assert_eq!(git.head().unwrap(), Some(head.clone()));
    assert_eq!(git.first_parent_line().unwrap(), std::slice::from_ref(&head));
    assert_eq!(git.known_commits(&[&head]).unwrap(), HashSet::from([head]));
    let nothing = tempfile::tempdir().unwrap();
    assert!(Git::for_history(nothing.path()).head().is_err());
}
