//! Writer of sockets in the format of `ss -tinmpeOH`, for saved hosts.

use std::fmt::Write as _;

use tcpwhy_model::foreign::{escape, is_hidden};
use tcpwhy_model::host::{ProcessRef, SocketAddress, SocketMemory, SocketSample, TcpInfo};

use super::{scan, users, words};

/// Writes one line per socket, as `ss -tinmpeOH` does. Fields that `ss` does not print have the kernel's
/// names (`tcpi_ca_state:0`, `so_buf_lock:1`). Ambiguous names are escaped completely and follow words of
/// their own (`users_escaped:`). Reading the text gives the same sockets, but with times cut to the precision
/// of `ss`. No name in it can move a terminal's cursor or end a line.
pub fn write_sockets(sockets: &[SocketSample]) -> String {
    let mut text = String::new();
    for socket in sockets {
        write_socket(&mut text, socket);
        text.push('\n');
    }
    text
}

/// Ignores the result, because writing to a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {
        let _ = write!($out, $($arg)*);
    };
}

fn write_socket(out: &mut String, socket: &SocketSample) {
    if let Some(state) = socket.state {
        put!(out, "{:<10} ", state.id());
    }
    let ends = [(words::LOCAL_ZONE, &socket.local), (words::PEER_ZONE, &socket.peer)];
    let [local, peer] = ends.map(|(_, end)| match &end.zone {
        Some(zone) if !is_plain_zone(zone) => SocketAddress { zone: None, ..end.clone() },
        _ => end.clone(),
    });
    put!(out, "{} {} {local} {peer}", socket.receive_queue, socket.send_queue);
    for (word, end) in ends {
        if let Some(zone) = end.zone.as_deref().filter(|zone| !is_plain_zone(zone)) {
            put_escaped(out, word, zone);
        }
    }
    write_processes(out, &socket.processes);
    if let Some(timer) = socket.timer {
        // Without this mark, an unknown time would be read as zero.
        let expires = timer.expires.map_or_else(|| "?".to_owned(), |ms| format!("{ms}ms"));
        put!(out, " timer:({},{expires}", timer.kind.id());
        if let Some(n) = timer.retransmissions {
            put!(out, ",{n}");
        }
        out.push(')');
    }
    put_number(out, "uid", socket.user.map(Into::into));
    put_number(out, "ino", socket.inode);
    if let Some(cookie) = socket.cookie {
        put!(out, " sk:{cookie:x}");
    }
    write_memory(out, &socket.memory);
    if let Some(locks) = socket.locks {
        put!(out, " so_buf_lock:{}", locks.bits());
    }
    let control = socket.congestion_control.as_deref();
    write_info(out, &socket.info, control);
    for word in &socket.other {
        if is_plain_word(word) {
            put!(out, " {word}");
        } else {
            put_escaped(out, words::OTHER, word);
        }
    }
}

/// Writes the processes under the word of `ss`, unless a name would be read back differently.
fn write_processes(out: &mut String, processes: &[ProcessRef]) {
    if processes.is_empty() {
        return;
    }
    let is_plain = processes.iter().all(|p| users::is_plain(&p.name));
    put!(out, " {}:(", if is_plain { users::RAW } else { users::ESCAPED });
    for (i, process) in processes.iter().enumerate() {
        let name = if is_plain { process.name.clone() } else { users::escaped(&process.name) };
        put!(out, "{}(\"{name}\",pid={},fd={})", if i > 0 { "," } else { "" }, process.pid, process.fd);
    }
    out.push(')');
}

fn put_escaped(out: &mut String, word: &str, text: &str) {
    // Parentheses are escaped because the scanner joins the words between them.
    put!(out, " {word}:{}", escape(text, |c| c.is_whitespace() || matches!(c, '(' | ')')));
}

/// Whether the name of an interface can follow an address unescaped.
fn is_plain_zone(zone: &str) -> bool {
    !zone.is_empty() && zone.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.@:".contains(&b))
}

/// Whether an unknown word is read back as the same unknown word after any other word.
fn is_plain_word(word: &str) -> bool {
    // The next word would turn this one into the name of a congestion control. The parentheses close those
    // that it might have opened.
    let text = format!("{word} wscale:1,1 ))");
    let is_one = scan::tokens(&text).next() == Some(word) && !word.starts_with(users::RAW);
    let mut alone = SocketSample::default();
    words::read(&mut alone, &text);
    // These words consume the next word if it is a rate.
    let takes_next = matches!(word, "send" | "pacing_rate" | "delivery_rate");
    is_one && !takes_next && !word.contains(is_hidden) && alone.other.first().is_some_and(|other| other == word)
}

fn put_number(out: &mut String, word: &str, value: Option<u64>) {
    if let Some(value) = value {
        put!(out, " {word}:{value}");
    }
}

