//! The file systems that measurements write to.

use std::path::{Path, PathBuf};

use tacho_model::Fix;

use super::place::{Place, Told};

/// File systems on other machines, whose time depends on a network.
const REMOTE: [&str; 14] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "ceph",
    "lustre",
    "gpfs",
    "beegfs",
    "glusterfs",
    "afs",
    "9p",
    "orangefs",
    "fuse.sshfs",
];

/// Where temporary files and records lie.
pub(super) fn file_systems(place: &Place<'_>) -> Told {
    let Some(table) = place.text("proc/self/mountinfo") else { return Told::unknown() };
    let mounts: Vec<Mount> = table.lines().filter_map(mount).collect();
    let kind =
        |path: &Path| mounts.iter().filter(|mount| path.starts_with(&mount.at)).max_by_key(|mount| mount.depth());
    let known: Vec<(&str, &str)> = place
        .surroundings
        .folders
        .iter()
        .filter_map(|(purpose, folder)| Some((*purpose, kind(folder)?.kind.as_str())))
        .collect();
    if known.is_empty() {
        return Told::unknown();
    }
    let observed = known.iter().map(|(purpose, kind)| format!("{purpose} on {kind}")).collect::<Vec<_>>().join(", ");
    let is_remote = |kind: &str| REMOTE.contains(&kind);
    let is_layered = |kind: &str| kind == "overlay" || kind.starts_with("fuse.");
    if known.iter().any(|(_, kind)| is_remote(kind)) {
        let temporary = known.iter().any(|(purpose, kind)| *purpose == TEMPORARY_FILES && is_remote(kind));
        return Told::warn(observed).mended_by(in_memory(&mounts).filter(|_| temporary));
    }
    if known.iter().any(|(_, kind)| is_layered(kind)) { Told::note(observed) } else { Told::ok(observed) }
}

/// What the folder of temporary files is for, among [`super::Surroundings::folders`].
pub const TEMPORARY_FILES: &str = "temporary files";

fn in_memory(mounts: &[Mount]) -> Option<Fix> {
    let has = mounts.iter().any(|mount| mount.at == Path::new("/dev/shm") && mount.kind == "tmpfs");
    has.then(|| Fix { command: "export TMPDIR=/dev/shm".into(), needs_root: false })
}

struct Mount {
    at: PathBuf,
    kind: String,
}

impl Mount {
    fn depth(&self) -> usize {
        self.at.components().count()
    }
}

/// Reads a line of `/proc/PID/mountinfo`: the fifth field is the place, the kind follows a lone `-`.
fn mount(line: &str) -> Option<Mount> {
    let (before, after) = line.split_once(" - ")?;
    let at = before.split(' ').nth(4)?;
    Some(Mount { at: PathBuf::from(unescaped(at)), kind: after.split(' ').next()?.to_owned() })
}

/// Spaces, tabs, line breaks and backslashes are written as octal numbers.
fn unescaped(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(text.to_owned(), |text, (code, plain)| text.replace(code, plain))
}
