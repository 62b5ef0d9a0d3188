//! Exit codes, and what each promises.

/// The answer is yes, or the question was answered.
pub(crate) const YES: u8 = 0;
/// The answer is no.
pub(crate) const NO: u8 = 1;
/// The question could not be answered: bad input, a broken environment, nothing measured.
pub(crate) const NO_ANSWER: u8 = 2;
/// A part of what was asked could not be done.
pub(crate) const PARTIAL: u8 = 3;
