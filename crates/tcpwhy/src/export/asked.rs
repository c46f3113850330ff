//! Gets the metrics from the process that samples sockets.

use std::cell::RefCell;
use std::future::pending;
use std::os::unix::net;
use std::rc::Rc;

use hyper::body::Bytes;
use tcpwhy_report::metrics::Format;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::spawn_local;

use super::looker::{FORMS, HEAD, Kind, kind};
use crate::message::failure;
use crate::wrong::{Result, Wrong};

/// Requests metrics, one request at a time.
pub(super) struct Asked {
    line: Mutex<Line>,
    /// The last answer in each format.
    told: RefCell<[Bytes; 2]>,
}

struct Line {
    questions: OwnedWriteHalf,
    /// `None` means that the last answer is still valid.
    answers: mpsc::Receiver<Option<Bytes>>,
}

/// The messages of the process that samples sockets.
pub(super) struct Answers {
    from: OwnedReadHalf,
    to: mpsc::Sender<Option<Bytes>>,
    failure: oneshot::Sender<Wrong>,
}

/// Splits the connection into requests and answers, and a channel that receives the error when sampling ends.
/// Must be called within the runtime.
pub(super) fn join(looker: net::UnixStream) -> Result<(Asked, Answers, oneshot::Receiver<Wrong>)> {
    looker.set_nonblocking(true)?;
    let (from, questions) = UnixStream::from_std(looker)?.into_split();
    let (to, answers) = mpsc::channel(1);
    let (failure, failed) = oneshot::channel();
    let asked = Asked { line: Mutex::new(Line { questions, answers }), told: RefCell::default() };
    Ok((asked, Answers { from, to, failure }, failed))
}

impl Asked {
    /// The metrics in `format`; `None` after sampling has ended.
    pub(super) async fn metrics(self: &Rc<Self>, format: Format) -> Option<Bytes> {
        let this = Rc::clone(self);
        // A separate task: if the client left before its answer arrived, the next client would get that
        // answer.
        spawn_local(async move { this.exchange(format).await }).await.ok()?
    }

    async fn exchange(&self, format: Format) -> Option<Bytes> {
        let index = FORMS.iter().position(|&form| form == format)?;
        let mut line = self.line.lock().await;
        line.questions.write_all(&[u8::try_from(index).ok()?]).await.ok()?;
        if let Some(text) = line.answers.recv().await? {
            self.told.borrow_mut()[index] = text;
        }
        Some(self.told.borrow()[index].clone())
    }
}

impl Answers {
    /// Forwards answers until sampling ends.
    pub(super) async fn pass_on(mut self) {
        let error = loop {
            match self.next().await {
                Ok(answer) => {
                    if self.to.send(answer).await.is_err() {
                        // The server has ended, so there are no more requests.
                        pending::<()>().await;
                    }
                }
                Err(error) => break error,
            }
        };
        // At the end of the program, the receiver may be gone.
        let _ = self.failure.send(error);
    }

    async fn next(&mut self) -> Result<Option<Bytes>> {
        let mut head = [0; HEAD];
        self.from.read_exact(&mut head).await.map_err(|_| Wrong::from(failure("sampling-ended")))?;
        let (kind, len) = kind(head)?;
        let mut text = vec![0; len];
        self.from.read_exact(&mut text).await?;
        match kind {
            Kind::Text => Ok(Some(text.into())),
            Kind::Unchanged => Ok(None),
            Kind::Failed => Err(Wrong::said(String::from_utf8_lossy(&text))),
        }
    }
}
