//! Explains a capture: the first lines, then each direction with its limits, findings and fixes.
//!
//! ```sh
//! cargo run --example explain -- slow.pcap
//! cargo run --example explain -- slow.pcap --json
//! ```

use std::error::Error;
use std::io::{self, Write};

use tcpwhy_engine::{Explain, Explanation};
use tcpwhy_report::dto::{Document, Presentation};
use tcpwhy_report::text::{Overview, answer_lines};
use tcpwhy_report::{Catalogue, Language, Site, Wording, json};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "../../samples/send-buffer.pcap.gz".to_owned());
    let explanation = Explain::path(&path).run()?;
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    let out = &mut io::stdout().lock();
    match std::env::args().nth(2).as_deref() {
        Some("--json") => print_json(out, &explanation, wording),
        _ => print(out, &explanation, wording),
    }
}

/// Prints the first lines, then the limits, findings and fixes of each direction.
pub(crate) fn print(
    out: &mut dyn Write,
    explanation: &Explanation,
    wording: Wording<'_>,
) -> Result<(), Box<dyn Error>> {
    for line in answer_lines(wording, &Overview::of(&explanation.connections)) {
        writeln!(out, "{:<3}  {}", line.label, line.text)?;
    }
    for connection in &explanation.connections {
        for half in &connection.halves {
            writeln!(out, "\n{}\n{}", wording.direction(connection, half), wording.verdict(half))?;
            for total in half.limits.totals() {
                writeln!(out, "{:>7.3} s  {}", total.nanos as f64 / 1e9, wording.cause(total.cause))?;
            }
            let site = Site::of(connection, Some(half.sender));
            for finding in &half.findings {
                writeln!(out, "{}: {}", finding.rule, wording.finding(finding, half.span.seconds()))?;
                for fix in &finding.fixes {
                    writeln!(out, "  {}", wording.fix(fix))?;
                    for line in wording.fix_lines(fix, Some(&site)).iter().take(2) {
                        writeln!(out, "    {line}")?;
                    }
                }
                if let Some(prediction) = &finding.prediction {
                    writeln!(out, "  {}", wording.prediction(prediction, half.span.seconds()))?;
                }
            }
        }
    }
    for capture in &explanation.reading.captures {
        for anomaly in capture.anomalies.iter() {
            writeln!(out, "{}", wording.capture_warning(&capture.path, anomaly))?;
        }
    }
    Ok(())
}

/// Prints the document of schema `tcpwhy/1`, as `tcpwhy --json` does.
fn print_json(out: &mut dyn Write, explanation: &Explanation, wording: Wording<'_>) -> Result<(), Box<dyn Error>> {
    let Explanation { connections, reading, .. } = explanation;
    let folds = explanation.folds();
    let document = Document::of(&reading.captures, connections, folds, Presentation::new(wording));
    writeln!(out, "{}", json::to_string(&document)?)?;
    Ok(())
}
