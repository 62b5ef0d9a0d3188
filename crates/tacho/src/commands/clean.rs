//! `tacho clean`: makes room by removing what can be made anew.

use clap::Args;
use tacho_measure::environments::Cache;

use crate::context::Context;
use crate::error::{Result, WithHint};
use crate::exit;

/// Remove what can be made anew: environments, builds, checkouts
///
/// Everything below the store's folder `cache` goes. Records are never touched, and what another `tacho` uses at this
/// moment stays and is named.
#[derive(Debug, Args)]
pub(crate) struct CleanArgs {
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
    /// Keep what was used last, up to this size: `20GiB`, `500MB`
    #[arg(long, value_name = "SIZE", value_parser = size_bytes)]
    keep: Option<u64>,
    /// Print JSON (schema tacho.clean/1)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: CleanArgs, context: &Context<'_>) -> Result<u8> {
    let settings = context.settings()?;
    let cache = Cache::new(&settings.path(&settings.store.value).join("cache"));
    let keep_bytes = args.keep.unwrap_or(0);
    let cleaning = match args.dry_run {
        true => cache.would_clean(keep_bytes),
        false => cache.clean(keep_bytes),
    };
    let cleaning = cleaning.hint("see to whom the store's folder `cache` belongs; it may be removed by hand too")?;
    let text = match args.json {
        true => tacho_report::json::clean(&cleaning, args.dry_run),
        false => tacho_report::cleaning(&cleaning, args.dry_run).terminal(&context.console.screen()),
    };
    context.console.data(&text)?;
    if cleaning.in_use.is_empty() {
        return Ok(exit::YES);
    }
    context.console.talk("hint: what is in use can go once the other `tacho` has ended");
    Ok(exit::PARTIAL)
}

/// Reads a size: a number with a unit of 1000 (`MB`) or of 1024 (`MiB`, and `M` for short), or of bytes without one.
fn size_bytes(text: &str) -> std::result::Result<u64, String> {
    let wrong = || "it is a number with a unit, as `20GiB` or `500MB`".to_owned();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.trim().to_lowercase();
    let factor: f64 = match unit.as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    Ok((number * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(size_bytes(text).ok(), expected, "{text}");
        check("0", Some(0));
        check("1024", Some(1024));
        check("1.5k", Some(1536));
        check("500MB", Some(500_000_000));
        check("20 GiB", Some(20 << 30));
        check("2T", Some(2 << 40));
        check("-1", None);
        check("GiB", None);
        check("1 parsec", None);
        check("1.2.3", None);
    }
}
