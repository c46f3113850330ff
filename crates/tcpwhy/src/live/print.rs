//! The list as text, one document, or a stream of lines.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{BufWriter, Write};

use tcpwhy_model::live::SocketKey;
use tcpwhy_report::dto::{
    Connection, InTurn, LiveDocument, LiveEvent, LiveGap, LiveHostFacts, LiveInterval, LiveRecord, Presentation,
};
use tcpwhy_report::live::{LiveRow, LiveTable, Piece, Reach, Tone, losers_sentence, next_step, to_text};
use tcpwhy_report::{Args, Wording, json};
use tcpwhy_watch::{End, LiveConnection, LiveHost, Losers};

use super::args::{Group, LiveArgs};
use super::groups::grouped;
use super::heading::{gap, head};
use crate::gates::{GateResult, LimitGates};
use crate::predicate::Word;
use crate::standard_output::{StandardOutput, stdout};
use crate::watching::{Accounts, Watch, opens_are_missed};
use crate::wrong::Result;

/// Closed connections that are kept for the output at the end; those that lost least time are dropped first.
const MOST_ENDED: usize = 10_000;

/// Bytes of lines that are written per call.
const LINES: usize = 1 << 16;

/// Writes the observations.
pub(super) struct Printer<'a> {
    args: &'a LiveArgs,
    wording: Wording<'a>,
    #[allow(clippy::vec_box, reason = "of two kilobytes each, a list that grows would be there twice")]
    ended: Vec<Box<LiveConnection>>,
    gates: LimitGates<'a>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(args: &'a LiveArgs, wording: Wording<'a>) -> Self {
        Self { args, wording, ended: Vec::new(), gates: LimitGates::new(&args.fail_on) }
    }

    /// The result of `--fail-on`; prints the connections that tripped it.
    pub(super) fn gate_result(&self) -> GateResult {
        self.gates.conclude(self.wording)
    }

    /// Writes the due lines, or keeps closed connections for later.
    pub(super) fn keep_up(&mut self, watch: &mut Watch) -> Result<()> {
        if self.args.jsonl {
            return self.stream(watch);
        }
        self.keep_ended(watch);
        Ok(())
    }

    /// The result of `present` for the connections, those that lost most time first.
    pub(super) fn answer<T>(
        &mut self,
        watch: &mut Watch,
        present: impl FnOnce(LiveHostFacts, &[&LiveConnection]) -> T,
    ) -> T {
        self.keep_ended(watch);
        let ended = std::mem::take(&mut self.ended);
        let mut all: Vec<_> = ended.iter().map(|c| &**c).chain(watch.host.connections()).collect();
        all.retain(|c| self.is_shown(c));
        all.sort_by(|a, b| b.lost_in_all().total_cmp(&a.lost_in_all()).then(a.id().cmp(&b.id())));
        present(self.host(watch), &all)
    }

    /// Writes the due lines.
    pub(super) fn stream(&mut self, watch: &mut Watch) -> Result<()> {
        let events = watch.events.take();
        let ended = watch.host.take_ended();
        let intervals = watch.host.take_intervals();
        let known = Known::new(&watch.host, &ended);
        let mut out = lines();
        for interval in intervals {
            let connection = known.find(interval.key);
            if connection.is_none_or(|c| self.is_shown(c)) {
                line(&mut out, &LiveRecord::Interval(LiveInterval::new(&interval, connection)))?;
            }
        }
        for event in &events {
            let connection = event.key.and_then(|key| known.find(key));
            if self.tells(connection) {
                line(
                    &mut out,
                    &LiveRecord::Event(LiveEvent::new(event, connection.map(LiveConnection::id), self.wording)),
                )?;
            }
        }
        for connection in &ended {
            self.connection_line(&mut out, connection)?;
        }
        out.flush()?;
        Ok(())
    }

    /// Writes the document, or the last lines.
    pub(super) fn finish(&mut self, watch: &mut Watch) -> Result<()> {
        if self.args.jsonl {
            self.stream(watch)?;
            let mut open: Vec<&LiveConnection> = watch.host.connections().collect();
            open.sort_by_key(|c| c.id());
            let mut out = lines();
            for connection in open {
                self.connection_line(&mut out, connection)?;
            }
            line(&mut out, &LiveRecord::Host(self.host(watch)))?;
            out.flush()?;
            return Ok(());
        }
        self.keep_ended(watch);
        let presentation = Presentation::new(self.wording);
        let events = watch.events.take();
        let mut ended = std::mem::take(&mut self.ended);
        keep_most_lost(&mut ended);
        let known = Known::new(&watch.host, &ended);
        let mut all: Vec<_> = ended.iter().map(|c| &**c).chain(watch.host.connections()).collect();
        all.retain(|c| self.is_shown(c));
        for connection in &all {
            self.judge(connection);
        }
        all.sort_by(|a, b| b.lost_in_all().total_cmp(&a.lost_in_all()).then(a.id().cmp(&b.id())));
        // Both lists are created while they are written, because a complete copy would double the memory.
        let events = events.iter().filter_map(|event| {
            let connection = event.key.and_then(|key| known.find(key));
            let id = connection.map(LiveConnection::id);
            self.tells(connection).then(|| LiveEvent::new(event, id, self.wording))
        });
        let mut budget = tcpwhy_fit::Budget::default();
        let connections = InTurn::new(all.into_iter().map(|c| {
            let mut whole = c.conclude();
            budget.predict(&mut whole);
            Connection::foreseen(c, &whole, presentation)
        }));
        let document = LiveDocument::new(self.host(watch), connections, InTurn::new(events));
        let mut out = stdout();
        out.write_json(&document)?;
        out.flush()?;
        Ok(())
    }

    /// Writes the list.
    pub(super) fn list(&mut self, watch: &mut Watch) -> Result<()> {
        self.keep_ended(watch);
        let watch = &*watch;
        let mut ended = std::mem::take(&mut self.ended);
        keep_most_lost(&mut ended);
        let look = self.args.look.look();
        let catalogue = self.wording.catalogue();
        let units = self.wording.units();
        let all = ended.iter().map(|c| &**c).chain(watch.host.connections());
        let mut shown: Vec<&LiveConnection> = all.filter(|c| self.is_shown(c)).collect();
        for connection in &shown {
            self.judge(connection);
        }
        // Idle connections are last, because they lost no time and moved no data.
        let grave = |c: &LiveConnection| Reverse(c.outcome().map(|outcome| outcome.kind.severity()));
        shown.sort_by_cached_key(|c| {
            (grave(c), Reverse(c.tally_in_all().lost()), Reverse(c.sent() + c.received()), c.id())
        });
        let sockets: Vec<End> = shown.iter().map(|c| End::whole(c)).collect();
        let losers = Losers::of(&sockets);
        let sentence = losers_sentence(&losers, &sockets, &shown, |_| Reach::None, self.wording);
        let next = next_step(&losers, &shown, self.wording);
        let began = shown.iter().filter(|c| c.began_here()).count() as u64;
        let effort = watch.effort();
        let is_grouped = self.args.by != Group::None;
        let mut count = shown.len();
        let mut rows: Vec<LiveRow<'_>> = if is_grouped {
            let rows =
                grouped(&shown, self.args.by, effort.time.as_nanos() as i64, |c| LiveRow::whole(c, self.wording));
            count = rows.len();
            rows
        } else {
            shown.into_iter().take(self.args.top).map(|c| LiveRow::whole(c, self.wording)).collect()
        };
        rows.truncate(self.args.top);
        let time = units.seconds(effort.time.as_secs_f64());
        let mut lines = vec![vec![Piece::new(
            look,
            &head(self.wording, watch, [watch.host.seen(), watch.host.moved()]),
            Tone::Bold,
        )]];
        // The kernel's counters include connections that no sample caught.
        let opened = watch.opened().filter(|&opened| opens_are_missed(opened, began));
        if let Some(opened) = opened.filter(|_| self.args.filter_words().is_empty()) {
            let args = Args::new().number("opened", opened).number("seen", began);
            let text = look.wrap(&catalogue.text("live-missed", &args));
            lines.extend(text.into_iter().map(|text| vec![Piece { text, tone: Tone::Warning }]));
        }
        if rows.is_empty() {
            let word = match (self.args.filter_words().is_empty(), watch.accounts()) {
                (false, _) => "live-no-match",
                // The BPF programs saw every connection, so none was missed.
                (true, Some(accounts)) if accounts.lost_ends() == 0 => "live-none-active",
                (true, _) => "live-none-seen",
            };
            lines.push(vec![Piece::new(look, &catalogue.word(word), Tone::Plain)]);
        } else {
            let sentence = look.wrap(&sentence.unwrap_or_default());
            lines.extend(sentence.into_iter().map(|text| vec![Piece { text, tone: Tone::Bold }]));
            lines.extend(
                look.wrap(&next.unwrap_or_default()).into_iter().map(|text| vec![Piece { text, tone: Tone::Plain }]),
            );
            let table = LiveTable::new(&rows, look, self.wording, &time);
            lines.extend(table.lines());
            if count > self.args.top {
                let args = Args::new().number("count", (count - self.args.top) as u64);
                let word = if is_grouped { "live-more-groups" } else { "live-more" };
                lines.push(vec![Piece::new(look, &catalogue.text(word, &args), Tone::Dim)]);
            }
        }
        for blind in watch.blind() {
            lines.push(vec![Piece::new(look, &gap(self.wording, watch, blind), Tone::Dim)]);
        }
        let mut out = stdout();
        write!(out, "{}", to_text(&lines, look))?;
        out.flush()?;
        Ok(())
    }

    /// Keeps closed connections for the output at the end.
    pub(super) fn keep_ended(&mut self, watch: &mut Watch) {
        let ended = watch.host.take_ended();
        let mut shown: Vec<_> = ended.into_iter().filter(|c| self.is_shown(c)).collect();
        if self.args.json {
            // The JSON document has no course over time.
            for connection in &mut shown {
                connection.forget_course();
            }
        }
        self.ended.extend(shown);
        // Sorting is slow, so it is done only once 1250 surplus connections have accumulated.
        if self.ended.len() > MOST_ENDED + MOST_ENDED / 8 {
            keep_most_lost(&mut self.ended);
        }
    }

    /// Whether an event is printed: only if its connection matches the filter, or if there is no filter.
    fn tells(&self, connection: Option<&LiveConnection>) -> bool {
        match connection {
            Some(connection) => Word::all_hold(&self.args.filter, connection, connection.limit_now()),
            None => self.args.filter.is_empty(),
        }
    }

    fn is_shown(&self, connection: &LiveConnection) -> bool {
        let is_active = self.args.idle || connection.has_moved();
        // The limit that is printed for the connection.
        let main = connection.tally_in_all().cause().unwrap_or_else(|| connection.limit_now());
        is_active && Word::all_hold(&self.args.filter, connection, main)
    }

    fn connection_line(&mut self, out: &mut impl Write, connection: &LiveConnection) -> Result<()> {
        if self.is_shown(connection) {
            self.judge(connection);
            let presentation = Presentation::new(self.wording);
            line(out, &LiveRecord::Connection(Box::new(Connection::live(connection, presentation))))?;
        }
        Ok(())
    }

    fn judge(&mut self, connection: &LiveConnection) {
        if !self.gates.is_empty() {
            self.gates.observe(&connection.conclude(), None);
        }
    }

    fn host(&self, watch: &Watch) -> LiveHostFacts {
        let (effort, [name, kernel_release]) = (watch.effort(), watch.names());
        LiveHostFacts {
            name,
            kernel_release,
            start_ns: watch.began_at().as_nanos(),
            duration_s: effort.time.as_secs_f64(),
            mode: if watch.accounts().is_some() { "bpf" } else { "samples" }.to_owned(),
            mode_reason: watch.why_sampled().map(|why| self.wording.catalogue().word(&why.word())),
            lost_events: watch.accounts().map_or(0, Accounts::lost_events),
            lost_ends: watch.accounts().map_or(0, Accounts::lost_ends),
            samples: effort.samples,
            dumps: effort.dumps,
            cpu_s: effort.cpu.as_secs_f64(),
            setup_cpu_s: effort.setup.as_secs_f64(),
            cpu_budget: watch.budget(),
            network_namespaces: watch.namespaces() as u64,
            connections_seen: watch.host.seen(),
            connections_active: watch.host.moved(),
            gaps: watch
                .blind()
                .into_iter()
                .map(|blind| LiveGap { id: blind.id().to_owned(), text: gap(self.wording, watch, blind) })
                .collect(),
        }
    }
}

