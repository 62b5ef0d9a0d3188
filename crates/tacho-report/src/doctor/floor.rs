//! The noise floor: what two identical programs differ by, and the smallest change that can be seen.

use tacho_model::unit::human_duration;
use tacho_model::{Clock, NoiseFloor, Workload};

use super::MeasuredControl;
use crate::page::Page;
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

/// Appends the measured control, or that there is none.
pub(super) fn append(page: &mut Page, control: Option<&MeasuredControl<'_>>) {
    page.title("Noise floor");
    let Some(control) = control else {
        page.line("Not measured.", Style::Faint);
        return;
    };
    let seconds = human_duration(control.duration_ns as f64 / 1e9);
    let rounds = rounds_text(control.n_rounds);
    page.line(format!("Two identical programs took turns for {rounds}, in {seconds}."), Style::Plain);
    page.table(floors(control.floors));
    if control.is_valid == Some(false) {
        page.line(invalid(control.floors), Style::Bad);
    } else {
        append_answer(page, control);
    }
}

fn rounds_text(n_rounds: usize) -> String {
    format!("{n_rounds} round{}", if n_rounds == 1 { "" } else { "s" })
}

fn floors(floors: &[NoiseFloor]) -> Table {
    let numbers = ["difference", "99 % interval", "smallest change", "rounds for 1 %"];
    let mut columns = vec![("program".to_owned(), Holds::Marks), ("clock".to_owned(), Holds::Marks)];
    columns.extend(numbers.map(|header| (header.to_owned(), Holds::Numbers)));
    let mut table = Table::new(columns);
    for floor in floors {
        let interval = floor.interval.map(|(low, high)| format!("{} to {} %", signed(low), signed(high)));
        let difference = Cell::text(signed(floor.ratio) + " %");
        table.push(vec![
            Cell::text(floor.workload.word()),
            Cell::text(clock(floor.clock)),
            if floor.differs == Some(true) { difference.styled(Style::Bad) } else { difference },
            Cell::text(interval.unwrap_or_default()),
            Cell::text(floor.smallest_change.map_or(String::new(), percent)),
            Cell::text(floor.rounds_for_one_percent.map_or(String::new(), |rounds| rounds.to_string())),
        ]);
    }
    table
}

fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Cpu => "CPU time",
        Clock::Wall => "wall time",
    }
}

fn kind(workload: Workload) -> &'static str {
    match workload {
        Workload::Cpu => "CPU-bound",
        Workload::Memory => "memory-bound",
    }
}

fn invalid(floors: &[NoiseFloor]) -> String {
    let differing = floors.iter().filter(|floor| floor.differs == Some(true));
    let texts: Vec<String> = differing
        .map(|floor| format!("{} % in {} ({})", signed(floor.ratio), clock(floor.clock), floor.workload.word()))
        .collect();
    format!(
        "Two identical programs differ: {}. This machine is not fit for comparisons now: mend what disturbs, and look \
         again.",
        texts.join(", ")
    )
}

/// Appends the answer in plain words.
fn append_answer(page: &mut Page, control: &MeasuredControl<'_>) {
    let rounds = rounds_text(control.n_rounds);
    let mut is_told = false;
    for workload in Workload::ALL {
        if let Some(changes) = changes_seen(workload, control.floors) {
            let text = format!("Changes of {changes} can be seen in {rounds} of a {} benchmark.", kind(workload));
            page.line(text, Style::Strong);
            is_told = true;
        }
    }
    if !is_told {
        let tell = if control.n_rounds == 1 { "tells" } else { "tell" };
        page.line(format!("{rounds} {tell} too little of what can be seen: take 8 at least."), Style::Strong);
    }
}

fn changes_seen(workload: Workload, floors: &[NoiseFloor]) -> Option<String> {
    let of_workload = floors.iter().filter(|floor| floor.workload == workload);
    let texts: Vec<String> = of_workload
        .filter_map(|floor| Some(format!("{} or more in {}", percent(floor.smallest_change?), clock(floor.clock))))
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Returns a ratio as a signed difference in percent: `+0.12`.
fn signed(ratio: f64) -> String {
    format!("{:+.2}", (ratio - 1.0) * 100.0)
}

/// Returns a share with two digits that count.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = if percent >= 9.95 { 0 } else { usize::from(percent < 0.995) + 1 };
    format!("{percent:.decimals$} %")
}
