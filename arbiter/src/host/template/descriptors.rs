//! Passing open files between the supervisor and a template, over the socket that is the template's standard input.

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The most files that are handed over at a time.
const MOST: usize = 5;

/// A pair of sockets, the referee's and the child's. Files that were put into the first wait in the second.
pub(super) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// Hands files to the other side, with a message that is not empty.
pub(super) fn give(socket: impl AsFd, text: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !message.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    rustix::net::sendmsg(socket, &[IoSlice::new(text)], &mut message, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Takes the next message, as far as there is room for it, and the files that came with it. The message is empty when
/// the other side has closed its end.
pub(super) fn take(socket: impl AsFd, text: &mut [u8]) -> io::Result<(&[u8], Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = rustix::net::recvmsg(socket, &mut [IoSliceMut::new(text)], &mut message, flags)?;
    let rights = message.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    Ok((&text[..received.bytes], rights.flatten().collect()))
}
