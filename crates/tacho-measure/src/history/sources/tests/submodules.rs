//! Checkouts with submodules.

use super::*;

/// A project with a submodule that has one of its own; `inner` and `innermost` are the repositories these come from.
struct Nested {
    project: Project,
    inner: Project,
    innermost: Project,
}

impl Nested {
    fn new() -> Nested {
        let (project, inner, innermost) =
            (Project::with_commits(1), Project::with_commits(1), Project::with_commits(7));
        add(&inner, &innermost, "deep");
        inner.commit_on(2, "with a submodule");
        add(&project, &inner, "libs/sub");
        project.commit_on(2, "with a submodule");
        project.git(&["submodule", "--quiet", "update", "--init", "--recursive"]);
        Nested { project, inner, innermost }
    }

    /// Makes both sources unreachable.
    fn cut_off(&self) {
        for source in [&self.inner, &self.innermost] {
            fs::rename(source.path(""), source.beside("gone")).unwrap();
        }
    }

    /// Moves the submodule on to a new commit of its own.
    fn move_on(&self) -> String {
        self.inner.write("a.txt", "moved\n");
        self.inner.commit_on(3, "moved");
        self.project.git_in(&self.project.path("libs/sub"), &["pull", "--quiet"]);
        self.project.commit_on(3, "moved")
    }
}

fn add(project: &Project, source: &Project, path: &str) {
    project.git(&["submodule", "--quiet", "add", source.path("").to_str().unwrap(), path]);
}

const ALL: [&str; 6] = [".gitmodules", "a.txt", "libs/sub/.gitmodules", "libs/sub/a.txt", "libs/sub/deep/a.txt", ""];

#[test]
fn submodules_come_from_the_users_checkout_without_any_network() {
    let nested = Nested::new();
    let (project, before_moving) = (&nested.project, nested.project.git(&["rev-parse", "HEAD"]));
    let moved = nested.move_on();
    nested.cut_off();
    let before = project.fingerprint();
    let sources = project.sources();
    let check = |commit: &str, expected: &str| {
        let check_out = sources.check_out("one", commit).unwrap();
        assert_eq!(names(check_out.path()), ALL[..5]);
        let text = |name: &str| fs::read_to_string(check_out.path().join(name)).unwrap();
        assert_eq!((text("libs/sub/a.txt").as_str(), text("libs/sub/deep/a.txt").as_str()), (expected, "7\n"));
        assert_eq!(project.git_in(check_out.path(), &["status", "--porcelain"]), "");
        check_out.path().to_owned()
    };
    let path = check(&moved, "moved\n");
    fs::write(path.join("libs/sub/a.txt"), "built").unwrap();
    fs::write(path.join("libs/sub/deep/x.o"), "built").unwrap();
    check(&before_moving, "1\n");
    check(&moved, "moved\n");
    assert_eq!(project.fingerprint(), before);
}

#[test]
fn submodules_come_and_go_with_the_commits() {
    let nested = Nested::new();
    let project = &nested.project;
    let with = project.git(&["rev-parse", "HEAD"]);
    let without = project.git(&["rev-parse", "HEAD~1"]);
    project.git(&["rm", "--quiet", "-r", "--force", "libs/sub"]);
    project.write("libs/sub/own.txt", "own");
    let replaced = project.commit_on(4, "a folder in its place");
    let sources = project.sources();
    let check = |commit: &str, expected: &[&str]| {
        assert_eq!(names(sources.check_out("one", commit).unwrap().path()), expected);
    };
    check(&with, &ALL[..5]);
    check(&without, &["a.txt"]);
    check(&with, &ALL[..5]);
    check(&replaced, &[".gitmodules", "a.txt", "libs/sub/own.txt"]);
    check(&with, &ALL[..5]);
}

