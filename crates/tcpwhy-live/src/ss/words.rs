//! The words after the columns (`sock_details_print`, `print_skmeminfo`, `tcp_stats_print`,
//! `tcp_timer_print`).

use tcpwhy_model::foreign::unescape;
use tcpwhy_model::host::{BufferLocks, SocketMemory, SocketSample, SocketTimer, TcpInfo, TimerKind};

use super::scan::tokens;
use super::users;

/// Keys that `tcpwhy audit --save` writes if a name would be ambiguous in the form of `ss`. The text after
/// the colon is escaped by [`tcpwhy_model::foreign::escape`] and has no blanks.
pub(super) const LOCAL_ZONE: &str = "local_zone";
pub(super) const PEER_ZONE: &str = "peer_zone";
pub(super) const CONGESTION: &str = "tcp_congestion";
pub(super) const OTHER: &str = "other";

/// Congestion controls of Linux, to recognise the name if its position in the line does not show it.
pub(super) const CONGESTION_CONTROLS: [&str; 19] = [
    "cubic", "reno", "bbr", "bbr2", "bbr3", "dctcp", "bic", "westwood", "htcp", "hybla", "vegas", "nv", "scalable",
    "lp", "veno", "yeah", "illinois", "cdg", "prague",
];

/// Stores every word of `text` in `socket`; unknown words go to `other`.
pub(super) fn read(socket: &mut SocketSample, text: &str) {
    let mut words = tokens(text).peekable();
    while let Some(word) = words.next() {
        let is_known = match word.split_once(':') {
            Some((key, value)) => key_value(socket, key, value).is_some(),
            None => match word {
                // `ss` computes this rate from cwnd, mss and rtt, so it adds nothing.
                "send" => words.next_if(|next| rate(next).is_some()).is_some(),
                "pacing_rate" => words.next_if(|next| pacing_rate(&mut socket.info, next).is_some()).is_some(),
                "delivery_rate" => {
                    words.next_if(|next| rate(next).is_some_and(|r| put(&mut socket.info.delivery_rate, r))).is_some()
                }
                _ => {
                    let is_control = socket.congestion_control.is_none()
                        && (CONGESTION_CONTROLS.contains(&word) || words.peek().is_some_and(|next| begins_info(next)));
                    flag(&mut socket.info, word).is_some()
                        || (is_control && is_name(word) && put(&mut socket.congestion_control, word.to_owned()))
                }
            },
        };
        if !is_known {
            socket.other.push(word.to_owned());
        }
    }
}

fn put<T>(field: &mut Option<T>, value: T) -> bool {
    *field = Some(value);
    true
}

