//! Bytes in flight that a send buffer allows.

use tcpwhy_model::ByteCount;

use crate::figure::Derivation;
use crate::fill::{Least, least_in_flight, most_in_flight, taken};
use crate::link::SK_BUFF;
use crate::request::{self, BufferKind, BufferRequest, Granted, grant};
use crate::{Figure, Ground, KernelVersion, Link, Rule, SettingOrigin, Step, Sysctl, Sysctls, WriteMode, Writing};

/// `SKB_DATA_ALIGN(sizeof(struct skb_shared_info))`.
pub(crate) const SHARED_INFO: ByteCount = 320;
/// Initial congestion window in segments (RFC 6928).
pub(crate) const INITIAL_WINDOW: ByteCount = 10;

/// Input for the send limits of a connection.
#[derive(Clone, Copy, Debug)]
pub struct SendQuestion<'a> {
    /// The sender's kernel.
    pub version: KernelVersion,
    /// The sender's settings.
    pub sysctls: &'a Sysctls,
    /// Request of its program; `None` leaves autotuning on.
    pub request: Option<BufferRequest>,
    /// The link.
    pub link: Link,
    /// How its program writes.
    pub writing: Writing,
    /// Whether the congestion control is BBR, which paces and starts with a larger buffer.
    pub is_bbr: bool,
    /// Largest window that the peer advertises, if known.
    pub peer_window: Option<ByteCount>,
    /// `TCP_NOTSENT_LOWAT` of its program; `None` leaves it to `tcp_notsent_lowat`.
    pub notsent_lowat: Option<ByteCount>,
}

/// Limits that follow from a send buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendLimits {
    /// Effect of the request.
    pub granted: Option<Granted>,
    /// Value of `getsockopt(SO_SNDBUF)` when the connection is established.
    pub initial_buffer: Figure,
    /// Size to which it may grow.
    pub largest_buffer: Figure,
    /// Maximum bytes in flight with the initial buffer.
    pub initial_flight: Figure,
    /// Maximum bytes in flight in the long run.
    pub largest_flight: Figure,
    /// Maximum unsent bytes; `None` if only the buffer limits them.
    pub largest_unsent: Option<Figure>,
    /// Derivation of the numbers.
    pub steps: Vec<Step>,
}

/// Computes the limits of the sender in `question`.
pub fn send_limits(question: &SendQuestion<'_>) -> SendLimits {
    let mut steps = Derivation::new(question.version.ground());
    let granted = question.request.map(|request| grant(BufferKind::Send, request, question.sysctls, question.version));
    let (initial_buffer, largest_buffer) = match &granted {
        Some(granted) => {
            request::explain(BufferKind::Send, granted, &mut steps);
            let buffer = Figure::exact(granted.reported).trusted(granted.ground()).trusted(question.version.ground());
            steps.note(Rule::Locked, buffer.ground, "sk_userlocks |= SOCK_SNDBUF_LOCK".into(), granted.reported);
            (buffer, buffer)
        }
        None => autotuned(question, &mut steps),
    };
    let initial_flight = flight(question, initial_buffer, None);
    let largest_flight = flight(question, largest_buffer, Some(&mut steps));
    let largest_unsent = unsent(question, largest_buffer, &mut steps);
    SendLimits {
        granted,
        initial_buffer,
        largest_buffer,
        initial_flight,
        largest_flight,
        largest_unsent,
        steps: steps.into_steps(),
    }
}

/// Unsent bytes if `TCP_NOTSENT_LOWAT` or its sysctl limits them (`tcp_stream_memory_free`). Like the buffer,
/// the limit is tested before a new skb begins, which is then filled completely.
fn unsent(question: &SendQuestion<'_>, buffer: Figure, steps: &mut Derivation) -> Option<Figure> {
    let sysctl = question.sysctls.number(Sysctl::TcpNotsentLowat).and_then(|n| u64::try_from(n).ok());
    // 0 means that the sysctl applies (`tcp_notsent_lowat()`); the sysctl's default is the largest number.
    let mark = question.notsent_lowat.filter(|&n| n > 0).or(sysctl).filter(|&n| n < ByteCount::from(u32::MAX))?;
    // While data waits, writes of any size continue in the last skb.
    let goal = question.link.size_goal(question.peer_window);
    let overhead = question.link.skb_overhead(question.version).low;
    let most = taken(buffer.value, question.writing, goal, overhead);
    let value = (mark.div_ceil(goal).max(1) * goal).min(most);
    let formula = format!("skbs of {goal} while notsent < {mark}: {value}");
    steps.note(Rule::NotsentLowat, Ground::Measured, formula, value);
    // The data being sent may be part of an skb.
    let unsent = Figure::range(value, mark.min(value), Some(mark.saturating_add(goal)), Ground::Measured);
    Some(unsent.trusted(question.version.ground()))
}

