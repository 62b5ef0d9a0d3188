//! The words that stand for the nouns' choices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Makes the twin of an enum without data; a variant missing here or there does not compile.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
        pub(crate) enum $name {
            $(#[serde(rename = $word)] $variant),+
        }

        impl From<tacho_model::$name> for $name {
            fn from(noun: tacho_model::$name) -> $name {
                match noun {
                    $(tacho_model::$name::$variant => $name::$variant),+
                }
            }
        }

        impl From<$name> for tacho_model::$name {
            fn from(twin: $name) -> tacho_model::$name {
                match twin {
                    $($name::$variant => tacho_model::$name::$variant),+
                }
            }
        }

        #[cfg(test)]
        impl $name {
            const PAIRS: &[(tacho_model::$name, &str)] = &[$((tacho_model::$name::$variant, $word)),+];
        }
    };
}

words! {
    /// The way a benchmark measures.
    Kind { Time = "time", TimeRaw = "timeraw", Memory = "mem", PeakMemory = "peakmem", Track = "track" }
}

words! {
    /// Which way a metric gets better.
    Direction { Lower = "lower", Higher = "higher", None = "none" }
}

words! {
    /// What a run is for.
    Purpose { History = "history", Pair = "pair", Gate = "gate" }
}

words! {
    /// How a round ended.
    State {
        Measured = "measured",
        Skipped = "skipped",
        NotRun = "not_run",
        Failed = "failed",
        TimedOut = "timed_out",
        Killed = "killed",
    }
}

words! {
    /// How the process of a round was made.
    Isolation { Fork = "fork", Spawn = "spawn" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_files_are_the_words_of_the_nouns() {
        Kind::PAIRS.iter().for_each(|(noun, word)| assert_eq!(noun.word(), *word));
        Direction::PAIRS.iter().for_each(|(noun, word)| assert_eq!(noun.word(), *word));
        Purpose::PAIRS.iter().for_each(|(noun, word)| assert_eq!(noun.word(), *word));
        State::PAIRS.iter().for_each(|(noun, word)| assert_eq!(noun.word(), *word));
        Isolation::PAIRS.iter().for_each(|(noun, word)| assert_eq!(noun.word(), *word));
    }
}
