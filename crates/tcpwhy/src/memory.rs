//! Memory, and its end.
#![allow(
    unsafe_code,
    reason = "an allocator is; and where there is no memory the operating system is spoken to directly"
)]

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;

use crate::exit::EXIT_ERROR;
use crate::last_word;

/// Takes no memory itself.
const NO_MEMORY: &[u8] = b"tcpwhy: out of memory\n";

/// The number of standard error, for C everywhere.
const STDERR: libc::c_int = 2;

/// mimalloc, which ends the process with a message when there is no more memory; the runtime would abort it.
///
/// The system's own allocator makes threads wait for each other where one frees what another allocated, and grows a thread's
/// heap by a page at a time: a fourth of the time on a capture of thousands of connections with glibc 2.36. This one asks for
/// huge pages: a tenth of the time there was spent on fresh small ones. Its version 3 takes a larger block than it is asked for
/// whenever the size is no power of two (`mi_malloc_is_naturally_aligned`).
pub(crate) struct Memory;

// SAFETY: what it gives and takes is mimalloc's, which keeps the contract.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        or_end(unsafe { MiMalloc.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        or_end(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        or_end(unsafe { MiMalloc.realloc(block, layout, new_size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { MiMalloc.dealloc(block, layout) }
    }
}

/// How long memory that is free is kept, by whoever works all the time and wants it again soon: fresh memory is dear, and comes in
/// huge pages of which the kernel clears all.
#[cfg(target_os = "linux")]
const KEPT_MILLIS: libc::c_long = 10_000;
/// `mi_option_purge_delay` of `mi_option_e` in mimalloc.h, versions 2 and 3.
#[cfg(target_os = "linux")]
const PURGE_DELAY: libc::c_int = 15;

/// From now on, memory that is free goes back to the system after seconds, not after ten milliseconds.
#[cfg(target_os = "linux")]
pub(crate) fn keep_for_seconds() {
    unsafe extern "C" {
        fn mi_option_set(option: libc::c_int, value: libc::c_long);
    }
    // SAFETY: sets a number that the allocator reads, and may at any time.
    unsafe { mi_option_set(PURGE_DELAY, KEPT_MILLIS) }
}

#[inline]
fn or_end(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        end();
    }
    block
}

/// Ends the process with one message, whatever several threads lack at a time.
#[cold]
fn end() -> ! {
    last_word::take();
    // SAFETY: the bytes are there for as long as the program is, and `_exit` has no preconditions.
    unsafe {
        // The count is 32 bits wide on Windows, and the text is short.
        libc::write(STDERR, NO_MEMORY.as_ptr().cast(), NO_MEMORY.len() as _);
        libc::_exit(i32::from(EXIT_ERROR))
    }
}
