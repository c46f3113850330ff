use std::io::{self, BufWriter, Write};

use serde::Serialize;
use tcpwhy_analysis::{Connection, Pairs};
use tcpwhy_report::dto::{self, Presentation, SCHEMA, Tool};

use super::spool::{Piece, Spool};
use super::{EndOfSource, Sink, present};
use crate::moment::Moment;
use crate::standard_output::stdout;

/// `--json`: one document at the end. Until then connections are kept as the text that they will be in it: that can wait
/// outside of memory.
pub(crate) struct Json<'a> {
    presentation: Presentation<'a>,
    moment: Option<Moment>,
    is_pretty: bool,
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
    /// Stands for a number that is not known yet.
    const UNKNOWN: usize = usize::MAX;

    pub(crate) fn new(presentation: Presentation<'a>, moment: Option<Moment>) -> Self {
        Self {
            presentation,
            moment,
            is_pretty: stdout().is_terminal(),
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
            across_connections: dto::across_connections(&self.pairs, self.presentation),
            connections: [],
        };
        let mut document = Vec::new();
        to_json(&mut document, &empty, self.is_pretty)?;
        // The connections stand where there are none, at its end.
        let end = document.iter().rposition(|&b| b == b']').unwrap_or(document.len());
        out.write_all(&document[..end])?;
        let separator: &[u8] = if self.is_pretty { b"\n    " } else { b"" };
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
        if self.is_pretty && self.source_start > 0 {
            out.write_all(b"\n  ")?;
        }
        out.write_all(&document[end..])?;
        writeln!(out)?;
        out.flush()
    }

    /// A part of a connection, two levels deep.
    fn write_part(&self, out: &mut impl Write, text: &[u8]) -> io::Result<()> {
        if !self.is_pretty {
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
    fn connection(&mut self, mut connection: Connection) -> io::Result<()> {
        self.pairs.add(&connection);
        let (id, first_packet) = (connection.id, connection.first_packet);
        connection.id = Self::UNKNOWN as u64;
        let dto = present(&connection, Some(Self::UNKNOWN), self.presentation, self.moment);
        self.text.clear();
        dto.append_json(&mut self.text, self.is_pretty)?;
        let unknown = Self::UNKNOWN.to_string();
        let [before_id, before_capture, rest] = split(&self.text, unknown.as_bytes());
        if self.stub.is_none() {
            self.head = [before_id.to_vec(), before_capture.to_vec()];
        }
        let rest = self.spool.push(rest)?;
        self.connections.push(Waiting { id, first_packet, capture: None, rest });
        self.stub.get_or_insert_with(|| Connection { halves: Vec::new(), findings: Vec::new(), ..connection });
        Ok(())
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        let EndOfSource { captures, number, .. } = end;
        let capture = if captures.len() == 1 { u32::try_from(self.captures.len()).ok() } else { None };
        self.captures.extend(captures.iter().map(|c| dto::Capture::new(c, self.presentation)));
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
        self.write(&mut BufWriter::new(stdout()))
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

/// What stands before, between and after the first two places of `mark`, which are the first two values of `text`.
fn split<'t>(text: &'t [u8], mark: &[u8]) -> [&'t [u8]; 3] {
    let (before, rest) = split_once(text, mark);
    let (between, after) = split_once(rest, mark);
    [before, between, after]
}

fn split_once<'t>(text: &'t [u8], mark: &[u8]) -> (&'t [u8], &'t [u8]) {
    match text.windows(mark.len()).position(|w| w == mark) {
        Some(at) => (&text[..at], &text[at + mark.len()..]),
        None => (text, &[]),
    }
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
            let mut json = Json { is_pretty, ..Json::new(presentation, None) };
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
