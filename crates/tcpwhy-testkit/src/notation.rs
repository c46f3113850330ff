//! Packets as packetdrill and tcpdump write them, one a line:
//!
//! ```text
//!  0.000 > S 0:0(0) <mss 1460,sackOK,wscale 7>
//!  0.010 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK,wscale 7>
//! +0.000 > . 1:1(0) ack 1 win 512
//! +0.001 > P. 1:1001(1000) ack 1 win 512 <nop,nop,TS val 5 ecr 4> id 7
//!       //^ limit: receive_window/zero_window, until 0.210
//! ```
//!
//! Times are seconds from the start, or from the line before with `+`. The client sends `>` packets, the
//! server `<` packets. Sequence and acknowledgment numbers count from the initial ones (the SYN is 0).
//! Windows are as in the header, unscaled. `id` is the IPv4 identification, `ttl` the hop limit. `ect0`,
//! `ect1` and `ce` are the ECN field of the IP header. The script also contains the expected results:
//!
//! - `//^ limit: CAUSE, until TIME`: the cause limits the client's data from the packet above until then,
//!   `//^ limit<: …` the server's; `//^ limit: CAUSE, until TIME, why REASON` also names the deciding reason;
//! - `// verdict: CAUSE` and `// verdict<: CAUSE` (or `none`);
//! - `// finding: RULE` and `// no finding: RULE`.
//!
//! Other comments are ignored.

use tcpwhy_model::{Ecn, IpHeader, Segment, SeqNum, TcpTimestamps, WindowField};

use crate::packets::{ISN, bare, in_order};

/// Packets and the expected results.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Packets in order of time.
    pub segments: Vec<Segment>,
    /// Expectations in the order of the script.
    pub expectations: Vec<Expectation>,
}

/// Result that a script expects of the analysis. Causes are written `limit` or `limit/detail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// A cause during an interval, nanoseconds from the start.
    Limit {
        /// Whether it concerns the data of the client or of the server.
        is_client: bool,
        /// Beginning of the interval.
        from: i64,
        /// End of the interval.
        until: i64,
        /// `limit` or `limit/detail`.
        cause: String,
        /// Name of the deciding reason, if that matters.
        why: Option<String>,
    },
    /// The verdict on a direction.
    Verdict {
        /// Whether it concerns the data of the client or of the server.
        is_client: bool,
        /// `limit`, `limit/detail` or `none`.
        cause: String,
    },
    /// A rule that must or must not apply to the connection or to either direction.
    Finding {
        /// Id of the rule.
        rule: String,
        /// Whether it must apply.
        holds: bool,
    },
}

/// Reads a script.
///
/// # Panics
/// On the first line that is not in the notation, naming it.
pub fn script(text: &str) -> Script {
    let mut script = Script::default();
    let mut time = 0;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(comment) = line.strip_prefix("//") {
            script.expectations.extend(expectation(comment, time));
        } else {
            let segment = packet(line, &mut time).unwrap_or_else(|what| panic!("{what} in {line:?}"));
            script.segments.push(segment);
        }
    }
    script.segments = in_order(script.segments);
    script
}

fn expectation(comment: &str, from: i64) -> Option<Expectation> {
    let (key, value) = comment.split_once(':')?;
    let value = value.trim();
    let is_client = !key.trim().ends_with('<');
    match key.trim().trim_end_matches('<').trim_end() {
        "^ limit" => {
            let (cause, until) = value.split_once(", until ").unwrap_or_else(|| panic!("no `until` in {comment:?}"));
            let (until, why) = match until.split_once(", why ") {
                Some((until, why)) => (until, Some(why.trim().to_owned())),
                None => (until, None),
            };
            let until = seconds(until).unwrap_or_else(|| panic!("no time in {comment:?}"));
            Some(Expectation::Limit { is_client, from, until, cause: cause.trim().to_owned(), why })
        }
        "verdict" => Some(Expectation::Verdict { is_client, cause: value.to_owned() }),
        "finding" => Some(Expectation::Finding { rule: value.to_owned(), holds: true }),
        "no finding" => Some(Expectation::Finding { rule: value.to_owned(), holds: false }),
        _ => None,
    }
}

