# Connections of a running host: `tcpwhy live`.

# How the kernel is asked.
live-mode-samples = sampled ({ $why })
live-mode-bpf = kernel statistics (BPF)
live-why-asked = as asked
live-why-recorded = recorded
live-why-platform = no BPF here
live-why-no-btf = kernel without BTF
live-why-no-right = no CAP_BPF and CAP_PERFMON
live-why-program = kernel too old for kernel statistics
live-why-other = BPF failed
live-head = { $host }  Linux { $kernel }  { $mode }, { $rate } samples/s  CPU { $cpu }  { $sockets ->
    [one] { $sockets } socket
   *[other] { $sockets } sockets
}, { $active } active

live-column-lost = saving
live-column-limit = limit
live-column-process = process
live-column-local = local
live-column-peer = peer
live-column-connections = connections
live-column-rate = rate
live-column-rtt = RTT
live-column-strip = last { $time }

# The seconds under a limit, of the seconds that the connection was watched within the time shown.
live-held = { $limit } { $held }
live-held-range = { $limit } { $held } ({ $low }–{ $high })
live-share = { $limit } { $share } ({ $low }–{ $high })
live-share-exact = { $limit } { $share }
live-limit-unobserved = at the peer
live-nobody = no process
live-nobody-known = not known
live-none-active = No connection sent or received anything.
live-none-seen = No sample shows a connection that sent or received anything. Samples miss connections that end between two of them.
live-more = { $count ->
    [one] { $count } more connection
   *[other] { $count } more connections
}: --top
live-more-groups = { $count ->
    [one] { $count } more group
   *[other] { $count } more groups
}: --top

# What is not observed. The ids are those of JSON.
live-gap-no-accounts = Between two samples nothing is observed: shares have a range, and connections shorter than a second may be missed.
live-gap-writers = This kernel does not report how long writers wait for room in the send buffer (Linux 6.16 does).
live-gap-settings = Calls of setsockopt that set buffers are not shown as they happen (--no-setsockopt, or a kernel that does not allow it).
live-gap-later-settings = Only the first calls of setsockopt that set buffers were shown. This kernel must inspect every system call for that, and a processor made over 20,000 per second.
live-gap-lost-events = { $lost ->
    [one] One event was lost
   *[other] { $lost } events were lost
}: too many happened at once. Times per limit do not depend on events.
live-gap-lost-ends = { $lost_ends ->
    [one] One closed connection is
   *[other] { $lost_ends } closed connections are
} missing: too many closed at once. Their last part is missing, or all of it if they opened after the last scan.
live-gap-old-events = { $old ->
    [one] The first event is left out
   *[other] The first { $old } events are left out
}: only the latest are kept until the end (--jsonl prints all as they happen).
live-gap-names = Processes of other users have no names here: that needs root, or CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH (docs/rights.md).
live-gap-namespaces = Other network namespaces are not watched: that needs --all-namespaces, CAP_SYS_ADMIN and CAP_SYS_PTRACE.
live-gap-idle-namespaces = Connections of other network namespaces are shown once they send or receive something; --all-namespaces shows all.
live-gap-some-namespaces = Some network namespaces could not be entered: that needs CAP_SYS_ADMIN and CAP_SYS_PTRACE.
live-gap-slow = All sockets were read only every { $time }, to stay within { $cpu } of a processor (--cpu). Connections that end sooner may be missing.
live-gap-old-kernel = This kernel does not report how long connections were busy, or the window of their peers (Linux 4.10 and 5.4 do): part of the time has no limit.

