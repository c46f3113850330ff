//! The metrics, as the process that looks at sockets gives them.

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

/// Asks for metrics, one question at a time.
pub(super) struct Asked {
    line: Mutex<Line>,
    /// What was answered last, by form.
    told: RefCell<[Bytes; 2]>,
}

struct Line {
    questions: OwnedWriteHalf,
    /// `None` stands for what was answered last.
    answers: mpsc::Receiver<Option<Bytes>>,
}

/// What comes from the process that looks.
pub(super) struct Answers {
    from: OwnedReadHalf,
    to: mpsc::Sender<Option<Bytes>>,
    failure: oneshot::Sender<Wrong>,
}

/// Two ends of the connection, to be called within the runtime; the last is told why looking has ended.
pub(super) fn join(looker: net::UnixStream) -> Result<(Asked, Answers, oneshot::Receiver<Wrong>)> {
    looker.set_nonblocking(true)?;
    let (from, questions) = UnixStream::from_std(looker)?.into_split();
    let (to, answers) = mpsc::channel(1);
    let (failure, failed) = oneshot::channel();
    let asked = Asked { line: Mutex::new(Line { questions, answers }), told: RefCell::default() };
    Ok((asked, Answers { from, to, failure }, failed))
}

impl Asked {
    /// The metrics in `format`; `None` when nobody looks any more.
    pub(super) async fn metrics(self: &Rc<Self>, format: Format) -> Option<Bytes> {
        let this = Rc::clone(self);
        // A task of its own: whoever asked may be gone before the answer comes, which the next would take for
        // theirs.
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
    /// Passes answers on until there are no more.
    pub(super) async fn pass_on(mut self) {
        let error = loop {
            match self.next().await {
                Ok(answer) => {
                    if self.to.send(answer).await.is_err() {
                        // Nobody asks any more.
                        pending::<()>().await;
                    }
                }
                Err(error) => break error,
            }
        };
        // Nobody listens when the program ends.
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
