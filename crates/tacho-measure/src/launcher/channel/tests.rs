//! Tests of the lines and descriptors that go over a socket.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;

use super::super::wire::{Request, Word};
use super::*;

fn pair() -> (Channel, Channel) {
    let (one, other) = UnixStream::pair().unwrap();
    (Channel::new(one.into()), Channel::new(other.into()))
}

#[test]
fn descriptors_arrive_with_their_line() {
    let (sender, mut receiver) = pair();
    let (mut reader, writer) = std::io::pipe().unwrap();
    sender.send(&Request::Kill { id: 1 }, &[writer.as_fd()]).unwrap();
    drop(writer);
    receiver.receive().unwrap();
    assert_eq!(receiver.next::<Request>().unwrap(), Some(Request::Kill { id: 1 }));
    let mut arrived = std::fs::File::from(receiver.next_descriptor().unwrap());
    arrived.write_all(b"through").unwrap();
    drop(arrived);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "through");
    assert!(receiver.next_descriptor().is_err());
}

#[test]
fn lines_are_told_apart_however_long() {
    let (sender, mut receiver) = pair();
    let long = "x".repeat(100_000);
    let sending = std::thread::spawn(move || {
        sender.send(&long, &[]).unwrap();
        sender.send(&"short", &[]).unwrap();
    });
    let mut texts: Vec<String> = Vec::new();
    while receiver.receive().is_ok() {
        while let Some(text) = receiver.next().unwrap() {
            texts.push(text);
        }
    }
    sending.join().unwrap();
    assert_eq!(texts.iter().map(String::len).collect::<Vec<_>>(), [100_000, 5]);
}

#[test]
fn a_side_that_is_gone_is_an_error() {
    let (sender, mut receiver) = pair();
    drop(sender);
    assert_eq!(receiver.receive().unwrap_err().kind(), ErrorKind::UnexpectedEof);
    assert!(receiver.send(&Request::Kill { id: 1 }, &[]).is_err());
}

#[test]
fn words_that_are_no_text_survive() {
    for bytes in [&b"plain"[..], "ünï".as_bytes(), b"\xff/\x01"] {
        let line = serde_json::to_string(&Word::from(OsStr::from_bytes(bytes))).unwrap();
        let word: Word = serde_json::from_str(&line).unwrap();
        assert_eq!(OsString::from(word).as_bytes(), bytes, "{line}");
    }
}
