//! How what was measured was built, or why it could not be, with the end of what the build printed.

use tacho_model::unit::{counted, human_duration};
use tacho_model::{Build, Wheel};

use super::ShowOptions;
use super::details::{or_none, pairs};
use crate::page::{Fact, Page};
use crate::rfc3339;
use crate::style::Style;

/// So many lines of a log are shown to who does not ask for details.
const LOG_LINES: usize = 20;

/// So many digits of what was installed are shown; JSON has all.
const SHORT_DIGEST: usize = 12;

/// Appends why there is nothing to measure, and the end of the build's log.
pub(super) fn append_failure(page: &mut Page, build: &Build, options: &ShowOptions) {
    let reason = build.failure.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    page.line(format!("not built: {}", reason.unwrap_or("nobody said why")), Style::Bad);
    let log = build.log_tail.trim_end();
    let (left_out, shown) = if options.details { (0, log.to_owned()) } else { last_lines(log, LOG_LINES) };
    if shown.is_empty() {
        return;
    }
    page.title("End of the build's log");
    page.text(&shown);
    if left_out > 0 {
        let more = counted(left_out, "earlier line");
        page.line(format!("{more} with --details"), Style::Faint);
    }
}

/// Returns the last lines of a text, and how many there are before them.
fn last_lines(text: &str, most: usize) -> (usize, String) {
    let lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(most);
    (left_out, lines[left_out..].join("\n"))
}

/// Returns everything about a build but its log.
pub(super) fn build_facts(build: &Build) -> Vec<Fact> {
    let Build {
        key,
        failure: _,
        commands,
        variables,
        compilers,
        wheel,
        dependencies,
        started_at,
        duration_ns,
        log_tail: _,
        reused,
    } = build;
    let began = rfc3339(*started_at).unwrap_or_else(|| "unknown".into());
    let taken_up = if *reused { ", by an earlier run" } else { "" };
    let mut facts = vec![
        Fact::new("key", key),
        Fact::new("begun", format!("{began}{taken_up}")),
        Fact::new("took", human_duration(*duration_ns as f64 / 1e9)),
    ];
    facts.extend(commands.iter().map(|command| Fact::new("command", command)));
    facts.push(Fact::new("variables", or_none(pairs(variables, "="))));
    facts.extend(compilers.iter().map(|(name, told)| Fact::new("compiler", format!("{name}: {told}"))));
    facts.extend(wheel.iter().map(|Wheel { name, sha256 }| Fact::new("wheel", format!("{name} (sha256 {sha256})"))));
    if !dependencies.is_empty() {
        let short = |digest: &String| digest.chars().take(SHORT_DIGEST).collect();
        let short = dependencies.iter().map(|(name, digest)| (name.clone(), short(digest))).collect();
        facts.push(Fact::new("installed", pairs(&short, " ")));
    }
    facts
}