/// Initial and largest size of a buffer that was not set.
fn autotuned(question: &SendQuestion<'_>, steps: &mut Derivation) -> (Figure, Figure) {
    let wmem = question.sysctls.triple_or_default(Sysctl::TcpWmem, question.version);
    // Every version has a default.
    let (limit, ground) = wmem.map_or((4_194_304, Ground::Assumed), |wmem| {
        let ground = if wmem.origin == SettingOrigin::Known { Ground::Exact } else { Ground::Assumed };
        // The kernel stores the values as int.
        (wmem.value[2].min(i32::MAX as ByteCount), ground)
    });
    let ground = ground.max(question.version.ground());
    let mss = question.link.announced_mss();
    let header = question.link.max_tcp_header(question.version);
    if !has_sndbuf_expand(question.version) {
        // v3.10 `tcp_fixup_sndbuf`: room for the segments of one initial window.
        let start = wmem.map_or(16_384, |wmem| wmem.value[1]).min(limit);
        let memory = header.map(|header| mss + header + SK_BUFF + SHARED_INFO);
        let first = memory.map(|memory| start.max((INITIAL_WINDOW * memory).min(limit))).trusted(ground);
        let formula = format!("sk_sndbuf = {INITIAL_WINDOW} × {} = {}", memory.value, first.value);
        steps.note(Rule::SndbufStart, first.ground, formula, first.value);
        steps.note(Rule::SndbufGrowth, ground, format!("sk_sndbuf ≤ tcp_wmem[2] = {limit}"), limit);
        return (first, Figure::exact(limit.max(start)).trusted(ground));
    }
    let first =
        header.map(|header| initial_autotuned_sndbuf(mss, header, question.is_bbr)).at_most(limit).trusted(ground);
    let formula = format!(
        "sk_sndbuf = min(tcp_wmem[2] {limit}, {} × {INITIAL_WINDOW} × {}) = {}",
        expansion(question.is_bbr),
        memory_per_segment(mss, header.value),
        first.value
    );
    steps.note(Rule::SndbufStart, first.ground, formula, first.value);
    steps.note(Rule::SndbufGrowth, ground, format!("sk_sndbuf ≤ tcp_wmem[2] = {limit}"), limit);
    (first, Figure::exact(limit).trusted(ground))
}

/// Whether a send buffer starts with two congestion windows: since 6ae705323b71 (3.13), and in RHEL 7's 3.10.
const fn has_sndbuf_expand(version: KernelVersion) -> bool {
    version.is_since(3, 13) || version.is_rhel_7()
}

/// Memory per segment in `tcp_sndbuf_expand`.
fn memory_per_segment(mss: ByteCount, max_tcp_header: ByteCount) -> ByteCount {
    (mss + max_tcp_header + SHARED_INFO).next_power_of_two() + SK_BUFF
}

/// Number of congestion windows that a send buffer should hold: 2, for BBR 3 (`sndbuf_expand` of its
/// `tcp_congestion_ops`).
const fn expansion(is_bbr: bool) -> ByteCount {
    if is_bbr { 3 } else { 2 }
}

/// Initial `sk_sndbuf` of a connection, if `tcp_wmem[2]` allows it.
///
/// Measured with a `MAX_TCP_HEADER` of 256: 46,080 bytes at MTU 1500 (BBR 69,120), 2,626,560 on loopback (BBR
/// 3,939,840). The 320 bytes of most distributions give 87,040 at MTU 1500.
pub fn initial_autotuned_sndbuf(announced_mss: ByteCount, max_tcp_header: ByteCount, is_bbr: bool) -> ByteCount {
    expansion(is_bbr) * INITIAL_WINDOW * memory_per_segment(announced_mss, max_tcp_header)
}