#[test]
fn a_submodule_that_cannot_be_had_is_told_in_gits_words() {
    let nested = Nested::new();
    let head = nested.project.git(&["rev-parse", "HEAD"]);
    let clone = nested.project.beside("clone");
    nested.project.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
    let sources = |project: &Project| Sources::open(&project.open_at(&clone), &project.beside("cache")).unwrap();
    // Not initialised there, and its address is a path: git's own rule forbids it.
    let error = sources(&nested.project).check_out("one", &head).unwrap_err();
    let expected = format!("cannot check out the submodule `libs/sub` of {}: transport 'file' not allowed", &head[..8]);
    assert_eq!(error.to_string(), expected);
    assert!(error.hint().unwrap().ends_with("`git submodule update --init -- libs/sub`"));
    // Once it is there all goes well, whatever was left.
    let fetch = ["submodule", "--quiet", "update", "--init", "--recursive"];
    nested.project.git_in(&clone, &fetch);
    nested.cut_off();
    assert_eq!(names(sources(&nested.project).check_out("one", &head).unwrap().path()), ALL[..5]);
}

#[test]
fn submodules_that_git_may_fetch_are_fetched_by_relative_addresses() {
    let project = Project::with_commits(1);
    let library = project.beside("library");
    project.git(&["clone", "--quiet", ".", library.to_str().unwrap()]);
    project.git(&["submodule", "--quiet", "add", "../library", "sub"]);
    let head = project.commit_on(2, "with a submodule");
    let clone = project.beside("clone");
    project.git(&["clone", "--quiet", project.path("").to_str().unwrap(), clone.to_str().unwrap()]);
    let mut variables = project.variables();
    for (name, value) in [("COUNT", "1"), ("KEY_0", "protocol.file.allow"), ("VALUE_0", "always")] {
        variables.push((format!("GIT_CONFIG_{name}").into(), value.into()));
    }
    let repository = Repository::open(&clone, false, variables).unwrap();
    let sources = Sources::open(&repository, &project.beside("cache")).unwrap();
    let check_out = sources.check_out("one", &head).unwrap();
    assert_eq!(names(check_out.path()), [".gitmodules", "a.txt", "sub/a.txt"]);
}

#[test]
fn remains_of_a_killed_clone_are_in_nobodys_way() {
    let nested = Nested::new();
    let head = nested.project.git(&["rev-parse", "HEAD"]);
    let sources = nested.project.sources();
    let path = sources.check_out("one", &head).unwrap().path().to_owned();
    nested.cut_off();
    let modules = sources.git_dir.join("worktrees/one/modules/libs/sub");
    let check = |break_it: &dyn Fn()| {
        break_it();
        assert_eq!(names(sources.check_out("one", &head).unwrap().path()), ALL[..5]);
    };
    check(&|| fs::write(modules.join("index.lock"), "").unwrap());
    check(&|| fs::remove_file(modules.join("HEAD")).unwrap());
    check(&|| fs::remove_dir_all(&modules).unwrap());
    check(&|| fs::remove_file(path.join("libs/sub/.git")).unwrap());
    check(&|| fs::remove_dir_all(path.join("libs")).unwrap());
}

#[test]
fn submodules_that_are_not_wanted_or_not_declared_are_left_out() {
    let nested = Nested::new();
    let project = &nested.project;
    project.git(&["config", "--file", ".gitmodules", "submodule.libs/sub.update", "none"]);
    let head = project.commit_on(4, "not wanted");
    assert_eq!(names(project.sources().check_out("one", &head).unwrap().path()), [".gitmodules", "a.txt"]);
    project.git(&["rm", "--quiet", "--cached", ".gitmodules"]);
    fs::remove_file(project.path(".gitmodules")).unwrap();
    let head = project.commit_on(5, "not declared");
    assert_eq!(names(project.sources().check_out("one", &head).unwrap().path()), ["a.txt"]);
}

#[test]
fn a_dirty_work_tree_has_its_submodules_too() {
    let nested = Nested::new();
    let project = &nested.project;
    let head = project.git(&["rev-parse", "HEAD"]);
    project.write("a.txt", "changed\n");
    let git = Git::discover_with(&project.path(""), project.variables()).unwrap().unwrap();
    nested.cut_off();
    let before = project.fingerprint();
    let check_out = project.sources().check_out_tree("one", &git.work_tree().unwrap(), Some(&head)).unwrap();
    assert_eq!(names(check_out.path()), ALL[..5]);
    assert_eq!(fs::read_to_string(check_out.path().join("a.txt")).unwrap(), "changed\n");
    assert_eq!(project.fingerprint(), before);
}
