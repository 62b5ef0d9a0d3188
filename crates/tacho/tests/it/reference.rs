//! The command line reference in `docs/` is what the program says of itself.

use std::path::Path;

use crate::env::TestEnv;

const COMMANDS: [&[&str]; 21] = [
    &[],
    &["init"],
    &["run"],
    &["show"],
    &["compare"],
    &["changes"],
    &["publish"],
    &["query"],
    &["index"],
    &["list"],
    &["check"],
    &["export"],
    &["export", "asv"],
    &["export", "parquet"],
    &["clean"],
    &["machine"],
    &["doctor"],
    &["config", "show"],
    &["config", "schema"],
    &["completions"],
    &["man"],
];

#[test]
fn the_reference_page_is_up_to_date() {
    let env = TestEnv::new();
    let mut page = String::from(
        "# Command line reference\n\nMade from the program's own help; `TACHO_UPDATE_REFERENCE=1 cargo test -p tacho` writes it anew.\n",
    );
    for words in COMMANDS {
        let arguments: Vec<&str> = words.iter().copied().chain(["--help"]).collect();
        let help = env.tacho(&arguments).with_code(0);
        let title = ["tacho"].iter().chain(words).copied().collect::<Vec<_>>().join(" ");
        page.push_str(&format!("\n## {title}\n\n```text\n{}\n```\n", help.trim_end()));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    if std::env::var_os("TACHO_UPDATE_REFERENCE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/cli.md is out of date: run TACHO_UPDATE_REFERENCE=1 cargo test -p tacho reference");
}
