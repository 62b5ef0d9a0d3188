//! `commit` is a column of ours and a keyword of SQL's: a bare one is put into quotes.

/// A question with its bare `commit`s in quotes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    pub(crate) sql: String,
    /// Where each of them ends in the original, in bytes.
    ends: Vec<usize>,
}

const WORD: &str = "commit";

/// Puts every bare `commit` into quotes but one that a statement begins with. Texts, quoted names and comments stay.
pub(crate) fn quoted(sql: &str) -> Quoted {
    let (mut out, mut ends) = (String::with_capacity(sql.len() + 8), Vec::new());
    let (mut at, mut is_first) = (0, true);
    while at < sql.len() {
        let rest = &sql[at..];
        let n = token_length(rest);
        let token = &rest[..n];
        let is_blank = token.trim().is_empty() || token.starts_with("--") || token.starts_with("/*");
        if token.eq_ignore_ascii_case(WORD) && !is_first {
            out.push('"');
            out.push_str(token);
            out.push('"');
            ends.push(at + n);
        } else {
            out.push_str(token);
        }
        is_first = if is_blank { is_first } else { token == ";" };
        at += n;
    }
    Quoted { sql: out, ends }
}

impl Quoted {
    /// Returns the place in the original of a byte of the quoted question.
    pub(crate) fn original(&self, offset: usize) -> usize {
        // Each quoted word that lies before moved the byte by two.
        let mut moved = 0;
        for end in &self.ends {
            if offset >= end + moved + 2 {
                moved += 2;
            }
        }
        offset - moved
    }
}

/// Returns the length in bytes of the text, name, comment, word or sign that `rest` begins with.
fn token_length(rest: &str) -> usize {
    let closing = |open: usize, end: &str| rest[open..].find(end).map_or(rest.len(), |at| open + at + end.len());
    let Some(first) = rest.chars().next() else { return 0 };
    match first {
        // A doubled quote is two texts side by side, which is as good here.
        '\'' | '"' | '`' => closing(1, first.encode_utf8(&mut [0; 4])),
        '[' => closing(1, "]"),
        '-' if rest.starts_with("--") => closing(2, "\n"),
        '/' if rest.starts_with("/*") => closing(2, "*/"),
        c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        c => c.len_utf8(),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | ':') || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sql: &str, expected: &str) {
        assert_eq!(quoted(sql).sql, expected);
    }

    #[test]
    fn a_bare_commit_is_a_column() {
        check("SELECT commit, r.Commit FROM r", "SELECT \"commit\", r.\"Commit\" FROM r");
        check("SELECT \"commit\", [commit], `commit`", "SELECT \"commit\", [commit], `commit`");
        check("SELECT 'it''s a commit' -- commit\n, commit_date", "SELECT 'it''s a commit' -- commit\n, commit_date");
        check("/* commit */ SELECT commit", "/* commit */ SELECT \"commit\"");
    }

    #[test]
    fn a_statement_stays_one() {
        check("COMMIT", "COMMIT");
        check(" -- x\n commit; commit", " -- x\n commit; commit");
        check("SELECT 'unfinished commit", "SELECT 'unfinished commit");
    }

    #[test]
    fn places_are_those_of_what_was_asked() {
        let sql = "SELECT commit, commit, x";
        let quoted = quoted(sql);
        assert_eq!(quoted.original(quoted.sql.find('x').unwrap()), sql.find('x').unwrap());
        assert_eq!(quoted.original(quoted.sql.find("\"commit\"").unwrap()), sql.find("commit").unwrap());
    }
}
