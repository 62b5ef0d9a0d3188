//! What could not be loaded.

use tacho_model::Problem;

use crate::page::Page;
use crate::style::Style;

/// Returns the parts of the suite that could not be loaded; with `tracebacks`, how it happened.
pub fn problems(problems: &[Problem], tracebacks: bool) -> Page {
    let mut page = Page::default();
    if problems.is_empty() {
        return page;
    }
    page.title("Could not be loaded");
    for problem in problems {
        page.line(problem_line(problem), Style::Bad);
        if tracebacks && !problem.traceback.trim().is_empty() {
            page.text(&problem.traceback);
        }
    }
    page
}

fn problem_line(problem: &Problem) -> String {
    let what = match &problem.benchmark {
        Some(benchmark) => format!("benchmark {benchmark}"),
        None => format!("module {}", problem.module),
    };
    let place = problem.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    format!("{what}: {}{place}", problem.error)
}
