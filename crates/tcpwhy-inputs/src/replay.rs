use std::io::{self, Cursor, Read};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A stream whose beginning can be read a second time after its format is known.
#[derive(Clone)]
pub(crate) struct Replay(Arc<Mutex<State>>);

struct State {
    stream: Box<dyn Read + Send>,
    /// Data read so far; `None` when it is no longer needed.
    begin: Option<Vec<u8>>,
}

impl Replay {
    pub(crate) fn new(stream: Box<dyn Read + Send>) -> Self {
        Self(Arc::new(Mutex::new(State { stream, begin: Some(Vec::new()) })))
    }

    /// Stops keeping data.
    pub(crate) fn forget(&self) {
        self.state().begin = None;
    }

    /// The whole stream from its beginning.
    pub(crate) fn rewound(&self) -> Box<dyn Read + Send> {
        let mut state = self.state();
        let begin = state.begin.take().unwrap_or_default();
        Box::new(Cursor::new(begin).chain(mem::replace(&mut state.stream, Box::new(io::empty()))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read for Replay {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state();
        let len = state.stream.read(buffer)?;
        if let Some(begin) = &mut state.begin {
            begin.extend_from_slice(buffer.get(..len).unwrap_or_default());
        }
        Ok(len)
    }
}
