//! Which commits a range selects.

use super::*;
use crate::history::fixture::Project;

fn parse(words: &str) -> Result<Range, HistoryError> {
    Range::parse(words, |path| Err(io::Error::new(io::ErrorKind::NotFound, path.to_owned())))
}

fn select(project: &Project, words: &str, branches: &[&str], known: &[&str]) -> Result<Selection, HistoryError> {
    let existing: Vec<String> = known.iter().map(|name| project.git(&["rev-parse", name])).collect();
    let known = |hash: &str| existing.iter().any(|known| known == hash);
    parse(words)?.select(&project.open(), &project.branches(branches), &known, &existing)
}

/// Checks the commits by what their messages say.
fn check(project: &Project, words: &str, branches: &[&str], known: &[&str], expected: &[&str]) {
    let before = project.fingerprint();
    let selection = select(project, words, branches, known).unwrap_or_else(|error| panic!("{words}: {error}"));
    assert_eq!(project.fingerprint(), before);
    let subject = |commit: &Commit| project.git(&["show", "--no-patch", "--format=%s", &commit.hash]);
    let subjects: Vec<String> = selection.commits.iter().map(subject).collect();
    assert_eq!(subjects, expected, "{words}");
}

/// Trunk: 1, 2, 4 (merges `side`, which has 3), 6. Branch `maint`: 1, 2, 5. Tags on 2 and 5.
fn forked() -> Project {
    let project = Project::empty();
    let add = |day, name: &str| {
        project.write(&format!("{name}.txt"), name);
        project.commit_on(day, name);
    };
    add(1, "one");
    add(2, "two");
    project.git(&["tag", "--annotate", "--message", "x", "v1.0"]);
    project.git(&["checkout", "--quiet", "-b", "side"]);
    add(3, "three");
    project.git(&["checkout", "--quiet", "trunk"]);
    project.git(&["merge", "--quiet", "--no-ff", "--no-commit", "side"]);
    project.commit_on(4, "four");
    project.git(&["checkout", "--quiet", "-b", "maint", "v1.0"]);
    add(5, "five");
    project.git(&["tag", "v1.0.1"]);
    project.git(&["checkout", "--quiet", "trunk"]);
    add(6, "six");
    project
}

#[test]
fn asvs_words_follow_first_parents() {
    let project = forked();
    let both = ["trunk", "maint"];
    check(&project, "ALL", &["trunk"], &[], &["six", "four", "two", "one"]);
    check(&project, "ALL", &both, &[], &["six", "four", "two", "one", "five"]);
    check(&project, "ALL", &["maint", "trunk"], &[], &["five", "two", "one", "six", "four"]);
    check(&project, "LATEST", &both, &[], &["six", "five"]);
    check(&project, "LATEST", &["trunk", "HEAD"][..1], &[], &["six"]);
    check(&project, "TAGS", &["trunk"], &[], &["five", "two"]);
    check(&project, "NEW", &both, &["trunk~1"], &["six", "five", "two", "one"]);
    check(&project, "NEW", &both, &["trunk~1", "maint"], &["six"]);
    check(&project, "NEW", &["trunk"], &[], &["six", "four", "two", "one"]);
    check(&project, "NEW", &["trunk"], &["trunk"], &[]);
    check(&project, "MISSING", &both, &["trunk~1", "maint"], &["six", "two", "one"]);
    check(&project, "EXISTING", &both, &["trunk~1", "maint", "trunk~3"], &["four", "one", "five"]);
}

#[test]
fn commits_with_results_off_the_branches_come_last_and_lost_ones_apart() {
    let project = forked();
    let gone = "0123456789012345678901234567890123456789";
    let existing = ["side", "trunk~2"].map(|name| project.git(&["rev-parse", name])).into_iter();
    let existing: Vec<String> = existing.chain([gone.to_owned(), "v1.0".to_owned()]).collect();
    let selection =
        Range::Existing.select(&project.open(), &project.branches(&["trunk"]), &|_| true, &existing).unwrap();
    let hashes: Vec<&str> = selection.commits.iter().map(|commit| commit.hash.as_str()).collect();
    assert_eq!(hashes, [existing[1].as_str(), existing[0].as_str()]);
    assert_eq!(selection.lost, [gone, "v1.0"]);
}

#[test]
fn a_commit_tells_its_date_and_tags() {
    let project = forked();
    project.git(&["tag", "also", "v1.0^{commit}"]);
    let selection = select(&project, "v1.0", &[], &[]).unwrap();
    let [commit] = &selection.commits[..] else { panic!("{selection:?}") };
    assert_eq!(commit.hash, project.git(&["rev-parse", "v1.0^{commit}"]));
    assert_eq!(commit.author_date.unix_us, 1_704_153_600_000_000);
    assert_eq!(commit.tags, ["also", "v1.0"]);
}

#[test]
fn a_name_is_one_commit_and_gits_ranges_are_gits() {
    let project = forked();
    let check = |words: &str, expected: &[&str]| check(&project, words, &["trunk"], &[], expected);
    check("HEAD", &["six"]);
    check("trunk", &["six"]);
    check("trunk~1^!", &["four"]);
    check("side", &["three"]);
    check("v1.0 maint v1.0.1", &["two", "five"]);
    check("'HEAD^{/four}'", &["four"]);
    check("v1.0..trunk", &["six", "four"]);
    check("v1.0..", &["six", "four"]);
    check("trunk..v1.0", &[]);
    check("maint...trunk", &["six", "five", "four"]);
    check("trunk ^v1.0", &["six", "four"]);
    check("trunk~1^-", &["four"]);
    check("maint^@", &["two", "one"]);
    check("--merges trunk", &["four"]);
    check("--merges", &["four"]);
    check("--merges --all", &["four"]);
    check("--since='2024-01-04 00:00Z' trunk", &["six", "four"]);
    check("--until '2024-01-02 12:00Z' trunk", &["two", "one"]);
    check("-n 2 trunk", &["six", "four"]);
    check("--first-parent maint", &["five", "two", "one"]);
    check("-n2", &["six", "four"]);
    check("-1 --skip=1 maint", &["two"]);
    check("--grep f --tags", &["five"]);
    check("trunk -- one.txt", &["one"]);
}

