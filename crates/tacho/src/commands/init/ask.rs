//! Questions at a terminal, and their defaults elsewhere.

use std::io::{BufRead, IsTerminal, Write};

use crate::error::{CommandError, Result};

/// How often a question is put again where the answer is none.
const TRIES: usize = 3;

/// Who answers.
pub(super) enum Answers {
    /// Nobody: every default holds.
    Defaults,
    /// A person.
    Terminal,
    /// Nobody, and no default was agreed to.
    Nobody,
}

impl Answers {
    /// With `yes`, nobody is asked; else somebody has to be there.
    pub(super) fn new(yes: bool) -> Answers {
        match (yes, std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
            (true, _) => Answers::Defaults,
            (false, true) => Answers::Terminal,
            (false, false) => Answers::Nobody,
        }
    }

    /// Returns true where there is a person to ask: what changes nothing by default needs none.
    pub(super) fn may_ask(&self) -> bool {
        matches!(self, Answers::Terminal)
    }

    /// Returns a text that `check` takes: it says why where it does not.
    pub(super) fn text(
        &self,
        question: &str,
        default: &str,
        check: impl Fn(&str) -> std::result::Result<(), String>,
    ) -> Result<String> {
        let read = |line: &str| {
            let answer = if line.is_empty() { default } else { line };
            check(answer).map(|()| answer.to_owned())
        };
        self.answer(&format!("{question} [{default}]"), read)
    }

    /// Returns whether the answer is yes.
    pub(super) fn yes_or_no(&self, question: &str, default: bool) -> Result<bool> {
        let read = |line: &str| match line.to_lowercase().as_str() {
            "" => Ok(default),
            "y" | "yes" => Ok(true),
            "n" | "no" => Ok(false),
            _ => Err("answer y or n".to_owned()),
        };
        self.answer(&format!("{question} [{}]", if default { "Y/n" } else { "y/N" }), read)
    }

    fn answer<T>(&self, question: &str, read: impl Fn(&str) -> std::result::Result<T, String>) -> Result<T> {
        match self {
            Answers::Defaults => read("").map_err(CommandError::new),
            Answers::Nobody => Err(CommandError::new(format!("no terminal to ask at: {question}"))
                .hint("take the default of every question with --yes")),
            Answers::Terminal => self.asked(question, read),
        }
    }

    fn asked<T>(&self, question: &str, read: impl Fn(&str) -> std::result::Result<T, String>) -> Result<T> {
        for _ in 0..TRIES {
            let mut out = std::io::stderr().lock();
            let _ = write!(out, "{}: ", tacho_report::harmless_line(question)).and_then(|()| out.flush());
            let mut line = String::new();
            if std::io::stdin().lock().read_line(&mut line)? == 0 {
                let _ = writeln!(out);
                break;
            }
            match read(line.trim()) {
                Ok(answer) => return Ok(answer),
                Err(why) => {
                    let _ = writeln!(out, "  {}", tacho_report::harmless_line(&why));
                }
            }
        }
        Err(CommandError::new(format!("no answer to: {question}"))
            .hint("take the default of every question with --yes"))
    }
}
