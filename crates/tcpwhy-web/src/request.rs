use serde::Deserialize;

/// A request of the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Reads the captures. The answer is an object of `view` (`ViewData` in `viewer/src/format.ts`) and
    /// `messages`, lines that a terminal would print.
    Explain {
        /// The captures, in the order in which they were given.
        files: Vec<File>,
        /// Whether they are one source, merged by time.
        is_merged: bool,
        /// Tag of the initial language: `en`.
        language: String,
    },
    /// Compares two captures. The answer is like that of [`Request::Explain`], with `view.comparison` and the
    /// charts of both.
    Compare {
        /// The first and the second capture.
        files: Vec<File>,
        /// Tag of the initial language: `en`.
        language: String,
    },
    /// The charts of a connection, or of a stretch of it in more detail. The answer is a `ChartAnswer`
    /// (`viewer/src/format.ts`).
    Chart {
        /// `connection=N`, with `from=S&to=S` if only a part is wanted.
        query: String,
    },
    /// The document that `tcpwhy --json` writes, for which the captures are read again. For a comparison, the
    /// document of `tcpwhy compare --json`.
    Document {
        /// Tag of the language of its sentences.
        language: String,
        /// Whether it contains all intervals, as with `--timeline`.
        has_timeline: bool,
    },
    /// The rate that socket buffers allow: an object of `document` (`tcpwhy schema buffers`), `text` and
    /// `curves`.
    Buffers(BuffersQuestion),
}

/// A capture.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Name of the capture in all output.
    pub name: String,
}

/// The options of `tcpwhy buffers` as typed; an empty value has the default of the option.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BuffersQuestion {
    /// Tag of the language of the answer.
    pub language: String,
    /// A kernel or another system: `6.18`.
    pub kernel: String,
    /// `SO_SNDBUF`: `256k`.
    pub sndbuf: String,
    /// `SO_RCVBUF`: `256k`.
    pub rcvbuf: String,
    /// Round-trip time of the path: `20ms`.
    pub rtt: String,
    /// Bandwidth of the path: `100mbit`.
    pub bandwidth: String,
    /// Bytes of a transfer: `22MB`.
    pub bytes: String,
    /// A window instead of a buffer: `2MiB`.
    pub window: String,
    /// Settings that replace the kernel's defaults, one per line: `net.core.wmem_max=16777216`, or the output
    /// of `sysctl -a`.
    pub settings: String,
}
