//! Memory allocation, and the end of the process when memory is exhausted.
#![allow(
    unsafe_code,
    reason = "an allocator is; and where there is no memory the operating system is spoken to directly"
)]

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;

use crate::exit::EXIT_ERROR;
use crate::last_word;

/// A constant, because no memory can be allocated for a message.
const NO_MEMORY: &[u8] = b"tcpwhy: out of memory\n";

/// File descriptor of standard error, the same on all systems.
const STDERR: libc::c_int = 2;

/// mimalloc, but ends the process with a message when memory is exhausted. The runtime would abort.
///
/// The system's allocator makes threads wait when one frees another's memory, and grows a thread's heap page
/// by page. With glibc 2.36, that takes 25 % of the time on a capture of thousands of connections. mimalloc
/// requests huge pages, because fresh small pages took 10 % of the time there. Version 3 of mimalloc is not
/// used. It allocates a larger block than requested unless the size is a power of two
/// (`mi_malloc_is_naturally_aligned`).
pub(crate) struct Memory;

// SAFETY: all blocks belong to mimalloc, which satisfies the contract.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller satisfies the contract.
        or_end(unsafe { MiMalloc.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller satisfies the contract.
        or_end(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller satisfies the contract.
        or_end(unsafe { MiMalloc.realloc(block, layout, new_size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller satisfies the contract.
        unsafe { MiMalloc.dealloc(block, layout) }
    }
}

/// Milliseconds to keep freed memory. The analysis needs it again soon, and fresh memory is expensive because
/// the kernel clears whole huge pages.
#[cfg(target_os = "linux")]
const KEPT_MILLIS: libc::c_long = 10_000;
/// `mi_option_purge_delay` of `mi_option_e` in mimalloc.h, versions 2 and 3.
#[cfg(target_os = "linux")]
const PURGE_DELAY: libc::c_int = 15;

/// Makes the allocator return freed memory to the system after 10 s instead of 10 ms.
#[cfg(target_os = "linux")]
pub(crate) fn keep_for_seconds() {
    unsafe extern "C" {
        fn mi_option_set(option: libc::c_int, value: libc::c_long);
    }
    // SAFETY: sets an integer option, which is allowed at any time.
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
    // SAFETY: the bytes are static, and `_exit` has no preconditions.
    unsafe {
        // The length has 32 bits on Windows, and the text is short.
        libc::write(STDERR, NO_MEMORY.as_ptr().cast(), NO_MEMORY.len() as _);
        libc::_exit(i32::from(EXIT_ERROR))
    }
}
