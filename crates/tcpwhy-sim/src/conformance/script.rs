//! Scripts in the language of packetdrill: packets of the peer, expected packets, and their times.

use crate::time::Time;

/// A whole script.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) steps: Vec<Step>,
    /// Bursts are sent as single segments, because the script has turned segmentation offload off.
    pub(super) cuts_bursts: bool,
    /// Sysctls in its shell lines, as `name=value`.
    pub(super) sysctls: Vec<String>,
    /// Tolerance of times, nanoseconds.
    pub(super) tolerance: Time,
}

/// One step of a script.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) line: usize,
    pub(super) at: At,
    /// Additional time that it may take.
    pub(super) within: Time,
    pub(super) event: Event,
}

/// Time of a step, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Since the start.
    Absolute(Time),
    /// Since the previous step.
    After(Time),
    /// At any time.
    Any,
}

#[derive(Debug)]
pub(super) enum Event {
    /// The peer sends this packet.
    In(Packet),
    /// The socket must send this packet.
    Out(Packet),
    Call(Call),
    /// Statements about `tcp_info`.
    Check(String),
}

/// A system call and what it returns.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    pub(super) result: i64,
}

/// A packet as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Packet {
    /// `ect0`, `ce` or `noecn`, if given.
    pub(super) ecn: Option<String>,
    pub(super) flags: String,
    pub(super) seq: u64,
    pub(super) len: u64,
    pub(super) ack: Option<u64>,
    pub(super) window: Option<u64>,
    pub(super) mss: Option<u64>,
    pub(super) permits_sack: bool,
    pub(super) window_scale: Option<u8>,
    /// `TS val … ecr …`, milliseconds.
    pub(super) stamps: Option<[u64; 2]>,
    pub(super) sack: Vec<(u64, u64)>,
}

/// Parses `+.1` or `0.25`, in seconds, as nanoseconds.
fn time(text: &str) -> Option<Time> {
    text.parse::<f64>().ok().map(|seconds| (seconds * 1e9).round() as Time)
}

struct Reader<'a> {
    text: &'a str,
    place: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.place..]
    }

    fn line(&self) -> usize {
        self.text[..self.place].matches('\n').count() + 1
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.place += rest.len() - rest.trim_start().len();
    }

    /// Returns the text before `end`, and skips both.
    fn until(&mut self, end: &str) -> &'a str {
        let rest = self.rest();
        let (text, len) = rest.find(end).map_or((rest, rest.len()), |at| (&rest[..at], at + end.len()));
        self.place += len;
        text
    }

    fn while_in(&mut self, set: &str) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !set.contains(c)).unwrap_or(rest.len());
        self.place += len;
        &rest[..len]
    }

    /// Parses `0`, `+.1` or `*`, optionally with the end of a range.
    fn at(&mut self) -> Option<(At, Time)> {
        const DIGITS: &str = "0123456789.";
        let sign = self.while_in("+*");
        self.skip_space();
        let (digits, _) = self.rest().split_at(self.rest().find(|c| !DIGITS.contains(c)).unwrap_or(0));
        // The ends of a range are separated by three dots.
        let digits = digits.split("...").next().unwrap_or_default();
        self.place += digits.len();
        let before = self.place;
        self.skip_space();
        let mut within = 0;
        if self.rest().starts_with("...") || self.rest().starts_with('~') {
            self.place += if self.rest().starts_with('~') { 1 } else { 3 };
            self.skip_space();
            self.while_in("+");
            within = time(self.while_in(DIGITS))?.saturating_sub(time(digits)?);
        } else {
            self.place = before;
        }
        let at = match sign {
            "*" => At::Any,
            "+" => At::After(time(digits)?),
            _ => At::Absolute(time(digits)?),
        };
        Some((at, within))
    }
}

/// Removes comments but keeps their line breaks.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        let end = rest[at..].find("*/").map_or(rest.len(), |end| at + end + 2);
        out.extend(rest[at..end].chars().filter(|&c| c == '\n'));
        rest = &rest[end..];
    }
    out.push_str(rest);
    out.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code).to_owned() + "\n").collect()
}

/// Parses `text`. An error names the line.
pub(super) fn parse(text: &str) -> Result<Script, String> {
    /// Packetdrill's own default.
    const TOLERANCE: Time = 4_000_000;
    let text = without_comments(text);
    let mut reader = Reader { text: &text, place: 0 };
    let mut script = Script { tolerance: TOLERANCE, ..Script::default() };
    loop {
        reader.skip_space();
        let line = reader.line();
        if reader.rest().is_empty() {
            return Ok(script);
        }
        if reader.rest().starts_with("--") {
            let option = reader.until("\n");
            if let Some(micros) = option.strip_prefix("--tolerance_usecs=") {
                script.tolerance = micros.trim().parse::<Time>().unwrap_or_default() * 1_000;
            }
            continue;
        }
        if reader.rest().starts_with('`') {
            reader.place += 1;
            let shell = reader.until("`");
            script.cuts_bursts |= shell.contains("tso off");
            script.sysctls.extend(sysctls(shell));
            continue;
        }
        let failed = |what: &str| format!("line {line}: {what}");
        let (at, within) = reader.at().ok_or_else(|| failed("no time"))?;
        reader.skip_space();
        let rest = reader.rest();
        let event = if let Some(direction) = rest.chars().next().filter(|c| "<>".contains(*c)) {
            reader.place += 1;
            let packet = packet(reader.until("\n")).ok_or_else(|| failed("no packet"))?;
            if direction == '<' { Event::In(packet) } else { Event::Out(packet) }
        } else if rest.starts_with("%{") {
            reader.place += 2;
            Event::Check(reader.until("}%").to_owned())
        } else if rest.starts_with('`') {
            reader.place += 1;
            script.sysctls.extend(sysctls(reader.until("`")));
            continue;
        } else {
            Event::Call(call(&mut reader).ok_or_else(|| failed("no system call"))?)
        };
        script.steps.push(Step { line, at, within, event });
    }
}

