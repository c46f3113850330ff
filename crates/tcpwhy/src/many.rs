//! Captures that are read once: several in parallel, presented in order.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use tcpwhy_engine::Source;
use tcpwhy_inputs::{Found, FoundCapture, Listing, PassedOver, normal_form};
use tcpwhy_model::Explained as _;
use tcpwhy_model::foreign::visible;
use tcpwhy_report::{Anonymizer, Args, Wording};

use crate::anonymize::name_of;
use crate::explain_args::ExplainArgs;
use crate::explainer::{Explainer, Opened, Seen};
use crate::interruptible::Interruptible;
use crate::message;
use crate::output::{FailedCapture, Sink};
use crate::pool::{Analysis, Form, Pool, Present};
use crate::progress::{ManyProgress, Progress};

/// Captures that have rows already: their shown names, and the lengths of their inputs.
pub(crate) type HaveRows = BTreeMap<String, Option<u64>>;

/// The form of a name in [`HaveRows`], so that `captures/a.pcap` and `/data/captures/a.pcap` are the same
/// file. Links are not resolved, because a target may change.
pub(crate) fn absolute_form(name: String) -> String {
    if name == "-" {
        return name;
    }
    let absolute = std::path::absolute(normal_form(Path::new(&name)));
    absolute.ok().and_then(|path| path.to_str().map(str::to_owned)).unwrap_or(name)
}

/// Captures per thread that are opened in advance, so that one is ready when a thread has finished.
const AHEAD: usize = 2;

/// Explains the captures of `args`, except those in `have_rows`, to `sink`; the caller finishes it. Also
/// returns the skipped files.
pub(crate) fn read(
    args: &ExplainArgs,
    have_rows: HaveRows,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
    sink: &mut dyn Sink,
) -> io::Result<(Seen, PassedOver)> {
    let was_cut = Arc::<AtomicBool>::default();
    let explainer = Explainer::new(args, anonymizer, wording);
    let jobs = args.jobs.and_then(NonZero::new).unwrap_or_else(available_threads);
    let ahead = AHEAD * jobs.get();
    let listing = Listing::new(args.places(), args.depth())
        .with_shard(args.shard)
        .with_most_unpacked(args.most_unpacked())
        .with_names(|name| name_of(name.as_ref(), anonymizer))
        .with_standard_input({
            let was_cut = Arc::clone(&was_cut);
            move || Ok(Box::new(Interruptible::new(Arc::clone(&was_cut))?))
        });
    thread::scope(|scope| {
        let mut many = Many {
            args,
            wording,
            form: explainer.form(sink),
            explainer,
            listing,
            have_rows,
            ahead: VecDeque::new(),
            most_ahead: ahead,
            // With a single job, this thread does the work.
            pool: (jobs.get() > 1).then(|| Pool::start(scope, jobs, ahead)).flatten(),
            has_several: false,
            was_cut,
            progress: ManyProgress::new(args.quiet, wording.catalogue()),
        };
        while let Some(next) = many.next() {
            many.present(next, sink)?;
        }
        many.progress.clear();
        let passed_over = many.listing.passed_over();
        sink.passed_over(passed_over);
        Ok((many.explainer.conclude(sink), passed_over))
    })
}

fn available_threads() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// The open captures.
struct Many<'a> {
    args: &'a ExplainArgs,
    wording: Wording<'a>,
    form: Form,
    explainer: Explainer<'a>,
    listing: Listing<'a>,
    have_rows: HaveRows,
    /// Open captures that wait for their turn.
    ahead: VecDeque<Ahead>,
    most_ahead: usize,
    pool: Option<Pool>,
    /// Whether there is more than one capture.
    has_several: bool,
    was_cut: Arc<AtomicBool>,
    progress: ManyProgress,
}

enum Ahead {
    Failed(FailedCapture),
    Capture(Box<Waiting>),
}

/// An open capture that waits for its turn.
struct Waiting {
    name: String,
    opened: Opened,
    work: Work,
    /// Whether it must be read before the next one is opened.
    is_in_place: bool,
    is_standard_input: bool,
}

enum Work {
    /// Analysed by this thread, or by all threads.
    Here(Option<Source>),
    /// Analysed by a thread of the pool.
    Elsewhere(Analysis),
}

