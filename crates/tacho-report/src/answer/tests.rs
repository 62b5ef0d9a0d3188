//! Rows as a person and as a program reads them.

use super::*;
use crate::Screen;
use crate::json;

fn rows() -> Answer {
    let text = |text: &str| Datum::Text(text.into());
    Answer {
        columns: vec!["benchmark".into(), "n".into(), "value".into()],
        rows: vec![
            vec![text("core.time_x"), Datum::Integer(3), Datum::Real(1.234_567_89e-7)],
            vec![text("a\u{1b}[31mb\n<c>|`"), Datum::Null, Datum::Real(f64::INFINITY)],
            vec![Datum::Bytes(vec![0, 255]), Datum::Integer(-1), Datum::Null],
        ],
        is_cut: true,
    }
}

#[test]
fn a_table_shows_six_digits_and_obeys_nothing() {
    insta::assert_snapshot!(answer(&rows()).terminal(&Screen { width: 80, colour: false }));
    insta::assert_snapshot!(answer(&Answer { columns: vec!["x".into()], rows: vec![], is_cut: false }).markdown());
}

#[test]
fn json_has_all_digits_and_null_for_what_it_cannot_say() {
    insta::assert_snapshot!(json::answer(&rows()));
}
