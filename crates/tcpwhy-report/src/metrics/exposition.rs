//! Metrics as text, in the two formats that monitoring systems read: [OpenMetrics
//! 1.0](https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md) and the
//! [Prometheus text format 0.0.4](https://prometheus.io/docs/instrumenting/exposition_formats/). Libraries
//! write only one of them; here one table serves both.

use std::fmt::{self, Display, Write as _};

use super::{Definition, GROUP_LABELS, Histogram, Kind, Metric, Scope};
use crate::Catalogue;

/// The format of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `OpenMetrics` 1.0.
    OpenMetrics,
    /// The Prometheus text format 0.0.4, which the textfile collector of `node_exporter` reads.
    Prometheus,
}

impl Format {
    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

/// Text to which families of metrics are added.
pub struct Exposition<'a> {
    text: String,
    format: Format,
    words: &'a Catalogue,
    /// Labels of groups in addition to [`GROUP_LABELS`].
    more_labels: &'a [&'static str],
}

impl<'a> Exposition<'a> {
    /// An empty text. Groups of connections have `more_labels` after process, role and port.
    pub const fn new(format: Format, words: &'a Catalogue, more_labels: &'a [&'static str]) -> Self {
        Self { text: String::new(), format, words, more_labels }
    }

    /// Begins the family of `metric`; each family may begin only once.
    pub fn family(&mut self, metric: Metric) -> Family<'_> {
        let definition = metric.definition();
        let help = self.words.word(&definition.help_id());
        // The Prometheus format names families after their samples, and has gauges instead of infos.
        let (name, kind) = match (self.format, definition.kind) {
            (Format::Prometheus, Kind::Info) => (definition.sample(), "gauge"),
            (Format::Prometheus, Kind::Counter) => (definition.sample(), "counter"),
            (_, kind) => (definition.name.to_owned(), kind_word(kind)),
        };
        let text = &mut self.text;
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "# TYPE {name} {kind}");
        if let (Format::OpenMetrics, Some(unit)) = (self.format, definition.unit) {
            let _ = writeln!(text, "# UNIT {name} {unit}");
        }
        let _ = writeln!(text, "# HELP {name} {}", Escaped(&help, self.format == Format::OpenMetrics));
        Family { text, definition, more_labels: self.more_labels }
    }

    /// The complete text.
    pub fn finish(mut self) -> String {
        if self.format == Format::OpenMetrics {
            self.text.push_str("# EOF\n");
        }
        self.text
    }
}

/// A family to which samples are added.
pub struct Family<'a> {
    text: &'a mut String,
    definition: &'static Definition,
    more_labels: &'a [&'static str],
}

impl Family<'_> {
    /// Adds a sample. `labels` are the values of the labels of its scope, then of its own labels.
    pub fn sample(&mut self, labels: &[&str], value: impl Display) {
        let sample = self.definition.sample();
        self.line(&sample, labels, None, value);
    }

    /// Adds the samples of a histogram.
    pub fn histogram(&mut self, labels: &[&str], histogram: &Histogram) {
        let name = self.definition.name;
        for (bound, count) in histogram.buckets() {
            self.line(&format!("{name}_bucket"), labels, Some(bound), count);
        }
        self.line(&format!("{name}_count"), labels, None, histogram.count());
        self.line(&format!("{name}_sum"), labels, None, histogram.sum());
    }

    fn line(&mut self, name: &str, values: &[&str], bound: Option<f64>, value: impl Display) {
        let of_group: &[&str] = if self.definition.scope == Scope::Group { &GROUP_LABELS } else { &[] };
        let more: &[&str] = if self.definition.scope == Scope::Group { self.more_labels } else { &[] };
        let names = of_group.iter().chain(more).chain(self.definition.labels);
        debug_assert_eq!(names.clone().count(), values.len(), "labels of {name}");
        self.text.push_str(name);
        let mut separator = '{';
        for (label, text) in names.zip(values) {
            // Writing to a `String` cannot fail.
            let _ = write!(self.text, "{separator}{label}=\"{}\"", Escaped(text, true));
            separator = ',';
        }
        if let Some(bound) = bound {
            let bound = if bound.is_infinite() { "+Inf".to_owned() } else { format!("{bound:?}") };
            let _ = write!(self.text, "{separator}le=\"{bound}\"");
            separator = ',';
        }
        if separator == ',' {
            self.text.push('}');
        }
        let _ = writeln!(self.text, " {value}");
    }
}

const fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
        Kind::Histogram => "histogram",
        Kind::Info => "info",
    }
}

/// Text with escapes for the characters that would end a value or a line; quotes are escaped if the flag is
/// set.
struct Escaped<'a>(&'a str, bool);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '"' if self.1 => f.write_str("\\\"")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn written(format: Format) -> String {
        let words = Catalogue::new(Language::English);
        let mut out = Exposition::new(format, &words, &["peer"]);
        let mut family = out.family(Metric::LimitSeconds);
        family.sample(&["a\"b\\c\nd", "server", "80", "10.0.0.0/24", "send_buffer"], 1.5);
        let mut histogram = Histogram::default();
        histogram.add(0.5);
        out.family(Metric::RoundTripSeconds).histogram(&["x", "client", "443", "::/48"], &histogram);
        out.family(Metric::Exporter).sample(&["1.0", "samples"], 1);
        out.family(Metric::Samples).sample(&[], 12);
        out.finish()
    }

    #[test]
    fn names_of_programs_end_no_line_and_no_value() {
        for format in [Format::OpenMetrics, Format::Prometheus] {
            let text = written(format);
            let wanted = "tcpwhy_limit_seconds_total{process=\"a\\\"b\\\\c\\nd\",role=\"server\",port=\"80\",\
                          peer=\"10.0.0.0/24\",limit=\"send_buffer\"} 1.5\n";
            assert!(text.contains(wanted), "{text}");
        }
    }

    #[test]
    fn openmetrics_names_families_and_has_an_end() {
        let text = written(Format::OpenMetrics);
        for line in [
            "# TYPE tcpwhy_limit_seconds counter\n# UNIT tcpwhy_limit_seconds seconds\n# HELP tcpwhy_limit_seconds ",
            "# TYPE tcpwhy info\n",
            "\ntcpwhy_info{version=\"1.0\",mode=\"samples\"} 1\n",
            "peer=\"::/48\",le=\"1.0\"} 1\n",
            "peer=\"::/48\",le=\"+Inf\"} 1\n",
            "\ntcpwhy_samples_total 12\n",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(text.ends_with("\n# EOF\n"));
    }

    #[test]
    fn the_older_form_names_samples() {
        let text = written(Format::Prometheus);
        for line in ["# TYPE tcpwhy_limit_seconds_total counter\n# HELP ", "# TYPE tcpwhy_info gauge\n"] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("# UNIT") && !text.contains("# EOF"));
    }
}
