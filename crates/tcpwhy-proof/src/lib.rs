//! Compares tcpwhy's answers with transfers of a known cause.
//!
//! A [`Recording`](tcpwhy_lab::Recording) of the lab knows what limited its transfer.
//! - [`results`] explains its captures, with the expected answer and the kernel's counters.
//! - [`score`] counts over many recordings how often the answer is right.
//! - [`prove`] runs a captured transfer and its rivals again: proved, refuted or undecided.
//! - [`book`] writes the pages and pictures of the case book.
//!
//! ```
//! let connections = tcpwhy_proof::connections("../../samples/send-buffer.pcap.gz".as_ref())?;
//! assert_eq!(connections.len(), 1);
//! # Ok::<(), tcpwhy_proof::ProofError>(())
//! ```
//!
//! **Promises:** This crate runs, reads and prints nothing by itself. The caller makes the recordings, so one
//! place decides which programs may run and shows the progress. All texts are from the catalogues of
//! `tcpwhy-report`.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, reason = "they panic when the stream cannot be written")
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod article;
pub mod book;
mod counted;
mod error;
mod expectation;
mod explained;
mod headline;
mod outcome;
pub mod prove;
pub mod results;
pub mod score;

pub use error::ProofError;
pub use explained::{connections, principal};

use tcpwhy_report::Language;
use tcpwhy_report::markup::MARK;

/// A page of Markdown with the mark by which its file is recognized, below its title.
fn marked(page: &str) -> String {
    match page.split_once('\n') {
        Some((title, rest)) => format!("{title}\n{MARK}\n{rest}"),
        None => format!("{page}\n{MARK}\n"),
    }
}

/// The file of a page in `language`: `sndbuf-16k.md`, `sndbuf-16k.zh-CN.md`.
fn file_name(stem: &str, language: Language) -> String {
    named(stem, language, "md")
}

/// The file of this kind in `language`: `before.svg`, `before.zh-CN.svg`.
fn named(stem: &str, language: Language, extension: &str) -> String {
    if language == Language::default() {
        format!("{stem}.{extension}")
    } else {
        format!("{stem}.{}.{extension}", language.tag())
    }
}
