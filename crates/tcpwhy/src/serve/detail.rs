//! Charts on demand, out of the captures that were named.

use std::io;
use std::sync::atomic::AtomicBool;

use tcpwhy_report::Anonymizer;
use tcpwhy_view::data::View;
use tcpwhy_view::{Gatherer, Query, Recorded};

use crate::inputs::Inputs;
use crate::original::changed;
use crate::second_look;

/// Answers what a request wants to know of a connection.
pub(super) struct Details {
    details: tcpwhy_view::Details,
    captures: Captures,
}

/// The captures, to be read again.
struct Captures {
    inputs: Inputs,
    /// Reading them failed before, and was told.
    is_failure_known: bool,
}

impl Details {
    pub(super) fn new(view: View, inputs: Inputs, anonymizer: Option<Anonymizer>) -> Self {
        let captures = Captures { is_failure_known: view.survey().has_read_error(), inputs };
        let details = tcpwhy_view::Details::new(view, anonymizer);
        Self { details, captures }
    }

    /// The answer as JSON; `None` if there is no such connection. Fails, with a line that says why, if the captures are not what
    /// they were, and when `is_unwanted` is set meanwhile.
    pub(super) fn answer(&mut self, query: Query, is_unwanted: &AtomicBool) -> Result<Option<String>, String> {
        let look = |source, gatherer| self.captures.look(source, gatherer, is_unwanted);
        self.details.answer(query, look).map_err(|error| {
            let text = error.to_string();
            self.details.anonymizer().map_or_else(|| text.clone(), |anonymizer| anonymizer.text(&text))
        })
    }
}

impl Captures {
    /// Reads a source again.
    fn look(&self, source: usize, gatherer: Gatherer, is_unwanted: &AtomicBool) -> io::Result<Recorded> {
        let recorded = second_look::run(&self.inputs, source, gatherer, self.is_failure_known, true, is_unwanted)?;
        // It may have been cut while it was read.
        self.inputs.check(source)?;
        recorded.into_iter().next().flatten().ok_or_else(changed)
    }
}
