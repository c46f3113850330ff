use std::io::{self, Write};
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use serde::Serialize;
use tcpwhy_analysis::{Connection, Pairs};
use tcpwhy_report::dto::{self, Presentation, SCHEMA, Tool};

use super::spool::{Piece, Spool};
use super::{EndOfSource, Sink, present};
use crate::moment::Moment;
use crate::standard_output::stdout;

/// `--json`: one document at the end. Until then connections are kept as the text that they will be in it: that can wait
/// outside of memory. It takes as long as to analyse them, so as many threads as there are processors write it.
pub(crate) struct Json<'a> {
    form: Form<'a>,
    /// What each thread wrote last, for its memory.
    texts: Vec<Texts>,
    /// Connections that have no text yet.
    unwritten: Vec<Connection>,
    captures: Vec<dto::Capture>,
    spool: Spool,
    connections: Vec<Waiting>,
    pairs: Pairs,
    /// Where those of the current source begin.
    source_start: usize,
    /// What precedes the number and the capture of every connection.
    head: [Vec<u8>; 2],
    /// A connection without its halves and findings: enough to number others.
    stub: Option<Connection>,
    text: Vec<u8>,
}

/// How connections become text.
#[derive(Clone, Copy)]
struct Form<'a> {
    presentation: Presentation<'a>,
    moment: Option<Moment>,
    is_pretty: bool,
}

/// A connection whose text waits.
struct Waiting {
    id: u64,
    first_packet: u64,
    /// Index of its capture.
    capture: Option<u32>,
    /// What follows its capture.
    rest: Piece,
}

impl<'a> Json<'a> {
    /// Connections that are written together: so many that starting threads for them does not matter.
    const TOGETHER: usize = 256;

    pub(crate) fn new(presentation: Presentation<'a>, moment: Option<Moment>) -> Self {
        let is_pretty = stdout().is_terminal();
        let presentation = Presentation { fixes: presentation.fixes.filter(|_| !is_pretty), ..presentation };
        Self {
            form: Form { presentation, moment, is_pretty },
            texts: vec![Texts::default(); thread::available_parallelism().map_or(1, usize::from)],
            unwritten: Vec::new(),
            captures: Vec::new(),
            spool: Spool::new(),
            connections: Vec::new(),
            pairs: Pairs::default(),
            source_start: 0,
            head: Default::default(),
            stub: None,
            text: Vec::new(),
        }
    }

    fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let empty = Document {
            schema: SCHEMA,
            tool: Tool::this(),
            captures: std::mem::take(&mut self.captures),
            across_connections: dto::across_connections(&self.pairs, self.form.presentation),
            connections: [],
        };
        let mut document = Vec::new();
        to_json(&mut document, &empty, self.form.is_pretty)?;
        // The connections stand where there are none, at its end.
        let end = document.iter().rposition(|&b| b == b']').unwrap_or(document.len());
        out.write_all(&document[..end])?;
        let separator: &[u8] = if self.form.is_pretty { b"\n    " } else { b"" };
        for (n, waiting) in std::mem::take(&mut self.connections).into_iter().enumerate() {
            if n > 0 {
                out.write_all(b",")?;
            }
            out.write_all(separator)?;
            self.spool.read(waiting.rest, &mut self.text)?;
            let [before_id, before_capture] = &self.head;
            self.write_part(out, before_id)?;
            write!(out, "{}", waiting.id)?;
            self.write_part(out, before_capture)?;
            match waiting.capture {
                Some(capture) => write!(out, "{capture}")?,
                None => out.write_all(b"null")?,
            }
            self.write_part(out, &self.text)?;
        }
        if self.form.is_pretty && self.source_start > 0 {
            out.write_all(b"\n  ")?;
        }
        out.write_all(&document[end..])?;
        writeln!(out)?;
        out.flush()
    }

    /// Gives connections their text.
    fn write_some(&mut self) -> io::Result<()> {
        let mut some = std::mem::take(&mut self.unwritten);
        let mut texts = std::mem::take(&mut self.texts);
        self.form.write(&some, &mut texts)?;
        let written = texts.iter().flat_map(Texts::each);
        for (connection, [before_id, before_capture, rest]) in some.iter().zip(written) {
            if self.stub.is_none() {
                self.head = [before_id.to_vec(), before_capture.to_vec()];
                self.stub = Some(Connection { halves: Vec::new(), findings: Vec::new(), ..connection.clone() });
            }
            let rest = self.spool.push(rest)?;
            let Connection { id, first_packet, .. } = *connection;
            self.connections.push(Waiting { id, first_packet, capture: None, rest });
        }
        some.clear();
        (self.unwritten, self.texts) = (some, texts);
        Ok(())
    }

    /// A part of a connection, two levels deep.
    fn write_part(&self, out: &mut impl Write, text: &[u8]) -> io::Result<()> {
        if !self.form.is_pretty {
            return out.write_all(text);
        }
        // Strings hold no line breaks in JSON.
        for line in text.split_inclusive(|&b| b == b'\n') {
            out.write_all(line)?;
            if line.ends_with(b"\n") {
                out.write_all(b"    ")?;
            }
        }
        Ok(())
    }
}