/// Bytes in flight that `buffer` allows.
fn flight(question: &SendQuestion<'_>, buffer: Figure, steps: Option<&mut Derivation>) -> Figure {
    let Writing { bytes, has_nodelay, mode } = question.writing;
    let mss = question.link.sending_mss(question.peer_window);
    let goal = question.link.size_goal(question.peer_window);
    let overhead = question.link.skb_overhead(question.version);
    // Under Nagle's algorithm, a tail shorter than a segment waits, and the next write is appended to it. So
    // large writes fill whole skbs, small ones whole segments. The buffer is tested only if there is no tail.
    let has_open_tail = !has_nodelay && bytes % mss != 0;
    let collected = if bytes >= goal { goal } else { bytes.max(mss) };
    let writing = if has_open_tail { Writing { bytes: collected, ..question.writing } } else { question.writing };
    let value = taken(buffer.value, writing, goal, overhead.value);
    let least = |goal: ByteCount| {
        let overhead = overhead.high.unwrap_or(overhead.value);
        let Least { waiting, woken } = least_in_flight(buffer.low, question.writing, [mss, goal], overhead);
        let waiting = if question.is_bbr { (waiting as f64 * PACED_SHARE) as ByteCount } else { waiting };
        waiting.max((woken as f64 * ONE_SKB_SHARE) as ByteCount).min(value)
    };
    // Before 4.17 the goal was one segment on a device without segmentation offload.
    let low = if question.version.is_since(4, 17) { least(goal) } else { least(goal).min(least(mss)) };
    let most = |sndbuf| most_in_flight(sndbuf, question.writing, goal, overhead.low, question.is_bbr);
    let high = if has_open_tail { None } else { buffer.high.map(most) };
    let figure = Figure::range(value, low, high, buffer.ground.max(Ground::Measured));
    if let Some(steps) = steps {
        let ground = buffer.ground;
        let headers = if question.link.has_timestamps { "52" } else { "40" };
        steps.note(
            Rule::SegmentSize,
            ground,
            format!("mss = {} - {headers} = {}", question.link.mtu.min(65_535), question.link.mss()),
            mss,
        );
        let half = question.peer_window.map_or_else(String::new, |window| format!(", window {window} / 2"));
        steps.note(
            Rule::SizeGoal,
            ground,
            format!("size_goal = floor(min(65215{half}) / {mss}) × {mss} = {goal}"),
            goal,
        );
        steps.note(Rule::SkbOverhead, overhead.ground, format!("truesize - len = {}", overhead.value), overhead.value);
        let piece = writing.bytes.min(goal);
        let (rule, formula) = match mode {
            WriteMode::Blocking => (
                Rule::InFlightFill,
                format!("skbs of {piece} + {} until sk_wmem_queued ≥ {}: {value}", overhead.value, buffer.value),
            ),
            WriteMode::Polling => (
                Rule::InFlightPoll,
                format!("skbs of {piece} + {} while sk_wmem_queued ≤ 2/3 × {}: {value}", overhead.value, buffer.value),
            ),
        };
        steps.note(rule, figure.ground, formula, value);
        if has_open_tail {
            let formula = format!("{bytes} mod {mss} = {} > 0", bytes % mss);
            steps.note(Rule::NagleTail, Ground::Measured, formula, value);
        }
    }
    figure
}

/// Smallest measured share of one skb per round trip. Pacing spreads data that would be sent at once, and 37
/// of 64 kB were measured.
const ONE_SKB_SHARE: f64 = 0.55;
/// Smallest measured share of the queue at which a writer wakes, if BBR paces.
const PACED_SHARE: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    /// Two congestion windows of ten segments, for BBR three. The memory of a segment is a power of two plus
    /// an skb.
    #[test]
    fn a_buffer_starts_with_ten_segments() {
        assert_eq!(memory_per_segment(1460, 256), 2_048 + 256);
        assert_eq!(memory_per_segment(1472, 256), 2_048 + 256, "exactly a power of two");
        assert_eq!(memory_per_segment(1473, 256), 4_096 + 256, "one more");
        assert_eq!(initial_autotuned_sndbuf(1460, 256, false), 2 * 10 * 2_304);
        assert_eq!(initial_autotuned_sndbuf(1460, 256, true), 3 * 10 * 2_304);
    }
}
