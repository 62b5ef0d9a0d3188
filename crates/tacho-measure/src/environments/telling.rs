//! Out of what a failed command printed: the line that tells most, and whether the machine is to blame.

/// So long a line is told at most, in characters.
const LONGEST: usize = 300;

/// Lines that say that something failed, after others have said what.
const EMPTY_WORDS: [&str; 17] = [
    "error: failed to build",
    "error: subprocess-exited-with-error",
    "error: metadata-generation-failed",
    "error: failed building",
    "error: resolutionimpossible",
    "error: no solution found when resolving",
    "error: could not build wheels",
    "error: backend subprocess exited",
    "error: command failed",
    "error: process completed",
    "error: build failed",
    "error: the build backend returned an error",
    "error: linker command failed",
    "error: ld returned",
    "error: could not compile",
    "error: cannot find command",
    "fatal error: too many errors",
];

/// What a full disk is called.
const DISK_WORDS: [&str; 4] = ["No space left on device", "Disk quota exceeded", "os error 28", "ENOSPC"];

/// What it is called that nobody answers.
const NETWORK_WORDS: [&str; 9] = [
    "error sending request for url",
    "dns error",
    "Temporary failure in name resolution",
    "Name or service not known",
    "NewConnectionError",
    "Max retries exceeded with url",
    "Network is unreachable",
    "Connection refused",
    "the network was disabled",
];

/// What is to blame for a failure besides the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blame {
    /// The disk is full.
    Disk,
    /// A server did not answer.
    Network,
}

/// Returns what besides the source is to blame, with the line that says so.
pub(super) fn blame(text: &str) -> Option<(Blame, String)> {
    let line_with = |words: &[&str]| {
        let line = text.lines().rev().find(|line| words.iter().any(|word| line.contains(word)));
        line.map(|line| shortened(line.trim()))
    };
    let disk = line_with(&DISK_WORDS).map(|line| (Blame::Disk, line));
    disk.or_else(|| line_with(&NETWORK_WORDS).map(|line| (Blame::Network, line)))
}

/// Returns the line that tells most of what went wrong; `None` for a text without any.
pub(super) fn telling_line(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    // A compiler's first error is the cause of the others; elsewhere the last is what it came to.
    let found = resolver_words(&lines)
        .or_else(|| lines.iter().find(|line| is_compilers(line)).map(|line| line.trim().to_owned()))
        .or_else(|| lines.iter().rposition(|line| is_telling(line)).map(|at| with_cause(&lines, at)))
        .or_else(|| last_words(&lines))?;
    Some(shortened(&found))
}

/// Returns `uv`'s explanation of why there is no solution, its broken lines joined.
fn resolver_words(lines: &[&str]) -> Option<String> {
    let at = lines.iter().position(|line| line.contains("No solution found when resolving"))?;
    let because = lines[at..].iter().position(|line| line.contains("Because"))? + at;
    let start = lines[because].find("Because").unwrap_or(0);
    let more = lines[because + 1..].iter().take_while(|line| line.starts_with("     "));
    let words = std::iter::once(&lines[because][start..]).chain(more.map(|line| line.trim()));
    Some(words.collect::<Vec<_>>().join(" "))
}

/// Returns a line with the last of the causes that `uv` tells below it.
fn with_cause(lines: &[&str], at: usize) -> String {
    let cause = |line: &&&str| {
        let line = line.trim_start();
        line.strip_prefix("cause: ").or_else(|| line.strip_prefix("Caused by: ")).map(str::to_owned)
    };
    let last = lines[at + 1..].iter().map(|line| cause(&line)).take_while(Option::is_some).flatten().last();
    let mut line = lines[at].trim().to_owned();
    if let (true, Some(next)) = (line.ends_with("do not:"), lines.get(at + 1)) {
        line = format!("{line} {}", next.trim());
    }
    last.map_or_else(|| line.clone(), |cause| format!("{line}: {cause}"))
}

/// Returns the last line that says what happened, not what to do about it.
fn last_words(lines: &[&str]) -> Option<String> {
    let says = |line: &&&str| !line.trim_start().to_lowercase().starts_with("hint:");
    let line = lines.iter().rfind(says).or(lines.last())?.trim();
    Some(line.strip_prefix("cause: ").unwrap_or(line).to_owned())
}

/// Returns a text without what steers a terminal: colours (`ESC [ … m`), titles (`ESC ] … BEL`).
pub(super) fn plain(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = match after.as_bytes().first() {
            Some(b'[') => {
                let mut end = after[1..].trim_start_matches(|c| matches!(c, ' '..='?')).chars();
                end.next();
                end.as_str()
            }
            Some(b']') => after.find(['\u{7}', '\n']).map_or("", |end| after[end..].trim_start_matches('\u{7}')),
            _ => after,
        };
    }
    plain + rest
}

/// Returns true for `file.c:1:9: error: …`, and for what a linker misses.
fn is_compilers(line: &str) -> bool {
    let of_place = [": error: ", ": fatal error: "].iter().any(|word| {
        line.split_once(word).is_some_and(|(place, _)| {
            let end = place.rsplit(':').next().unwrap_or("");
            !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit())
        })
    });
    of_place || line.contains("undefined reference to ") || line.contains("ld: cannot find ")
}

fn is_telling(line: &str) -> bool {
    let line = line.trim_start_matches(['×', '╰', '├', '─', '▶', '│', ' ']);
    let small = line.to_lowercase();
    if EMPTY_WORDS.iter().any(|words| small.starts_with(words)) || is_ended_command(&small) {
        return false;
    }
    ["error: ", "error[", "fatal: ", "fatal error: ", "cmake error"].iter().any(|word| small.starts_with(word))
        || is_exception(line)
}

/// Returns true where all that is said is that a command ended with some status.
fn is_ended_command(small: &str) -> bool {
    small.starts_with("error: command ")
        && (small.contains("failed with exit") || small.contains("returned non-zero exit status"))
}

/// Returns true for the last line of a traceback: `ModuleNotFoundError: …`, `pkg.errors.BuildError: …`.
fn is_exception(line: &str) -> bool {
    let name = line.split([':', ' ']).next().unwrap_or("");
    let last = name.rsplit('.').next().unwrap_or("");
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    is_name
        && last.starts_with(char::is_uppercase)
        && (last.ends_with("Error") || last.ends_with("Exception"))
        && !last.ends_with("CalledProcessError")
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} …", line[..at].trim_end()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests;
