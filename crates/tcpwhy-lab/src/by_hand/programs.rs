//! The two programs of the transfer, in Python.

use std::fmt::Write as _;

use super::ending;
use super::script::{READ_EXACTLY, line};
use crate::address;
use crate::work::PORT;
use tcpwhy_scenario::{
    Application, Calls, Chooser, Credit, END_OF_SCRIPT, End, EndSpec, Ending, Phase, Scenario, Stream, Turns, Varies,
    Waits, Work, one_line,
};

/// Writes both programs into files and starts them, the listener first.
pub(super) fn sockets(out: &mut String, scenario: &Scenario, opener: End) {
    line!(out, "\n# The listener, then who opens the connection.");
    for end in [opener.other(), opener] {
        line!(out, "cat >\"$DIR/{end}.py\" <<'EOF'");
        socket(out, scenario, end, end == opener);
        ending::before(out, scenario.work.ending(), end);
        match &scenario.work {
            Work::Stream(stream) => stream_program(out, stream, end, opener),
            Work::Turns(turns) => turns_program(out, turns, end == opener),
            Work::Talk(talk) => super::talk::program(out, talk, end),
            Work::Application(_) => {}
        }
        line!(out, "EOF");
    }
    let program = |end: End| format!("in_{end} timeout {} python3 \"$DIR/{end}.py\"", scenario.deadline.seconds());
    line!(out, "{} & jobs=\"$jobs $!\"; listener=$!", program(opener.other()));
    line!(out, "sleep 0.5");
    line!(out, "{} || :", program(opener));
    line!(out, "wait $listener || :");
}

