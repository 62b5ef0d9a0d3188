//! The kinds of answers, in the order in which a reader wants them.

use tacho_model::{Comparison, Standing, Verdict};

use crate::style::Style;

/// What kind of answer a comparison got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Slower,
    NewlyFailing,
    Faster,
    Fixed,
    Inconclusive,
    Unchanged,
    Incomparable,
    OnlyBefore,
    OnlyAfter,
    StillFailing,
    NotMeasured,
}

impl Group {
    pub(crate) const ALL: [Group; 11] = [
        Group::Slower,
        Group::NewlyFailing,
        Group::Faster,
        Group::Fixed,
        Group::Inconclusive,
        Group::Unchanged,
        Group::Incomparable,
        Group::OnlyBefore,
        Group::OnlyAfter,
        Group::StillFailing,
        Group::NotMeasured,
    ];

    pub(crate) fn of(comparison: &Comparison) -> Group {
        match &comparison.standing {
            Standing::Judged(judgement) => match judgement.verdict {
                Verdict::Slower => Group::Slower,
                Verdict::Faster => Group::Faster,
                Verdict::Unchanged => Group::Unchanged,
                Verdict::Inconclusive => Group::Inconclusive,
            },
            Standing::NewlyFailing => Group::NewlyFailing,
            Standing::Fixed => Group::Fixed,
            Standing::StillFailing => Group::StillFailing,
            Standing::NotMeasured => Group::NotMeasured,
            Standing::OnlyBefore => Group::OnlyBefore,
            Standing::OnlyAfter => Group::OnlyAfter,
            Standing::Incomparable(_) => Group::Incomparable,
        }
    }

    /// Returns the word for it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Group::Slower => "slower",
            Group::NewlyFailing => "newly failing",
            Group::Faster => "faster",
            Group::Fixed => "fixed",
            Group::Inconclusive => "inconclusive",
            Group::Unchanged => "unchanged",
            Group::Incomparable => "not compared",
            Group::OnlyBefore => "only before",
            Group::OnlyAfter => "only after",
            Group::StillFailing => "still failing",
            Group::NotMeasured => "not measured",
        }
    }

    /// Returns its words as the title of a table.
    pub(crate) fn title(self) -> String {
        let (first, rest) = self.words().split_at(1);
        first.to_uppercase() + rest
    }

    /// Returns asv's mark for it.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Group::Slower => "+",
            Group::Faster => "-",
            Group::NewlyFailing => "!",
            Group::Fixed => "*",
            Group::Incomparable => "x",
            Group::Inconclusive => "~",
            _ => "",
        }
    }

    /// Returns true for what `--only-changed` shows.
    pub(crate) fn is_change(self) -> bool {
        matches!(self, Group::Slower | Group::NewlyFailing | Group::Faster | Group::Fixed)
    }

    pub(crate) fn style(self) -> Style {
        match self {
            Group::Slower | Group::NewlyFailing => Style::Bad,
            Group::Faster | Group::Fixed => Style::Good,
            Group::Inconclusive | Group::Incomparable => Style::Warning,
            _ => Style::Plain,
        }
    }
}
