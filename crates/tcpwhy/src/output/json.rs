use std::io::{self, IoSlice, Write};
use std::iter;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::Serialize;
use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_report::dto::{self, Presentation, SCHEMA, Tool};

use super::spool::{Piece, Spool, SpoolFile};
use super::{EndOfSource, FailedCapture, Sink, present};
use crate::moment::Moment;
use crate::standard_output::stdout;

/// `--json`: writes one document at the end. Until then, connections are stored as their final text, which
/// can be in a file. Creating the text takes as long as the analysis, so all processors share it.
pub(crate) struct Json<'a> {
    form: Form<'a>,
    /// The last texts of each thread, kept to reuse their memory.
    texts: Vec<Texts>,
    /// Connections without text so far.
    unwritten: Vec<Connection>,
    captures: Vec<dto::Capture>,
    spool: Spool,
    connections: Vec<Waiting>,
    folds: Folds,
    /// Index of the first connection of the current source.
    source_start: usize,
    /// The text before the number, and before the capture, of every connection.
    head: [Vec<u8>; 2],
    /// A connection without halves and findings, sufficient for the numbering of others.
    stub: Option<Connection>,
    /// Expected bytes of a thread's text: the longest so far plus an eighth.
    text_len: usize,
}

/// Conversion of connections to text.
#[derive(Clone, Copy)]
struct Form<'a> {
    presentation: Presentation<'a>,
    moment: Option<Moment>,
    is_pretty: bool,
}

/// A connection whose text is stored.
struct Waiting {
    id: u64,
    first_packet: u64,
    /// Index of its capture.
    capture: Option<u32>,
    /// The text after its capture.
    rest: Piece,
}

impl<'a> Json<'a> {
    /// Connections per batch: enough that the cost of starting threads, and of waiting for the last one, is
    /// negligible.
    const TOGETHER: usize = 1024;
    /// Connections per system call, two pieces for each (`UIO_MAXIOV` of Linux is 1,024).
    const WRITTEN_TOGETHER: usize = 512;

    pub(crate) fn new(presentation: Presentation<'a>, moment: Option<Moment>, file: SpoolFile) -> Self {
        let is_pretty = stdout().is_terminal();
        let presentation = Presentation { fixes: presentation.fixes.filter(|_| !is_pretty), ..presentation };
        Self {
            form: Form { presentation, moment, is_pretty },
            texts: vec![Texts::default(); thread::available_parallelism().map_or(1, usize::from)],
            unwritten: Vec::new(),
            captures: Vec::new(),
            spool: Spool::new(file),
            connections: Vec::new(),
            folds: Folds::default(),
            source_start: 0,
            head: Default::default(),
            stub: None,
            text_len: 0,
        }
    }

    fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let empty: dto::Document<[dto::Connection; 0]> = dto::Document {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            captures: std::mem::take(&mut self.captures),
            answer: dto::Answer::of_capture(&self.folds, self.form.presentation),
            across_connections: dto::across_connections(&self.folds.pairs, self.form.presentation),
            problems: dto::Problem::all(&self.folds, self.form.presentation),
            services: dto::Service::all(&self.folds.services),
            legs: dto::Relay::all(&self.folds.legs, self.form.presentation),
            connections: [],
        };
        let mut document = Vec::new();
        to_json(&mut document, &empty, self.form.is_pretty)?;
        // The connections are inserted into the empty list at the end of the document.
        let end = document.iter().rposition(|&b| b == b']').unwrap_or(document.len());
        out.write_all(&document[..end])?;
        let connections = std::mem::take(&mut self.connections);
        for (n, some) in connections.chunks(Self::WRITTEN_TOGETHER).enumerate() {
            self.write_connections(out, some, n == 0)?;
        }
        if self.form.is_pretty && self.source_start > 0 {
            out.write_all(b"\n  ")?;
        }
        out.write_all(&document[end..])?;
        writeln!(out)?;
        out.flush()
    }

    /// Writes `some` connections, the document's first ones if `is_first`.
    fn write_connections(&self, out: &mut impl Write, some: &[Waiting], is_first: bool) -> io::Result<()> {
        let [before_id, before_capture] = &self.head;
        // The text before the rest of each connection, and the positions of its ends.
        let mut heads = Vec::new();
        let mut ends = Vec::new();
        let mut text = Vec::new();
        for (n, waiting) in some.iter().enumerate() {
            if n > 0 || !is_first {
                heads.push(b',');
            }
            if self.form.is_pretty {
                heads.push(b'\n');
            }
            heads.extend_from_slice(before_id);
            write!(heads, "{}", waiting.id)?;
            heads.extend_from_slice(before_capture);
            match waiting.capture {
                Some(capture) => write!(heads, "{capture}")?,
                None => heads.extend_from_slice(b"null"),
            }
            ends.push(heads.len());
        }
        let starts = iter::once(0).chain(ends.iter().copied());
        let heads = starts.zip(&ends).map(|(start, &end)| &heads[start..end]);
        if self.form.is_pretty {
            for (head, waiting) in heads.zip(some) {
                write_indented(out, head)?;
                write_indented(out, self.spool.read(waiting.rest, &mut text)?)?;
            }
            return Ok(());
        }
        let mut pieces = Vec::with_capacity(2 * some.len());
        for (head, waiting) in heads.zip(some) {
            pieces.push(IoSlice::new(head));
            if let Some(rest) = self.spool.held(waiting.rest) {
                pieces.push(IoSlice::new(rest));
            } else {
                write_all(out, &mut pieces)?;
                pieces.clear();
                out.write_all(self.spool.read(waiting.rest, &mut text)?)?;
            }
        }
        write_all(out, &mut pieces)
    }

    /// Creates the text of the waiting connections.
    fn write_some(&mut self) -> io::Result<()> {
        // A small capture must not keep the memory of a large one.
        let is_full = self.unwritten.len() >= Self::TOGETHER;
        for texts in &mut self.texts {
            texts.places.clear();
            texts.text = self.spool.block();
            if is_full {
                texts.text.reserve(self.text_len);
            }
        }
        self.form.write(&self.unwritten, &mut self.texts)?;
        for texts in &mut self.texts {
            let mut text = std::mem::take(&mut texts.text);
            if text.is_empty() {
                self.spool.give_back(text);
                continue;
            }
            if !is_full {
                text.shrink_to_fit();
            }
            // Reserved in advance, because growing a block copies it.
            self.text_len = self.text_len.max(text.len() + text.len() / 8);
            if let Some((n, [before_id, before_capture, _])) = texts.places.first()
                && self.stub.is_none()
            {
                self.head = [before_id, before_capture].map(|place| text[place.clone()].to_vec());
                let connection = self.unwritten[*n].clone();
                self.stub = Some(Connection { halves: Vec::new(), findings: Vec::new(), ..connection });
            }
            let block = self.spool.push(text)?;
            for (n, [_, _, rest]) in &texts.places {
                let Connection { id, first_packet, .. } = self.unwritten[*n];
                self.connections.push(Waiting { id, first_packet, capture: None, rest: Piece::new(block, rest)? });
            }
        }
        self.unwritten.clear();
        Ok(())
    }
}

