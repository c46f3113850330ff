//! Converts connections of captures into rows of all tables.

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
            /// All tables; `captures` is last, because its rows show that the others are complete.
            pub const ALL: [Self; { [$($name),+].len() }] = [$(Self::$kind),+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ }
            }

            /// Description of a row.
            pub fn about(self) -> String {
                match self { $(Self::$kind => <$builder as Builder>::about(),)+ }
            }

            /// Its columns, in order.
            pub fn columns(self) -> Vec<Column> {
                match self { $(Self::$kind => <$builder as Builder>::columns(),)+ }
            }
        }

        /// Builders of all tables.
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

/// Options for the content of tables.
#[derive(Clone, Copy)]
pub struct Content<'a> {
    /// Catalogue for fixes, and for sentences if they are included.
    pub wording: Wording<'a>,
    /// Whether sentences are included.
    pub has_words: bool,
    /// Whether `intervals` has rows.
    pub has_intervals: bool,
}

impl<'a> Content<'a> {
    /// Options for the published answers.
    const fn presentation(self) -> Presentation<'a> {
        Presentation { has_words: self.has_words, ..Presentation::new(self.wording) }
    }
}

/// Collects the rows of all tables. The caller takes them from time to time, which bounds memory.
pub struct Tables<'a> {
    content: Content<'a>,
    /// Tables that receive rows.
    kinds: Vec<TableKind>,
    builders: Builders,
    fixes: KnownFixes,
    whole: Whole,
    problems: Problems,
    /// Number of the current capture's connections with a wrong clock.
    wrong_clock: u64,
}

impl<'a> Tables<'a> {
    /// Creates empty tables.
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

    /// Restricts the rows to tables of `kinds`, because other tables would cost time.
    #[must_use]
    pub fn only(mut self, kinds: &[TableKind]) -> Self {
        self.kinds = kinds.to_vec();
        self
    }

    /// Adds a connection of `capture`, in any order. Table `exchanges` is complete only if the analysis has
    /// kept all exchanges.
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
        // Problems refer to the connections of their service and to all of the capture. Failures that do not
        // belong to a service are known only from the problems.
        if [TableKind::Services, TableKind::Problems].iter().any(|kind| kinds.contains(kind)) {
            self.whole.add(connection);
            self.problems.add(connection);
        }
    }

    /// Ends a capture, whose connections were added since the previous end.
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

    /// Description of the damage of a capture that could not be read completely.
    fn damage_of(&self, record: &CaptureRecord<'_>) -> Option<String> {
        let mut anomalies = record.summary?.anomalies.iter();
        let damage = match record.status() {
            CaptureStatus::Whole => None,
            CaptureStatus::Damaged => anomalies.find(|anomaly| anomaly.kind.is_damage()),
            CaptureStatus::Failed => anomalies.next(),
        };
        damage.map(|anomaly| self.content.wording.anomaly(anomaly))
    }

    /// Ends a part, and adds rows for its fixes.
    pub fn end_part(&mut self) {
        std::mem::take(&mut self.fixes).fill(&mut self.builders.fixes, self.content.wording);
    }

    /// Number of rows of `kind` so far.
    pub fn rows(&self, kind: TableKind) -> usize {
        self.builders.rows(kind)
    }

    /// The rows of `kind` so far. None remain.
    ///
    /// # Errors
    /// No known error, because all columns have the same length.
    pub fn take(&mut self, kind: TableKind) -> Result<RecordBatch, ArrowError> {
        self.builders.take(kind)
    }
}
