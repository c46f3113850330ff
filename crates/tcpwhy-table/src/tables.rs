//! Connections of captures, folded into the rows of all tables.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use tcpwhy_analysis::{Connection, Problems};
use tcpwhy_model::CaptureStatus;
use tcpwhy_report::Wording;
use tcpwhy_report::dto::Presentation;

use crate::capture::CaptureRecord;
use crate::columns::Column;
use crate::rows::captures::Captures;
use crate::rows::connections::Connections;
use crate::rows::exchanges::ExchangeTable;
use crate::rows::findings::{EvidenceTable, Findings, Fixes, KnownFixes};
use crate::rows::halves::Halves;
use crate::rows::limits::{Intervals, Limits};
use crate::rows::services::{ProblemTable, ServiceTable, Whole};
use crate::table::{Builder, schema_of};

/// The tables of the contract, each with the builder of its rows.
macro_rules! kinds {
    ($($kind:ident $name:literal $field:ident: $builder:ty;)+) => {
        /// A table of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum TableKind {
            $(#[doc = concat!("`", $name, "`.")] $kind,)+
        }

        impl TableKind {
            /// All tables; `captures` is last, as its rows say that the others are there.
            pub const ALL: [Self; { [$($name),+].len() }] = [$(Self::$kind),+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ }
            }

            /// What a row of it is.
            pub fn about(self) -> String {
                match self { $(Self::$kind => <$builder as Builder>::about(),)+ }
            }

            /// Its columns, in order.
            pub fn columns(self) -> Vec<Column> {
                match self { $(Self::$kind => <$builder as Builder>::columns(),)+ }
            }
        }

        /// Rows so far.
        #[derive(Default)]
        struct Builders { $($field: $builder,)+ }

        impl Builders {
            fn take(&mut self, kind: TableKind) -> Result<RecordBatch, ArrowError> {
                match kind { $(TableKind::$kind => self.$field.take(),)+ }
            }

            fn rows(&self, kind: TableKind) -> usize {
                match kind { $(TableKind::$kind => self.$field.rows(),)+ }
            }
        }
    };
}

kinds! {
    Connections "connections" connections: Connections;
    Halves "halves" halves: Halves;
    Limits "limits" limits: Limits;
    Findings "findings" findings: Findings;
    Evidence "evidence" evidence: EvidenceTable;
    Intervals "intervals" intervals: Intervals;
    Exchanges "exchanges" exchanges: ExchangeTable;
    Services "services" services: ServiceTable;
    Problems "problems" problems: ProblemTable;
    Fixes "fixes" fixes: Fixes;
    Captures "captures" captures: Captures;
}

impl TableKind {
    /// The Arrow schema, with name and version of the contract in its metadata.
    pub fn schema(self) -> SchemaRef {
        schema_of(&self.columns())
    }

    /// The table of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What tables hold besides what they always do.
#[derive(Clone, Copy)]
pub struct Content<'a> {
    /// The words of fixes, and of sentences where they are asked for.
    pub wording: Wording<'a>,
    /// Whether there are sentences.
    pub has_words: bool,
    /// Whether `intervals` has rows.
    pub has_intervals: bool,
}

impl<'a> Content<'a> {
    /// What the published answers are made with.
    const fn presentation(self) -> Presentation<'a> {
        Presentation { has_words: self.has_words, ..Presentation::new(self.wording) }
    }
}

/// Collects the rows of all tables. The caller takes them now and then, which bounds memory.
pub struct Tables<'a> {
    content: Content<'a>,
    /// Tables that get rows.
    kinds: Vec<TableKind>,
    builders: Builders,
    fixes: KnownFixes,
    whole: Whole,
    problems: Problems,
    /// Connections of the capture under way whose clock is wrong.
    wrong_clock: u64,
}

impl<'a> Tables<'a> {
    /// Empty ones.
    pub fn new(content: Content<'a>) -> Self {
        Self {
            content,
            kinds: TableKind::ALL.to_vec(),
            builders: Builders::default(),
            fixes: KnownFixes::default(),
            whole: Whole::default(),
            problems: Problems::default(),
            wrong_clock: 0,
        }
    }

