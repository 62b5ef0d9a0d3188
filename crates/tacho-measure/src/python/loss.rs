//! A process that was lost while it was to answer: whose fault that is, and what is told of it.

use std::collections::BTreeMap;

use tacho_model::State;

use crate::convert;
use crate::protocol::LoadProblem;
use crate::session::SessionError;

/// What a benchmark or its module did to the interpreter.
#[derive(Debug, Clone)]
pub(super) struct Loss {
    pub(super) state: State,
    pub(super) message: String,
    pub(super) detail: Option<String>,
    /// What was counted for its process.
    pub(super) observed: BTreeMap<String, f64>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The measured code's doing: a state of its rounds.
    Lost(Loss),
    /// Nobody's here: the run cannot go on.
    Fatal(SessionError),
}

impl Loss {
    /// Returns the failure of a module that could not be imported this time.
    pub(super) fn of_import(problem: LoadProblem) -> Loss {
        let detail = convert::detail(State::Failed, problem.traceback.as_deref(), "");
        let message = format!("import: {}", problem.error);
        Loss { state: State::Failed, message, detail, observed: BTreeMap::new() }
    }

    /// Returns the loss with a word before its message that says what was going on.
    pub(super) fn while_doing(mut self, what: &str) -> Loss {
        self.message = format!("{what}: {}", self.message);
        self
    }
}

impl Trouble {
    /// Adds what was going on to a loss.
    pub(super) fn while_doing(self, what: &str) -> Trouble {
        match self {
            Trouble::Lost(loss) => Trouble::Lost(loss.while_doing(what)),
            fatal => fatal,
        }
    }
}

impl From<SessionError> for Trouble {
    fn from(error: SessionError) -> Trouble {
        let (state, message, observed, output) = match error {
            SessionError::Start { .. }
            | SessionError::Launch(_)
            | SessionError::Folder { .. }
            | SessionError::Gone { .. }
            | SessionError::Interrupted => {
                return Trouble::Fatal(error);
            }
            SessionError::Late { limit_s, observed, output } => {
                (State::TimedOut, format!("ran longer than its limit of {limit_s} s"), observed, output)
            }
            SessionError::Ended { signal: Some(signal), observed, output, .. } => {
                (State::Killed, format!("ended by {signal}"), observed, output)
            }
            SessionError::Ended { signal: None, status, observed, output } => {
                (State::Failed, format!("{status} before it answered"), observed, output)
            }
            SessionError::NoRunner { output, status } => {
                (State::Failed, format!("{status} before it answered"), BTreeMap::new(), output)
            }
            SessionError::Unexpected { answer } => {
                (State::Failed, format!("the runner answered `{answer}`"), BTreeMap::new(), String::new())
            }
        };
        let detail = convert::detail(state, None, &output);
        Trouble::Lost(Loss { state, message, detail, observed })
    }
}
