//! What a repository says of itself, its branches and tags.

use super::*;
use crate::history::fixture::Project;

#[test]
fn a_repository_is_found_from_wherever_it_is() {
    let project = Project::with_commits(1);
    let linked = project.beside("linked: tree");
    project.git(&["worktree", "add", "--quiet", "-b", "side", linked.to_str().unwrap()]);
    let bare = project.beside("bare.git");
    project.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    project.write("inner/x", "x");
    let common = project.path(".git").canonicalize().unwrap();
    let check = |folder: &Path, common: &Path, branch: &str| {
        let repository = project.open_at(folder);
        assert_eq!(repository.git_dir(), common, "{}", folder.display());
        assert_eq!(repository.default_branch().unwrap().name, branch);
    };
    check(&project.path(""), &common, "trunk");
    check(&project.path("inner"), &common, "trunk");
    check(&project.path(".git"), &common, "trunk");
    check(&linked, &common, "side");
    check(&bare, &bare.canonicalize().unwrap(), "trunk");
}

#[test]
fn where_there_is_no_repository_it_is_said() {
    let project = Project::with_commits(1);
    let outside = Repository::open(&project.beside(""), false, project.variables()).unwrap_err();
    assert!(outside.to_string().ends_with("lies in no git repository"), "{outside}");
    let mut variables = project.variables();
    variables.push(("GIT_TEST_ASSUME_DIFFERENT_OWNER".into(), "1".into()));
    let foreign = Repository::open(&project.path(""), false, variables).unwrap_err();
    assert!(foreign.to_string().ends_with("another user owns it"), "{foreign}");
    let hint = foreign.hint().unwrap();
    assert!(
        hint.starts_with("run `git config --global --add safe.directory '/") && hint.ends_with("/work'`"),
        "{hint}"
    );
    let unborn = Project::empty().open().default_branch().unwrap_err().to_string();
    assert!(unborn.ends_with("has no commits: its HEAD leads to none"), "{unborn}");
}

#[test]
fn branches_are_the_configured_ones_or_the_one_of_head() {
    let project = Project::with_commits(1);
    project.git(&["branch", "maint/1.0"]);
    // git's own default must not matter.
    project.git(&["config", "init.defaultBranch", "maint/1.0"]);
    let names = |branches: Vec<Branch>| branches.into_iter().map(|branch| branch.name).collect::<Vec<_>>();
    assert_eq!(names(project.branches(&[])), ["trunk"]);
    assert_eq!(names(project.branches(&["maint/1.0", "trunk", "maint/1.0"])), ["maint/1.0", "trunk"]);
    let clone = project.beside("clone");
    project.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
    let only_remote = project.open_at(&clone).branches(&["maint/1.0".to_owned(), "origin/trunk".to_owned()]).unwrap();
    assert_eq!(only_remote.len(), 2);
    project.git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(names(project.branches(&[])), ["HEAD"]);
}

#[test]
fn a_branch_that_is_not_there_is_told_with_those_that_are() {
    let project = Project::with_commits(1);
    project.git(&["branch", "develop"]);
    let check = |name: &str, expected: &str| {
        let error = project.open().branches(&[name.to_owned()]).unwrap_err().to_string();
        assert_eq!(error, format!("there is no branch `{name}`; {expected}"));
    };
    check("main", "there are `develop`, `trunk`");
    check("trnk", "there is `trunk`");
}

#[test]
fn tags_tell_their_commits() {
    let project = Project::with_commits(2);
    let head = project.git(&["rev-parse", "HEAD"]);
    let first = project.git(&["rev-parse", "HEAD~1"]);
    project.git(&["tag", "light", "HEAD~1"]);
    project.git(&["tag", "--annotate", "--message", "x", "v1.0"]);
    project.git(&["tag", "--annotate", "--message", "x", "of-a-tag", "v1.0"]);
    project.git(&["tag", "of-a-tree", "HEAD^{tree}"]);
    let expected = [("light", &first), ("of-a-tag", &head), ("v1.0", &head)];
    let expected = expected.map(|(name, commit)| (name.to_owned(), commit.clone()));
    assert_eq!(project.open().tags().unwrap(), expected);
}

#[test]
fn a_revision_names_one_commit_or_tells_what_comes_near() {
    let project = Project::with_commits(3);
    project.git(&["tag", "v1.4.0", "HEAD~2"]);
    let repository = project.open();
    let check = |revision: &str, same: &str| {
        assert_eq!(repository.resolve(revision).unwrap(), project.git(&["rev-parse", same]), "{revision}");
    };
    check("v1.4.0", "HEAD~2");
    check("trunk~1", "HEAD~1");
    check(":/commit 2", "HEAD~1");
    check("@{0}", "HEAD");
    check(&repository.resolve("HEAD").unwrap()[..9], "HEAD");
    let error = repository.resolve("v1.4").unwrap_err();
    assert_eq!(error.to_string(), "`v1.4` names no commit of this repository");
    assert_eq!(error.hint().as_deref(), Some("did you mean `v1.4.0`?"));
    for revision in ["", "--all", "^HEAD", "HEAD:a.txt", "a\nb", "HEAD..HEAD~1"] {
        assert!(matches!(repository.resolve(revision), Err(HistoryError::UnknownRevision { .. })), "{revision}");
    }
}

#[test]
fn a_branch_of_origin_is_found_by_its_bare_name() {
    let project = Project::with_commits(2);
    project.git(&["branch", "side", "HEAD~1"]);
    let clone = project.beside("clone");
    project.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
    assert_eq!(project.open_at(&clone).resolve("side").unwrap(), project.git(&["rev-parse", "side"]));
}

#[test]
fn shallow_and_partial_clones_are_known() {
    let project = Project::with_commits(3);
    project.git(&["config", "uploadpack.allowFilter", "true"]);
    let address = format!("file://{}", project.path("").display());
    let clone = |name: &str, option: &str| {
        project.git(&["clone", "--quiet", option, &address, project.beside(name).to_str().unwrap()]);
        let repository = project.open_at(&project.beside(name));
        (repository.is_shallow(), repository.is_partial().unwrap())
    };
    assert_eq!(clone("whole", "--quiet"), (false, false));
    assert_eq!(clone("shallow", "--depth=2"), (true, false));
    assert_eq!(clone("partial", "--filter=blob:none"), (false, true));
    let shallow = project.open_at(&project.beside("shallow"));
    let error = shallow.resolve(&project.git(&["rev-parse", "HEAD~2"])).unwrap_err();
    assert_eq!(error.hint().as_deref(), Some("fetch the whole history: `git fetch --unshallow`"));
}
