//! Sorted runs of points in one temporary file, read back as one sequence.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use super::points::Point;

/// How much of a run is read ahead.
const AHEAD_BYTES: usize = 1 << 16;

/// Runs of points that were put aside.
#[derive(Debug)]
pub(super) struct Runs {
    folder: PathBuf,
    file: Option<File>,
    /// Where each run begins and ends.
    extents: Vec<(u64, u64)>,
}

/// A part of the file; other parts may be read at the same time.
struct Extent<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Extent<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buffer.len());
        let n = self.file.read_at(&mut buffer[..most], self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Runs {
    pub(super) fn in_folder(folder: PathBuf) -> Runs {
        Runs { folder, file: None, extents: Vec::new() }
    }

    /// Adds a run: points in their order. The file has no name, so that nothing is left of it.
    pub(super) fn put_aside(&mut self, points: &[Point]) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile_in(&self.folder)?,
        };
        let mut file: &File = self.file.insert(file);
        let start = file.seek(SeekFrom::End(0))?;
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        points.iter().try_for_each(|point| write(&mut writer, point))?;
        writer.flush()?;
        drop(writer);
        self.extents.push((start, file.stream_position()?));
        Ok(())
    }

    /// Hands over all points in their order, those of `last`, which are in theirs, among them; of equal ones the earlier first.
    pub(super) fn merged(
        &mut self,
        last: Vec<Point>,
        mut take: impl FnMut(Point) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let Some(file) = self.file.take() else { return last.into_iter().try_for_each(take) };
        let mut sources: Vec<Box<dyn Iterator<Item = io::Result<Point>> + '_>> = Vec::new();
        for (at, end) in self.extents.drain(..) {
            let mut reader = BufReader::with_capacity(AHEAD_BYTES, Extent { file: &file, at, end });
            sources.push(Box::new(std::iter::from_fn(move || read(&mut reader).transpose())));
        }
        sources.push(Box::new(last.into_iter().map(Ok)));
        let mut heads = Vec::with_capacity(sources.len());
        let mut order = BinaryHeap::with_capacity(sources.len());
        for (which, source) in sources.iter_mut().enumerate() {
            let head = source.next().transpose().map_err(told)?;
            order.extend(head.as_ref().map(|point| Reverse((point.place(), which))));
            heads.push(head);
        }
        while let Some(Reverse((_, which))) = order.pop() {
            let next = sources[which].next().transpose().map_err(told)?;
            order.extend(next.as_ref().map(|point| Reverse((point.place(), which))));
            if let Some(point) = std::mem::replace(&mut heads[which], next) {
                take(point)?;
            }
        }
        Ok(())
    }
}

fn told(error: io::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

fn write(to: &mut impl Write, point: &Point) -> io::Result<()> {
    let Point { series, cell, definition, state, n_samples, numbers, message } = point;
    for number in [series, cell, definition] {
        to.write_all(&number.to_le_bytes())?;
    }
    to.write_all(&[*state, u8::from(message.is_some())])?;
    to.write_all(&n_samples.to_le_bytes())?;
    for number in numbers {
        to.write_all(&number.to_le_bytes())?;
    }
    if let Some(message) = message {
        // A message has some hundred characters at most.
        to.write_all(&(message.len() as u32).to_le_bytes())?;
        to.write_all(message.as_bytes())?;
    }
    Ok(())
}

/// Reads the next point; `None` at the end.
fn read(from: &mut impl Read) -> io::Result<Option<Point>> {
    let mut first = [0; 8];
    match from.read_exact(&mut first) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    let series = i64::from_le_bytes(first);
    let (cell, definition) = (i64::from_le_bytes(next(from)?), i64::from_le_bytes(next(from)?));
    let [state, has_message] = next(from)?;
    let n_samples = u32::from_le_bytes(next(from)?);
    let mut numbers = [0.0; 4];
    for number in &mut numbers {
        *number = f64::from_le_bytes(next(from)?);
    }
    let message = if has_message == 1 { Some(text(from)?) } else { None };
    Ok(Some(Point { series, cell, definition, state, n_samples, numbers, message }))
}

fn next<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn text(from: &mut impl Read) -> io::Result<Box<str>> {
    let mut bytes = vec![0; u32::from_le_bytes(next(from)?) as usize];
    from.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map(String::into_boxed_str).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

    use super::*;

    fn point(series: i64, cell: i64, value: f64) -> Point {
        let message = (cell % 2 == 0).then(|| "not built: \u{e9}".into());
        Point { series, cell, definition: 3, state: 1, n_samples: 7, numbers: [value, 0.5, -1.0, 1e300], message }
    }

    fn check(runs: &[&[(i64, i64)]], last: &[(i64, i64)]) {
        let points = |run: &[(i64, i64)], value: f64| run.iter().map(|at| point(at.0, at.1, value)).collect::<Vec<_>>();
        let folder = tempfile::tempdir().unwrap();
        let mut aside = Runs::in_folder(folder.path().to_owned());
        // Twice: what was handed over is not handed over again.
        for _ in 0..2 {
            let mut expected = Vec::new();
            for (at, run) in runs.iter().enumerate() {
                aside.put_aside(&points(run, at as f64)).unwrap();
                expected.extend(points(run, at as f64));
            }
            expected.extend(points(last, 9.0));
            expected.sort_by_key(Point::place);
            let mut found = Vec::new();
            let told = aside.merged(points(last, 9.0), |point| {
                found.push(point);
                Ok(())
            });
            told.unwrap();
            assert_eq!(found, expected);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn runs_come_back_as_one_sequence() {
        check(&[], &[]);
        check(&[], &[(1, 1), (2, 1)]);
        check(&[&[(1, 1), (1, 2), (5, 0)], &[], &[(1, 1), (2, 4)]], &[(0, 0), (1, 2), (9, 9)]);
        check(&[&[(2, 1)], &[(2, 1)], &[(2, 1), (2, 1)]], &[(2, 1)]);
    }
}
