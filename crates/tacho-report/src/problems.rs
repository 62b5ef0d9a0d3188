//! What could not be loaded.

use std::collections::HashMap;

use tacho_model::Problem;

use crate::page::Page;
use crate::style::Style;

#[cfg(test)]
mod tests;

/// Returns the parts of the suite that could not be loaded; with `tracebacks`, how it happened.
///
/// Parts with one error stand together, and how it happened is told once, as it was for the first of
/// them: a package that is missing stops many modules.
pub fn problems(problems: &[Problem], tracebacks: bool) -> Page {
    let mut page = Page::default();
    if problems.is_empty() {
        return page;
    }
    page.title("Could not be loaded");
    for alike in by_error(problems) {
        for problem in &alike {
            page.line(problem_line(problem), Style::Bad);
        }
        let first = alike.iter().map(|problem| &problem.traceback).find(|traceback| !traceback.trim().is_empty());
        if let Some(traceback) = first.filter(|_| tracebacks) {
            page.text(traceback);
        }
    }
    page
}

/// Returns the problems with those of one error together, where the first of them stands.
fn by_error(problems: &[Problem]) -> Vec<Vec<&Problem>> {
    let mut groups: Vec<Vec<&Problem>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for problem in problems {
        let place = *places.entry(&problem.error).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(problem),
            None => groups.push(vec![problem]),
        }
    }
    groups
}

fn problem_line(problem: &Problem) -> String {
    let what = match &problem.benchmark {
        Some(benchmark) => format!("benchmark {benchmark}"),
        None if problem.module.is_empty() => "the suite's __init__.py".to_owned(),
        None => format!("module {}", problem.module),
    };
    let place = problem.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    format!("{what}: {}{place}", problem.error)
}
