//! `tacho man`.

use std::process::Command;

use crate::env::TestEnv;

/// Returns the names of the commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_command_has_a_page_that_renders() {
    let env = TestEnv::new();
    let written = env.tacho(&["man", "--dir", "pages"]).with_code(0);
    let has_man = Command::new("man").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_man {
        eprintln!("skipped in part: no `man` here to render the pages");
    }
    let mut expected = vec!["tacho".to_owned()];
    expected.extend(commands(&env.tacho(&["--help"]).stdout).iter().map(|name| format!("tacho-{name}")));
    expected.extend(
        ["tacho-config-show", "tacho-config-schema", "tacho-export-asv", "tacho-export-parquet"].map(str::to_owned),
    );
    assert!(expected.len() > 8, "{expected:?}");
    assert_eq!(written.lines().count(), expected.len(), "{written}");
    for name in expected {
        let path = env.path(&format!("pages/{name}.1"));
        let text = std::fs::read_to_string(&path).unwrap();
        let title = format!(".TH {name} 1");
        assert!(text.lines().any(|line| line.starts_with(&title)) && text.contains(".SH NAME"), "{text}");
        if has_man {
            let shown = env.shell(&format!("MANWIDTH=80 man --warnings -l pages/{name}.1"));
            assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""), "{}", shown.all());
            assert!(shown.stdout.contains("OPTIONS") && shown.stdout.contains("tacho"), "{}", shown.all());
        }
    }
}

#[test]
fn one_page_is_printed_by_its_words_and_pages_are_the_same_each_time() {
    let env = TestEnv::new();
    assert!(env.tacho(&["man", "config", "show"]).with_code(0).contains("tacho\\-config\\-show"));
    let read = || std::fs::read_to_string(env.path("pages/tacho.1")).unwrap();
    env.tacho(&["man", "--dir", "pages"]).with_code(0);
    let first = read();
    env.tacho(&["man", "--dir", "pages"]).with_code(0);
    assert_eq!((read(), env.tacho(&["man"]).with_code(0)), (first.clone(), first));
}

#[test]
fn what_cannot_be_written_or_found_is_told() {
    let env = TestEnv::new();
    env.write("taken", "");
    let check = |arguments: &[&str], words: &str| {
        let said = env.tacho(arguments);
        assert_eq!(said.code, Some(2), "{}", said.all());
        assert!(said.stderr.contains(words), "{}", said.all());
    };
    check(&["man", "config", "shwo"], "`tacho config` has no command `shwo`");
    check(&["man", "--dir", "taken"], "cannot make the folder");
    check(&["man", "run", "--dir", "pages"], "cannot be used with");
}
