//! Feeds of new changes: Atom (RFC 4287), whose entries are the groups of `tacho changes`.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use tacho_model::{ChangeGroup, Timestamp};

use super::{Site, SiteFile};
use crate::changes::{effect_texts, heading, series_name, way};
use crate::rfc3339;

/// Returns the feed of all machines, and one for each.
pub(super) fn feeds(site: &Site) -> Vec<SiteFile> {
    let mut files = vec![SiteFile::new("feed.xml", feed(site, None))];
    for machine in &site.machines {
        let path = format!("feeds/{}.xml", super::document::file_stem(&machine.name));
        files.push(SiteFile::new(path, feed(site, Some(&machine.name))));
    }
    files
}

fn feed(site: &Site, machine: Option<&str>) -> Vec<u8> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    // Writing to memory does not fail.
    let _ = written(&mut writer, site, machine);
    let mut text = writer.into_inner();
    text.push(b'\n');
    text
}

type Feed = Writer<Vec<u8>>;

fn written(writer: &mut Feed, site: &Site, machine: Option<&str>) -> std::io::Result<()> {
    let is_here = |group: &&ChangeGroup| {
        machine.is_none_or(|name| group.changes.iter().any(|change| change.series.machine == name))
    };
    let groups: Vec<&ChangeGroup> = site.changes.groups.iter().filter(is_here).collect();
    let (title, own, up) = match machine {
        Some(name) => {
            (format!("Changes of {} on {name}", site.project), format!("urn:tacho:{}:{name}", site.project), "../")
        }
        None => (format!("Changes of {}", site.project), format!("urn:tacho:{}", site.project), ""),
    };
    let updated = groups.iter().filter_map(|group| group.latest().date()).max();
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    let mut result = Ok(());
    writer.create_element("feed").with_attribute(("xmlns", "http://www.w3.org/2005/Atom")).write_inner_content(
        |writer| {
            result = (|| {
                element(writer, "title", &title)?;
                element(writer, "id", &uri(&own))?;
                element(writer, "updated", &moment(updated))?;
                link(writer, &format!("{up}index.html"))?;
                groups.iter().try_for_each(|group| entry(writer, group, machine, up))
            })();
            Ok(())
        },
    )?;
    result
}

fn entry(writer: &mut Feed, group: &ChangeGroup, machine: Option<&str>, up: &str) -> std::io::Result<()> {
    let here = || group.changes.iter().filter(|change| machine.is_none_or(|name| change.series.machine == name));
    let count = |is_worse| here().filter(|change| change.is_worse == Some(is_worse)).count();
    let title = format!("{}: {} worse, {} better", heading(group), count(true), count(false));
    let line = |change: &tacho_model::Change| {
        let effect = effect_texts(change.effect, &change.series.metric.unit).0;
        let (words, _) = way(change.is_worse, &change.series);
        format!(
            "{words} {effect} {} on {} ({})",
            series_name(&change.series),
            change.series.machine,
            change.state.word()
        )
    };
    let lines: Vec<String> = group.title.iter().cloned().chain(here().map(line)).collect();
    let id = here().next().map_or("", |change| &change.id);
    let mut result = Ok(());
    writer.create_element("entry").write_inner_content(|writer| {
        result = (|| {
            element(writer, "title", &title)?;
            element(writer, "id", &format!("urn:tacho:change:{id}"))?;
            element(writer, "updated", &moment(group.latest().date()))?;
            link(writer, &format!("{up}index.html"))?;
            element(writer, "author", "")?;
            element(writer, "content", &lines.join("\n"))
        })();
        Ok(())
    })?;
    result
}

fn element(writer: &mut Feed, name: &str, text: &str) -> std::io::Result<()> {
    let text: String = text.chars().filter(|c| is_xml(*c)).collect();
    match name {
        "author" => writer.create_element("author").write_inner_content(|writer| element(writer, "name", "tacho"))?,
        _ => writer.create_element(name).write_text_content(BytesText::new(&text))?,
    };
    Ok(())
}

fn link(writer: &mut Feed, href: &str) -> std::io::Result<()> {
    writer.create_element("link").with_attribute(("href", href)).write_empty()?;
    Ok(())
}

/// XML has no way to write other characters.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
}

/// Keeps of a name what a URI may hold.
fn uri(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:".contains(c);
    text.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
}

/// An entry has to have a date; one that nobody knows is the oldest.
fn moment(moment: Option<Timestamp>) -> String {
    moment.and_then(rfc3339).unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned())
}
