//! The memory allocator, and the behaviour without memory.
#![allow(
    unsafe_code,
    reason = "an allocator is; and where there is no memory the operating system is spoken to directly"
)]

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;

use crate::exit::EXIT_ERROR;
use crate::last_word;

/// The message, which needs no allocation.
const NO_MEMORY: &[u8] = b"tcpwhy: out of memory\n";

/// The descriptor of standard error in C, on every system.
const STDERR: libc::c_int = 2;

/// mimalloc, with a message at the end of memory, where the Rust runtime would abort.
///
/// With glibc 2.36, threads wait for each other when one frees memory of another, and heaps grow by one page
/// at a time. That took 25 % of the time on a capture with thousands of connections. mimalloc asks for huge
/// pages; small fresh pages took 10 % there. Its version 3 rounds up sizes that are not powers of two
/// (`mi_malloc_is_naturally_aligned`).
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

/// Milliseconds that free memory is kept before it returns to the system. A process that works all the time
/// needs it again soon, and the kernel must clear a whole huge page for fresh memory.
#[cfg(target_os = "linux")]
const KEPT_MILLIS: libc::c_long = 10_000;
/// `mi_option_purge_delay` of `mi_option_e` in mimalloc.h, versions 2 and 3.
#[cfg(target_os = "linux")]
const PURGE_DELAY: libc::c_int = 15;

/// Keeps free memory for [`KEPT_MILLIS`] instead of 10 ms before it returns to the system.
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

/// Ends the process with one message, even if several threads run out of memory.
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
