//! An iterator over a map. The kernel runs a program for each element, and its output is read like a file
//! (`BPF_LINK_CREATE` with `bpf_iter_link_info`, `BPF_ITER_CREATE`; Linux 5.9). The BPF library supports
//! neither for maps.
#![allow(unsafe_code, reason = "bpf(2)")]

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};

const BPF_LINK_CREATE: libc::c_int = 28;
const BPF_ITER_CREATE: libc::c_int = 33;
const BPF_TRACE_ITER: u32 = 28;

/// `union bpf_attr` of `BPF_LINK_CREATE`.
#[repr(C)]
struct LinkCreate {
    program: u32,
    target: u32,
    attach_type: u32,
    flags: u32,
    info: u64,
    info_len: u32,
    padding: u32,
}

/// `union bpf_attr` of `BPF_ITER_CREATE`.
#[repr(C)]
struct IterCreate {
    link: u32,
    flags: u32,
}

/// Bytes that the kernel writes at once (`bpf_seq_read`: eight pages), for the largest page size.
const BUFFER: usize = 8 * 65_536;

/// An iterator program attached to a map.
#[derive(Debug)]
pub(crate) struct Iteration {
    link: OwnedFd,
    buffer: Vec<u8>,
}

impl Iteration {
    pub(crate) fn new(program: BorrowedFd<'_>, map: BorrowedFd<'_>) -> io::Result<Self> {
        let map_fd = map.as_raw_fd().cast_unsigned();
        let attributes = LinkCreate {
            program: program.as_raw_fd().cast_unsigned(),
            target: 0,
            attach_type: BPF_TRACE_ITER,
            flags: 0,
            info: (&raw const map_fd) as u64,
            info_len: size_of_val(&map_fd) as u32,
            padding: 0,
        };
        let link = bpf(BPF_LINK_CREATE, &attributes)?;
        Ok(Self { link, buffer: vec![0; BUFFER] })
    }

    /// Runs the iterator once, and passes its output to `each` in pieces.
    pub(crate) fn run(&mut self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        let attributes = IterCreate { link: self.link.as_raw_fd().cast_unsigned(), flags: 0 };
        let mut file = File::from(bpf(BPF_ITER_CREATE, &attributes)?);
        loop {
            match file.read(&mut self.buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => each(&self.buffer[..length]),
                // EAGAIN: the kernel interrupted a long iteration; the next read continues it.
                Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Runs a command of `bpf(2)` that returns a descriptor.
fn bpf<T>(command: libc::c_int, attributes: &T) -> io::Result<OwnedFd> {
    // SAFETY: the attributes live until the call returns, have the layout of `union bpf_attr` for this
    // command, and their length is passed. The caller owns the data that they refer to (the number of a map).
    let fd = unsafe { libc::syscall(libc::SYS_bpf, command, std::ptr::from_ref(attributes), size_of::<T>()) };
    let fd = i32::try_from(fd).ok().filter(|fd| *fd >= 0).ok_or_else(io::Error::last_os_error)?;
    // SAFETY: the kernel created this descriptor for this call only.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