impl Many<'_> {
    /// The next capture, after opening further ones in advance.
    fn next(&mut self) -> Option<Ahead> {
        while self.ahead.len() < self.most_ahead {
            let is_held = matches!(self.ahead.back(), Some(Ahead::Capture(last)) if last.is_in_place);
            // A pipe may block, so it must not delay captures that are already open.
            if is_held || (!self.ahead.is_empty() && self.listing.may_wait()) {
                break;
            }
            let Some(found) = self.listing.next() else { break };
            if self.leaves_out(&found) {
                continue;
            }
            self.has_several |= !self.ahead.is_empty();
            self.ahead.push_back(self.opened(found));
            if self.has_several {
                self.hand_out();
            }
        }
        self.ahead.pop_front()
    }

    /// Whether this capture has rows already. Prints a message if it has changed since.
    fn leaves_out(&mut self, found: &Found) -> bool {
        let (name, len) = match found {
            Found::Capture(capture) => (&capture.name, capture.reader.bytes_total()),
            Found::Failed(failed) => (&failed.name, None),
        };
        let one = absolute_form(name.clone());
        let Some(before) = self.have_rows.get(&one) else {
            if self.args.has_tables() {
                // A capture that is named twice gets its rows once.
                self.have_rows.insert(one, len);
            }
            return false;
        };
        if let (Some(len), Some(before)) = (len, *before)
            && len != before
        {
            let args = Args::new().text("name", visible(name)).number("before", before).number("now", len);
            self.progress.clear();
            message::say(self.wording.catalogue().text("tables-capture-changed", &args));
        }
        self.explainer.leave_out();
        true
    }

    fn opened(&self, found: Found) -> Ahead {
        match found {
            Found::Failed(failed) => {
                Ahead::Failed(FailedCapture { name: failed.name, error: failed.error.message(), origin: failed.origin })
            }
            Found::Capture(capture) => {
                let FoundCapture { name, origin, mut reader, is_in_place, is_standard_input } = *capture;
                let mut opened = Opened::new(name.clone(), origin, self.args);
                opened.listen(&mut reader);
                let work = Work::Here(Some(Source::Single(Box::new(reader))));
                Ahead::Capture(Box::new(Waiting { name, opened, work, is_in_place, is_standard_input }))
            }
        }
    }

    /// Gives small captures to the pool. A large one is analysed by all threads.
    fn hand_out(&mut self) {
        let Some(pool) = &self.pool else { return };
        let is_small = |waiting: &Waiting| matches!(&waiting.work, Work::Here(Some(source)) if source.is_small());
        for ahead in &mut self.ahead {
            match ahead {
                Ahead::Capture(waiting) if is_small(waiting) && !waiting.is_in_place => waiting.submit(pool, self.form),
                _ => {}
            }
        }
    }

    fn present(&mut self, ahead: Ahead, sink: &mut dyn Sink) -> io::Result<()> {
        let has_followers = self.has_several || !self.ahead.is_empty();
        match ahead {
            Ahead::Failed(failed) => {
                self.progress.clear();
                let is_only = !has_followers && self.explainer.captures() == 0 && self.args.files.len() == 1;
                self.explainer.fail(&failed, is_only, sink)?;
            }
            Ahead::Capture(waiting) => self.explain(*waiting, sink)?,
        }
        self.has_several = true;
        Ok(())
    }

    fn explain(&mut self, waiting: Waiting, sink: &mut dyn Sink) -> io::Result<()> {
        let Waiting { name, opened, work, is_standard_input, .. } = waiting;
        let cut = Arc::clone(&self.was_cut);
        let was_cut = move || is_standard_input && cut.load(Ordering::Relaxed);
        let source = match work {
            Work::Elsewhere(analysis) => {
                self.progress.advance(&name);
                return self.explainer.explain(opened, was_cut, |present| analysis.present(present), sink);
            }
            Work::Here(Some(source)) => source,
            // It was already handed to the pool.
            Work::Here(None) => return Ok(()),
        };
        let (form, is_quick) = (self.form, self.has_several && source.is_small());
        if is_quick {
            self.progress.advance(&name);
            let run = |present: &mut Present<'_>| {
                let begin = Instant::now();
                let outcome = tcpwhy_engine::run(source, form.delivery, &form.alone(), &mut |_| (), present)?;
                Ok((outcome, begin.elapsed()))
            };
            return self.explainer.explain(opened, was_cut, run, sink);
        }
        self.progress.clear();
        let mut progress = if is_standard_input {
            Progress::of_stream(&self.wording.capture_name(&name), self.args.quiet, self.wording.catalogue())
        } else {
            Progress::new(&name, self.args.quiet)
        };
        let run = |present: &mut Present<'_>| {
            let mut advance = |reached| progress.advance(reached);
            let begin = Instant::now();
            let outcome = tcpwhy_engine::run(source, form.delivery, &form.together(), &mut advance, present);
            progress.clear();
            Ok((outcome?, begin.elapsed()))
        };
        self.explainer.explain(opened, was_cut, run, sink)
    }
}

impl Waiting {
    /// Lets the pool analyse it.
    fn submit(&mut self, pool: &Pool, form: Form) {
        if let Work::Here(source) = &mut self.work
            && let Some(source) = source.take()
        {
            self.work = Work::Elsewhere(pool.submit(source, form));
        }
    }
}
