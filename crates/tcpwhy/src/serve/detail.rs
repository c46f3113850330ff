//! Charts on demand, from the captures named on the command line.

use std::io;
use std::sync::atomic::AtomicBool;

use tcpwhy_report::Anonymizer;
use tcpwhy_view::data::View;
use tcpwhy_view::{Gatherer, Query, Recorded};

use crate::inputs::Inputs;
use crate::original::changed;
use crate::second_look;

/// Answers requests for a connection's chart.
pub(super) struct Details {
    details: tcpwhy_view::Details,
    captures: Captures,
}

/// The captures, for another pass.
struct Captures {
    inputs: Inputs,
    /// Whether an earlier read failure was already printed.
    is_failure_known: bool,
}

impl Details {
    pub(super) fn new(view: View, inputs: Inputs, anonymizer: Option<Anonymizer>) -> Self {
        let captures = Captures { is_failure_known: view.survey().has_read_error(), inputs };
        let details = tcpwhy_view::Details::new(view, anonymizer);
        Self { details, captures }
    }

    /// The answer as JSON; `None` for an unknown connection. Fails with a one-line reason if the captures
    /// have changed, or once `is_unwanted` is set.
    pub(super) fn answer(&mut self, query: Query, is_unwanted: &AtomicBool) -> Result<Option<String>, String> {
        let look = |source, gatherer| self.captures.look(source, gatherer, is_unwanted);
        self.details.answer(query, look).map_err(|error| {
            let text = error.to_string();
            self.details.anonymizer().map_or_else(|| text.clone(), |anonymizer| anonymizer.text(&text))
        })
    }
}

impl Captures {
    /// Reads a source once more.
    fn look(&self, source: usize, gatherer: Gatherer, is_unwanted: &AtomicBool) -> io::Result<Recorded> {
        let recorded = second_look::run(&self.inputs, source, gatherer, self.is_failure_known, true, is_unwanted)?;
        // The file may have been truncated during the read.
        self.inputs.check(source)?;
        recorded.into_iter().next().flatten().ok_or_else(changed)
    }
}
