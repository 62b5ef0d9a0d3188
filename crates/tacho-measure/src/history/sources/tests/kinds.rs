//! Checkouts from all kinds of repositories.

use super::*;
use crate::history::mirror::mirror_with;

fn clone(project: &Project, name: &str, options: &[&str]) -> PathBuf {
    let path = project.beside(name);
    let address = format!("file://{}", project.path("").display());
    let words = ["clone", "--quiet"].iter().chain(options).copied().chain([address.as_str(), path.to_str().unwrap()]);
    project.git(&words.collect::<Vec<_>>());
    path
}

/// Checks two commits out of a repository, and that it stays as it was.
fn check_from(project: &Project, folder: &Path, commits: &[(&str, &str)]) {
    let repository = project.open_at(folder);
    let before = fingerprint(repository.git_dir());
    let sources = Sources::open(&repository, &project.beside("cache")).unwrap();
    for (revision, expected) in commits {
        check_a(&sources, &repository.resolve(revision).unwrap(), expected);
    }
    assert_eq!(fingerprint(repository.git_dir()), before);
}

#[test]
fn bare_repositories_and_linked_work_trees() {
    let project = Project::with_commits(3);
    check_from(&project, &clone(&project, "bare.git", &["--bare"]), &[("HEAD", "3"), ("HEAD~2", "1")]);
    let linked = project.beside("linked");
    project.git(&["worktree", "add", "--quiet", "-b", "side", linked.to_str().unwrap(), "HEAD~1"]);
    check_from(&project, &linked, &[("HEAD", "2"), ("trunk", "3")]);
}

#[test]
fn shallow_clones_before_and_after_they_were_completed() {
    let project = Project::with_commits(4);
    project.git(&["tag", "v1", "HEAD~1"]);
    let shallow = clone(&project, "shallow", &["--depth=2"]);
    check_from(&project, &shallow, &[("HEAD", "4"), ("HEAD~1", "3")]);
    let tree = project.open_at(&shallow);
    let sources = Sources::open(&tree, &project.beside("cache")).unwrap();
    let check_out = sources.check_out("one", &tree.resolve("HEAD").unwrap()).unwrap();
    assert_eq!(project.git_in(check_out.path(), &["describe", "--tags", "--abbrev=0"]), "v1");
    assert_eq!(project.git_in(check_out.path(), &["rev-list", "--count", "HEAD"]), "2");
    drop(check_out);
    project.git_in(&shallow, &["fetch", "--quiet", "--unshallow"]);
    check_from(&project, &shallow, &[("HEAD~3", "1"), ("HEAD", "4")]);
}

#[test]
fn partial_clones_fetch_into_our_repository() {
    let project = Project::with_commits(3);
    project.git(&["config", "uploadpack.allowFilter", "true"]);
    project.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let partial = clone(&project, "partial", &["--filter=blob:none", "--no-checkout"]);
    check_from(&project, &partial, &[("HEAD", "3"), ("HEAD~2", "1")]);
}

#[test]
fn what_the_users_repository_borrows_is_borrowed_too() {
    let project = Project::with_commits(3);
    let first = project.beside("first");
    project.git(&["clone", "--quiet", "--shared", ".", first.to_str().unwrap()]);
    let second = project.beside("second");
    project.git(&["clone", "--quiet", "--shared", first.to_str().unwrap(), second.to_str().unwrap()]);
    // git reads a relative path only in the first of these lists.
    fs::write(first.join(".git/objects/info/alternates"), "../../../work/.git/objects\n").unwrap();
    fs::write(second.join(".git/objects/info/alternates"), "../../../work/.git/objects\n../../../first/.git/objects\n")
        .unwrap();
    check_from(&project, &second, &[("HEAD", "3"), ("HEAD~2", "1")]);
}

#[test]
fn folders_may_have_any_name() {
    let project = Project::with_commits(2);
    let odd = project.beside("it's: \"ä\" #1");
    fs::rename(project.path(""), &odd).unwrap();
    check_from(&project, &odd, &[("HEAD", "2"), ("HEAD~1", "1")]);
    let git = Git::discover_with(&odd, project.variables()).unwrap().unwrap();
    fs::write(odd.join("a.txt"), "changed\n").unwrap();
    let repository = project.open_at(&odd);
    let sources = Sources::open(&repository, &project.beside("a cache: \"ä\"")).unwrap();
    let head = repository.resolve("HEAD").unwrap();
    let check_out = sources.check_out_tree("one", &git.work_tree().unwrap(), Some(&head)).unwrap();
    assert_eq!(files(check_out.path()), [("a.txt".to_owned(), "changed\n".to_owned())]);
}

#[test]
fn a_mirror_serves_checkouts_while_it_is_brought_up_to_date() {
    let project = Project::with_commits(2);
    let head = project.git(&["rev-parse", "HEAD"]);
    let address = format!("file://{}", project.path("").display());
    let mirror = || mirror_with(&address, &project.beside("cache"), true, project.variables()).unwrap();
    let first = mirror().repository;
    let sources = Sources::open(&first, &project.beside("cache")).unwrap();
    let held = sources.check_out("one", &head).unwrap();
    project.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    project.add(3);
    let second = mirror();
    assert_eq!(second.warning, None);
    assert_eq!(project.git_in(held.path(), &["rev-parse", "HEAD"]), head);
    drop(held);
    let sources = Sources::open(&second.repository, &project.beside("cache")).unwrap();
    check_a(&sources, &second.repository.resolve("HEAD").unwrap(), "3");
    check_a(&sources, &head, "2");
}
