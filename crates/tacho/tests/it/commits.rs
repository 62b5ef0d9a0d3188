//! Commits that are not checked out: built in environments of their own, measured, and what becomes of those that
//! cannot be built.

mod agenda;
mod failing;
mod looking;
mod places;
mod project;
