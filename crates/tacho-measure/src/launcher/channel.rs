//! Lines over a socket, with descriptors beside them.

use std::collections::VecDeque;
use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// More descriptors come with no line.
const MOST_DESCRIPTORS: usize = 16;

/// One end of the conversation.
#[derive(Debug)]
pub(super) struct Channel {
    socket: OwnedFd,
    pending: Vec<u8>,
    descriptors: VecDeque<OwnedFd>,
}

impl Channel {
    pub(super) fn new(socket: OwnedFd) -> Channel {
        Channel { socket, pending: Vec::new(), descriptors: VecDeque::new() }
    }

    /// Sends a message and gives descriptors away with it.
    pub(super) fn send(&self, message: &impl Serialize, descriptors: &[BorrowedFd<'_>]) -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
            return Err(ErrorKind::InvalidInput.into());
        }
        let sent = retry(|| rustix::net::sendmsg(&self.socket, &[IoSlice::new(&line)], &mut control, flags::SEND))?;
        self.send_rest(&line[sent..])
    }

    fn send_rest(&self, mut rest: &[u8]) -> Result<()> {
        while !rest.is_empty() {
            let sent = retry(|| rustix::net::send(&self.socket, rest, flags::SEND))?;
            rest = &rest[sent..];
        }
        Ok(())
    }

    /// Waits for bytes and takes what there is.
    ///
    /// # Errors
    /// `UnexpectedEof` where the other side is gone.
    pub(super) fn receive(&mut self) -> Result<()> {
        let mut bytes = [0_u8; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = retry(|| {
            rustix::net::recvmsg(&self.socket, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags::RECEIVE)
        })?;
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                self.descriptors.extend(descriptors);
            }
        }
        if received.bytes == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.pending.extend_from_slice(&bytes[..received.bytes]);
        Ok(())
    }

    /// Returns the next message of those received, if one is complete.
    pub(super) fn next<M: DeserializeOwned>(&mut self) -> Result<Option<M>> {
        let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
        let line: Vec<u8> = self.pending.drain(..=end).collect();
        Ok(Some(serde_json::from_slice(&line)?))
    }

    /// Returns the next descriptor of those received.
    pub(super) fn next_descriptor(&mut self) -> Result<OwnedFd> {
        let descriptor = self.descriptors.pop_front();
        let descriptor = descriptor.ok_or_else(|| Error::other("a descriptor did not arrive"))?;
        #[cfg(not(target_os = "linux"))]
        rustix::io::fcntl_setfd(&descriptor, rustix::io::FdFlags::CLOEXEC)?;
        Ok(descriptor)
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Does a call again as long as a signal interrupts it.
fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

/// A side that is gone is an error, not a signal, and what is received is no concern of processes started later.
mod flags {
    use super::{RecvFlags, SendFlags};

    #[cfg(target_os = "linux")]
    pub(super) const SEND: SendFlags = SendFlags::NOSIGNAL;
    #[cfg(target_os = "linux")]
    pub(super) const RECEIVE: RecvFlags = RecvFlags::CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    pub(super) const SEND: SendFlags = SendFlags::empty();
    #[cfg(not(target_os = "linux"))]
    pub(super) const RECEIVE: RecvFlags = RecvFlags::empty();
}

#[cfg(test)]
mod tests;
