//! System calls for which no library has a safe function. Each function is safe for any arguments: it builds
//! or checks everything that a sound call needs.
//!
//! **Invariant:** no other file of this crate has `unsafe`.
#![allow(unsafe_code, reason = "the operating system is spoken to here alone")]

mod device;
mod mount;
mod process;
mod scheduling;
mod socket;
mod terminal;

use std::ffi::c_int;
use std::io;

pub(crate) use self::device::{open_tap, turn_offloads_off};
pub(crate) use self::mount::{Below, set_read_only};
pub(crate) use self::process::close_others_on_exec;
pub(crate) use self::scheduling::{Scheduling, schedule_this_thread};
pub(crate) use self::socket::{Queue, SocketOption, queued, socket_option};
pub(crate) use self::terminal::lead_terminal;

/// Converts the result of a C function: if it is negative, the reason is in `errno`.
fn check(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
