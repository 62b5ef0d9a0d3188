//! Progress for people at a terminal; nothing anywhere else.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tacho_model::unit::human_duration;

use crate::console::Console;

/// Short enough for a narrow terminal: what is cut is the case's name.
const TEMPLATE: &str = "{bar:12} {pos}/{len} {prefix} {wide_msg}";

/// Before there are steps to count: cut where it would not fit into the line, which could not be taken away again.
const TALK: &str = "{spinner} {wide_msg}";

/// A line at the bottom of the terminal that says what is being measured and how long it may take.
pub(crate) struct Progress {
    bar: ProgressBar,
    began: Instant,
    /// The steps that were done before.
    first_step: Cell<Option<u64>>,
}

impl Progress {
    /// Draws to standard error if that is a terminal.
    pub(crate) fn new(console: &Console) -> Progress {
        let target = if console.live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        bar.set_style(ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress { bar, began: Instant::now(), first_step: Cell::new(None) }
    }

    /// Says what is going on before there are steps to count.
    pub(crate) fn say(&self, text: &str) {
        self.bar.set_style(ProgressStyle::with_template(TALK).unwrap_or_else(|_| ProgressStyle::default_spinner()));
        self.bar.set_message(text.to_owned());
    }

    /// Says which case is being measured.
    pub(crate) fn step(&self, step: u64, n_steps: u64, text: &str) {
        if self.bar.is_hidden() {
            return;
        }
        let first = self.first_step.get().unwrap_or(step);
        self.first_step.set(Some(first));
        self.bar.set_length(n_steps);
        self.bar.set_position(step);
        self.bar.set_prefix(estimate(self.began.elapsed(), step.saturating_sub(first), n_steps.saturating_sub(first)));
        self.bar.set_message(text.to_owned());
    }

    /// Counts time from here on.
    pub(crate) fn start(&mut self) {
        self.bar.set_style(ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.began = Instant::now();
    }

    /// Runs `print` with the line out of the way.
    pub(crate) fn around<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Takes the line away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    /// Whatever way a command ends, the line does not stay.
    fn drop(&mut self) {
        self.end();
    }
}

/// The steps so far say what the others will cost; the first few say little.
fn estimate(elapsed: Duration, step: u64, n_steps: u64) -> String {
    if step < 3 {
        return "…".into();
    }
    let left = elapsed.as_secs_f64() / step as f64 * n_steps.saturating_sub(step) as f64;
    format!("about {} left", human_duration(left))
}
