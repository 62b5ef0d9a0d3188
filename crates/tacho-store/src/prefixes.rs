//! Keeps private paths and the user's name out of everything that is stored.

use std::path::Path;

const PROJECT: &str = "{project}";
const ENV: &str = "{env}";
const HOME: &str = "{home}";
const TMP: &str = "{tmp}";

/// The prefixes of paths that say more about a person than about a measurement.
///
/// In every stored text they become `{project}`, `{env}`, `{home}` and `{tmp}`: the longest first, and only where
/// a path begins with them and its next part begins after them. The user's name becomes `{user}` where it is
/// a part of any other path. In texts that identify a series the environment's folder and the user's name
/// stay. Each method that adds a folder may be called several times.
#[derive(Debug, Clone, Default)]
pub struct Prefixes {
    // Longest first.
    paths: Vec<(String, &'static str)>,
    user: Option<String>,
}

impl Prefixes {
    /// Adds the folder of the project, `{project}`.
    pub fn project(self, path: &Path) -> Prefixes {
        self.with(path, PROJECT)
    }

    /// Adds the folder of the measured environment, `{env}`.
    pub fn env(self, path: &Path) -> Prefixes {
        self.with(path, ENV)
    }

    /// Adds the user's home folder, `{home}`.
    pub fn home(self, path: &Path) -> Prefixes {
        self.with(path, HOME)
    }

    /// Adds the folder for temporary files, `{tmp}`.
    pub fn tmp(self, path: &Path) -> Prefixes {
        self.with(path, TMP)
    }

    /// Sets the user's name, `{user}`.
    pub fn user(mut self, name: &str) -> Prefixes {
        self.user = Some(name.to_owned()).filter(|name| !name.is_empty());
        self
    }

    /// Returns a text as it may be stored where it says something and identifies nothing.
    pub fn replace(&self, text: &str) -> String {
        self.replaced(text, |_| true, self.user.as_deref())
    }

    /// Returns a text that is part of what identifies a series as it is stored: names of projects, machines, modules,
    /// benchmarks, parameters, metrics and axes, values of parameters and axes, units.
    ///
    /// Project, home and temporary folder are replaced, so that the identity is the same for all users. The
    /// environment's folder stays, since a case measured in two environments is one case, and so does the
    /// user's name.
    pub fn replace_identity(&self, text: &str) -> String {
        self.replaced(text, |token| token != ENV, None)
    }

    fn replaced(&self, text: &str, takes: impl Fn(&str) -> bool, user: Option<&str>) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let mut place = Place::Between;
        while let Some(c) = rest.chars().next() {
            let starts_path = matches!(place, Place::Between | Place::Flag) || out.ends_with("://");
            let prefix = if starts_path { self.prefix_of(rest, &takes) } else { None };
            let user = user.filter(|_| place != Place::Word);
            if let Some((length, token)) = prefix.or_else(|| user_in(rest, user?)) {
                out.push_str(token);
                place = Place::Path;
                rest = &rest[length..];
            } else {
                out.push(c);
                place = place.after(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        out
    }

    fn with(mut self, path: &Path, token: &'static str) -> Prefixes {
        // Programs print a path as they were given it, or with its links resolved.
        let resolved = path.canonicalize().ok();
        for path in [Some(path.to_owned()), resolved].into_iter().flatten() {
            let text = path.to_string_lossy().trim_end_matches('/').to_owned();
            if text.starts_with('/') && !self.paths.contains(&(text.clone(), token)) {
                self.paths.push((text, token));
            }
        }
        self.paths.sort_by_key(|(path, token)| (std::cmp::Reverse(path.len()), rank(token)));
        self
    }

    fn prefix_of(&self, rest: &str, takes: impl Fn(&str) -> bool) -> Option<(usize, &'static str)> {
        let fits =
            |(path, token): &&(String, &str)| takes(token) && rest.strip_prefix(path.as_str()).is_some_and(ends_part);
        self.paths.iter().find(fits).map(|(path, token)| (path.len(), *token))
    }
}

fn user_in(rest: &str, user: &str) -> Option<(usize, &'static str)> {
    // The second is how pytest and others name a user's folder among the temporary ones.
    for (before, token) in [("/", "/{user}"), ("-of-", "-of-{user}")] {
        let after = rest.strip_prefix(before).and_then(|rest| rest.strip_prefix(user));
        if after.is_some_and(ends_part) {
            return Some((before.len() + user.len(), token));
        }
    }
    None
}

fn rank(token: &str) -> usize {
    [PROJECT, ENV, HOME, TMP].iter().position(|known| *known == token).unwrap_or(0)
}

/// What the text before a position is part of.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Nothing: a path may begin here.
    Between,
    /// Letters that a path may follow at once, as in `-I/usr/include`.
    Flag,
    /// A path, from its root or from here.
    Path,
    /// Anything else, slashes included: `MB/s`, `feature/tmp`.
    Word,
}

impl Place {
    fn after(self, c: char) -> Place {
        let goes_on = c.is_alphanumeric() || "/._-+~".contains(c);
        match (self, c) {
            _ if !goes_on => Place::Between,
            (Place::Between | Place::Flag, '/') | (Place::Between, '.' | '~') => Place::Path,
            (Place::Between, '-') => Place::Flag,
            (Place::Between, _) => Place::Word,
            (place, _) => place,
        }
    }
}

// `/home/alice` is no prefix of `/home/alice2` or `/home/alice.old`, but it is one of `/home/alice.` and `/home/alice/x`.
fn ends_part(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('.') => !chars.next().is_some_and(|c| c.is_alphanumeric() || c == '.'),
        Some(c) => !(c.is_alphanumeric() || c == '_' || c == '-'),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let prefixes = Prefixes::default()
            .home(Path::new("/no-such/alice"))
            .tmp(Path::new("/no-such/tmp"))
            .project(Path::new("/no-such/alice/work/"))
            .env(Path::new("/no-such/alice/work/env"))
            .user("alice");
        assert_eq!(prefixes.replace(text), expected);
    }

