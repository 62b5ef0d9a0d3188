//! Makes text from others harmless: for a terminal, and inside Markdown.

#[cfg(test)]
mod tests;

/// Returns one line: every run of white space is one space, control characters are written out.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" "))
}

/// Returns the text with its line breaks, tabs as four spaces, and control characters written out.
pub fn block(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\t', "    ");
    let lines: Vec<String> = text.trim_end().split('\n').map(visible).collect();
    lines.join("\n")
}

/// Returns true where a terminal shows the text as it is, so that it can be copied.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.chars().any(is_hidden)
}

fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// Returns true for what a terminal obeys instead of showing it, or what shows other than it is:
/// control characters (C0, DEL, C1), marks that turn the direction of text, invisible characters.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{feff}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Returns one line of text that Markdown shows as it is.
///
/// `|` becomes an entity, because `\|` after a backslash would end a table's cell. A character of no
/// width behind `@` and `#` keeps forges from telling people or linking issues.
pub(crate) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' => out.push_str("&#124;"),
            '@' | '#' => {
                out.push(c);
                out.push_str("&#8203;");
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns a name as a Markdown code span, or as plain escaped text where a code span could be left.
pub(crate) fn markdown_code(text: &str) -> String {
    let line = one_line(text);
    if line.is_empty() {
        String::new()
    } else if line.contains(['`', '|', '\\']) {
        markdown(&line)
    } else {
        format!("`{line}`")
    }
}

/// Returns a fenced block whose fence is longer than any run of backticks in it.
pub(crate) fn markdown_block(text: &str) -> String {
    let text = block(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}
