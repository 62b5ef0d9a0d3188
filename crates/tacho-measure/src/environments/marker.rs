//! The marker of what is whole, and the note of what could not be made: small files that are there whole or not at all.

use std::collections::BTreeMap;
use std::fs::{File, FileTimes};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tacho_model::{Build, Timestamp, Wheel};

use super::file_stamp::FileStamp;
use super::places::Place;
use super::workshop::MakeError;

/// Another number is another format, and what it marks is made anew.
const VERSION: u32 = 1;

/// What is known of something that was made, or could not be.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Marker {
    version: u32,
    pub(super) key: String,
    pub(super) label: String,
    pub(super) tool: String,
    /// The interpreter of an environment.
    pub(super) python: Option<PathBuf>,
    /// The file that it is run from: an environment without it, or with another, is none.
    pub(super) program: Option<FileStamp>,
    /// The environment takes its code from a checkout, as an editable installation does: it is none without that.
    #[serde(default)]
    pub(super) in_place: bool,
    build: BuildTwin,
}

/// [`Build`] as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct BuildTwin {
    failure: Option<String>,
    commands: Vec<String>,
    variables: BTreeMap<String, String>,
    compilers: BTreeMap<String, String>,
    wheel: Option<WheelTwin>,
    dependencies: BTreeMap<String, String>,
    started_at_us: i64,
    duration_ns: u64,
    log_tail: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct WheelTwin {
    name: String,
    sha256: String,
}

impl Marker {
    pub(super) fn new(label: &str, tool: &str, build: &Build) -> Marker {
        let Build {
            key,
            failure,
            commands,
            variables,
            compilers,
            wheel,
            dependencies,
            started_at,
            duration_ns,
            log_tail,
            reused: _,
        } = build.clone();
        let twin = BuildTwin {
            failure,
            commands,
            variables,
            compilers,
            wheel: wheel.map(|Wheel { name, sha256 }| WheelTwin { name, sha256 }),
            dependencies,
            started_at_us: started_at.unix_us,
            duration_ns,
            log_tail,
        };
        let (label, tool) = (label.to_owned(), tool.to_owned());
        Marker { version: VERSION, key, label, tool, python: None, program: None, in_place: false, build: twin }
    }

    /// Returns the build as an earlier run has left it.
    pub(super) fn into_build(self) -> Build {
        let BuildTwin {
            failure,
            commands,
            variables,
            compilers,
            wheel,
            dependencies,
            started_at_us,
            duration_ns,
            log_tail,
        } = self.build;
        Build {
            key: self.key,
            failure,
            commands,
            variables,
            compilers,
            wheel: wheel.map(|WheelTwin { name, sha256 }| Wheel { name, sha256 }),
            dependencies,
            started_at: Timestamp { unix_us: started_at_us },
            duration_ns,
            log_tail,
            reused: true,
        }
    }

    /// Returns what a file says; `None` where it is not there or says nothing that can be trusted.
    pub(super) fn read(path: &Path) -> Option<Marker> {
        let marker: Marker = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        (marker.version == VERSION).then_some(marker)
    }

    /// Returns the marker of what was made under a key.
    pub(super) fn of(place: &Place, key: &str) -> Option<Marker> {
        Marker::read(&place.marker()).filter(|marker| marker.key == key)
    }

    /// Returns the note of what could not be made under a key.
    pub(super) fn of_failure(place: &Place, key: &str) -> Option<Marker> {
        Marker::read(&place.failure()).filter(|marker| marker.key == key)
    }

    /// Writes it, so that it is there whole or not at all.
    pub(super) fn write(&self, path: &Path) -> Result<(), MakeError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let written = || {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            serde_json::to_writer(&mut file, self)?;
            file.flush()?;
            // Not synchronised: what a power failure spoils, it spoils in all the files that this one speaks for too.
            file.persist(path).map_err(|error| error.error)
        };
        written().map(drop).map_err(MakeError::io("write", path))
    }
}

/// Notes that something is used: what was not for the longest time is the first to be removed.
pub(super) fn touch(path: &Path) {
    // A cache on a read-only disk is used all the same.
    if let Ok(file) = File::open(path) {
        let _ = file.set_times(FileTimes::new().set_modified(SystemTime::now()));
    }
}
