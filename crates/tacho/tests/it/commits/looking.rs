//! `list` and `check` look at a suite in an environment that a run has made.

use super::project::Project;

#[test]
fn a_suite_is_looked_at_where_it_can_be_loaded() {
    let project = Project::new(2, "[environment]\ntool = \"uv\"\n");
    let said = project.tacho(&["list"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("tiny_pkg") && said.stderr.contains("tacho run --quick"), "{}", said.stderr);
    project.tacho(&["run", "--quick"]).with_code(0);
    project.value(3);
    project.env.commit("value 3");
    let listed = project.tacho(&["list"]).with_code(0);
    assert!(listed.contains("tiny.track_value"), "{listed}");
    project.tacho(&["check"]).with_code(0);
    // Who names an interpreter gets that one.
    assert_eq!(project.tacho(&["list", "-E", "existing"]).code, Some(2));
    assert_eq!(project.n_builds(), 1);
}
