//! The subcommands, one file each.

pub(crate) mod changes;
pub(crate) mod check;
pub(crate) mod clean;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod index;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod machine;
pub(crate) mod man;
pub(crate) mod publish;
pub(crate) mod query;
pub(crate) mod run;
pub(crate) mod show;