/// Open and closed connections by their sockets.
struct Known<'a> {
    host: &'a LiveHost,
    ended: HashMap<SocketKey, &'a LiveConnection>,
}

impl<'a> Known<'a> {
    fn new(host: &'a LiveHost, ended: &'a [Box<LiveConnection>]) -> Self {
        Self { host, ended: ended.iter().map(|c| (c.key(), &**c)).collect() }
    }

    fn find(&self, key: SocketKey) -> Option<&'a LiveConnection> {
        self.host.connection(key).or_else(|| self.ended.get(&key).copied())
    }
}

/// Drops the connections that lost least time, if there are too many.
#[allow(clippy::vec_box, reason = "as they come from the host")]
pub(super) fn keep_most_lost(ended: &mut Vec<Box<LiveConnection>>) {
    if ended.len() > MOST_ENDED {
        ended.sort_by_cached_key(|connection| Reverse((connection.lost_in_all() * 1e9) as i64));
        ended.truncate(MOST_ENDED);
    }
}

/// A buffer for lines, because standard output makes a system call per line.
fn lines() -> BufWriter<StandardOutput> {
    BufWriter::with_capacity(LINES, stdout())
}

/// Writes a line.
fn line(out: &mut impl Write, record: &LiveRecord) -> Result<()> {
    json::to_writer(&mut *out, record)?;
    writeln!(out)?;
    Ok(())
}
