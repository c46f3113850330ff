//! What the two programs do, in Python.

use std::fmt::Write as _;

use super::line;
use crate::address;
use crate::scenario::one_line;
use crate::scenario::work::END_OF_SCRIPT;
use crate::scenario::{Application, Calls, End, EndSpec, Phase, Scenario, Stream, Turns, Work};
use crate::work::PORT;

/// Both programs, from standard input, the listener first.
pub(super) fn sockets(out: &mut String, scenario: &Scenario, opener: End) {
    line!(out, "\n# The listener, then who opens the connection.");
    for end in [opener.other(), opener] {
        line!(out, "cat >\"$DIR/{end}.py\" <<'EOF'");
        socket(out, scenario, end, end == opener);
        match &scenario.work {
            Work::Stream(stream) => stream_program(out, stream, end, opener),
            Work::Turns(turns) => turns_program(out, turns, end == opener),
            Work::Application(_) => {}
        }
        line!(out, "EOF");
    }
    line!(out, "in_{0} python3 \"$DIR/{0}.py\" & jobs=\"$jobs $!\"; listener=$!", opener.other());
    line!(out, "sleep 0.5");
    line!(out, "in_{opener} python3 \"$DIR/{opener}.py\" || :");
    line!(out, "wait $listener || :");
}

fn socket(out: &mut String, scenario: &Scenario, end: End, opens: bool) {
    let EndSpec { sndbuf, rcvbuf, nodelay, keep_alive, congestion_control, .. } = scenario.end(end);
    let family = if scenario.ip_version == 6 { "AF_INET6" } else { "AF_INET" };
    line!(out, "import socket, time");
    line!(out, "s = socket.socket(socket.{family}, socket.SOCK_STREAM)");
    if let Some(bytes) = sndbuf {
        line!(out, "s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {})", bytes.0);
    }
    if let Some(bytes) = rcvbuf {
        line!(out, "s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, {})", bytes.0);
    }
    if *nodelay {
        line!(out, "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)");
    }
    if let Some(rest) = keep_alive {
        let seconds = rest.seconds();
        line!(out, "s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)");
        line!(out, "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, {seconds})");
        line!(out, "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, {seconds})");
    }
    line!(out, "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b\"{congestion_control}\")");
    let (mine, theirs) = (address(scenario.ip_version, end), address(scenario.ip_version, end.other()));
    if opens {
        line!(out, "s.connect((\"{theirs}\", {PORT}))");
    } else {
        line!(out, "s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)");
        line!(out, "s.bind((\"{mine}\", {PORT}))");
        line!(out, "s.listen(1)");
        line!(out, "s = s.accept()[0]");
    }
}

/// Half a minute at 20 a second.
const MOST_TRIES: u32 = 600;

const READ_EXACTLY: &str = "\
def read_exactly(n):
    while n > 0:
        got = s.recv(min(n, 262144))
        if not got:
            raise SystemExit
        n -= len(got)";

const WRITE: &str = "\
def write(total, size, delay=0, rate=None, every=None, portion=None):
    time.sleep(delay)
    block, sent, due, rested = bytes(size), 0, time.monotonic(), 0
    while sent < total:
        if rate:  # a portion each `every`, in writes of `size`
            want = min(total, sent + max(1, int(rate * every)))
            while sent < want:
                s.sendall(block[:want - sent])
                sent += min(size, want - sent)
            due += every
            time.sleep(max(0, due - time.monotonic()))
            continue
        room = size if not portion else min(size, portion - rested)
        n = min(room, total - sent)
        s.sendall(block[:n])
        sent += n
        rested += n
        if portion and rested >= portion and sent < total:
            rested = 0
            time.sleep(every)";

const READ: &str = "\
def read(total, size, delay=0, rate=None, every=None, portion=None):
    time.sleep(delay)
    got, due, rested = 0, time.monotonic(), 0
    while got < total:
        budget = min(total - got, max(1, int(rate * every)) if rate else portion - rested if portion else total)
        while budget > 0:
            data = s.recv(min(size, budget))
            if not data:
                raise SystemExit
            got += len(data)
            rested += len(data)
            budget -= len(data)
        if rate:
            due += every
            time.sleep(max(0, due - time.monotonic()))
        elif portion and rested >= portion and got < total:
            rested = 0
            time.sleep(every)";

