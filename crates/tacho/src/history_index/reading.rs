//! Files read on all processors, and handed over one by one in their order, whoever was faster.

use std::sync::mpsc::sync_channel;
use std::thread;

use tacho_model::{Provenance, Purpose};
use tacho_query::FileStamp;
use tacho_store::StoreError;

use crate::error::CommandError;

use super::files::Files;
use super::fold::{Read, Whole, folded};

/// So many files that were read wait for the writer, for each reader: what is in memory does not grow with the history.
const MOST_WAITING: usize = 2;

/// More readers than this only wait for the writer.
const MOST_READERS: usize = 8;

/// Fewer files are read faster than threads start.
const FEW: usize = 4;

/// What a file gives to the index.
pub(super) enum Taken {
    /// Results, read as if the file were its cell's only one.
    Whole { provenance: Box<Provenance>, digest: Option<String>, exported_from: Vec<String>, whole: Box<Whole> },
    /// Nothing: a work tree, a pair, other JSON.
    Nothing,
    /// Nothing that the record of this run does not say.
    Hidden(String),
    /// Nothing, with the reason.
    Unread(String),
}

/// Reads files and hands over each in turn.
pub(super) fn in_order<E: From<CommandError>>(
    files: &Files<'_>,
    stamps: &[FileStamp],
    mut take: impl FnMut(&FileStamp, Taken) -> Result<(), E>,
) -> Result<(), E> {
    if stamps.len() <= FEW {
        return stamps.iter().try_for_each(|stamp| take(stamp, taken(files, stamp)));
    }
    let n_readers = thread::available_parallelism().map_or(1, usize::from).min(MOST_READERS);
    thread::scope(|scope| {
        let mut queues = Vec::with_capacity(n_readers);
        for first in 0..n_readers {
            let (sender, receiver) = sync_channel(MOST_WAITING);
            queues.push(receiver);
            // Where nobody listens any more, something else went wrong and is told.
            scope.spawn(move || {
                let own = stamps.iter().skip(first).step_by(n_readers);
                let _ = own.map(|stamp| sender.send(taken(files, stamp))).find(std::result::Result::is_err);
            });
        }
        for (stamp, queue) in stamps.iter().zip((0..n_readers).cycle().map(|at| &queues[at])) {
            let taken =
                queue.recv().map_err(|_| CommandError::new(format!("reading `{}` came to no end", stamp.path)))?;
            take(stamp, taken)?;
        }
        Ok(())
    })
}

fn taken(files: &Files<'_>, stamp: &FileStamp) -> Taken {
    match files.read(&stamp.path) {
        Ok(read) if enters_history(&read) => {
            let (provenance, digest) = (Box::new(read.provenance().clone()), read.digest().map(str::to_owned));
            let exported_from = read.exported_from().to_vec();
            match folded(vec![(stamp.path.clone(), read)]) {
                Some(whole) => {
                    Taken::Whole { provenance, digest, exported_from, whole: Box::new(declared(files, whole)) }
                }
                None => Taken::Nothing,
            }
        }
        Ok(_) => Taken::Nothing,
        Err(StoreError::Exported { run_id, .. }) => Taken::Hidden(run_id),
        // Other JSON among asv's results.
        Err(error) if error.is_foreign() && files.is_asvs(&stamp.path) => Taken::Nothing,
        Err(error) => Taken::Unread(error.line()),
    }
}

/// Returns the whole with metrics as the project declares them by now.
pub(super) fn declared(files: &Files<'_>, whole: Whole) -> Whole {
    Whole { said: files.declared(whole.said), ..whole }
}

fn enters_history(read: &Read) -> bool {
    let provenance = read.provenance();
    provenance.purpose == Purpose::History && provenance.subject.enters_history()
}
