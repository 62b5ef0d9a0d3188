//! Tests of tables at several widths and in Markdown.

use insta::assert_snapshot;

use super::*;

/// Returns a table with a column of each sort; `= 0.5` is a quantity in seconds, other results are words.
fn table(rows: &[(&str, &str)]) -> Table {
    let mut table = Table::new(vec![
        ("name".into(), Holds::Names),
        ("runs".into(), Holds::Numbers),
        ("result".into(), Holds::Words),
    ]);
    for (index, (name, words)) in rows.iter().enumerate() {
        let result = match words.strip_prefix("= ").map(str::parse::<f64>) {
            Some(Ok(value)) => Cell::quantity(Quantity::new(value, (value < 1.0).then_some(value / 4.0), "s")),
            _ => Cell::text(*words).styled(Style::Bad),
        };
        table.push(vec![Cell::text(*name), Cell::text((index * 50).to_string()), result]);
    }
    table
}

const ROWS: [(&str, &str); 4] = [
    ("package.module.Class.time_something_with_a_long_name", "= 0.5"),
    ("short", "= 0.0000512"),
    ("漢字", "= 12"),
    ("m.time_bad", "failed: ValueError: operands could not be broadcast"),
];

#[test]
fn what_fits_stays_as_it_is() {
    assert_snapshot!(table(&ROWS).terminal(&Screen { width: 120, colour: false }), @r"
    name                                                  runs  result
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
    package.module.Class.time_something_with_a_long_name     0   500 ± 125  ms
    short                                                   50  51.2 ± 12.8 μs
    漢字                                                   100  12.0 s
    m.time_bad                                             150  failed: ValueError: operands could not be broadcast
    ");
}

#[test]
fn labels_are_shortened_only_while_they_tell_rows_apart() {
    let labels = ["uv-py3.11-numpy1.26-threads1", "uv-py3.12-numpy1.26-threads1", "uv-py3.12-numpy2.1-threads1"];
    let mut table = Table::new(vec![("run".into(), Holds::Marks), ("environment".into(), Holds::Labels)]);
    for (run, label) in ["a", "b", "c"].into_iter().zip(labels) {
        table.push(vec![Cell::text(run), Cell::text(label)]);
    }
    let at = |width: usize| table.terminal(&Screen { width, colour: false });
    assert_snapshot!(at(31), @r"
    run  environment
    ─────────────────────────────
    a    uv-py3.11-n….26-threads1
    b    uv-py3.12-n….26-threads1
    c    uv-py3.12-n…2.1-threads1
    ");
    assert_snapshot!(at(26), @r"
    - run          a
      environment  uv-py3.11-numpy1.26-threads1
    - run          b
      environment  uv-py3.12-numpy1.26-threads1
    - run          c
      environment  uv-py3.12-numpy2.1-threads1
    ");
}

#[test]
fn names_lose_their_middle_and_words_their_end_but_numbers_nothing() {
    assert_snapshot!(table(&ROWS).terminal(&Screen { width: 60, colour: false }), @r"
    name                       runs  result
    ──────────────────────────────────────────────────────────
    package.modu…_a_long_name     0   500 ± 125  ms
    short                        50  51.2 ± 12.8 μs
    漢字                        100  12.0 s
    m.time_bad                  150  failed: ValueError: oper…
    ");
}

#[test]
fn rows_become_blocks_where_columns_cannot_stand_side_by_side() {
    assert_snapshot!(table(&ROWS[2..]).terminal(&Screen { width: 24, colour: false }), @r"
    - name    漢字
      runs    0
      result  12.0 s
    - name    m.time_bad
      runs    50
      result  failed:
              ValueError:
              operands
              could not be
              broadcast
    ");
}

#[test]
fn markdown_has_one_line_for_each_row() {
    let hostile = [("a`b|c", "x\n| y | <b> @me"), ("ok", "= 0.5"), (r"back\|slash", "")];
    assert_snapshot!(table(&hostile).markdown(), @r"
    | name | runs | result |
    | --- | ---: | --- |
    | a\`b&#124;c | 0 | x &#124; y &#124; &lt;b&gt; @&#8203;me |
    | `ok` | 50 | 500 ± 125 ms |
    | back\\&#124;slash | 100 |  |
    ");
}

#[test]
fn colours_repeat_what_the_words_say() {
    let screen = Screen { width: 40, colour: true };
    let coloured = table(&ROWS[3..]).terminal(&screen);
    // Where NO_COLOR is set only the header stays bold.
    assert!(coloured.contains('\u{1b}'), "{coloured:?}");
    let plain = table(&ROWS[3..]).terminal(&Screen { colour: false, ..screen });
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
}

#[test]
fn no_line_is_wider_than_the_screen() {
    for width in 40..130 {
        let text = table(&ROWS).terminal(&Screen { width, colour: false });
        let widest = text.lines().map(crate::width::width).max();
        assert!(widest <= Some(width), "{width}:\n{text}");
    }
}

fn check_fit(natural: &[usize], least: &[usize], budget: usize, expected: &[usize]) {
    assert_eq!(fit(natural, least, budget), expected);
}

#[test]
fn the_widest_columns_give_way() {
    check_fit(&[10, 20], &[8, 8], 30, &[10, 20]);
    check_fit(&[10, 20], &[8, 8], 25, &[10, 15]);
    check_fit(&[20, 20], &[8, 8], 25, &[13, 12]);
    check_fit(&[20, 20], &[20, 8], 30, &[20, 10]);
    check_fit(&[30, 30, 4], &[8, 8, 4], 21, &[9, 8, 4]);
}
