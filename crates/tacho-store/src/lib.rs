//! Keeps and finds: records of runs, the machines that made them, and what asv kept.
//!
//! A record is the ground state of everything Tachograph shows; `docs/formats/record.md` describes it for
//! readers in other languages. Results of asv are read as they lie, and written for asv to read; `docs/formats/asv-results.md` says how. The crate reads no environment variable and no clock that ends up in a file:
//! paths, times and identities are handed in.

mod asv_results;
mod atomic;
mod digest;
mod error;
mod machines;
mod name;
mod prefixes;
mod record;
mod schema;
mod site_folder;
mod store;
mod wire;

pub use asv_results::{AsvFile, AsvResults, AsvRun, AsvWriter, AsvWritten, read_asv_file, read_asv_file_timed};
pub use error::StoreError;
pub use machines::{Machines, asv_machine};
pub use name::{draw_run_id, folder_name};
pub use prefixes::Prefixes;
pub use record::{Record, RecordWriter, Reopened, as_kept};
pub use schema::{machine_schema, machines_schema, record_schema};
pub use site_folder::{SiteFolder, StagedSite};
pub use store::{Entries, Entry, Store, Unreadable};
