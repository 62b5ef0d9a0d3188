//! The only place that prints: data to standard output, talk to standard error.

use std::cell::OnceCell;
use std::io::{IsTerminal, Read, Write};

use tacho_report::Screen;

use crate::error::Result;

/// The most columns that a table is drawn in.
const WIDEST: usize = 400;

/// Where output goes and how it may look.
pub(crate) struct Console {
    /// Columns that tables may take.
    pub(crate) width: usize,
    /// Columns that a line of its own may take: without end where nobody's terminal would break it.
    pub(crate) line_width: usize,
    /// Whether standard output may carry colours.
    pub(crate) colour: bool,
    /// Whether standard error is a terminal: progress is drawn only there.
    pub(crate) live: bool,
    /// Whether talk is wanted at all.
    pub(crate) quiet: bool,
    /// Why standard output takes no more results.
    lost_output: OnceCell<String>,
}

impl Console {
    pub(crate) fn new(quiet: bool, no_colour: bool) -> Console {
        let out_is_terminal = std::io::stdout().is_terminal();
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let measured = || console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        let colour_off = no_colour || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let asked = columns.filter(|columns| *columns > 0);
        let terminal = measured();
        Console {
            line_width: asked.or(terminal).map_or(10_000, |columns: usize| columns.clamp(40, 10_000)),
            // What goes into a pipe or a file is searched and cut by others: names stand there in full.
            width: asked.or(terminal).unwrap_or(WIDEST).clamp(40, WIDEST),
            colour: out_is_terminal && !colour_off,
            live: std::io::stderr().is_terminal() && !quiet,
            quiet,
            lost_output: OnceCell::new(),
        }
    }

    /// Returns what pages and tables are drawn for.
    pub(crate) fn screen(&self) -> Screen {
        Screen { width: self.width, colour: self.colour }
    }

    /// Returns what pages that go to standard error are drawn for: escaping would print their colours as text.
    pub(crate) fn talk_screen(&self) -> Screen {
        Screen { width: self.width, colour: false }
    }

    /// Returns what lines of their own are drawn for.
    pub(crate) fn line_screen(&self) -> Screen {
        Screen { width: self.line_width, colour: self.colour }
    }

    /// Writes data, with a line break if it lacks one.
    pub(crate) fn data(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())?;
        if !text.is_empty() && !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        out.flush()?;
        Ok(())
    }

    /// Writes data that is no text.
    pub(crate) fn bytes(&self, data: &mut impl Read) -> Result<()> {
        let mut out = std::io::stdout().lock();
        std::io::copy(data, &mut out)?;
        out.flush()?;
        Ok(())
    }

    /// Writes what a measurement has to say. Where nobody reads it any more the measurement goes on.
    pub(crate) fn result(&self, text: &str) {
        if self.lost_output.get().is_some() {
            return;
        }
        if let Err(error) = self.data(text) {
            let reason = if error.is_broken_pipe() { String::new() } else { error.text() };
            let _ = self.lost_output.set(reason);
        }
    }

    /// Tells, once a measurement is done, that its results could not be written where they should, and returns
    /// whether there was anything to tell.
    pub(crate) fn tell_of_lost_output(&self) -> bool {
        // A reader that has gone away, like `head`, has seen enough.
        let lost = self.lost_output.get().filter(|error| !error.is_empty());
        if let Some(error) = lost {
            self.warn(&format!("standard output could not be written to: {error}"));
        }
        lost.is_some()
    }

    /// Writes a status line for people, unless quiet.
    pub(crate) fn talk(&self, text: &str) {
        if !self.quiet {
            self.complain(text);
        }
    }

    /// Writes a warning.
    pub(crate) fn warn(&self, text: &str) {
        self.complain(&format!("warning: {text}"));
    }

    /// Writes to standard error whatever the settings: errors and warnings.
    pub(crate) fn complain(&self, text: &str) {
        // Messages carry what others wrote: benchmarks' output, names, paths.
        let text = tacho_report::harmless_block(text);
        // Where standard error is gone there is nobody left to tell.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}