fn packet(line: &str, time: &mut i64) -> Result<Segment, String> {
    let (line, options) = match line.split_once(" <") {
        // A ` < ` after the time is a direction; `<…>` at the end are options.
        Some(_) if line.contains('>') && line.rfind('<') > line.find(['>', '<']) => {
            let at = line.rfind('<').unwrap_or(line.len());
            let end = line[at..].find('>').ok_or("unclosed options")? + at;
            (format!("{}{}", &line[..at], &line[end + 1..]), line[at + 1..end].to_owned())
        }
        _ => (line.to_owned(), String::new()),
    };
    let mut words = line.split_whitespace();
    let mut next = |what: &str| words.next().map(str::to_owned).ok_or(format!("no {what}"));
    let stamp = next("time")?;
    *time = match stamp.strip_prefix('+') {
        Some(later) => *time + seconds(later).ok_or("bad time")?,
        None => seconds(&stamp).ok_or("bad time")?,
    };
    let is_client = match next("direction")?.as_str() {
        ">" => true,
        "<" => false,
        other => return Err(format!("direction {other:?}")),
    };
    let mine = ISN[usize::from(!is_client)];
    let theirs = ISN[usize::from(is_client)];
    let mut segment = bare(*time, is_client, &next("flags")?);
    let range = next("sequence numbers")?;
    let (from, rest) = range.split_once(':').ok_or("no `:` in the sequence numbers")?;
    let (to, len) = rest.trim_end_matches(')').split_once('(').ok_or("no length")?;
    let (from, to): (i64, i64) = (number(from)?, number(to)?);
    segment.payload_len = number(len)?;
    if to - from != i64::from(segment.payload_len) {
        return Err(format!("{from}:{to} are not {} bytes", segment.payload_len));
    }
    segment.seq = SeqNum(mine.wrapping_add(from as u32));
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("no value of {word}"));
        match word {
            "ack" => segment.ack = SeqNum(theirs.wrapping_add(number(value()?)?)),
            "win" => segment.window = WindowField(number(value()?)?),
            "id" => segment.ip.identification = Some(number(value()?)?),
            "ttl" => segment.ip.hop_limit = number(value()?)?,
            "ect0" => segment.ip = marked(segment.ip, Ecn::Capable0),
            "ect1" => segment.ip = marked(segment.ip, Ecn::Capable1),
            "ce" => segment.ip = marked(segment.ip, Ecn::CongestionExperienced),
            other => return Err(format!("unknown word {other:?}")),
        }
    }
    for option in options.split(',').map(str::trim).filter(|o| !o.is_empty()) {
        let mut parts = option.split_whitespace();
        let name = parts.next().unwrap_or_default();
        let mut value = || parts.next().ok_or(format!("no value of {name}"));
        match name {
            "nop" | "eol" => {}
            "mss" => segment.options.mss = Some(number(value()?)?),
            "wscale" => segment.options.window_scale = Some(number(value()?)?),
            "sackOK" => segment.options.sack_permitted = true,
            "TS" => {
                let words: Vec<_> = parts.collect();
                let ["val", val, "ecr", ecr] = words[..] else { return Err("TS needs val and ecr".into()) };
                segment.options.timestamps = Some(TcpTimestamps { value: number(val)?, echo_reply: number(ecr)? });
            }
            "sack" => {
                for block in parts {
                    let (left, right) = block.split_once(':').ok_or("no `:` in a SACK block")?;
                    let seq = |n: u32| SeqNum(theirs.wrapping_add(n));
                    segment.options.sack.push(seq(number(left)?), seq(number(right)?));
                }
            }
            other => return Err(format!("unknown option {other:?}")),
        }
    }
    Ok(segment)
}

fn marked(header: IpHeader, ecn: Ecn) -> IpHeader {
    IpHeader::new(header.identification, header.hop_limit, ecn)
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("bad number {word:?}"))
}

/// Converts decimal seconds to nanoseconds, exactly.
fn seconds(word: &str) -> Option<i64> {
    let (whole, part) = word.trim().split_once('.').unwrap_or((word.trim(), ""));
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: i64 = format!("{part:0<9}").get(..9)?.parse().ok()?;
    Some(whole * 1_000_000_000 + part)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::packets::{CLIENT, SERVER, at};

    #[test]
    fn reads_what_packetdrill_writes() {
        let s = script(
            "
             0.000 > S 0:0(0) <mss 1460,wscale 7>
             0.010 < S. 0:0(0) ack 1 win 0 <mss 1000>
            // a remark
            +.0005 > P. 1:1001(1000) ack 1 win 512 <nop,nop,TS val 5 ecr 4> id 7 ttl 60 ce
                  //^ limit: receive_window/zero_window, until 0.210
                  //^ limit<: path, until 0.3, why queue_standing
             0.020 < . 1:1(0) ack 1 win 2000 <nop,nop,sack 501:1001 1501:2001>
            // verdict: none
            // no finding: zero-window
        ",
        );
        let [syn, syn_ack, data, ack] = &s.segments[..] else { panic!("{s:?}") };
        assert_eq!((syn.source, syn.options.mss, syn.options.window_scale), (CLIENT, NonZeroU16::new(1460), Some(7)));
        assert_eq!((syn_ack.source, syn_ack.window.0, syn_ack.timestamp), (SERVER, 0, at(10_000_000)));
        assert_eq!(
            (data.payload_len, data.timestamp, data.ip.identification),
            (1000, at(10_500_000), NonZeroU16::new(7))
        );
        assert_eq!(data.ip, IpHeader::new(NonZeroU16::new(7), 60, Ecn::CongestionExperienced));
        assert_eq!(data.options.timestamps, Some(TcpTimestamps { value: 5, echo_reply: 4 }));
        assert_eq!(ack.options.sack.as_slice().len(), 2);
        assert_eq!(ack.options.sack.as_slice()[0].0.distance_from(data.seq), 500);
        assert_eq!(
            s.expectations,
            [
                Expectation::Limit {
                    is_client: true,
                    from: 10_500_000,
                    until: 210_000_000,
                    cause: "receive_window/zero_window".into(),
                    why: None,
                },
                Expectation::Limit {
                    is_client: false,
                    from: 10_500_000,
                    until: 300_000_000,
                    cause: "path".into(),
                    why: Some("queue_standing".into()),
                },
                Expectation::Verdict { is_client: true, cause: "none".into() },
                Expectation::Finding { rule: "zero-window".into(), holds: false },
            ]
        );
    }

    #[test]
    #[should_panic(expected = "are not 1000 bytes")]
    fn names_a_line_that_contradicts_itself() {
        script("0.1 > P. 1:1000(1000) ack 1");
    }
}
