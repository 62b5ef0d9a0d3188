//! Tests of what leaves for a terminal or for Markdown.

use proptest::prelude::*;

use super::*;

fn check_line(text: &str, expected: &str) {
    assert_eq!(one_line(text), expected);
}

fn check_markdown(text: &str, expected: &str) {
    assert_eq!(markdown(text), expected);
}

#[test]
fn a_terminal_gets_no_control_characters() {
    check_line("\u{1b}[2Jgone\u{7}", r"\u{1b}[2Jgone\u{7}");
    check_line("\u{9b}31m", r"\u{9b}31m");
    check_line("a\u{202e}b\u{200b}c", r"a\u{202e}b\u{200b}c");
    check_line("größe 漢字 e\u{301}", "größe 漢字 e\u{301}");
}

#[test]
fn a_line_stays_one_line() {
    check_line("  array([1,\n       2])\r\n\t!", "array([1, 2]) !");
    check_line("", "");
}

#[test]
fn a_block_keeps_its_lines_only() {
    assert_eq!(block("a\r\n\tb\u{1b}[0m\n\n"), "a\n    b\\u{1b}[0m");
}

#[test]
fn markdown_shows_text_as_it_is() {
    check_markdown("a|b", "a&#124;b");
    check_markdown(r"a\|b", r"a\\&#124;b");
    check_markdown("<script>&`x`", r"&lt;script&gt;&amp;\`x\`");
    check_markdown("@me #1 *b* _i_ [l](u)", r"@&#8203;me #&#8203;1 \*b\* \_i\_ \[l\](u)");
    check_markdown("one\ntwo", "one two");
}

#[test]
fn names_are_code_where_a_code_span_cannot_be_left() {
    for (text, expected) in
        [("m.f(1, 's')", "`m.f(1, 's')`"), ("a`b", r"a\`b"), ("a|b", "a&#124;b"), ("@me <b>", "`@me <b>`"), ("", "")]
    {
        assert_eq!(markdown_code(text), expected);
    }
}

#[test]
fn a_fence_is_longer_than_what_it_holds() {
    assert_eq!(markdown_block("```\nx"), "````text\n```\nx\n````");
    assert_eq!(markdown_block("x"), "```text\nx\n```");
}

proptest! {
    #[test]
    fn whatever_comes_nothing_is_obeyed_and_no_cell_is_left(text in any::<String>()) {
        prop_assert!(!one_line(&text).contains(is_hidden));
        prop_assert!(!block(&text).contains(|c| c != '\n' && is_hidden(c)));
        for cell in [markdown(&text), markdown_code(&text)] {
            prop_assert!(!cell.contains(['\n', '\r', '|']));
        }
        prop_assert!(!markdown(&text).contains(['<', '>']));
    }

    #[test]
    fn a_fence_is_closed_by_its_last_line_only(text in "[`x\n ]{0,40}") {
        let fenced = markdown_block(&text);
        let lines: Vec<&str> = fenced.lines().collect();
        let fence = lines[lines.len() - 1];
        prop_assert!(fence.len() >= 3);
        prop_assert_eq!(lines[0].strip_suffix("text"), Some(fence));
        prop_assert!(!lines[1..lines.len() - 1].iter().any(|line| line.contains(fence)));
    }
}