    #[test]
    fn the_longest_prefix_wins() {
        check("/no-such/alice/x", "{home}/x");
        check("/no-such/alice/work/x", "{project}/x");
        check("/no-such/alice/work/env/bin/python", "{env}/bin/python");
        check("/no-such/alice", "{home}");
    }

    #[test]
    fn prefixes_end_where_a_part_ends() {
        check("/no-such/alice2/x", "/no-such/alice2/x");
        check("/no-such/tmp.old /no-such/tmp-2 /no-such/tmp_3", "/no-such/tmp.old /no-such/tmp-2 /no-such/tmp_3");
        check("It is in /no-such/tmp.", "It is in {tmp}.");
        check("/mnt/no-such/tmp", "/mnt/no-such/tmp");
        check("x/no-such/tmp", "x/no-such/tmp");
    }

    #[test]
    fn paths_are_found_inside_texts() {
        check("File \"/no-such/alice/work/b.py\", line 3", "File \"{project}/b.py\", line 3");
        check("/no-such/tmp:/no-such/alice/bin", "{tmp}:{home}/bin");
        check("-I/no-such/alice/include -L'/no-such/tmp'", "-I{home}/include -L'{tmp}'");
        check("pkg @ file:///no-such/alice/pkg", "pkg @ file://{home}/pkg");
        check("größe=/no-such/tmp/ä", "größe={tmp}/ä");
        check("no path here", "no path here");
        check("", "");
    }

    #[test]
    fn the_users_name_does_not_stand_in_other_paths() {
        check("/scratch/alice/x", "/scratch/{user}/x");
        check("/no-such/tmp/pytest-of-alice/pytest-0", "{tmp}/pytest-of-{user}/pytest-0");
        check("-L/scratch/alice ../alice/x", "-L/scratch/{user} ../{user}/x");
        check("/scratch/alices alice", "/scratch/alices alice");
        check("MB/alice", "MB/alice");
    }

    #[test]
    fn the_root_is_no_prefix() {
        assert_eq!(Prefixes::default().home(Path::new("/")).replace("/x"), "/x");
        assert_eq!(Prefixes::default().home(Path::new("")).replace("x/y"), "x/y");
    }

    fn check_identity(text: &str, expected: &str) {
        let prefixes = Prefixes::default()
            .env(Path::new("/no-such/usr"))
            .env(Path::new("/no-such/alice/work/env"))
            .env(Path::new("/no-such/alice/same"))
            .home(Path::new("/no-such/alice"))
            .tmp(Path::new("/no-such/tmp"))
            .project(Path::new("/no-such/alice/work"))
            .project(Path::new("/no-such/alice/same"))
            .user("alice");
        assert_eq!(prefixes.replace_identity(text), expected);
        // What is stored is compared with what is not stored yet.
        assert_eq!(prefixes.replace_identity(expected), expected);
    }

    #[test]
    fn an_identity_is_the_same_in_every_environment() {
        check_identity("'/no-such/usr/share/dict/words'", "'/no-such/usr/share/dict/words'");
        check_identity("/no-such/usr", "/no-such/usr");
    }

    #[test]
    fn an_identity_is_the_same_for_every_user() {
        check_identity("/no-such/alice/work/data", "{project}/data");
        check_identity("/no-such/alice/data /no-such/tmp/x", "{home}/data {tmp}/x");
        // Below the folders that count, the environment's is one as any other.
        check_identity("/no-such/alice/work/env/x", "{project}/env/x");
        check_identity("/no-such/alice/same/x", "{project}/x");
    }

    #[test]
    fn an_identity_keeps_what_is_called_as_the_user_is() {
        check_identity("/scratch/alice/x", "/scratch/alice/x");
        check_identity("m.time_x/alice", "m.time_x/alice");
    }
}