    /// The same, with rows in tables of `kinds` only: the others cost no time.
    #[must_use]
    pub fn only(mut self, kinds: &[TableKind]) -> Self {
        self.kinds = kinds.to_vec();
        self
    }

    /// Takes a connection of `capture`, in any order. For all rows of `exchanges` it has to be analysed with
    /// all of its exchanges kept.
    pub fn connection(&mut self, capture: &str, connection: &Connection) {
        self.wrong_clock += u64::from(connection.has_wrong_clock);
        let Self { content, kinds, builders, .. } = self;
        let words = content.has_words.then_some(content.wording);
        for kind in &*kinds {
            match kind {
                TableKind::Connections => builders.connections.add(capture, connection, content.presentation()),
                TableKind::Halves => builders.halves.add(capture, connection, words),
                TableKind::Limits => builders.limits.add(capture, connection),
                TableKind::Findings => builders.findings.add(capture, connection, words),
                TableKind::Evidence => builders.evidence.add(capture, connection),
                TableKind::Intervals if content.has_intervals => builders.intervals.add(capture, connection),
                TableKind::Exchanges => builders.exchanges.add(capture, connection),
                TableKind::Fixes => self.fixes.add(capture, connection),
                TableKind::Intervals | TableKind::Services | TableKind::Problems | TableKind::Captures => {}
            }
        }
        // A problem counts the connections of its service, and all of the capture. What is no failure of a
        // service is known from the problems.
        if [TableKind::Services, TableKind::Problems].iter().any(|kind| kinds.contains(kind)) {
            self.whole.add(connection);
            self.problems.add(connection);
        }
    }

    /// Ends a capture: all of its connections came since the last end.
    pub fn end_capture(&mut self, record: &CaptureRecord<'_>) {
        let presentation = self.content.presentation();
        let mut whole = std::mem::take(&mut self.whole);
        let problems = std::mem::take(&mut self.problems);
        whole.services.settle(&problems);
        if self.kinds.contains(&TableKind::Services) {
            for service in whole.services.ranked() {
                self.builders.services.add(record.capture, service);
            }
        }
        if self.kinds.contains(&TableKind::Problems) {
            for (index, problem) in problems.ranked().into_iter().enumerate() {
                self.builders.problems.add(record.capture, index + 1, &problem, &whole, presentation);
            }
        }
        if self.kinds.contains(&TableKind::Captures) {
            let error = record.error.map(str::to_owned).or_else(|| self.damage_of(record));
            let wrong_clock = record.connections.map(|_| std::mem::take(&mut self.wrong_clock));
            self.builders.captures.add(&CaptureRecord { error: error.as_deref(), ..*record }, wrong_clock);
        }
    }

    /// What is wrong with a capture that could not be read, or not all of it.
    fn damage_of(&self, record: &CaptureRecord<'_>) -> Option<String> {
        let mut anomalies = record.summary?.anomalies.iter();
        let damage = match record.status() {
            CaptureStatus::Whole => None,
            CaptureStatus::Damaged => anomalies.find(|anomaly| anomaly.kind.is_damage()),
            CaptureStatus::Failed => anomalies.next(),
        };
        damage.map(|anomaly| self.content.wording.anomaly(anomaly))
    }

    /// Ends a part: its fixes become rows.
    pub fn end_part(&mut self) {
        std::mem::take(&mut self.fixes).fill(&mut self.builders.fixes, self.content.wording);
    }

    /// Rows of `kind` so far.
    pub fn rows(&self, kind: TableKind) -> usize {
        self.builders.rows(kind)
    }

    /// The rows of `kind` so far; none are left.
    ///
    /// # Errors
    /// None that is known: columns are as long as they have rows.
    pub fn take(&mut self, kind: TableKind) -> Result<RecordBatch, ArrowError> {
        self.builders.take(kind)
    }
}
