//! Messages as lines of standard input and output.
//!
//! All memory that a client can occupy is bounded. Answers wait in memory until the client reads. At the
//! limit of [`load`], requests are held until it does. Held requests are bounded too: at that limit nothing
//! is read, so the client's writes block. A notification overtakes held requests, so a call can be cancelled
//! at any time. An invalid line is answered with an error ([`heard()`]), and the next line is read.

mod heard;
mod lines;
mod load;
mod parameters;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorCode, JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use self::heard::{Heard, heard, refusal};
use self::lines::{Line, Lines, MOST_LINE};
pub(super) use self::load::Load;
use crate::message::failure;

/// Most bytes of held lines. Above that, nothing is read.
const MOST_HELD: usize = 2 * MOST_LINE;
/// Memory per held line besides its content, bytes.
const HELD_COST: usize = 64;
/// Time for a client to read the remaining answers after it has closed its side.
const LINGER: Duration = Duration::from_secs(5);

/// The connection to the client.
pub(super) struct Wire<R> {
    lines: Lines<R>,
    /// Queue of answers to write, bounded by [`Load`].
    answers: UnboundedSender<Vec<u8>>,
    load: Arc<Load>,
    /// Lines that wait until the client has read more.
    held: VecDeque<Held>,
    held_bytes: usize,
    /// Whether the client has closed its side.
    has_ended: bool,
    /// Whether the session has begun. Before that, the library ends at any message other than a request.
    has_begun: bool,
}

/// The task that writes answers. It ends after the last one, or when the client is gone.
pub(super) struct Writer(JoinHandle<()>);

/// A held line.
enum Held {
    Request { id: RequestId, line: Vec<u8> },
    Refusal(Vec<u8>),
}

impl Held {
    fn bytes(&self) -> usize {
        let (Self::Request { line, .. } | Self::Refusal(line)) = self;
        line.len() + HELD_COST
    }
}

/// The action after a line.
enum Next {
    Deliver(Box<ClientJsonRpcMessage>),
    Proceed,
}

impl<R: AsyncRead + Unpin> Wire<R> {
    /// Reads `input` and writes to `output`, within a runtime.
    pub(super) fn new(input: R, output: impl AsyncWrite + Send + Unpin + 'static, load: Arc<Load>) -> (Self, Writer) {
        let (answers, waiting) = unbounded_channel();
        let writer = Writer(tokio::spawn(write(output, waiting, Arc::clone(&load))));
        let wire = Self {
            lines: Lines::new(input),
            answers,
            load,
            held: VecDeque::new(),
            held_bytes: 0,
            has_ended: false,
            has_begun: false,
        };
        (wire, writer)
    }

    /// Handles lines until there is a message to deliver; `None` at the end.
    async fn next(&mut self) -> Option<Box<ClientJsonRpcMessage>> {
        // Before a session, the library answers each request before it reads the next one.
        self.has_begun |= self.load.has_open();
        loop {
            if self.load.is_broken() {
                return None;
            }
            if let Some(message) = self.release() {
                return Some(message);
            }
            if self.has_ended && self.held.is_empty() {
                return None;
            }
            let may_read = !self.has_ended && self.held_bytes < MOST_HELD;
            let read = tokio::select! {
                () = self.load.changed() => continue,
                () = sleep(LINGER), if self.has_ended => return None,
                read = self.lines.next(), if may_read => read,
            };
            let next = match read {
                Ok(Some(Line::Whole(line))) => self.hear(line),
                Ok(Some(Line::TooLong)) => {
                    let why = failure("mcp-line-too-long").with("most", (MOST_LINE as u64).to_string());
                    self.refuse(&refusal(&Value::Null, ErrorCode::PARSE_ERROR, &why))
                }
                Ok(None) | Err(_) => {
                    self.has_ended = true;
                    Next::Proceed
                }
            };
            if let Next::Deliver(message) = next {
                return Some(message);
            }
        }
    }

