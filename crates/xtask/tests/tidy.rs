//! One test for each rule that the repository is held to.

use xtask::tidy::{RULES, Tree, crates, glossary, text};

fn check(rule: fn(&Tree) -> anyhow::Result<Vec<String>>) {
    let tree = Tree::load(xtask::root()).expect("git lists the files");
    let breaches = rule(&tree).expect("every file can be read");
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

macro_rules! rules {
    ($($name:ident: $rule:path;)*) => {
        $(#[test] fn $name() { check($rule); })*

        #[test]
        fn every_rule_has_a_test() {
            assert_eq!(RULES.len(), [$(stringify!($name)),*].len());
        }
    };
}

rules! {
    source_files_begin_with_what_they_are_for: text::first_lines;
    source_files_are_short: text::lengths;
    nothing_is_left_to_fix_later: text::leftovers;
    punctuation_is_plain: text::dashes;
    no_file_names_a_folder_of_somebodys_machine: text::machine_paths;
    ci_runs_what_the_readme_says: text::ci;
    folders_are_named_as_their_crates: crates::names;
    the_architecture_names_the_crates_there_are: crates::architecture;
    crates_use_one_another_as_the_list_says: crates::edges;
    nouns_know_no_formats: crates::plain_nouns;
    pure_crates_are_walled: crates::walls;
    the_glossary_has_every_noun: glossary::nouns;
}