# The sentence above the list. $who is live-who-server or live-who-client, $waits one of live-waits.
live-losers-none = { $count ->
    [one] The one connection loses no time.
   *[other] None of { $count } connections loses time.
}
live-losers-at-peer = { $count ->
    [one] The one connection loses no time here
   *[other] None of { $count } connections loses time here
}; { $who } waits for its peer, { $held }: look there.
live-missed = New connections opened { $opened } sockets in this time, and samples saw { $seen }. Kernel statistics see all of them: they need CAP_BPF and CAP_PERFMON.
live-losers = { $count ->
    [one] The one connection
   *[other] { $losing } of { $count } connections
} { $losing ->
    [one] loses
   *[other] lose
} time; { $who } { $waits }, { $held }.
live-losers-enter = { $count ->
    [one] The one connection
   *[other] { $losing } of { $count } connections
} { $losing ->
    [one] loses
   *[other] lose
} time; { $who } { $waits }, { $held }: Enter
live-losers-many = { $losing } of { $count } connections lose time; { $repeated } connections of { $who } came and went, handshakes { $handshakes }.
live-losers-requests = { $losing } of { $count } connections lose time; { $repeated } connections of { $who } came and went, handshakes { $handshakes }: a connection for each request.
live-who-server = { $process } { $port } to { $peer }
live-who-listener = the listener on port { $port }
live-who-client = { $process } to { $peer }
live-waits-unobserved = waits for its peer
live-waits-handshake = waits for its handshake
live-waits-handshake-syn-rto = waits for an answer to its SYN
live-waits-loss-recovery = waits for retransmissions
live-waits-loss-recovery-rto = waits for retransmission timeouts
live-waits-receive-window = waits for room in its peer's receive window
live-waits-receive-window-zero-window = waits for its reader
live-waits-receive-window-slow-reader = reads too slowly
live-waits-receive-window-small-buffer = waits for a small receive buffer
live-waits-receive-window-capped = waits for a receive buffer that may not grow
live-waits-receive-window-no-window-scale = waits for a window without scaling
live-waits-ack-delay = waits for ACKs of small writes
live-waits-application = writes slowly
live-waits-application-think = takes long to answer
live-waits-application-peer-window = waits for the peer's protocol window
live-waits-tail-rtt = waits for the last ACK
live-waits-path = fills the path
live-waits-path-policer = waits for a policer
live-waits-path-ack-queue = waits for queued ACKs
live-waits-send-buffer = waits for room in its send buffer
live-waits-slow-start = waits for slow start
live-waits-congestion-window = waits for its congestion window

# A direction without anything to change, with the limit that had most of its time.
live-healthy = Nothing worth changing limited the sender in { $total }. Most of it was { $limit }: { $held }.
live-healthy-brief = Nothing worth changing limited the sender in { $total }.

# Below a group: connections that came and went.
live-sum = { $count } connections came and went, handshakes { $handshakes } of { $total }
live-sum-requests = { $count } connections came and went, handshakes { $handshakes } of { $total }: a connection for each request

# The screen.
live-sort = sort: { $by }
live-sort-lost = saving
live-sort-limit = limit
live-sort-process = process
live-sort-rate = rate
live-sort-rtt = RTT
live-ended = ended connections
live-none-open = No connection is open.
live-none-ended = No connection has ended yet.
live-group = group: { $by }
live-group-none = none
live-group-process = process
live-group-port = port
live-group-peer = peer
live-group-cgroup = cgroup
live-filter = filter: { $text }
live-filter-bad = filter not understood: { $text }
live-frozen = FROZEN
live-too-small = The terminal is too small: 40 × 8 at least.
live-waiting = Waiting for the first samples …
live-no-match = No connection matches the filter.
live-keys = q quit  ? help  Enter detail  / filter  s sort  g group  x ended  t span  f freeze  e events  c C copy  T theme  ↑↓ select
live-keys-narrow = q quit  ? all keys  Enter detail  / filter
live-keys-detail = q quit  Esc back  ↑↓ next connection  t span  f freeze  c copy ss command  C copy line  T theme
live-copied = Asked the terminal to copy (OSC 52): { $text }
live-theme = theme: { $by }
live-theme-neutral = neutral
live-theme-dark = dark
live-theme-light = light
live-theme-none = no colour
live-keys-filter = Enter apply  Ctrl-U clear  Esc cancel
live-keys-events = q quit  Esc back
live-keys-back = q quit  Esc back

live-detail-limits = limits
live-detail-limit = limit
live-detail-sent = sent
live-detail-received = received
live-detail-rtt = RTT
live-detail-queued = queued
live-detail-flight = in flight
live-detail-now = { $value } now
live-detail-of-buffer = { $value } of { $buffer }
live-detail-windows = cwnd { $cwnd }  window { $window }
live-detail-rtt-now = { $value } (min { $least })
live-detail-fix = To do: { $fix } ({ $place })
live-detail-fix-or = Or: { $fix } ({ $place })
live-detail-then = After that: about { $then } ({ $low } to { $high }) instead of { $now }. Next limit: { $next }. { $why }
live-detail-then-little = After that: little gain on its own (predicted { $low } to { $high }; now { $now }). Next limit: { $next }. { $why }
live-detail-then-at-best = After that: up to { $times } times faster, { $high } at most (now { $now }). Next limit: { $next }. { $why }
live-detail-then-by-path = After that: about { $fast } if the path carries { $fast-path }, { $slow } if it carries { $slow-path } (now { $now }).
live-detail-then-unknown = The kernel’s data does not show how fast it would be after that.
live-detail-then-at-peer = Only the sender’s host can show how fast it would be after that.
live-detail-samples = { $count ->
    [one] { $count } sample
   *[other] { $count } samples
}, watched for { $time }
live-detail-accounted = Added up by the kernel at each ACK and write, for { $time }
live-detail-blocked = Writers waited { $time } for room in the send buffer.
live-detail-server-time = { $count ->
    [one] One answer
   *[other] { $count } answers
}: the server took { $median } for half of them, { $p95 } for 95%.
live-detail-response-time = { $count ->
    [one] One response
   *[other] { $count } responses
}: half came within { $median }, 95% within { $p95 }, with the round trip.
live-detail-at-most = at most { $time }
live-detail-over = over { $time }
live-detail-gone = This connection has ended.