impl Sink for Json<'_> {
    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.pairs.add(&connection);
        self.unwritten.push(connection);
        if self.unwritten.len() >= Self::TOGETHER { self.write_some() } else { Ok(()) }
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        self.write_some()?;
        let EndOfSource { captures, number, .. } = end;
        let capture = if captures.len() == 1 { u32::try_from(self.captures.len()).ok() } else { None };
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
    /// Of each: what precedes its number and its capture, and what follows.
    places: Vec<[Range<usize>; 3]>,
}

impl Texts {
    fn clear(&mut self) {
        self.text.clear();
        self.places.clear();
    }

    fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn each(&self) -> impl Iterator<Item = [&[u8]; 3]> {
        self.places.iter().map(|places| places.clone().map(|place| &self.text[place]))
    }
}

impl Form<'_> {
    /// Stands for a number that is not known yet.
    const UNKNOWN: usize = usize::MAX;
    /// Fewer connections are written sooner than a thread is started.
    const WORTH_A_THREAD: usize = 8;

    /// Writes `connections` in as many threads as there are `texts`: their texts, in order.
    fn write(self, connections: &[Connection], texts: &mut [Texts]) -> io::Result<()> {
        texts.iter_mut().for_each(Texts::clear);
        let share = connections.len().div_ceil(texts.len().max(1)).max(1);
        thread::scope(|scope| {
            let mut shares = connections.chunks(share).zip(&mut *texts);
            let own = shares.next();
            let others =
                shares.filter(|(share, _)| share.len() >= Self::WORTH_A_THREAD).filter_map(|(share, texts)| {
                    thread::Builder::new().spawn_scoped(scope, move || self.write_share(share, texts)).ok()
                });
            let others: Vec<_> = others.collect();
            own.map_or(Ok(()), |(share, texts)| self.write_share(share, texts))?;
            // What panics there would have here.
            others.into_iter().try_for_each(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })?;
        // What was not worth a thread, or got none.
        let mut shares = connections.chunks(share).zip(texts);
        shares.try_for_each(|(share, texts)| if texts.is_empty() { self.write_share(share, texts) } else { Ok(()) })
    }

    fn write_share(self, connections: &[Connection], texts: &mut Texts) -> io::Result<()> {
        let unknown = Self::UNKNOWN.to_string();
        for connection in connections {
            let start = texts.text.len();
            let mut dto = present(connection, Some(Self::UNKNOWN), self.presentation, self.moment);
            dto.id = Self::UNKNOWN as u64;
            dto.append_json(&mut texts.text, self.is_pretty)?;
            texts.places.push(split(&texts.text, start, unknown.as_bytes()));
        }
        Ok(())
    }
}

/// [`dto::Document`] before its connections.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    tool: Tool,
    captures: Vec<dto::Capture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    across_connections: Vec<dto::Finding>,
    connections: [(); 0],
}

fn to_json(out: &mut Vec<u8>, value: &impl Serialize, is_pretty: bool) -> io::Result<()> {
    if is_pretty {
        tcpwhy_report::json::to_writer_pretty(out, value)?;
    } else {
        tcpwhy_report::json::to_writer(out, value)?;
    }
    Ok(())
}

/// What of `text`, from `start` on, stands before, between and after the first two places of `mark`, which are the first two values
/// there.
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

    use serde_json::Value;
    use tcpwhy_analysis::Analyzer;
    use tcpwhy_capture::CaptureReader;
    use tcpwhy_report::{Catalogue, Language, Wording};

    use super::*;

    /// What is pieced together is what serialising the document at once gives, to the byte, in both forms.
    #[test]
    fn the_document_is_that_of_its_parts() {
        let catalogue = Catalogue::new(Language::English);
        let presentation = Presentation { with_timeline: true, ..Presentation::new(Wording::new(&catalogue)) };
        for (is_pretty, names) in [(true, &["loss", "nagle-delayed-ack"][..]), (false, &["loss"]), (true, &[])] {
            let form = Form { presentation, moment: None, is_pretty };
            let texts = vec![Texts::default(); 2];
            let mut json = Json { form, texts, ..Json::new(presentation, None) };
            let mut expected = Vec::new();
            for (source, name) in names.iter().enumerate() {
                let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../samples/{name}.pcap.gz"));
                let mut analyzer = Analyzer::new();
                for segment in CaptureReader::open(&sample).unwrap() {
                    analyzer.observe(&segment);
                }
                let one = analyzer.finish().remove(0);
                // Three of each, the last first.
                for n in [2, 1, 0] {
                    let number = source as u64 * 3 + n;
                    json.connection(Connection { id: number, ..one.clone() }).unwrap();
                }
                for n in 0..3 {
                    let connection = Connection { id: source as u64 * 3 + n, ..one.clone() };
                    expected.push(dto::Connection::new(&connection, None, presentation));
                }
                json.end_of_source(EndOfSource { captures: Vec::new(), excluded: 0, range: None, number: &|c| c.id })
                    .unwrap();
            }
            let document = dto::Document {
                across_connections: Vec::new(),
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