/// Sysctls in shell lines.
fn sysctls(shell: &str) -> Vec<String> {
    let mut all = Vec::new();
    let joined = shell.replace("\\\n", " ");
    for line in joined.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let mut rest = line;
        while let Some(at) = rest.find('=') {
            let name = rest[..at].rsplit(' ').next().unwrap_or_default();
            let value = &rest[at + 1..];
            let (value, after) = match value.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => value.split_once(' ').unwrap_or((value, "")),
            };
            let name = name.trim_start_matches("/proc/sys/").replace('/', ".");
            if name.starts_with("net.") {
                all.push(format!("{name}={value}"));
            }
            rest = after;
        }
    }
    all
}

fn call(reader: &mut Reader<'_>) -> Option<Call> {
    let name = reader.until("(").trim().to_owned();
    let (mut depth, mut arguments, mut last) = (0, Vec::new(), String::new());
    let rest = reader.rest();
    let mut end = None;
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                end = Some(at);
                break;
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(std::mem::take(&mut last).trim().to_owned());
                continue;
            }
            _ => {}
        }
        last.push(c);
    }
    arguments.push(last.trim().to_owned());
    reader.place += end? + 1;
    reader.until("=");
    let result = reader.until("\n").split_whitespace().next()?.to_owned();
    Some(Call { name, arguments, result: number(&result)? })
}

/// Parses a decimal or hexadecimal number.
pub(super) fn number(text: &str) -> Option<i64> {
    match text.trim().strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.trim().parse().ok(),
    }
}

fn packet(text: &str) -> Option<Packet> {
    let (head, options) = text.split_once('<').unwrap_or((text, ""));
    let mut words = head.split_whitespace().peekable();
    let mut packet = Packet::default();
    if let Some(word) = words.next_if(|word| word.starts_with('[')) {
        packet.ecn = Some(word.trim_matches(|c| "[],".contains(c)).to_owned());
    }
    words.next()?.clone_into(&mut packet.flags);
    let range = words.next()?;
    let (seq, rest) = range.split_once(':')?;
    let (_, len) = rest.split_once('(')?;
    (packet.seq, packet.len) = (seq.parse().ok()?, len.trim_end_matches(')').parse().ok()?);
    while let Some(word) = words.next() {
        match word {
            "ack" => packet.ack = Some(words.next()?.parse().ok()?),
            "win" => packet.window = Some(words.next()?.parse().ok()?),
            _ => return None,
        }
    }
    for option in options.trim_end().trim_end_matches('>').split(',') {
        let words: Vec<_> = option.split_whitespace().collect();
        match words[..] {
            ["mss", mss] => packet.mss = mss.parse().ok(),
            ["sackOK"] => packet.permits_sack = true,
            ["wscale", scale] => packet.window_scale = scale.parse().ok(),
            ["TS", "val", val, "ecr", ecr] => packet.stamps = Some([val.parse().ok()?, ecr.parse().ok()?]),
            ["sack", ref blocks @ ..] => {
                for block in blocks {
                    let (from, to) = block.split_once(':')?;
                    packet.sack.push((from.parse().ok()?, to.parse().ok()?));
                }
            }
            [] | ["nop" | "eol" | "..."] => {}
            _ => return None,
        }
    }
    Some(packet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read() {
        let script = parse(
            "// A comment.\n`../common/defaults.sh\nsysctl -q net.ipv4.tcp_sack=0 # off\n`\n\
             0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n\
             +.1 < S 0:0(0) win 32792 <mss 1000,sackOK,nop,nop,nop,wscale 7>\n\
             +0...0.040 poll([{fd=4,\n  events=POLLOUT}], 1, 1000) = 1\n\
             +0 > [ect0] P. 1:2001(2000) ack 1 <nop,nop,sack 4001:5001 6001:7001>\n\
             +.005 %{ assert tcpi_snd_cwnd == 10 }%\n",
        )
        .unwrap();
        assert_eq!(script.sysctls, ["net.ipv4.tcp_sack=0"]);
        let [socket, syn, poll, out, check] = &script.steps[..] else { panic!("{script:?}") };
        assert!(matches!(&socket.event, Event::Call(call) if call.name == "socket" && call.result == 3));
        let Event::In(syn_packet) = &syn.event else { panic!("{syn:?}") };
        assert_eq!((syn.at, syn_packet.mss, syn_packet.window_scale), (At::After(100_000_000), Some(1000), Some(7)));
        assert!(matches!(&poll.event, Event::Call(call) if call.arguments.len() == 3));
        let Event::Out(packet) = &out.event else { panic!("{out:?}") };
        assert_eq!((packet.ecn.as_deref(), packet.sack.len(), packet.len), (Some("ect0"), 2, 2_000));
        assert!(matches!(&check.event, Event::Check(_)) && check.at == At::After(5_000_000));
    }
}