live-help =
    saving is the time that a change could have saved: seconds in send buffers, receive windows, losses, delayed ACKs and the like. An idle application and a saturated bottleneck count as 0. Saving, limit and rate cover the time shown (t); only the last column of the strip is the present.
    A group adds up seconds and bytes. A connection counts once if both of its ends are on this host.
    The filter takes words that a line contains, and process:nginx, port:443, peer:10.0., limit:send_buffer, cgroup:web; all must match, and ! in front negates one.
    Kernel statistics: BPF programs add up what limited each connection at every ACK and every write, in all network namespaces; nothing is estimated. After its program has closed it, a connection is sampled ten times per second. Press e for events: waiting writers, buffers set, retransmissions, zero windows.
    Press c to copy the ss command for the selected connection's socket, C to copy its line, through the terminal (OSC 52); tmux needs set -g set-clipboard on. T changes the theme: neutral, dark, light, no colour (--theme).
    Samples: the kernel is asked for the state of each socket. Between two samples nothing is observed, so shares have a range; it narrows over time.

live-blocked = { $process } waited { $time } for room in the send buffer, in { $place } ({ $count ->
    [one] one write
   *[other] { $count } writes
})
live-blocked-somewhere = { $process } waited { $time } for room in the send buffer ({ $count ->
    [one] one write
   *[other] { $count } writes
}, function not known)
live-events-none = Nothing happened yet.
live-events-none-here = Events of each connection need BPF: tcpwhy live --check shows what is missing.
live-event-blocked-write = waited { $time } in a write: its send buffer was full
live-event-buffer-set = asked for { $option } of { $size }
live-event-at = { $what }, in { $place }
live-event-retransmitted-fast = retransmitted { $count ->
    [one] one segment
   *[other] { $count } segments
}: ACKs showed a loss
live-event-retransmitted-rto = retransmitted { $count ->
    [one] one segment
   *[other] { $count } segments
}: timeout
live-event-retransmitted-tlp = retransmitted { $count ->
    [one] one segment
   *[other] { $count } segments
}: tail loss probe
live-event-window-closed-peer = the peer advertised a zero window
live-event-window-closed-own = advertised a zero window: its program does not read
live-event-window-opened-peer = the peer's window opened after { $time }
live-event-window-opened-own = reopened its window after { $time }
live-event-pruned-collapsed = buffer full: { $count ->
    [one] one segment
   *[other] { $count } segments
} in its receive queue copied together
live-event-pruned-out-of-order = buffer full: dropped data that had arrived out of order{ $count ->
    [one] {""}
   *[other] , { $count } times
}
live-event-pruned-arriving = buffer full: dropped { $count ->
    [one] a segment that arrived
   *[other] { $count } segments that arrived
}
live-event-somewhere = { $what } (counted in this network namespace; the connection is not known)
live-event-memory-receive = memory for received data is used up (tcp_mem, SO_RCVBUF)
live-event-memory-send = memory for sending is used up (tcp_mem)

# `tcpwhy live --check`.
live-check-works = works
live-check-missing = missing
live-check-sock-diag = sockets of this network namespace (sock_diag)
live-check-tcp-info = the kernel’s data about a socket (tcp_info): { $fields } fields
live-check-processes = names of all processes
live-check-locks = which buffers applications have set (pidfd_getfd, SO_BUF_LOCK)
live-check-namespaces = other network namespaces
live-check-need-root = needs root, or CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH
live-check-need-enter = cannot be entered: needs CAP_SYS_ADMIN
live-check-need-look = cannot be read: needs CAP_SYS_PTRACE
live-check-namespace-closed = { $inode } ({ $process }) { $why }
live-check-namespace-too-many = exceeds the number that is entered at once
live-check-namespaces-more = { $count } more
live-check-processes-hidden = { $count ->
    [one] that of one process is
   *[other] those of { $count } processes are
} not known ({ $process } for one: { $why })
live-check-accounts = kernel statistics: time per limit added up at each ACK and write (BPF)
live-check-part-writes = each write, and since when a writer has waited
live-check-part-write-ends = how long writers waited
live-check-part-reads = processes of connections that only receive
live-check-part-retransmissions = retransmissions with their reason
live-check-part-memory = memory that is used up
live-check-part-pruning = receive queues that are collapsed or pruned, with their connection
live-check-part-settings = buffers that applications set
live-check-landlock = Landlock bounds which files a reader of captures may open
live-check-code = where in its code a program sets buffers or waits in a write
live-check-need-bpf = needs root, or CAP_BPF and CAP_PERFMON
live-check-need-processes = needs the PID namespace of the host (hostPID, --pid=host)
live-check-need-btf = needs a kernel that describes its types (CONFIG_DEBUG_INFO_BTF, /sys/kernel/btf/vmlinux)
live-check-need-hook = needs Linux { $version } or later ({ $text })
live-check-need-function-hooks = needs a kernel whose functions BPF may hook into (fentry); otherwise counters show how often, but not for which connection ({ $text })
live-check-need-kernel = needs Linux { $version } or later
live-check-need-accounts = known to work on Linux { $version } and later ({ $text })
live-check-failed = { $text }
live-check-verdict = tcpwhy live runs here, with samples.
live-check-verdict-bpf = tcpwhy live runs here, with kernel statistics (BPF).
live-check-verdict-not = tcpwhy live does not run here: the kernel does not answer sock_diag.