/// Whether a word is one that follows the name of the congestion control.
fn begins_info(word: &str) -> bool {
    ["wscale:", "rto:", "rtt:", "cwnd:", "backoff:", "mss:"].iter().any(|start| word.starts_with(start))
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn flag(info: &mut TcpInfo, word: &str) -> Option<()> {
    let field = match word {
        "ts" => &mut info.timestamps,
        "sack" => &mut info.sack,
        "ecn" => &mut info.ecn,
        "ecnseen" => &mut info.ecn_seen,
        "fastopen" => &mut info.fast_open,
        "app_limited" => &mut info.delivery_rate_app_limited,
        _ => return None,
    };
    *field = Some(1);
    Some(())
}

fn key_value(socket: &mut SocketSample, key: &str, value: &str) -> Option<()> {
    match key {
        users::RAW => socket.processes = users::parse(value)?,
        users::ESCAPED => socket.processes = users::parse_escaped(value)?,
        LOCAL_ZONE => socket.local.zone = Some(unescape(value)?),
        PEER_ZONE => socket.peer.zone = Some(unescape(value)?),
        CONGESTION => socket.congestion_control = Some(unescape(value)?),
        OTHER => socket.other.push(unescape(value)?),
        "timer" => socket.timer = Some(timer(value)?),
        "uid" => socket.user = Some(value.parse().ok()?),
        "ino" => socket.inode = Some(value.parse().ok()?).filter(|&ino| ino != 0),
        "sk" => socket.cookie = Some(u64::from_str_radix(value, 16).ok()?),
        "skmem" | "mem" => socket.memory = skmem(socket.memory, value)?,
        // A field that `ss` does not print and `tcpwhy audit --save` adds.
        "so_buf_lock" => socket.locks = Some(BufferLocks::from_bits(value.parse().ok().filter(|&b| b < 4)?)),
        _ => info(&mut socket.info, key, value)?,
    }
    Some(())
}

/// Parses `(keepalive,836ms,0)`.
fn timer(value: &str) -> Option<SocketTimer> {
    let inner = value.strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = inner.splitn(3, ',');
    let kind = parts.next()?;
    let kind = TimerKind::ALL.into_iter().find(|k| k.id() == kind).unwrap_or(TimerKind::Unknown);
    let expires = timer_milliseconds(parts.next().unwrap_or_default());
    let retransmissions = parts.next().and_then(|n| n.parse().ok());
    Some(SocketTimer { kind, expires, retransmissions })
}

/// Parses `1min23sec`, `37sec`, `1.140ms` (1 s and 140 ms), `836ms`, or an empty text for 0
/// (`print_ms_timer`).
fn timer_milliseconds(text: &str) -> Option<u64> {
    if text.is_empty() {
        return Some(0);
    }
    let (minutes, rest) = match text.split_once("min") {
        Some((minutes, rest)) => (minutes.parse::<u64>().ok()?, rest),
        None => (0, text),
    };
    let milliseconds = if let Some(seconds) = rest.strip_suffix("sec") {
        seconds.parse::<u64>().ok()?.checked_mul(1000)?
    } else if let Some(ms) = rest.strip_suffix("ms") {
        match ms.split_once('.') {
            Some((seconds, ms)) => seconds.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(ms.parse().ok()?)?,
            None => ms.parse().ok()?,
        }
    } else if rest.is_empty() {
        0
    } else {
        return None;
    };
    minutes.checked_mul(60_000)?.checked_add(milliseconds)
}

/// Parses `(r0,rb131072,t0,tb87040,f0,w0,o0,bl0,d0)`; older kernels give fewer fields. `mem:(r0,w0,f4096,t0)`
/// of kernels before 3.3 and of iproute2 of their time (`INET_DIAG_MEMINFO`) has four of them, with the same
/// letters.
fn skmem(mut memory: SocketMemory, value: &str) -> Option<SocketMemory> {
    for part in value.trim_start_matches('(').trim_end_matches(')').split(',') {
        let (name, number) = split_number(part)?;
        let field = match name {
            "r" => &mut memory.receive_allocated,
            "rb" => &mut memory.receive_buffer,
            "t" => &mut memory.transmit_allocated,
            "tb" => &mut memory.send_buffer,
            "f" => &mut memory.forward_allocated,
            "w" => &mut memory.send_queued,
            "o" => &mut memory.options,
            "bl" => &mut memory.backlog,
            "d" => &mut memory.drops,
            _ => continue,
        };
        *field = Some(number);
    }
    Some(memory)
}

fn split_number(part: &str) -> Option<(&str, u64)> {
    let at = part.find(|c: char| c.is_ascii_digit())?;
    Some((&part[..at], part[at..].parse().ok()?))
}

fn info(info: &mut TcpInfo, key: &str, value: &str) -> Option<()> {
    match key {
        "wscale" => {
            let (snd, rcv) = value.split_once(',')?;
            let (snd, rcv) = (snd.parse().ok()?, rcv.parse().ok()?);
            (info.snd_wscale, info.rcv_wscale) = (Some(snd), Some(rcv));
        }
        "rtt" => {
            let (rtt, rttvar) = value.split_once('/')?;
            let (rtt, rttvar) = (microseconds(rtt)?, microseconds(rttvar)?);
            (info.rtt, info.rttvar) = (Some(rtt), Some(rttvar));
        }
        "retrans" => {
            let (now, total) = value.split_once('/')?;
            let (now, total) = (now.parse().ok()?, total.parse().ok()?);
            (info.retrans, info.total_retrans) = (Some(now), Some(total));
        }
        "busy" => info.busy_time = Some(limited(value)?),
        "rwnd_limited" => info.rwnd_limited = Some(limited(value)?),
        "sndbuf_limited" => info.sndbuf_limited = Some(limited(value)?),
        "rto" => info.rto = Some(microseconds(value)?),
        "ato" => info.ato = Some(microseconds(value)?),
        "rcv_rtt" => info.rcv_rtt = Some(microseconds(value)?),
        "minrtt" => info.min_rtt = Some(microseconds(value)?),
        _ => *number_field(info, key)? = Some(value.parse().ok()?),
    }
    Some(())
}

/// The field of a word whose value is a whole number in the unit of the field.
pub(super) fn number_field<'a>(info: &'a mut TcpInfo, word: &str) -> Option<&'a mut Option<u64>> {
    Some(match word {
        "backoff" => &mut info.backoff,
        "mss" => &mut info.snd_mss,
        "pmtu" => &mut info.pmtu,
        "rcvmss" => &mut info.rcv_mss,
        "advmss" => &mut info.advmss,
        "cwnd" => &mut info.snd_cwnd,
        "ssthresh" => &mut info.snd_ssthresh,
        "bytes_sent" => &mut info.bytes_sent,
        "bytes_retrans" => &mut info.bytes_retrans,
        "bytes_acked" => &mut info.bytes_acked,
        "bytes_received" => &mut info.bytes_received,
        "segs_out" => &mut info.segs_out,
        "segs_in" => &mut info.segs_in,
        "data_segs_out" => &mut info.data_segs_out,
        "data_segs_in" => &mut info.data_segs_in,
        "lastsnd" => &mut info.last_data_sent,
        "lastrcv" => &mut info.last_data_recv,
        "lastack" => &mut info.last_ack_recv,
        "delivered" => &mut info.delivered,
        "delivered_ce" => &mut info.delivered_ce,
        "unacked" => &mut info.unacked,
        "lost" => &mut info.lost,
        "sacked" => &mut info.sacked,
        "dsack_dups" => &mut info.dsack_dups,
        "fackets" => &mut info.fackets,
        "reordering" => &mut info.reordering,
        "reord_seen" => &mut info.reord_seen,
        "rcv_space" => &mut info.rcv_space,
        "rcv_ssthresh" => &mut info.rcv_ssthresh,
        "notsent" => &mut info.notsent_bytes,
        "rcv_ooopack" => &mut info.rcv_ooopack,
        "snd_wnd" => &mut info.snd_wnd,
        "rcv_wnd" => &mut info.rcv_wnd,
        "rehash" => &mut info.rehash,
        // Fields that `ss` 6.1 does not print and `tcpwhy audit --save` adds, with the kernel's names.
        "tcpi_ca_state" => &mut info.ca_state,
        "tcpi_retransmits" => &mut info.retransmits,
        "tcpi_probes" => &mut info.probes,
        "tcpi_total_rto" => &mut info.total_rto,
        "tcpi_total_rto_recoveries" => &mut info.total_rto_recoveries,
        "tcpi_total_rto_time" => &mut info.total_rto_time,
        _ => return None,
    })
}