fn stream_program(out: &mut String, stream: &Stream, end: End, opener: End) {
    let is_download = opener == End::Receiver;
    line!(out, "{READ_EXACTLY}");
    if end == End::Sender {
        line!(out, "{WRITE}");
        if is_download {
            line!(out, "read_exactly(120)  # the request");
        }
        for Phase { bytes, write, .. } in &stream.phases {
            line!(out, "write({}, {})", bytes.0, arguments(write));
        }
        line!(out, "s.shutdown(socket.SHUT_WR)");
        line!(out, "s.recv(1)");
        return;
    }
    line!(out, "{READ}");
    if is_download {
        line!(out, "s.sendall(bytes(120))  # the request");
    }
    for Phase { bytes, read, .. } in &stream.phases {
        line!(out, "read({}, {})", bytes.0, arguments(read));
    }
    line!(out, "s.recv(1)");
    line!(out, "s.close()");
}

/// The size, then keyword arguments; a rate is bits per second in scenarios, bytes in the program.
fn arguments<const SIZE: u64>(calls: &Calls<SIZE>) -> String {
    let Calls { size, delay, rate, every, portion } = calls;
    let mut words = size.0.to_string();
    if delay.0 > 0 {
        let _ = write!(words, ", delay={}", delay.seconds());
    }
    if let Some(rate) = rate {
        let _ = write!(words, ", rate={}", rate.0 / 8);
    }
    if let Some(every) = every {
        let _ = write!(words, ", every={}", every.seconds());
    }
    if let Some(portion) = portion {
        let _ = write!(words, ", portion={}", portion.0);
    }
    words
}

fn turns_program(out: &mut String, turns: &Turns, asks: bool) {
    let rest = |out: &mut String, seconds: f64| {
        if seconds > 0.0 {
            line!(out, "    time.sleep({seconds})");
        }
    };
    line!(out, "{READ_EXACTLY}");
    line!(out, "for turn in range({}):", turns.count);
    if asks {
        rest(out, turns.think.seconds());
        for size in &turns.request {
            line!(out, "    s.sendall(bytes({}))", size.0);
        }
        line!(out, "    read_exactly({})", turns.response_bytes());
        line!(out, "s.shutdown(socket.SHUT_WR)");
        line!(out, "s.recv(1)");
    } else {
        line!(out, "    read_exactly({})", turns.request_bytes());
        rest(out, turns.service.seconds());
        for size in &turns.response {
            line!(out, "    s.sendall(bytes({}))", size.0);
        }
        line!(out, "s.recv(1)");
        line!(out, "s.close()");
    }
}

/// The server's and the client's own scripts.
pub(super) fn application(out: &mut String, scenario: &Scenario, application: &Application) {
    if !application.packages.is_empty() {
        line!(out, "\n# Debian packages: {}", one_line(&application.packages.join(" ")));
    }
    line!(out, "SERVER={} PORT={}", address(scenario.ip_version, End::Sender), application.port);
    line!(out, "export DIR SERVER PORT");
    for (end, program) in [(End::Sender, &application.server), (End::Receiver, &application.client)] {
        let part = |out: &mut String, what: &str, text: &str| {
            line!(out, "cat >\"$DIR/{end}-{what}\" <<'{END_OF_SCRIPT}'\n{}\n{END_OF_SCRIPT}", text.trim_end());
        };
        if !program.prepare.is_empty() {
            part(out, "prepare", &program.prepare);
            line!(out, "in_{end} sh -e \"$DIR/{end}-prepare\"");
        }
        part(out, "run", &program.run);
        if end == End::Sender {
            line!(out, "in_{end} sh -e \"$DIR/{end}-run\" & jobs=\"$jobs $!\"");
            line!(out, "sleep 1");
            if !program.ready.is_empty() {
                part(out, "ready", &program.ready);
                line!(out, "tries=0");
                line!(out, "until in_{end} sh -e \"$DIR/{end}-ready\"; do");
                line!(out, "    tries=$((tries + 1))");
                line!(out, "    [ $tries -lt {MOST_TRIES} ] || {{ echo 'the server is not ready' >&2; exit 1; }}");
                line!(out, "    sleep 0.05");
                line!(out, "done");
            }
        } else {
            line!(out, "in_{end} sh -e \"$DIR/{end}-run\"");
        }
    }
}