reason-seen-from-receiver = Only the sender's host knows more.
verdict-unobserved-receiver = The receiving host does not show what limited the sender for { $seconds } of { $total } ({ $share })
reason-not-reported = After close(), the kernel keeps only a small record of a socket. Time between two scans that are far apart is unknown, too.
verdict-unobserved-kernel = The kernel did not report what limited the sender for { $seconds } of { $total } ({ $share })

# How a connection failed: a word or two, a sentence, what to do next.
live-outcome-refused = refused
live-outcome-refused-about = { $peer } refused the connection: a reset answered the SYN after { $time }.
live-outcome-refused-next = Next: start the program that should listen on { $peer }, or correct the address.
live-outcome-unanswered = SYN unanswered
live-outcome-unanswered-about = { $peer } has not answered the SYN for { $time } ({ $timeouts ->
    [one] { $timeouts } retransmission
   *[other] { $timeouts } retransmissions
}).
live-outcome-unanswered-next = Next: run tcpdump at { $peer }. If no SYN arrives there, check firewalls and routes.
live-outcome-reset-by-peer = reset by peer
live-outcome-reset-by-peer-about = { $peer } reset the connection after { $time }: { $sent } sent, { $received } received, { $waiting } not acknowledged.
live-outcome-reset-by-peer-next = Next: read the log of the program at { $peer } for that time.
live-outcome-reset-by-this-end = reset by this end
live-outcome-reset-by-this-end-about = This end reset the connection after { $time }: { $sent } sent, { $received } received, { $unread } not read, { $waiting } not acknowledged.
live-outcome-reset-by-this-end-next = Next: read the log of { $process }. A program resets when it closes before it has read all, or with SO_LINGER 0.
live-outcome-never-accepted = never accepted
live-outcome-never-accepted-about = No program has accepted this connection for { $time }: it waits in the queue of the listener on port { $port }.
live-outcome-never-accepted-queued = No program has accepted this connection for { $time }. The queue of the listener on port { $port } holds { $queued } of { $most }.
live-outcome-never-accepted-next = Next: find out why the program that listens on port { $port } does not call accept(): it hangs, or all its threads are busy.
live-outcome-timed-out = timed out
live-outcome-timed-out-about = Nothing came back from { $peer }: the kernel gave up after { $time }, with { $waiting } not acknowledged.
live-outcome-timed-out-next = Next: check that { $peer } runs, then the route and firewalls between.
live-outcome-black-hole = no ACKs
live-outcome-black-hole-about = Nothing comes back from { $peer }: { $timeouts } timeouts in a row, { $waiting } not acknowledged.
live-outcome-black-hole-next = Next: ping { $peer }, small and with 1,400 bytes. Then check the route, firewalls and the path MTU.
live-outcome-closed-under-way = closed unanswered
live-outcome-closed-under-way-about = { $peer } closed the connection and left { $waiting } unanswered, { $time } after it began.
live-outcome-closed-under-way-next = Next: read the log of the program at { $peer }, and compare the idle timeouts of both ends.
live-event-failed = the connection failed: { $how }
live-failed-times = { $how } × { $count }
live-losers-failed = { $failed } of { $count } { $count ->
    [one] connection
   *[other] connections
} failed; { $who }: { $how }{ $alike ->
    [one] .
   *[other] {" "}({ $alike } alike).
}
live-losers-failed-enter = { $failed } of { $count } { $count ->
    [one] connection
   *[other] connections
} failed; { $who }: { $how }{ $alike ->
    [one] : Enter
   *[other] {" "}({ $alike } alike): Enter
}
