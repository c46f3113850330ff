//! The functions of the module for a worker, which writes a request to a buffer, calls `answer`, and reads
//! the answer from another buffer.
//!
//! A handful of functions with numbers as arguments need no generated glue code. The counterpart is
//! `web/src/worker.ts`: change both together.
#![allow(unsafe_code, reason = "names and memory are shared with the page's worker")]

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::Disk;
use crate::failure::Failure;
use crate::session::Session;

/// Status codes of an answer.
const ANSWERED: i32 = 0;
const FAILED: i32 = 1;
const NO_SUCH_CONNECTION: i32 = 2;
/// The captures to compare are parts of one capture.
const PARTS_OF_ONE: i32 = 4;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Copies up to `len` bytes of a file to `to`; returns their number, or -1 if they cannot be read.
    fn read(file: u32, offset: f64, to: *mut u8, len: u32) -> i32;
    /// Reports the packets and connections seen so far.
    fn reached(packets: f64, connections: f64);
    /// Reports why the module is about to end, as one line.
    fn panicked(text: *const u8, len: u32);
}

/// The state between two calls.
struct Module {
    session: Option<Session>,
    request: Vec<u8>,
    answer: String,
}

static MODULE: Mutex<Module> = Mutex::new(Module { session: None, request: Vec::new(), answer: String::new() });

/// The files of the page.
struct Files;

impl Disk for Files {
    fn read(&self, file: usize, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the page writes at most as many bytes as the buffer has, and only during the call.
        let len = unsafe { read(file as u32, offset as f64, buffer.as_mut_ptr(), buffer.len() as u32) };
        usize::try_from(len).map_err(|_| io::Error::other("the browser could not read the file; was it changed?"))
    }

    fn reached(&self, packets: u64, connections: u64) {
        // SAFETY: the page receives two numbers, and no memory is shared.
        unsafe { reached(packets as f64, connections as f64) }
    }
}

/// Allocates a buffer for a request of `len` bytes and returns its address.
#[unsafe(no_mangle)]
extern "C" fn request(len: u32) -> *mut u8 {
    with(|module| {
        module.request = vec![0; len as usize];
        module.request.as_mut_ptr()
    })
}

/// Answers the request and returns a status code.
#[unsafe(no_mangle)]
extern "C" fn answer() -> i32 {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the text lives until the call returns.
        unsafe { panicked(text.as_ptr(), text.len() as u32) };
    }));
    with(|module| {
        let request = String::from_utf8(std::mem::take(&mut module.request)).unwrap_or_default();
        // The old answer is freed first, so that both are never in memory at once.
        module.answer = String::new();
        let session = module.session.get_or_insert_with(|| Session::new(Arc::new(Files)));
        let (status, text) = match session.answer(&request) {
            Ok(answer) => (ANSWERED, answer),
            Err(failure @ Failure::Said(_)) => (FAILED, failure.to_string()),
            Err(failure @ Failure::NoSuchConnection) => (NO_SUCH_CONNECTION, failure.to_string()),
            Err(failure @ Failure::PartsOfOne) => (PARTS_OF_ONE, failure.to_string()),
        };
        module.answer = text;
        status
    })
}

/// Address of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer_start() -> *const u8 {
    with(|module| module.answer.as_ptr())
}

/// Length of the answer, bytes.
#[unsafe(no_mangle)]
extern "C" fn answer_len() -> u32 {
    with(|module| module.answer.len() as u32)
}

fn with<T>(act: impl FnOnce(&mut Module) -> T) -> T {
    act(&mut MODULE.lock().unwrap_or_else(PoisonError::into_inner))
}