    fn hear(&mut self, line: Vec<u8>) -> Next {
        match heard(&line) {
            Heard::Request { id, is_ping, message } => {
                let may_go = self.held.is_empty() && self.load.may_open(line.len());
                if may_go || is_ping && self.load.may_ping() {
                    return self.take(id, line.len(), message);
                }
                self.hold(Held::Request { id, line });
                Next::Proceed
            }
            Heard::Notification(message) => self.notify(message),
            Heard::Refused(answer) => self.refuse(&answer),
            Heard::Nothing => Next::Proceed,
        }
    }

    /// Delivers a request, unless an earlier one with the same id has no answer yet: the library would answer
    /// only one of them.
    fn take(&mut self, id: RequestId, bytes: usize, message: Box<ClientJsonRpcMessage>) -> Next {
        if self.load.open(id.clone(), bytes) {
            return Next::Deliver(message);
        }
        self.refuse(&refusal(&id.into_json_value(), ErrorCode::INVALID_REQUEST, &failure("mcp-id-in-use")))
    }

    fn notify(&mut self, message: Box<ClientJsonRpcMessage>) -> Next {
        if let Some(id) = cancelled(&message) {
            let is_it = |held: &Held| matches!(held, Held::Request { id: other, .. } if other == id);
            if let Some(place) = self.held.iter().position(is_it) {
                let removed = self.held.remove(place);
                self.held_bytes -= removed.map_or(0, |held| held.bytes());
                return Next::Proceed;
            }
            // The library does not answer a cancelled request.
            self.load.close(id);
        }
        if self.has_begun { Next::Deliver(message) } else { Next::Proceed }
    }

    fn refuse(&mut self, answer: &Value) -> Next {
        let answer = line_of(answer);
        if self.held.is_empty() && self.load.has_room() {
            // Sending fails only if the client is gone.
            let _ = self.put(answer);
        } else {
            self.hold(Held::Refusal(answer));
        }
        Next::Proceed
    }

    fn hold(&mut self, held: Held) {
        self.held_bytes += held.bytes();
        self.held.push_back(held);
    }

    /// The first held request, if it may be delivered now.
    fn release(&mut self) -> Option<Box<ClientJsonRpcMessage>> {
        loop {
            let may_go = match self.held.front()? {
                Held::Request { line, .. } => self.load.may_open(line.len()),
                Held::Refusal(_) => self.load.has_room(),
            };
            let held = if may_go { self.held.pop_front()? } else { return None };
            self.held_bytes -= held.bytes();
            match held {
                Held::Refusal(answer) => drop(self.put(answer)),
                Held::Request { id, line } => {
                    let Heard::Request { message, .. } = heard(&line) else { continue };
                    if let Next::Deliver(message) = self.take(id, line.len(), message) {
                        return Some(message);
                    }
                }
            }
        }
    }

    /// Queues an answer for the writer.
    fn put(&self, answer: Vec<u8>) -> io::Result<()> {
        let bytes = answer.len();
        self.load.queued(bytes);
        self.answers.send(answer).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// The request that a notification cancels.
fn cancelled(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Notification(message) => match &message.notification {
            ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_ref(),
            _ => None,
        },
        _ => None,
    }
}

fn line_of(message: &impl serde::Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

async fn write(mut output: impl AsyncWrite + Unpin, mut waiting: UnboundedReceiver<Vec<u8>>, load: Arc<Load>) {
    while let Some(line) = waiting.recv().await {
        if output.write_all(&line).await.is_err() || output.flush().await.is_err() {
            return load.broke();
        }
        load.written(line.len());
    }
}

impl Writer {
    /// Waits until all answers are written, at most [`LINGER`] if the client does not read.
    pub(super) async fn finish(self) {
        let _ = timeout(LINGER, self.0).await;
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Wire<R> {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let sent = self.put(line_of(&message));
        let (id, is_result) = match &message {
            JsonRpcMessage::Response(response) => (Some(&response.id), begins(&response.result)),
            JsonRpcMessage::Error(error) => (error.id.as_ref(), false),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => (None, false),
        };
        self.has_begun |= is_result;
        if let Some(id) = id {
            self.load.close(id);
        }
        std::future::ready(sent)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.next().await.map(|message| *message)
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether this result begins a session.
const fn begins(result: &ServerResult) -> bool {
    !matches!(result, ServerResult::EmptyResult(_) | ServerResult::DiscoverResult(_))
}

#[cfg(test)]
mod tests;
