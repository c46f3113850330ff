//! What is said to the kernel where no library has a safe word for it. Each function is safe to call whatever it is given: what a
//! call must be given to be sound is made or checked here.
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

/// What a call of the C library says: the reason is in `errno` where it is negative.
fn check(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
