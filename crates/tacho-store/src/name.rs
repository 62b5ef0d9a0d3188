//! Names of files and folders, made from texts that nobody vouches for.

use std::collections::BTreeMap;

use tacho_model::{Provenance, Timestamp};

use crate::digest::sha256_hex;
use crate::error::Misfit;

// File systems allow 255 bytes; what is left over is for endings and for people.
const LONGEST_FOLDER: usize = 100;
const LONGEST_SUBJECT: usize = 40;

/// Returns sixteen random hexadecimal digits: an id for a run.
pub fn draw_run_id() -> String {
    format!("{:016x}", rand::random::<u64>())
}

/// Returns a machine's name as the name of its folder.
///
/// Letters, digits, `_`, `-` and dots (but no first dot) stay; every other byte becomes `%XX`. No two
/// names share a folder: an empty name becomes `%`, and one that would be too long ends in `~` and a digest.
pub fn folder_name(machine: &str) -> String {
    if machine.is_empty() {
        return "%".to_owned();
    }
    let mut encoded = String::new();
    for (position, byte) in machine.bytes().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' => encoded.push(byte.into()),
            b'.' if position > 0 => encoded.push('.'),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    if encoded.len() > LONGEST_FOLDER {
        encoded.truncate(LONGEST_FOLDER - 17);
        encoded.push('~');
        encoded.push_str(&sha256_hex(machine.as_bytes())[..16]);
    }
    encoded
}

/// Returns the name of a run's record without its ending: `START-SUBJECT-ENVIRONMENT-RUN`.
pub(crate) fn record_stem(provenance: &Provenance, axes: &BTreeMap<String, String>) -> Result<String, Misfit> {
    let run_id = &provenance.run_id;
    let is_hex = run_id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if run_id.len() != 16 || !is_hex {
        return Err(Misfit(format!("a run with the id `{run_id}`: an id is sixteen hexadecimal digits")));
    }
    let start = start_text(provenance.started_at)?;
    let subject = subject_text(&provenance.subject.short());
    Ok(format!("{start}-{subject}-{}-{run_id}", axes_text(axes)))
}

fn start_text(start: Timestamp) -> Result<String, Misfit> {
    let instant = jiff::Timestamp::from_microsecond(start.unix_us)
        .map_err(|error| Misfit(format!("the time {} us: {error}", start.unix_us)))?;
    Ok(instant.strftime("%Y%m%dT%H%M%SZ").to_string())
}

// Names of records are for people and are never read back, so a lossy text will do.
fn subject_text(short: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '+') { c } else { '_' };
    short.chars().map(safe).take(LONGEST_SUBJECT).collect()
}

fn axes_text(axes: &BTreeMap<String, String>) -> String {
    // A map of texts always has a JSON text; the object's keys are sorted because the map is.
    let text = serde_json::to_string(axes).unwrap_or_default();
    sha256_hex(text.as_bytes())[..8].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(machine: &str, expected: &str) {
        assert_eq!(folder_name(machine), expected);
    }

    #[test]
    fn plain_names_stay() {
        check("ci-linux-x86_64.example.org", "ci-linux-x86_64.example.org");
    }

    #[test]
    fn names_cannot_leave_the_folder_or_hide_in_it() {
        check("../../x", "%2E.%2F..%2Fx");
        check("..", "%2E.");
        check(".", "%2E");
        check("a/b", "a%2Fb");
        check("a%2Fb", "a%252Fb");
        check("", "%");
        check("%", "%25");
        check("Größe 1", "Gr%C3%B6%C3%9Fe%201");
        check("a\0b\n", "a%00b%0A");
    }

    #[test]
    fn long_names_stay_apart() {
        let long = "m".repeat(5000);
        let other = format!("{}x", "m".repeat(4999));
        assert_eq!(folder_name(&long).len(), LONGEST_FOLDER);
        assert_ne!(folder_name(&long), folder_name(&other));
    }

    #[test]
    fn subjects_lose_what_a_file_name_cannot_hold() {
        for (short, expected) in
            [("0123abcd", "0123abcd"), ("numpy==1.26.0+local", "numpy__1.26.0+local"), ("../x", ".._x")]
        {
            assert_eq!(subject_text(short), expected);
        }
    }

    #[test]
    fn environments_are_told_apart_by_their_axes() {
        let axes = |version: &str| BTreeMap::from([("python".to_owned(), version.to_owned())]);
        insta::assert_snapshot!(axes_text(&axes("3.11")), @"8f84b555");
        assert_ne!(axes_text(&axes("3.11")), axes_text(&axes("3.12")));
    }
}