/// Converts milliseconds such as `0.529` to µs. `%g` writes very long times as `1.2e+06`.
fn microseconds(text: &str) -> Option<u64> {
    let ms: f64 = text.parse().ok()?;
    (ms.is_finite() && (0.0..=1e15).contains(&ms)).then(|| (ms * 1000.0).round() as u64)
}

/// Converts `21ms(0.0%)` to µs.
fn limited(text: &str) -> Option<u64> {
    let (ms, _) = text.split_once("ms")?;
    ms.parse::<u64>().ok()?.checked_mul(1000)
}

fn pacing_rate(info: &mut TcpInfo, text: &str) -> Option<()> {
    let (rate_text, max) = match text.split_once('/') {
        Some((rate, max)) => (rate, Some(max)),
        None => (text, None),
    };
    info.pacing_rate = Some(rate(rate_text)?);
    info.max_pacing_rate = max.and_then(rate);
    Some(())
}

/// Converts `244627599bps`, or `16.4Gbps` of old versions and of `-H`, to bytes per second.
fn rate(text: &str) -> Option<u64> {
    let number = text.strip_suffix("bps")?;
    if let Ok(bits) = number.parse::<u64>() {
        return Some(bits / 8);
    }
    let (number, factor) = match number.as_bytes().last()? {
        b'K' => (&number[..number.len() - 1], 1e3),
        b'M' => (&number[..number.len() - 1], 1e6),
        b'G' => (&number[..number.len() - 1], 1e9),
        b'T' => (&number[..number.len() - 1], 1e12),
        _ => return None,
    };
    let bits = number.parse::<f64>().ok()? * factor;
    (bits.is_finite() && bits >= 0.0).then_some((bits / 8.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> SocketSample {
        let mut socket = SocketSample::default();
        read(&mut socket, text);
        socket
    }

    /// The words of `ss` with one whole number, and the fields of `struct tcp_info` that `ss` prints with
    /// them.
    #[test]
    fn each_word_has_its_field() {
        let words = [
            ("backoff", "backoff"),
            ("mss", "snd_mss"),
            ("pmtu", "pmtu"),
            ("rcvmss", "rcv_mss"),
            ("advmss", "advmss"),
            ("cwnd", "snd_cwnd"),
            ("ssthresh", "snd_ssthresh"),
            ("bytes_sent", "bytes_sent"),
            ("bytes_retrans", "bytes_retrans"),
            ("bytes_acked", "bytes_acked"),
            ("bytes_received", "bytes_received"),
            ("segs_out", "segs_out"),
            ("segs_in", "segs_in"),
            ("data_segs_out", "data_segs_out"),
            ("data_segs_in", "data_segs_in"),
            ("lastsnd", "last_data_sent"),
            ("lastrcv", "last_data_recv"),
            ("lastack", "last_ack_recv"),
            ("delivered", "delivered"),
            ("delivered_ce", "delivered_ce"),
            ("unacked", "unacked"),
            ("lost", "lost"),
            ("sacked", "sacked"),
            ("dsack_dups", "dsack_dups"),
            ("fackets", "fackets"),
            ("reordering", "reordering"),
            ("reord_seen", "reord_seen"),
            ("rcv_space", "rcv_space"),
            ("rcv_ssthresh", "rcv_ssthresh"),
            ("notsent", "notsent_bytes"),
            ("rcv_ooopack", "rcv_ooopack"),
            ("snd_wnd", "snd_wnd"),
            ("rcv_wnd", "rcv_wnd"),
            ("rehash", "rehash"),
            ("tcpi_ca_state", "ca_state"),
            ("tcpi_retransmits", "retransmits"),
            ("tcpi_probes", "probes"),
            ("tcpi_total_rto", "total_rto"),
            ("tcpi_total_rto_recoveries", "total_rto_recoveries"),
            ("tcpi_total_rto_time", "total_rto_time"),
        ];
        for (word, field) in words {
            let known: Vec<_> = read_all(&format!("{word}:77")).info.known().collect();
            assert_eq!(known, [(field, 77)], "{word}");
        }
    }

    /// The words of `ss` with two numbers, with times in milliseconds, and with other units.
    #[test]
    fn each_word_of_another_form_has_its_fields() {
        for (text, fields) in [
            ("wscale:7,10", vec![("snd_wscale", 7), ("rcv_wscale", 10)]),
            ("rtt:20.1/3.5", vec![("rtt", 20_100), ("rttvar", 3_500)]),
            ("retrans:1/9", vec![("retrans", 1), ("total_retrans", 9)]),
            ("busy:21ms", vec![("busy_time", 21_000)]),
            ("rwnd_limited:22ms(1.0%)", vec![("rwnd_limited", 22_000)]),
            ("sndbuf_limited:23ms(2.0%)", vec![("sndbuf_limited", 23_000)]),
            ("rto:204", vec![("rto", 204_000)]),
            ("ato:40", vec![("ato", 40_000)]),
            ("rcv_rtt:1.5", vec![("rcv_rtt", 1_500)]),
            ("minrtt:0.529", vec![("min_rtt", 529)]),
            ("ts", vec![("timestamps", 1)]),
            ("sack", vec![("sack", 1)]),
            ("ecn", vec![("ecn", 1)]),
            ("ecnseen", vec![("ecn_seen", 1)]),
            ("fastopen", vec![("fast_open", 1)]),
            ("app_limited", vec![("delivery_rate_app_limited", 1)]),
            ("pacing_rate 800bps/1600bps", vec![("pacing_rate", 100), ("max_pacing_rate", 200)]),
            ("delivery_rate 2400bps", vec![("delivery_rate", 300)]),
        ] {
            let mut known: Vec<_> = read_all(text).info.known().collect();
            let mut fields = fields;
            known.sort_unstable();
            fields.sort_unstable();
            assert_eq!(known, fields, "{text}");
        }
        let memory = read_all("skmem:(r1,rb2,t3,tb4,f5,w6,o7,bl8,d9)").memory;
        assert_eq!((memory.receive_allocated, memory.receive_buffer), (Some(1), Some(2)), "r, rb");
        assert_eq!((memory.transmit_allocated, memory.send_buffer), (Some(3), Some(4)), "t, tb");
        assert_eq!((memory.forward_allocated, memory.send_queued), (Some(5), Some(6)), "f, w");
        assert_eq!((memory.options, memory.backlog, memory.drops), (Some(7), Some(8), Some(9)), "o, bl, d");
    }

    #[test]
    fn times_of_timers() {
        for (text, ms) in [
            ("", Some(0)),
            ("836ms", Some(836)),
            ("004ms", Some(4)),
            ("1.140ms", Some(1140)),
            ("37sec", Some(37_000)),
            ("1min23sec", Some(83_000)),
            ("11min", Some(660_000)),
            ("soon", None),
        ] {
            assert_eq!(timer_milliseconds(text), ms, "{text}");
        }
    }

    #[test]
    fn rates() {
        for (text, bytes) in [
            ("244627599bps", Some(30_578_449)),
            ("16.4Gbps", Some(2_050_000_000)),
            ("452.4Kbps", Some(56_550)),
            ("8bps", Some(1)),
            ("8", None),
            ("bps", None),
            ("Kbps", None),
        ] {
            assert_eq!(rate(text), bytes, "{text}");
        }
    }

    #[test]
    fn words_that_nobody_knows_are_kept() {
        let socket = read_all("cubic wscale:7,7 rto:204 new_word:9 another future(1) rtt:x/y send cwnd:10");
        assert_eq!(socket.congestion_control.as_deref(), Some("cubic"));
        assert_eq!(socket.other, ["new_word:9", "another", "future(1)", "rtt:x/y", "send"]);
        assert_eq!((socket.info.rto, socket.info.snd_cwnd, socket.info.rtt), (Some(204_000), Some(10), None));
    }

    #[test]
    fn half_a_word_tells_nothing() {
        let socket = read_all("skmem:(r7,rb8) skmem:(r1,rb");
        assert_eq!((socket.memory.receive_allocated, socket.memory.receive_buffer), (Some(7), Some(8)));
        assert_eq!(socket.other, ["skmem:(r1,rb"]);
    }

    #[test]
    fn a_congestion_control_of_ones_own() {
        assert_eq!(read_all("ts sack my_cc wscale:8,7").congestion_control.as_deref(), Some("my_cc"));
        assert_eq!(read_all("ts sack rto:204").congestion_control, None);
    }
}
