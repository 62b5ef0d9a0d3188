//! How many columns of a terminal a text takes, and how it is shortened to fit.

/// Returns how many columns `text` takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Returns 0 for marks that combine, 2 for East Asian wide characters and pictographs, else 1.
///
/// The blocks are those that Unicode's EastAsianWidth.txt calls wide; single characters elsewhere
/// that a terminal may draw wide are not worth a table.
fn char_width(c: char) -> usize {
    match c {
        ' '..='~' => 1,
        '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{303e}' | '\u{3041}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 2,
        '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' => 2,
        '\u{1f300}'..='\u{1f64f}' | '\u{1f900}'..='\u{1f9ff}' | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// Returns the text with its middle replaced by `…` where it is wider than `columns`.
pub(crate) fn shorten_middle(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let kept = columns.saturating_sub(1);
    // The end of a name tells more than its beginning, so it gets the odd column.
    let head = take(text.chars(), kept / 2);
    let tail: String = take(text.chars().rev(), kept - kept / 2).into_iter().rev().collect();
    format!("{}…{tail}", head.into_iter().collect::<String>())
}

/// Returns the text with its end replaced by `…` where it is wider than `columns`.
pub(crate) fn shorten_end(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let head: String = take(text.chars(), columns.saturating_sub(1)).into_iter().collect();
    format!("{}…", head.trim_end())
}

/// Returns the longest beginning of `chars` that takes at most `columns`.
fn take(chars: impl Iterator<Item = char>, columns: usize) -> Vec<char> {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += char_width(*c);
            used <= columns
        })
        .collect()
}

/// Returns the text broken at spaces into lines of at most `columns`; a longer word stays whole.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let line = &mut lines[..];
        let Some(last) = line.last_mut() else { break };
        if last.is_empty() {
            last.push_str(word);
        } else if width(last) + 1 + width(word) <= columns {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Returns the text followed by as many spaces as fill `columns`.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Returns the text behind as many spaces as fill `columns`.
pub(crate) fn padded_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_middle(text: &str, columns: usize, expected: &str) {
        assert_eq!(shorten_middle(text, columns), expected);
        assert!(width(expected) <= columns.max(1), "{expected}");
    }

    #[test]
    fn long_names_lose_their_middle() {
        check_middle("short", 5, "short");
        check_middle("linalg.Norms.time_norm", 11, "linal…_norm");
        check_middle("linalg.Norms.time_norm", 12, "linal…e_norm");
        check_middle("漢字漢字漢字", 7, "漢…字");
        check_middle("abc", 1, "…");
        check_middle("abc", 0, "…");
    }

    #[test]
    fn long_words_lose_their_end() {
        assert_eq!(shorten_end("failed: ValueError", 9), "failed:…");
        assert_eq!(shorten_end("failed", 6), "failed");
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible", 7), ["incomprehensible"]);
        assert_eq!(wrap("", 7), [""]);
    }
}
