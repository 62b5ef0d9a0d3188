//! Tests of what could not be loaded.

use insta::assert_snapshot;

use super::*;
use crate::fixture::WIDE;

fn problem(module: &str, error: &str, traceback: &str) -> Problem {
    Problem {
        module: module.into(),
        benchmark: None,
        place: Some(format!("benchmarks/{module}.py:1")),
        error: error.into(),
        traceback: traceback.into(),
    }
}

fn suite() -> Vec<Problem> {
    let missing = "ModuleNotFoundError: No module named 'matplotlib'";
    let mut one = problem("core", "ValueError: no cases", "Traceback of core:\n  line 3\n");
    one.benchmark = Some("core.time_it".into());
    vec![
        problem("axes", missing, ""),
        one,
        problem("figures", missing, "Traceback of figures:\n  line 1\n"),
        problem("plot", missing, "Traceback of plot:\n  line 1\n"),
    ]
}

#[test]
fn parts_with_one_error_stand_together_and_how_it_happened_is_told_once() {
    assert_snapshot!(problems(&suite(), true).terminal(&WIDE), @"
    Could not be loaded
    module axes: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/axes.py:1)
    module figures: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/figures.py:1)
    module plot: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/plot.py:1)

        Traceback of figures:
          line 1

    benchmark core.time_it: ValueError: no cases (benchmarks/core.py:1)

        Traceback of core:
          line 3
    ");
    assert_snapshot!(problems(&suite(), true).markdown(), @r"
    ## Could not be loaded

    module axes: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/axes.py:1)  
    module figures: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/figures.py:1)  
    module plot: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/plot.py:1)  

    ```text
    Traceback of figures:
      line 1
    ```

    benchmark core.time\_it: ValueError: no cases (benchmarks/core.py:1)  

    ```text
    Traceback of core:
      line 3
    ```
    ");
}

#[test]
fn without_tracebacks_each_part_has_its_line() {
    assert_snapshot!(problems(&suite(), false).terminal(&WIDE), @"
    Could not be loaded
    module axes: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/axes.py:1)
    module figures: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/figures.py:1)
    module plot: ModuleNotFoundError: No module named 'matplotlib' (benchmarks/plot.py:1)
    benchmark core.time_it: ValueError: no cases (benchmarks/core.py:1)
    ");
}

#[test]
fn where_all_could_be_loaded_there_is_nothing_to_read() {
    assert!(problems(&[], true).is_empty());
}