fn socket(out: &mut String, scenario: &Scenario, end: End, opens: bool) {
    let EndSpec {
        sndbuf, rcvbuf, late_buffers, nodelay, keep_alive, congestion_control, congestion_control_by, ..
    } = scenario.end(end);
    let family = if scenario.ip_version == 6 { "AF_INET6" } else { "AF_INET" };
    line!(out, "import random, select, socket, struct, time");
    line!(out, "s = socket.socket(socket.{family}, socket.SOCK_STREAM)");
    let set_buffers = |out: &mut String| {
        if let Some(bytes) = sndbuf {
            line!(out, "s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {})", bytes.0);
        }
        if let Some(bytes) = rcvbuf {
            line!(out, "s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, {})", bytes.0);
        }
    };
    if !late_buffers {
        set_buffers(out);
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
    if *congestion_control_by == Chooser::Program {
        line!(out, "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b\"{congestion_control}\")");
    }
    let (mine, theirs) = (address(scenario.ip_version, end), address(scenario.ip_version, end.other()));
    if opens {
        line!(out, "s.connect((\"{theirs}\", {PORT}))");
    } else {
        line!(out, "s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)");
        line!(out, "s.bind((\"{mine}\", {PORT}))");
        line!(out, "s.listen(1)");
        line!(out, "s = s.accept()[0]");
    }
    if *late_buffers {
        set_buffers(out);
    }
}

/// Attempts of the server's readiness check: 30 s at 20 per second.
const MOST_TRIES: u32 = 600;

const WRITE: &str = "\
def write(total, size, delay=0, rate=None, every=None, portion=None, varies=fixed, put=put):
    time.sleep(delay)
    block, sent, due, rested, goal = bytes(size), 0, time.monotonic(), 0, varies(portion)
    while sent < total:
        if rate:  # a portion each `every`, in writes of `size`
            want = min(total, sent + max(1, int(rate * every)))
            while sent < want:
                sent += put(block[:want - sent])
            due += every
            time.sleep(max(0, due - time.monotonic()))
            continue
        room = size if not portion else min(size, goal - rested)
        n = put(block[:min(room, total - sent)])
        sent += n
        rested += n
        if portion and rested >= goal and sent < total:
            rested, goal = 0, varies(portion)
            time.sleep(varies(float(every), least=0))";

const READ: &str = "\
def read(total, size, delay=0, rate=None, every=None, portion=None, varies=fixed, take=take):
    time.sleep(delay)
    got, due, rested, goal = 0, time.monotonic(), 0, varies(portion)
    while got < total:
        budget = min(total - got, max(1, int(rate * every)) if rate else goal - rested if portion else total)
        while budget > 0:
            n = take(min(size, budget))
            got += n
            rested += n
            budget -= n
        if rate:
            due += every
            time.sleep(max(0, due - time.monotonic()))
        elif portion and rested >= goal and got < total:
            rested, goal = 0, varies(portion)
            time.sleep(varies(float(every), least=0))";

/// Sizes of portions and lengths of pauses. They are random as in the lab, but not the same values.
const DRAWS: &str = "\
def fixed(mean, least=1):
    return mean

def uniform(mean, least=1):
    return max(least, type(mean)(mean * random.uniform(0, 2)))

def log(mean, least=1):
    return max(least, type(mean)(mean * 2 ** random.uniform(-2, 2) / LOG_MEAN))";

const PUT: &str = "\
def put(data):
    s.sendall(data)
    return len(data)

def put_when_writable(data):  # in poll(), then as much as goes without blocking
    sent = 0
    while sent < len(data):
        select.select([], [s], [])
        try:
            sent += s.send(data[sent:], socket.MSG_DONTWAIT)
        except BlockingIOError:
            pass
    return sent";

const TAKE: &str = "\
def take(n):
    data = s.recv(n)
    if not data:
        raise SystemExit
    return len(data)

def take_when_readable(n):
    select.select([s], [], [])
    return take(n)";

/// Frames and grants begin with a stream's number, from 1 on, and a count of bytes. Number 0 is the
/// connection.
const SPEND: &str = "\
left, pending, turn = [CONNECTION] + [WINDOW] * STREAMS, b'', 0

def grants(wait):
    global pending
    while wait or select.select([s], [], [], 0)[0]:
        wait, data = False, s.recv(4096)
        if not data:
            raise SystemExit
        pending += data
        while len(pending) >= GRANT:
            stream, more = struct.unpack('>II', pending[:8])
            left[stream] += more
            pending = pending[GRANT:]

def in_frames(put):
    def frame(data):  # of the next stream that may send, as much as it may
        global turn
        grants(False)
        while True:
            may = [k for k in range(turn + 1, turn + STREAMS + 1) if left[(k - 1) % STREAMS + 1] > 0]
            stream = (may[0] - 1) % STREAMS + 1 if may else 0
            n = min(left[0], left[stream], len(data))
            if stream and n > 0:
                break
            grants(True)
        left[0], left[stream], turn = left[0] - n, left[stream] - n, stream
        put(struct.pack('>II', stream, n).ljust(HEADER, b'\\0') + data[:n])
        return n
    return frame";

const GRANT: &str = "\
unread, stream, rest = [0] * (STREAMS + 1), 0, 0

def granting(take):
    def of_frame(n):
        global stream, rest
        while rest == 0:
            head = b''
            while len(head) < HEADER:
                data = s.recv(HEADER - len(head))
                if not data:
                    raise SystemExit
                head += data
            stream, rest = struct.unpack('>II', head[:8])
        n = take(min(n, rest))
        rest -= n
        for number, after in ((0, CONNECTION_AFTER), (stream, AFTER)):
            unread[number] += n
            if unread[number] >= after:
                s.sendall(struct.pack('>II', number, unread[number]).ljust(GRANT, b'\\0'))
                unread[number] = 0
        return n
    return of_frame";

/// A window that is larger than any stream, for a connection without a window.
const NO_WINDOW: u64 = 1 << 62;

/// The constants of the protocol that both ends use.
fn constants(out: &mut String, credit: &Credit) {
    let window = credit.connection_window.map_or(NO_WINDOW, |window| window.0);
    let after = credit.connection_granted_after().unwrap_or(NO_WINDOW);
    line!(out, "WINDOW, CONNECTION, STREAMS = {}, {window}, {}", credit.window.0, credit.streams);
    line!(out, "HEADER, GRANT = {}, {}", credit.header.0, credit.grant.0);
    line!(out, "AFTER, CONNECTION_AFTER = {}, {after}", credit.granted_after());
}

fn stream_program(out: &mut String, stream: &Stream, end: End, opener: End) {
    let is_download = opener == End::Receiver;
    line!(out, "{READ_EXACTLY}");
    line!(out, "LOG_MEAN = {}", Varies::mean_of_log());
    line!(out, "{DRAWS}");
    stream.credit.iter().for_each(|credit| constants(out, credit));
    if end == End::Sender {
        line!(out, "{PUT}");
        if stream.credit.is_some() {
            line!(out, "{SPEND}");
        }
        line!(out, "{WRITE}");
        if is_download {
            line!(out, "read_exactly(120)  # the request");
        }
        for Phase { bytes, write, .. } in &stream.phases {
            let put = how("put", write.waits, "put_when_writable", stream.credit.map(|_| "in_frames"));
            line!(out, "write({}, {}{put})", bytes.0, arguments(write));
        }
        if is_download && matches!(stream.ending, Some(Ending::Unanswered(_))) {
            line!(out, "read_exactly(120)  # another request");
        }
        ending::leave(out, stream.ending, end, opener);
        if stream.credit.is_some() {
            line!(out, "while s.recv(4096): pass  # the last grants");
        }
        return;
    }
    line!(out, "{TAKE}");
    if stream.credit.is_some() {
        line!(out, "{GRANT}");
    }
    line!(out, "{READ}");
    if is_download {
        line!(out, "s.sendall(bytes(120))  # the request");
    }
    for Phase { bytes, read, .. } in &stream.phases {
        let take = how("take", read.waits, "take_when_readable", stream.credit.map(|_| "granting"));
        line!(out, "read({}, {}{take})", bytes.0, arguments(read));
    }
    if is_download && matches!(stream.ending, Some(Ending::Unanswered(_))) {
        line!(out, "s.sendall(bytes(120))  # another request");
    }
    ending::leave(out, stream.ending, end, opener);
}

/// The function by which a phase writes or reads, if it polls or obeys a protocol's windows.
fn how(name: &str, waits: Waits, polling: &str, protocol: Option<&str>) -> String {
    let call = match waits {
        Waits::Call => name,
        Waits::Poll => polling,
    };
    match (waits, protocol) {
        (_, Some(protocol)) => format!(", {name}={protocol}({call})"),
        (Waits::Poll, None) => format!(", {name}={call}"),
        (Waits::Call, None) => String::new(),
    }
}

/// The size, then keyword arguments. A rate is in bits per second in scenarios, and in bytes per second in
/// the program.
fn arguments<const SIZE: u64>(calls: &Calls<SIZE>) -> String {
    let Calls { size, delay, rate, every, portion, varies, waits: _ } = calls;
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
    match varies {
        None => {}
        Some(Varies::Uniform) => words.push_str(", varies=uniform"),
        Some(Varies::Log) => words.push_str(", varies=log"),
    }
    words
}

fn turns_program(out: &mut String, turns: &Turns, asks: bool) {
    let rest = |out: &mut String, seconds: f64| {
        if seconds > 0.0 {
            line!(out, "    time.sleep({seconds})");
        }
    };
    let is_unanswered = matches!(turns.ending, Some(Ending::Unanswered(_)));
    line!(out, "{READ_EXACTLY}");
    line!(out, "start = time.monotonic()");
    let ahead = turns.ahead.min(turns.count);
    let request = |out: &mut String| {
        match turns.every {
            Some(every) => line!(out, "    time.sleep(max(0, start + turn * {} - time.monotonic()))", every.seconds()),
            None => rest(out, turns.think.seconds()),
        }
        for size in &turns.request {
            line!(out, "    s.sendall(bytes({}))", size.0);
        }
        if is_unanswered {
            line!(out, "    if turn == {}: break  # nobody answers the last one", turns.answered());
        }
    };
    if asks {
        if ahead > 1 {
            line!(out, "for turn in range({}):  # ahead", ahead - 1);
            request(out);
        }
        line!(out, "for turn in range({}):", turns.count - (ahead - 1));
        request(out);
        line!(out, "    read_exactly({})", turns.response_bytes());
        if ahead > 1 {
            line!(out, "read_exactly({})", u64::from(ahead - 1) * turns.response_bytes());
        }
    } else {
        line!(out, "for turn in range({}):", turns.count);
        line!(out, "    read_exactly({})", turns.request_bytes());
        if is_unanswered {
            line!(out, "    if turn == {}: break  # the last one is not answered", turns.answered());
        }
        rest(out, turns.service.seconds());
        for size in &turns.response {
            line!(out, "    s.sendall(bytes({}))", size.0);
        }
    }
    let end = if asks { turns.client() } else { turns.client().other() };
    ending::leave(out, turns.ending, end, turns.client());
}

/// Writes the scripts of the foreign server and client.
pub(super) fn application(out: &mut String, scenario: &Scenario, application: &Application) {
    if !application.packages.is_empty() {
        line!(out, "\n# Debian packages: {}", one_line(&application.packages.join(" ")));
    }
    let service = application.service();
    line!(out, "SERVER={} PORT={}", address(scenario.ip_version, service.end), service.port);
    line!(out, "export DIR SERVER PORT");
    for (end, program) in [(service.end, &application.server), (application.opener, &application.client)] {
        let part = |out: &mut String, what: &str, text: &str| {
            line!(out, "cat >\"$DIR/{end}-{what}\" <<'{END_OF_SCRIPT}'\n{}\n{END_OF_SCRIPT}", text.trim_end());
        };
        if !program.prepare.is_empty() {
            part(out, "prepare", &program.prepare);
            line!(out, "in_{end} sh -e \"$DIR/{end}-prepare\"");
        }
        part(out, "run", &program.run);
        if end == service.end {
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