#[test]
fn a_file_names_commits_in_its_order() {
    let project = forked();
    let text = format!("\u{feff}# chosen\n{} four\n\n  v1.0\r\ntrunk~1\n", project.git(&["rev-parse", "trunk~1"]));
    let range = Range::parse("HASHFILE:my list.txt", |path| {
        assert_eq!(path, "my list.txt");
        Ok(text)
    });
    let selection = range.unwrap().select(&project.open(), &[], &|_| false, &[]).unwrap();
    let expected = ["trunk~1", "v1.0^{commit}"].map(|name| project.git(&["rev-parse", name]));
    let hashes: Vec<&String> = selection.commits.iter().map(|commit| &commit.hash).collect();
    assert_eq!(hashes, expected.iter().collect::<Vec<_>>());
    let standard_input = Range::parse("HASHFILE:-", |path| Ok(format!("{path}x"))).unwrap();
    assert_eq!(standard_input, Range::Commits(vec!["-x".to_owned()]));
    let error = parse("HASHFILE:none.txt").unwrap_err().to_string();
    assert_eq!(error, "cannot read `none.txt`: none.txt");
}

fn check_error(words: &str, expected: &str) {
    let error = select(&forked(), words, &["trunk"], &[]).unwrap_err();
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    assert_eq!(format!("{error}{hint}"), expected);
}

#[test]
fn what_a_range_cannot_be_is_said() {
    check_error("", "cannot use the range ``: it is empty");
    check_error("\"", "cannot use the range `\"`: a quotation mark has no partner");
    check_error("NEW trunk", "cannot use the range `NEW trunk`: `NEW` stands alone");
    check_error("--since", "cannot use the range `--since`: `--since` needs a value");
    check_error("trnk", "`trnk` names no commit of this repository; did you mean `trunk`?");
    check_error("v1.0..trunq", "`trunq` names no commit of this repository; did you mean `trunk`?");
    check_error("--merges nope", "`nope` names no commit of this repository");
    check_error("v1.0 nope", "`nope` names no commit of this repository");
    for option in ["--output=x", "--oneline", "--reverse", "--format=x", "--stdin", "-p", "--exec"] {
        let error = parse(&format!("{option} trunk")).unwrap_err().to_string();
        assert!(error.contains(&format!("`{option}` is no option that chooses commits; those are --all, ")), "{error}");
    }
}

#[test]
fn a_range_that_a_shallow_clone_cuts_is_an_error() {
    let project = Project::with_commits(6);
    let clone = project.beside("shallow");
    let address = format!("file://{}", project.path("").display());
    project.git(&["clone", "--quiet", "--depth=3", &address, clone.to_str().unwrap()]);
    let end = project.git(&["rev-parse", "HEAD~2"]);
    let repository = project.open_at(&clone);
    let branches = repository.branches(&[]).unwrap();
    let newest = |words: &str, known: &str| {
        let known = project.git(&["rev-parse", known]);
        let selected = parse(words).unwrap().select(&repository, &branches, &|hash| hash == known, &[]);
        selected.map(|selection| selection.commits.len())
    };
    for words in ["ALL", "MISSING", "NEW", "--since=2000-01-01", "-n 4"] {
        let error = newest(words, "HEAD~4").unwrap_err();
        let words = words.replace("-n 4", "--max-count=4");
        let expected =
            format!("`{words}` is cut: this shallow clone ends at {}, and its parents are missing", &end[..8]);
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.hint().as_deref(), Some("fetch the whole history: `git fetch --unshallow`"));
    }
    assert_eq!(newest("NEW", "HEAD~2").unwrap(), 2);
    assert_eq!(newest("HEAD~2..", "HEAD").unwrap(), 2);
    assert_eq!(newest("-n 3", "HEAD").unwrap(), 3);
    assert_eq!(newest("HEAD~2", "HEAD").unwrap(), 1);
    assert_eq!(newest("LATEST", "HEAD").unwrap(), 1);
}

#[test]
fn a_long_history_is_one_line_read_once() {
    let project = Project::empty();
    let mut stream = String::new();
    for n in 1..=40_000 {
        let date = 1_600_000_000 + n * 60;
        stream += &format!("commit refs/heads/trunk\ncommitter A <a@example.org> {date} +0000\ndata 0\n");
    }
    let variables = project.variables();
    let fed = crate::git::command::run(&project.path(""), &variables, ["fast-import", "--quiet"], stream.as_bytes());
    assert!(fed.unwrap().ok());
    let branches = project.branches(&["trunk"]);
    let all = Range::All.select(&project.open(), &branches, &|_| false, &[]).unwrap();
    assert_eq!(all.commits.len(), 40_000);
    let n_asked = std::cell::Cell::new(0);
    let known = |hash: &str| {
        n_asked.set(n_asked.get() + 1);
        hash == all.commits[3].hash
    };
    let new = Range::New.select(&project.open(), &branches, &known, &[]).unwrap();
    assert_eq!((new.commits.len(), n_asked.get()), (3, 4), "no further than to the first that has results");
}