/// Writes a part of a connection, indented by two levels.
fn write_indented(out: &mut impl Write, text: &[u8]) -> io::Result<()> {
    // JSON strings contain no line breaks, so every line can be indented.
    for line in text.split_inclusive(|&b| b == b'\n') {
        out.write_all(line)?;
        if line.ends_with(b"\n") {
            out.write_all(b"    ")?;
        }
    }
    Ok(())
}

/// Writes all `pieces` in as few calls as possible.
fn write_all(out: &mut impl Write, mut pieces: &mut [IoSlice<'_>]) -> io::Result<()> {
    // Drops leading empty pieces, because a call that writes nothing counts as a failure.
    IoSlice::advance_slices(&mut pieces, 0);
    while !pieces.is_empty() {
        match out.write_vectored(pieces) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => IoSlice::advance_slices(&mut pieces, n),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl Sink for Json<'_> {
    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        self.captures.push(dto::Capture::failed(&failed.name, &failed.error, self.form.presentation));
        Ok(())
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.folds.add(&connection);
        self.unwritten.push(connection);
        if self.unwritten.len() >= Self::TOGETHER { self.write_some() } else { Ok(()) }
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        self.write_some()?;
        let EndOfSource { captures, number, .. } = end;
        let capture = if captures.len() == 1 { u32::try_from(self.captures.len()).ok() } else { None };
        self.folds.renumber(number);
        self.captures.extend(captures.iter().map(|c| dto::Capture::new(c, self.form.presentation)));
        let Some(stub) = &mut self.stub else { return Ok(()) };
        let of_source = &mut self.connections[self.source_start..];
        for waiting in &mut *of_source {
            (stub.id, stub.first_packet) = (waiting.id, waiting.first_packet);
            waiting.id = number(stub);
            waiting.capture = capture;
        }
        of_source.sort_by_key(|waiting| waiting.id);
        self.source_start = self.connections.len();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write(&mut stdout().for_much())
    }
}

/// Texts of connections.
#[derive(Clone, Default)]
struct Texts {
    text: Vec<u8>,
    /// For each, its index in the batch, and the ranges before its number, before its capture and after it.
    places: Vec<(usize, [Range<usize>; 3])>,
}

impl Form<'_> {
    /// Placeholder for a number that is not known yet.
    const UNKNOWN: usize = usize::MAX;
    /// Connections that a thread takes at a time: few, so that no thread waits long for the last one.
    const AT_A_TIME: usize = 16;

    /// Writes `connections` on one thread per element of `texts`; each thread takes the next ones.
    fn write(self, connections: &[Connection], texts: &mut [Texts]) -> io::Result<()> {
        let untaken = AtomicUsize::new(0);
        let write = |texts| self.write_untaken(connections, &untaken, texts);
        let Some((own, others)) = texts.split_first_mut() else { return Ok(()) };
        let wanted = connections.len().div_ceil(Self::AT_A_TIME).saturating_sub(1);
        thread::scope(|scope| {
            let others = others.iter_mut().take(wanted);
            // If a thread cannot be started, the others do its work.
            let others = others.map_while(|texts| thread::Builder::new().spawn_scoped(scope, || write(texts)).ok());
            let others: Vec<_> = others.collect();
            write(own)?;
            // A panic of a thread continues here.
            others.into_iter().try_for_each(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    fn write_untaken(self, connections: &[Connection], untaken: &AtomicUsize, texts: &mut Texts) -> io::Result<()> {
        let unknown = Self::UNKNOWN.to_string();
        loop {
            let taken = untaken.fetch_add(Self::AT_A_TIME, Ordering::Relaxed);
            let Some(some) = connections.get(taken..).filter(|some| !some.is_empty()) else { return Ok(()) };
            for (n, connection) in (taken..).zip(some.iter().take(Self::AT_A_TIME)) {
                let start = texts.text.len();
                let mut dto = present(connection, Some(Self::UNKNOWN), self.presentation, self.moment);
                dto.id = Self::UNKNOWN as u64;
                dto.append_json(&mut texts.text, self.is_pretty)?;
                texts.places.push((n, split(&texts.text, start, unknown.as_bytes())));
            }
        }
    }
}

fn to_json(out: &mut Vec<u8>, value: &impl Serialize, is_pretty: bool) -> io::Result<()> {
    if is_pretty {
        tcpwhy_report::json::to_writer_pretty(out, value)?;
    } else {
        tcpwhy_report::json::to_writer(out, value)?;
    }
    Ok(())
}

/// The ranges of `text` from `start` on: before, between and after the first two occurrences of `mark`, which
/// are the first two values.
fn split(text: &[u8], start: usize, mark: &[u8]) -> [Range<usize>; 3] {
    let place =
        |from: usize| text[from..].windows(mark.len()).position(|w| w == mark).map_or(text.len(), |at| from + at);
    let first = place(start);
    let between = (first + mark.len()).min(text.len());
    let second = place(between);
    [start..first, between..second, (second + mark.len()).min(text.len())..text.len()]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use std::time::Duration;

    use serde_json::Value;
    use tcpwhy_analysis::Analyzer;
    use tcpwhy_capture::CaptureReader;
    use tcpwhy_inputs::Origin;
    use tcpwhy_report::{Catalogue, Language, Wording};

    use super::*;

    /// The assembled document equals one that is serialised at once, byte for byte, in both forms.
    #[test]
    fn the_document_is_that_of_its_parts() {
        let catalogue = Catalogue::new(Language::English);
        let presentation = Presentation { with_timeline: true, ..Presentation::new(Wording::new(&catalogue)) };
        for (is_pretty, names) in [(true, &["loss", "nagle-delayed-ack"][..]), (false, &["loss"]), (true, &[])] {
            let form = Form { presentation, moment: None, is_pretty };
            let texts = vec![Texts::default(); 2];
            let mut json = Json { form, texts, ..Json::new(presentation, None, SpoolFile::open()) };
            let mut expected = Vec::new();
            for (source, name) in names.iter().enumerate() {
                let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../samples/{name}.pcap.gz"));
                let mut analyzer = Analyzer::new();
                for segment in CaptureReader::open(&sample).unwrap() {
                    analyzer.observe(&segment);
                }
                let one = analyzer.finish().remove(0);
                // Three connections per source, the last first.
                for n in [2, 1, 0] {
                    let number = source as u64 * 3 + n;
                    json.connection(Connection { id: number, ..one.clone() }).unwrap();
                }
                for n in 0..3 {
                    let connection = Connection { id: source as u64 * 3 + n, ..one.clone() };
                    expected.push(dto::Connection::new(&connection, None, presentation));
                }
                let end = EndOfSource {
                    captures: Vec::new(),
                    origin: Origin::Named,
                    input_bytes: None,
                    content_sha256: None,
                    failures: Vec::new(),
                    connections: 1,
                    took: Duration::ZERO,
                    excluded: 0,
                    range: None,
                    number: &|c| c.id,
                };
                json.end_of_source(end).unwrap();
            }
            let document = dto::Document {
                answer: dto::Answer::of_capture(&json.folds, presentation),
                across_connections: Vec::new(),
                problems: dto::Problem::all(&json.folds, presentation),
                services: dto::Service::all(&json.folds.services),
                legs: dto::Relay::all(&json.folds.legs, presentation),
                schema: SCHEMA.into(),
                tool: Tool::this(),
                captures: Vec::new(),
                connections: expected,
            };
            let mut at_once = Vec::new();
            to_json(&mut at_once, &document, is_pretty).unwrap();
            at_once.push(b'\n');
            let mut written = Vec::new();
            json.write(&mut written).unwrap();
            assert_eq!(String::from_utf8(written.clone()), String::from_utf8(at_once));
            serde_json::from_slice::<Value>(&written).unwrap();
        }
    }
}