fn write_memory(out: &mut String, memory: &SocketMemory) {
    let parts: Vec<_> = [
        ("r", memory.receive_allocated),
        ("rb", memory.receive_buffer),
        ("t", memory.transmit_allocated),
        ("tb", memory.send_buffer),
        ("f", memory.forward_allocated),
        ("w", memory.send_queued),
        ("o", memory.options),
        ("bl", memory.backlog),
        ("d", memory.drops),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.map(|v| format!("{name}{v}")))
    .collect();
    if !parts.is_empty() {
        put!(out, " skmem:({})", parts.join(","));
    }
}

fn write_info(out: &mut String, info: &TcpInfo, control: Option<&str>) {
    for (word, field) in [
        ("ts", info.timestamps),
        ("sack", info.sack),
        ("ecn", info.ecn),
        ("ecnseen", info.ecn_seen),
        ("fastopen", info.fast_open),
    ] {
        if field == Some(1) {
            put!(out, " {word}");
        }
    }
    match control {
        Some(name) if words::CONGESTION_CONTROLS.contains(&name) => {
            put!(out, " {name}");
        }
        // `ss` prints this name without a key, so the reader would regard this one as an unknown word.
        Some(name) => put_escaped(out, words::CONGESTION, name),
        None => {}
    }
    if let (Some(snd), Some(rcv)) = (info.snd_wscale, info.rcv_wscale) {
        put!(out, " wscale:{snd},{rcv}");
    }
    put_milliseconds(out, "rto", info.rto);
    put_number(out, "backoff", info.backoff);
    if let (Some(rtt), Some(rttvar)) = (info.rtt, info.rttvar) {
        put!(out, " rtt:{}/{}", milliseconds(rtt), milliseconds(rttvar));
    }
    put_milliseconds(out, "ato", info.ato);
    for (word, value) in [
        ("mss", info.snd_mss),
        ("pmtu", info.pmtu),
        ("rcvmss", info.rcv_mss),
        ("advmss", info.advmss),
        ("cwnd", info.snd_cwnd),
        ("ssthresh", info.snd_ssthresh),
        ("bytes_sent", info.bytes_sent),
        ("bytes_retrans", info.bytes_retrans),
        ("bytes_acked", info.bytes_acked),
        ("bytes_received", info.bytes_received),
        ("segs_out", info.segs_out),
        ("segs_in", info.segs_in),
        ("data_segs_out", info.data_segs_out),
        ("data_segs_in", info.data_segs_in),
        ("lastsnd", info.last_data_sent),
        ("lastrcv", info.last_data_recv),
        ("lastack", info.last_ack_recv),
    ] {
        put_number(out, word, value);
    }
    if let Some(rate) = info.pacing_rate {
        put!(out, " pacing_rate {}bps", bits(rate));
        if let Some(max) = info.max_pacing_rate {
            put!(out, "/{}bps", bits(max));
        }
    }
    if let Some(rate) = info.delivery_rate {
        put!(out, " delivery_rate {}bps", bits(rate));
    }
    put_number(out, "delivered", info.delivered);
    put_number(out, "delivered_ce", info.delivered_ce);
    if info.delivery_rate_app_limited == Some(1) {
        out.push_str(" app_limited");
    }
    for (word, time) in
        [("busy", info.busy_time), ("rwnd_limited", info.rwnd_limited), ("sndbuf_limited", info.sndbuf_limited)]
    {
        if let Some(us) = time {
            put!(out, " {word}:{}ms", us / 1000);
        }
    }
    put_number(out, "unacked", info.unacked);
    if let (Some(now), Some(total)) = (info.retrans, info.total_retrans) {
        put!(out, " retrans:{now}/{total}");
    }
    for (word, value) in [
        ("lost", info.lost),
        ("sacked", info.sacked),
        ("dsack_dups", info.dsack_dups),
        ("fackets", info.fackets),
        ("reordering", info.reordering),
        ("reord_seen", info.reord_seen),
    ] {
        put_number(out, word, value);
    }
    put_milliseconds(out, "rcv_rtt", info.rcv_rtt);
    put_number(out, "rcv_space", info.rcv_space);
    put_number(out, "rcv_ssthresh", info.rcv_ssthresh);
    put_number(out, "notsent", info.notsent_bytes);
    put_milliseconds(out, "minrtt", info.min_rtt);
    for (word, value) in [
        ("rcv_ooopack", info.rcv_ooopack),
        ("snd_wnd", info.snd_wnd),
        ("rcv_wnd", info.rcv_wnd),
        ("rehash", info.rehash),
        ("tcpi_ca_state", info.ca_state),
        ("tcpi_retransmits", info.retransmits),
        ("tcpi_probes", info.probes),
        ("tcpi_total_rto", info.total_rto),
        ("tcpi_total_rto_recoveries", info.total_rto_recoveries),
        ("tcpi_total_rto_time", info.total_rto_time),
    ] {
        put_number(out, word, value);
    }
}

fn bits(bytes: u64) -> u64 {
    bytes.saturating_mul(8)
}

fn put_milliseconds(out: &mut String, word: &str, us: Option<u64>) {
    if let Some(us) = us {
        put!(out, " {word}:{}", milliseconds(us));
    }
}

/// Microseconds as milliseconds, without trailing zeros.
fn milliseconds(us: u64) -> String {
    let text = format!("{}.{:03}", us / 1000, us % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
