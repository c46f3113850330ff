# `tcpwhy audit`: the frame of its report, settings, counters, checks, fixes and evidence.

place-application = application
place-host = settings of this host
basis-kernel-inferred = computed

audit-live = This host
audit-head =
    { $host }: Linux { $kernel }, { $connections ->
        [one] one TCP connection
       *[other] { $connections } TCP connections
    } and { $listeners ->
        [one] one listener
       *[other] { $listeners } listeners
    }{ $set ->
        [0] {""}
       *[other] ; the application set SO_SNDBUF or SO_RCVBUF on { $set }
    }
audit-head-unknown = { $host }: Linux { $kernel }, sockets could not be read
audit-kernel-unknown = (version unknown)
audit-worst = { $severity }: { $title }. { $sentence }
audit-clean = Nothing found that holds TCP back.
audit-clean-partly = Nothing found in the parts of the host that were read. Not read: { $gaps }.
audit-and-not-read = { $line } Not read: { $parts }.
audit-part-sockets = sockets
audit-part-processes = processes
audit-part-locks = which buffers are set
audit-part-counters = counters
audit-part-sockstat = TCP memory
audit-part-uptime = uptime
audit-part-sysctls = settings
audit-part-kernel = kernel version
audit-part-details = details of connections
audit-part-namespaces = other network namespaces
audit-part-rest = the rest of the saved host
audit-read-rest = To read the rest, run tcpwhy audit as root on that host, or save the host there with --save.
audit-more =
    { $count ->
        [one] 1 more finding below
       *[other] { $count } more findings below
    }
audit-fix = { $fix } ({ $place }).
audit-fix-more = { $fix } ({ $place }). { $more }.

heading-audit-paths = What the settings let a path carry
heading-audit-sockets = Buffers set by applications, the slowest first
heading-audit-counters = Error counters, since boot
heading-audit-counters-namespace = Error counters, since this network namespace was made
heading-audit-settings = Settings
heading-audit-gaps = What could not be read

audit-path = { $rate } over { $rtt }: { $bdp } must be in flight (MTU { $mtu })
audit-path-reach-autotuned-send = sending, autotuned
audit-path-reach-autotuned-receive = receiving, autotuned
audit-path-reach-set-send = sending, largest SO_SNDBUF
audit-path-reach-set-receive = receiving, largest SO_RCVBUF
audit-path-enough = fills it
audit-path-ceiling = { $rate } ({ $share } of it)
audit-path-needed = { $setting } would have to be { $value }
audit-path-by = { $flight } in flight by { $setting }

audit-column-process = process
audit-column-side = buffer
audit-column-size = size
audit-column-rtt = RTT
audit-column-ceiling = at most
audit-column-autotuned = autotuned
audit-column-peer = peer
audit-column-binds = at its limit
audit-side-send = send
audit-side-receive = receive
audit-sockets-more = { $count } more; --top N shows them.
audit-nobody = ?

audit-counter-rate = { $rate } per hour
audit-counter-share = { $share } of { $of }
audit-counter-recent = { $count } in the last { $seconds }
audit-setting = { $text } ({ $facts })
audit-default = default
audit-changed = changed
audit-scope-global = for the whole machine
audit-scope-namespace = per network namespace
audit-no-effect = without effect on this kernel
audit-hint-rules = tcpwhy rules ID explains a finding; tcpwhy buffers computes what a buffer size allows.

audit-gap-sockets = sockets: neither the kernel nor a saved file gave any
audit-gap-processes = processes of some sockets: other users' (run as root to see them), other containers' or the kernel's own
audit-gap-locks = which buffers are set, for some sockets: run as root on Linux 5.15 or later to ask the kernel; their sizes were judged instead
audit-gap-counters = counters of the TCP stack (/proc/net/netstat, /proc/net/snmp)
audit-gap-sockstat = memory of the TCP stack (/proc/net/sockstat)
audit-gap-uptime = time since boot, so there are no rates
audit-gap-sysctls = settings (sysctl -a)
audit-gap-kernel = the kernel's version; Linux { $assumed } was assumed
audit-gap-details = details of connections (ss -tinmo)
audit-gap-namespaces = sockets of other network namespaces (containers), as many as here or more: run tcpwhy audit there, as with nsenter -t PID -n tcpwhy audit
audit-gap-rest = more files, sockets or text than tcpwhy reads from a saved host
audit-warning-sysctl = tcpwhy: { $source }: { $text }
audit-cut = the host has more files, sockets or text than are read: something may be missing

fault-autotuning-slow = receive autotuning grows too slowly
fault-jumbo-window-stuck = with jumbo frames, receive autotuning never starts
fault-quarter-of-buffer = the receive window is a quarter of the buffer instead of half
fault-segments-in-window-dropped = it drops segments inside the window that it offered
fault-send-queue-too-strict = send queues refuse to be split for retransmissions
fault-slow-reader-window = the receive window stays tiny when an application reads slowly
fault-unread-in-sockmap = FIONREAD says 0 for sockets in a sockmap, so programs leave data unread

ground-kernel = the kernel says so
ground-below-start = smaller than autotuning starts with
ground-above-ceiling = larger than autotuning allows
ground-at-cap = exactly twice what a request is capped at
ground-round-size = a power of two

# Settings, one line each: what it does, what it does not, who overrides whom.
setting-tcp-rmem = receive buffer: min, default, max of autotuning. SO_RCVBUF overrides it for its socket and turns autotuning off; rmem_max does not cap it
setting-tcp-wmem = send buffer: min, default, max of autotuning. SO_SNDBUF overrides it for its socket and turns autotuning off; wmem_max does not cap it
setting-rmem-max = most that SO_RCVBUF may ask for (doubled afterwards); does not cap autotuning, which ends at tcp_rmem
setting-wmem-max = most that SO_SNDBUF may ask for (doubled afterwards); does not cap autotuning, which ends at tcp_wmem
setting-tcp-mem = memory of all TCP sockets together, in pages: free growth below the first, pressure above the second, drops above the third
setting-tcp-moderate-rcvbuf = receive autotuning
setting-tcp-window-scaling = windows over 64 KiB (RFC 7323); both ends must offer it
setting-tcp-adv-win-scale = share of the receive buffer that is not offered as window; since Linux 6.6 a measured ratio takes its place
setting-tcp-shrink-window = whether a window once offered may be taken back
setting-tcp-limit-output-bytes = most that one socket may have waiting in queueing discipline and driver
setting-tcp-notsent-lowat = unsent bytes under which a socket counts as writable; the largest number means no limit
setting-rmem-default = receive buffer of sockets other than TCP's: TCP takes tcp_rmem
setting-wmem-default = send buffer of sockets other than TCP's: TCP takes tcp_wmem
setting-tcp-congestion-control = congestion control of new sockets
setting-default-qdisc = queueing discipline of interfaces that come up from now on
setting-tcp-slow-start-after-idle = whether the congestion window falls back after a pause
setting-tcp-no-metrics-save = whether what a connection learnt of its path is forgotten
setting-tcp-timestamps = timestamps (RFC 7323): better round trip times, and options in SYN cookies
setting-tcp-sack = selective acknowledgements (RFC 2018)
setting-tcp-mtu-probing = looking for the largest packet where ICMP is lost: 0 never, 1 after a black hole, 2 always
setting-tcp-rto-min-us = smallest retransmission timeout
setting-somaxconn = most connections that may wait for accept(), whatever listen() asks for
setting-tcp-max-syn-backlog = half-open connections that a listener remembers
setting-tcp-syncookies = SYN cookies: 0 never, 1 when the queue is full, 2 always
setting-tcp-max-orphans = closed connections that may still hold memory; more are dropped
setting-netdev-max-backlog = packets that may wait between interface and protocols on each CPU

# Counters, by Linux's names.
counter-ListenOverflows = connections dropped because an accept queue was full
counter-ListenDrops = connections dropped by listeners, for any reason
counter-TCPReqQFullDrop = SYNs dropped because the queue of half-open connections was full
counter-TCPReqQFullDoCookies = SYNs answered with cookies because that queue was full
counter-SyncookiesSent = SYN cookies sent
counter-SyncookiesFailed = answers to SYN cookies that did not fit
counter-TCPSynRetrans = SYNs and SYN-ACKs retransmitted
counter-AttemptFails = connections that were not made
counter-EstabResets = connections reset while they were up
counter-TCPBacklogDrop = packets dropped because a process kept its socket locked too long
counter-TCPRcvQDrop = packets dropped because the receive queue had no memory left
counter-PruneCalled = times that a receive buffer was full and had to be cleared out
counter-RcvPruned = packets dropped from receive queues
counter-OfoPruned = times that data out of order was dropped to free memory
counter-TCPRcvCollapsed = skbs of receive queues copied into fewer ones to save memory (an skb can hold several segments)
counter-TCPOFODrop = packets out of order dropped because memory ran out
counter-TCPOFOQueue = packets that came out of order
counter-TCPToZeroWindowAdv = times that this host advertised a zero window
counter-TCPWantZeroWindowAdv = times that it wanted to and was not yet allowed to
counter-TCPZeroWindowDrop = packets dropped that arrived during a zero window
counter-TCPWinProbe = probes of zero windows of peers
counter-TCPMemoryPressures = times that TCP came under memory pressure
counter-TCPMemoryPressuresChrono = milliseconds under memory pressure
counter-TCPAbortOnMemory = connections aborted because memory ran out
counter-TCPTimeWaitOverflow = connections not kept in TIME-WAIT because there were too many
counter-TCPWqueueTooBig = segments not split for a retransmission, because the send queue held too much memory
counter-RetransSegs = segments retransmitted
counter-TCPFastRetrans = of those, in fast recovery
counter-TCPSlowStartRetrans = of those, after a timeout
counter-TCPLostRetransmit = retransmissions that were lost too
counter-TCPTimeouts = retransmission timeouts
counter-TCPSpuriousRTOs = timeouts that turned out to be spurious
counter-TCPDSACKRecv = duplicates that receivers reported
counter-TCPDSACKUndo = recoveries undone because nothing had been lost
counter-TCPSpuriousRtxHostQueues = retransmissions held back because the original was still in this host's own queue
counter-TCPSACKReorder = reordering seen by SACK
counter-TCPAbortOnTimeout = connections given up after too many timeouts
counter-TCPRetransFail = retransmissions that could not be sent
counter-TCPMTUPFail = MTU probes that failed
counter-InCsumErrors = segments with a wrong checksum

# Checks.
rule-socket-send-buffer-set-title = Send buffer set by the application
rule-socket-send-buffer-set-sentence-together = { $process } sets SO_SNDBUF ({ $buffer_bytes } with the kernel's doubling): over { $rtt_us } that carries { $ceiling_low_bits_per_s } to { $ceiling_bits_per_s }, depending on the size of its writes. Autotuned, it would allow { $autotuned_bits_per_s }.
rule-socket-send-buffer-set-sentence-shared = { $process } sets SO_SNDBUF ({ $buffer_bytes } with the kernel's doubling), which turns autotuning off. The connection reached { $reached_bits_per_s } over { $rtt_us }; autotuned, the buffer would allow { $autotuned_bits_per_s }.
rule-socket-send-buffer-set-sentence = { $process } sets SO_SNDBUF ({ $buffer_bytes } with the kernel's doubling): over { $rtt_us } that carries at most { $ceiling_bits_per_s }; autotuned, it would allow { $autotuned_bits_per_s }.
rule-socket-send-buffer-set-sentence-brief = An application sets SO_SNDBUF ({ $buffer_bytes } with the kernel's doubling); autotuning is off for its connections.
rule-socket-send-buffer-set-doc =
    The application set SO_SNDBUF. That turns send autotuning off for the socket: never more than the buffer can be in flight, so the rate ends at buffer / RTT, whatever the path carries.
    The kernel reports which buffers are set (SO_BUF_LOCK, Linux 5.15, as root). Otherwise a size that autotuning does not reach shows a set buffer, with less confidence. The limit is computed by the kernel's rules at the round trip that the socket measured. A full send queue shows how large the writes are; without one, the limit is a range over writers. A socket that has reached more shows that the computed limit does not apply to it: no limit is reported then. A buffer is at its limit if the kernel's clock of the send buffer ran, or the measured rate is near the limit. So is a full queue while the congestion window has room.
    Delete the call or the setting. If a size must be set, set twice bandwidth × RTT and raise net.core.wmem_max, which caps the request.

rule-socket-receive-buffer-set-title = Receive buffer set by the application
rule-socket-receive-buffer-set-sentence-together = { $process } sets SO_RCVBUF ({ $buffer_bytes } with the kernel's doubling): over { $rtt_us } that takes in { $ceiling_low_bits_per_s } to { $ceiling_bits_per_s }, depending on the network driver. Autotuned, it would allow { $autotuned_bits_per_s }.
rule-socket-receive-buffer-set-sentence-shared = { $process } sets SO_RCVBUF ({ $buffer_bytes } with the kernel's doubling), which turns autotuning off. The connection reached { $reached_bits_per_s } over { $rtt_us }; autotuned, the buffer would allow { $autotuned_bits_per_s }.
rule-socket-receive-buffer-set-sentence = { $process } sets SO_RCVBUF ({ $buffer_bytes } with the kernel's doubling): over { $rtt_us } that takes in at most { $ceiling_bits_per_s }; autotuned, it would allow { $autotuned_bits_per_s }.
rule-socket-receive-buffer-set-sentence-brief = An application sets SO_RCVBUF ({ $buffer_bytes } with the kernel's doubling); autotuning is off for its connections.
rule-socket-receive-buffer-set-doc =
    The application set SO_RCVBUF. That turns receive autotuning off for the socket: the window stays what the buffer makes of it, so the rate ends at window / RTT. Set after connect or accept it may even freeze the window where it was, because the window scale is agreed in the SYN.
    The kernel reports which buffers are set (SO_BUF_LOCK, Linux 5.15, as root). Otherwise a size that autotuning does not reach shows a set buffer, with less confidence. If the socket shows its real window, that outweighs the computed one.
    Delete the call or the setting. If a size must be set, set it before connect or listen, and raise net.core.rmem_max, which caps the request.

rule-socket-peer-window-title = Held back by the peer's window
rule-socket-peer-window-sentence = { $process } waited for the peer's receive window { $limited_share } of the { $busy_us } that { $socket } had data to send.
rule-socket-peer-window-sentence-brief = { $socket } waited for the peer's receive window { $limited_share } of the { $busy_us } that it had data to send.
rule-socket-peer-window-sentence-least = The window that the peer advertised limited the sender for { $seconds } of { $total }.
rule-socket-peer-window-doc =
    The other host offers too small a window, or its application reads too slowly. Nothing on this host makes that faster.
    Detected by the kernel's own clock (rwnd_limited in ss -ti) over at least a second of busy time. The clock runs too little rather than too much.
    Look at the other host: a receive buffer that its application set, a low tcp_rmem, or an application that does not read.

rule-socket-peer-window-closed-title = The peer advertises a zero window
rule-socket-peer-window-closed-sentence = { $socket } has { $waiting_bytes } waiting and probes a zero window: the application at the other end does not read.
rule-socket-peer-window-closed-sentence-brief = The peer advertised a zero window for { $seconds } of { $total }: its application did not read.
rule-socket-peer-window-closed-doc =
    The peer advertises a zero window because its application does not read. The kernel probes whether it has opened, less and less often, down to once in two minutes.
    Detected by the persist timer with an interval that was doubled at least twice. Doubled once, it is a note.
    Take stack traces of the application at the other end: they show what it waits for.

rule-socket-backoff-title = Retransmissions without an answer
rule-socket-backoff-sentence = { $process } waits for an ACK on { $socket }: { $backoff_count ->
        [one] one timeout
       *[other] { $backoff_count } timeouts
    } in a row brought no answer, and each next one waits twice as long.
rule-socket-backoff-sentence-brief = { $socket } waits for an ACK: { $backoff_count ->
        [one] one timeout
       *[other] { $backoff_count } timeouts
    } in a row brought no answer, and each next one waits twice as long.
rule-socket-backoff-doc =
    The peer does not acknowledge what was sent. The kernel retransmits after a timeout, doubles the timeout, and gives up after about 15 minutes (net.ipv4.tcp_retries2). Until then the connection carries no new data.
    Detected by tcpi_backoff while data or a SYN is in flight. One timeout is a note, two in a row are a warning.
    Find where the packets are lost, or whether the peer is still there. TCP_USER_TIMEOUT ends such connections sooner.

rule-socket-retransmissions-title = Much is retransmitted on a connection
rule-socket-retransmissions-sentence = { $process } retransmitted { $retransmitted_share } of what it sent on { $socket } ({ $retransmitted_count } of { $sent_count } segments).
rule-socket-retransmissions-sentence-brief = { $retransmitted_share } of what was sent on { $socket } was retransmitted ({ $retransmitted_count } of { $sent_count } segments).
rule-socket-retransmissions-sentence-least = The sender counts { $lost_count ->
        [one] one segment
       *[other] { $lost_count } segments
    } on { $socket } as lost and repairs the loss now.
rule-socket-retransmissions-doc =
    Segments are retransmitted when they were lost, or seemed to be. From one percent on, losses set the rate of most connections.
    Detected by tcpi_bytes_retrans over tcpi_bytes_sent of each connection, before Linux 4.19 by tcpi_total_retrans over tcpi_data_segs_out. A warning where the share is above 1 % with 95 % confidence, of at least 100 segments. A note where a fifth of less was retransmitted, and where segments are lost at this moment (tcpi_lost).
    Find where packets are lost: interfaces and queues of both hosts, then the way between them. A capture and tcpwhy explain show when and how.

rule-socket-pacing-rate-set-title = The program has set the sending rate
rule-socket-pacing-rate-set-sentence = { $process } has set SO_MAX_PACING_RATE: { $socket } sends at most { $rate_bits_per_s }.
rule-socket-pacing-rate-set-sentence-brief = The program has set SO_MAX_PACING_RATE: the socket sends at most { $rate_bits_per_s }.
rule-socket-pacing-rate-set-sentence-least = SO_MAX_PACING_RATE limited the sender for { $seconds } of { $total }.
rule-socket-pacing-rate-set-doc =
    The program has set a rate with SO_MAX_PACING_RATE. The kernel sends no faster, whatever the path carries.
    Detected by a pacing rate that has reached the largest one that the socket allows (pacing_rate in ss -ti).
    Delete the call or raise the rate, unless the program means to limit it.

rule-socket-corked-title = TCP_CORK keeps small writes in the socket
rule-socket-corked-sentence = { $process } has set TCP_CORK: { $waiting_bytes } stay in { $socket } although nothing is in flight.
rule-socket-corked-sentence-brief = The program has set TCP_CORK or MSG_MORE: for { $seconds } of { $total }, less than a segment stayed in the socket although nothing was in flight.
rule-socket-corked-sentence-least = The program has set TCP_CORK or MSG_MORE: less than a segment stayed in the socket although nothing was in flight.
rule-socket-corked-doc =
    The program asked the kernel to keep less than a segment until more comes: TCP_CORK, or MSG_MORE. The kernel sends it after 200 ms at the latest.
    Detected by unsent data of less than a segment while nothing is in flight and both windows have room.
    Clear TCP_CORK after the last write of each message, or write each message in one call.

rule-socket-unread-data-title = Received and not read
rule-socket-unread-data-sentence = { $process } has { $unread_bytes } waiting to be read on { $socket }, { $buffer_share } of its receive buffer.
rule-socket-unread-data-sentence-brief = { $unread_bytes } wait to be read on { $socket }, { $buffer_share } of its receive buffer.
rule-socket-unread-data-doc =
    Data has arrived and the application has not fetched it. The window shrinks accordingly, and the sender slows down or stops.
    Detected by a receive queue that fills at least half of the buffer. If data came within the last 20 ms, it is only a note: the program may be between two reads. Run audit again, or use --interval and the counters of zero windows.
    Read all the time, in a thread or task of its own. Stack traces show what the application waits for.

rule-socket-close-wait-title = Connections that nobody closes
rule-socket-close-wait-sentence = { $process } holds { $socket_count } connections that their peers have closed, the oldest untouched for { $idle_ms }.
rule-socket-close-wait-sentence-brief = { $socket_count } connections that their peers have closed are still held, the oldest untouched for { $idle_ms }.
rule-socket-close-wait-doc =
    The peer has closed the connection and the application has not. Until it does, each holds a descriptor and its buffers, and one day descriptors run out.
    Detected by at least three connections of a process in CLOSE-WAIT without traffic for a minute. Ten without traffic for a second are enough if they are most of its connections: a leak begins like that.
    Close connections on every path out of the code, errors included; read until the end is seen.

rule-accept-not-called-title = Connections that nobody accepts
rule-accept-not-called-sentence = { $process } does not call accept() on { $socket }: { $waiting_count } connections wait, none has been accepted for { $not_accepted_ms } at least, and further ones are dropped. That is the program's doing, not a setting's.
rule-accept-not-called-sentence-brief = Nobody calls accept() on { $socket }: { $waiting_count } connections wait, none has been accepted for { $not_accepted_ms } at least, and further ones are dropped. That is the program's doing, not a setting's.
rule-accept-not-called-doc =
    The queue of connections that are made and wait for accept() is full, and the program does not empty it. A longer queue only postpones the drops.
    Detected by a full queue whose newest connection has waited for a second or more: each accept() would have left room for a newer one. The finding also shows what the program's threads were doing, if that could be seen: stopped, waiting for a lock, a disk or another server, or computing.
    Take stack traces of the thread that should call accept(), and give accepting a thread of its own.

rule-accept-queue-full-title = Accept queue full
rule-accept-queue-full-sentence = { $process } on { $socket } has { $waiting_count } connections waiting to be accepted, and room for { $backlog_count }: further ones are dropped.
rule-accept-queue-full-sentence-brief = { $socket } has { $waiting_count } connections waiting to be accepted, and room for { $backlog_count }: further ones are dropped.
rule-accept-queue-full-doc =
    The queue of established connections that wait for accept() is full. New ones are dropped, and their clients retry after a second or more.
    Detected by a full queue of a program that still accepts. A connection entered the queue within the last second, or the time is not known.
    Let the application accept faster, and lengthen the queue: the argument of listen() and net.core.somaxconn, the smaller of the two counts.

rule-local-ports-used-up-title = Local ports are used up
rule-local-ports-used-up-sentence = { $port_share } of the { $port_count } local ports for { $socket } are taken ({ $process }): { $time_wait_count } in TIME-WAIT, { $connected_count } connected. Without a free one connect() fails with EADDRNOTAVAIL.
rule-local-ports-used-up-sentence-brief = { $port_share } of the { $port_count } local ports for { $socket } are taken: { $time_wait_count } in TIME-WAIT, { $connected_count } connected. Without a free one connect() fails with EADDRNOTAVAIL.
rule-local-ports-used-up-doc =
    Every connection to one address and port needs a local port of its own out of net.ipv4.ip_local_port_range, and keeps it for 60 s in TIME-WAIT when this end closed first. Many short connections to one server use them all up; then connect() fails, and before that it searches long.
    Detected by connections and TIME-WAIT to one destination that take 80 % of the range or more. Ports that net.ipv4.tcp_tw_reuse lets be taken again after a second count as free.
    Keep connections open and use them again. If that cannot be: allow reuse, widen the range, or spread over several destinations.

rule-orphans-hold-data-title = Closed connections that hold data
rule-orphans-hold-data-sentence = { $socket_count } closed connections of { $process } still hold { $held_bytes }: their peers do not take the rest, as on { $socket }.
rule-orphans-hold-data-sentence-brief = { $socket_count } closed connections still hold { $held_bytes }: their peers do not take the rest, as on { $socket }.
rule-orphans-hold-data-doc =
    When a program closes a connection, the kernel keeps its unsent data. If the peer does not read, or is gone, such an orphan keeps its memory for minutes. Too many orphans put TCP under memory pressure, and the kernel aborts connections.
    Detected by ten connections without a process, or 4 MiB in them, with data, that probe a zero window or have got no ACK for a second. Named is who listens on their port, or has others to the same peer.
    Give up on peers that take nothing (TCP_USER_TIMEOUT), before closing as well.

rule-path-exceeds-send-ceiling-title = Send autotuning ends below the path
rule-path-exceeds-send-ceiling-sentence = { $path_rate_bits_per_s } over { $path_rtt_us } needs { $bdp_bytes } in flight; with net.ipv4.tcp_wmem at { $setting_bytes } sending ends at { $ceiling_bits_per_s }.
rule-path-exceeds-send-ceiling-doc =
    To fill a path, bandwidth × RTT must be in flight. Send buffers grow by themselves, but no further than the third value of net.ipv4.tcp_wmem, and part of a buffer is overhead.
    Computed by the kernel's rules for the path given with --path.
    Raise the third value. net.core.wmem_max does not matter to autotuning: it caps what SO_SNDBUF may ask for.

rule-path-exceeds-receive-ceiling-title = Receive autotuning ends below the path
rule-path-exceeds-receive-ceiling-sentence = { $path_rate_bits_per_s } over { $path_rtt_us } needs { $bdp_bytes } in flight; with net.ipv4.tcp_rmem at { $setting_bytes } receiving ends at { $ceiling_bits_per_s }.
rule-path-exceeds-receive-ceiling-doc =
    To fill a path, bandwidth × RTT must fit into the receive window. Receive buffers grow by themselves, but no further than the third value of net.ipv4.tcp_rmem, and only part of a buffer is window.
    Computed by the kernel's rules for the path given with --path; the part that is window depends on the network driver since Linux 6.6.
    Raise the third value. net.core.rmem_max does not matter to autotuning: it caps what SO_RCVBUF may ask for.

rule-window-scaling-off-title = Window scaling is off
rule-window-scaling-off-sentence = New connections get no window over 64 KiB in either direction: over 20 ms they end at { $rate_at_20ms_bits_per_s }.
rule-window-scaling-off-doc =
    net.ipv4.tcp_window_scaling is 0, so this host does not offer the option in its SYNs, and no new connection has it. Connections that were made before keep theirs.
    Read from the setting.
    Set it to 1, the default. Firewalls that broke on the option are long gone.

rule-receive-autotuning-off-title = Receive autotuning is off
rule-receive-autotuning-off-sentence = Receive buffers no longer grow, so the window of a new connection ends at { $flight_bytes }: over 20 ms that is { $rate_at_20ms_bits_per_s }.
rule-receive-autotuning-off-doc =
    net.ipv4.tcp_moderate_rcvbuf is 0: receive buffers stay at the second value of net.ipv4.tcp_rmem.
    Read from the setting.
    Set it to 1, the default.

rule-autotuning-ceiling-low-title = Autotuning has next to no room
rule-autotuning-ceiling-low-sentence = { $setting } ends at { $setting_bytes }, so no more than { $flight_bytes } can be in flight: over 20 ms that is { $rate_at_20ms_bits_per_s }.
rule-autotuning-ceiling-low-doc =
    The third value of net.ipv4.tcp_rmem or net.ipv4.tcp_wmem is under 1 MiB. Buffers that nobody set cannot grow beyond it, so every connection with a round trip of some milliseconds is slow.
    Read from the setting; machines with very little memory have such values by themselves and are left out.
    Go back to the kernel's default, or name your paths with --path and see what they need.

rule-sysctl-order-title = Values in the wrong order
rule-sysctl-order-sentence = { $setting } is "{ $value }": min, default and max must ascend.
rule-sysctl-order-doc =
    The three values are min, default and max: what a buffer keeps under memory pressure, what it starts with, and what autotuning may reach. A buffer that starts above its max never grows.
    Read from the setting.
    Put them in order.

rule-tcp-mem-unit-title = tcp_mem counts pages, not bytes
rule-tcp-mem-unit-sentence = net.ipv4.tcp_mem allows { $page_count } pages, { $limit_bytes }: more than the machine has. The pressure that should protect it never comes.
rule-tcp-mem-unit-doc =
    net.ipv4.tcp_mem is the one setting of its family that counts pages of memory. Values meant as bytes are 4,096 times too high, and TCP may take all the memory there is.
    Detected by a third value that exceeds the memory of the machine.
    Divide by the size of a page, or remove the setting: the kernel sets it by the memory there is.

rule-loss-options-off-title = An option against losses is off
rule-loss-options-off-sentence = { $setting } is 0: new connections do not have the option.
rule-loss-options-off-doc =
    Without selective acknowledgements a sender learns of one loss a round trip, and tail loss probes and RACK do not work. Without timestamps round trips are measured less well, and connections made by SYN cookies have neither window scaling nor SACK.
    Read from the setting.
    Set it to 1, the default.

rule-max-raised-in-vain-title = rmem_max and wmem_max do not cap autotuning
rule-max-raised-in-vain-sentence = { $setting } was raised to { $max_bytes } while { $autotuning_setting } still ends at { $setting_bytes }: it lets SO_RCVBUF or SO_SNDBUF ask for more, and has no effect on autotuning.
rule-max-raised-in-vain-doc =
    It is widely believed that net.core.rmem_max and net.core.wmem_max limit every socket. They cap what an application may ask for with SO_RCVBUF and SO_SNDBUF, and asking turns autotuning off. Autotuning ends at the third values of net.ipv4.tcp_rmem and net.ipv4.tcp_wmem, measured with rmem_max at 64 KiB and buffers of 25 MB.
    Detected by one that was raised above the other, with the other at its default.
    Raise the third value of tcp_rmem or tcp_wmem if larger windows were the aim.

rule-adv-win-scale-ignored-title = tcp_adv_win_scale does nothing on this kernel
rule-adv-win-scale-ignored-sentence = net.ipv4.tcp_adv_win_scale is { $scale }; since Linux 6.6 the window is a measured share of the buffer.
rule-adv-win-scale-ignored-doc =
    The setting once said how much of the receive buffer is kept for overhead. Linux 6.6 measures that for each connection and keeps the setting for show.
    Read from the setting and the kernel's version.
    Delete it. If windows are too small, raise the third value of net.ipv4.tcp_rmem.

rule-memory-pressure-title = TCP came under memory pressure
rule-memory-pressure-sentence = { $pressure_count ->
        [one] Once
       *[other] { $pressure_count } times
    } all TCP sockets together had more memory than net.ipv4.tcp_mem allows: windows shrink to a few segments, and beyond the limit data is dropped.
rule-memory-pressure-sentence-together = { $pressure_count ->
        [one] Once
       *[other] { $pressure_count } times
    } all TCP sockets together had more memory than net.ipv4.tcp_mem allows: windows shrink to a few segments, and beyond the limit data is dropped. { $process } holds the most, { $held_bytes } ({ $held_share } of TCP's memory).
rule-memory-pressure-sentence-shared = All TCP sockets together have more memory than net.ipv4.tcp_mem allows: windows shrink to a few segments, and beyond the limit data is dropped. { $process } holds the most, { $held_bytes } ({ $held_share } of TCP's memory).
rule-memory-pressure-sentence-brief = All TCP sockets together have more memory than net.ipv4.tcp_mem allows: windows shrink to a few segments, and beyond the limit data is dropped.
rule-memory-pressure-doc =
    net.ipv4.tcp_mem bounds the memory of all TCP sockets of the machine, containers included. Above the second value receive buffers stop growing and windows fall to about four segments. Above the third data is dropped and send buffers are cut.
    Detected by the counter TCPMemoryPressures and the flag in /proc/net/protocols. A memory limit of a control group acts the same way and is not counted there.
    List the sockets that hold the memory: many connections with unread or unacknowledged data. Then raise net.ipv4.tcp_mem if the machine has the memory.

rule-memory-near-limit-title = TCP memory near its limit
rule-memory-near-limit-sentence = TCP holds { $tcp_memory_bytes }; pressure begins at { $pressure_limit_bytes }.
rule-memory-near-limit-sentence-shared = TCP holds { $tcp_memory_bytes }; pressure begins at { $pressure_limit_bytes }. { $process } holds the most, { $held_bytes } ({ $held_share }).
rule-memory-near-limit-doc =
    All TCP sockets together hold more than 70 % of the memory at which pressure begins.
    Read from /proc/net/sockstat and net.ipv4.tcp_mem.
    List the sockets that hold it, and raise net.ipv4.tcp_mem if the machine has the memory.

rule-aborted-for-memory-title = Connections aborted for memory
rule-aborted-for-memory-sentence = { $aborted_count ->
        [one] 1 connection was
       *[other] { $aborted_count } connections were
    } aborted because memory or room for orphans ran out.
rule-aborted-for-memory-doc =
    A closed connection that still has data to send has no process any more. When there are more than net.ipv4.tcp_max_orphans of them, or TCP is out of memory, the kernel aborts connections.
    Detected by the counter TCPAbortOnMemory.
    Check the clients whose connections are closed with data unsent (slow or vanished), and raise the limit.

rule-listen-overflows-title = Accept queues overflowed
rule-listen-overflows-sentence = { $overflow_count ->
        [one] 1 connection was
       *[other] { $overflow_count } connections were
    } dropped because the application had not accepted those before.
rule-listen-overflows-doc =
    A connection that is made waits for accept() in a queue. When it is full, further ones are dropped, and clients try again after a second, three, seven: users see pauses of whole seconds.
    Detected by the counter ListenOverflows.
    Let the application accept faster (a thread of its own, more workers), and lengthen the queue.

rule-syn-queue-full-title = SYNs were dropped
rule-syn-queue-full-sentence-together = { $syn_queue_drop_count ->
        [one] 1 SYN was
       *[other] { $syn_queue_drop_count } SYNs were
    } dropped while SYN cookies were off and the queue of half-open connections was full. They are on now (net.ipv4.tcp_syncookies is { $syncookies_mode }).
rule-syn-queue-full-sentence = { $syn_queue_drop_count ->
        [one] 1 SYN was
       *[other] { $syn_queue_drop_count } SYNs were
    } dropped while the queue of half-open connections of { $process } was full and SYN cookies were off.
rule-syn-queue-full-sentence-brief = { $syn_queue_drop_count ->
        [one] 1 SYN was
       *[other] { $syn_queue_drop_count } SYNs were
    } dropped because the queue of half-open connections was full.
rule-syn-queue-full-doc =
    A listener remembers half-open connections up to its backlog and, with SYN cookies off, up to three quarters of net.ipv4.tcp_max_syn_backlog. When that many are half open, further SYNs are dropped, and clients try again after a second, three, seven.
    Detected by TCPReqQFullDrop, and with net.ipv4.tcp_syncookies at 0 by ListenDrops that are no ListenOverflows.
    Turn SYN cookies on: they cost nothing until the queue is full. Lengthen the queue if the load is real, and see who sends SYNs and never answers.

rule-no-route-back-title = SYNs from where no route leads
rule-no-route-back-sentence = { $no_route_drop_count ->
        [one] 1 SYN was
       *[other] { $no_route_drop_count } SYNs were
    } dropped because this host has no route back to who sent them.
rule-no-route-back-doc =
    A listener looks for the route of its SYN-ACK before it remembers the client. Where there is none, the SYN is dropped without an answer, and the client waits until it gives up.
    Detected by ListenDrops that are neither ListenOverflows nor TCPReqQFullDrop, as far as OutNoRoutes grew with them.
    Add the route, or the default route, to the clients. SYNs with forged addresses look the same: then nothing is missing.

rule-syn-cookies-sent-title = SYN cookies were sent
rule-syn-cookies-sent-sentence = { $cookie_count ->
        [one] 1 SYN was
       *[other] { $cookie_count } SYNs were
    } answered with a cookie: the queue of half-open connections was full.
rule-syn-cookies-sent-sentence-brief = The queue of half-open connections was full.
rule-syn-cookies-sent-doc =
    When more SYNs come than a listener remembers, Linux answers with cookies. Such connections work, but without timestamps on both sides they lose window scaling and SACK, and stay slow for life.
    Detected by the counter SyncookiesSent.
    Lengthen the queue if the load is real; if it is a flood, cookies do what they are for.

rule-backlog-drops-title = Packets dropped while a process held its socket
rule-backlog-drops-sentence = { $backlog_drop_count ->
        [one] 1 packet was
       *[other] { $backlog_drop_count } packets were
    } dropped because a process kept its socket locked and the backlog was full.
rule-backlog-drops-doc =
    While a process reads from or writes to a socket, packets wait in its backlog. Its size depends on the buffers; when it is full, packets are dropped, which the sender takes for losses.
    Detected by the counter TCPBacklogDrop.
    Usually a CPU is too busy, or a small receive buffer was set. Read in larger pieces, leave the buffer autotuned, spread the load over CPUs.

rule-receive-queue-pruned-title = Receive buffers ran out
rule-receive-queue-pruned-sentence = { $prune_count ->
        [one] Once
       *[other] { $prune_count } times
    } a receive buffer was full of unread data or overhead, and the kernel had to clear it out.
rule-receive-queue-pruned-sentence-brief = Received packets were dropped because receive buffers had no memory left.
rule-receive-queue-pruned-doc =
    The buffer counts memory, not bytes of data: many small segments fill it long before the window is used up. The kernel then copies segments together, and if that is not enough drops data that was received.
    Detected by the counters PruneCalled, RcvPruned, OfoPruned and TCPRcvQDrop. A peer that simply does not read leaves them at 0.
    Let the application read faster and the sender write larger pieces; do not set small receive buffers.

rule-receive-queue-collapsed-title = Receive queues were copied together
rule-receive-queue-collapsed-sentence = { $collapsed_count ->
        [one] One skb
       *[other] { $collapsed_count } skbs
    } of receive queues had to be copied into fewer ones to save memory; buffers may grow to { $setting_bytes }. Over a long queue that holds a CPU for milliseconds.
rule-receive-queue-collapsed-sentence-brief = { $collapsed_count ->
        [one] One skb
       *[other] { $collapsed_count } skbs
    } of receive queues had to be copied into fewer ones to save memory.
rule-receive-queue-collapsed-doc =
    When a receive buffer is full of many small segments, the kernel walks the queue and copies them together. With very large buffers one such walk takes milliseconds, in which nothing else happens on that CPU: rare spikes of latency.
    Detected by the counter TCPRcvCollapsed and a third value of net.ipv4.tcp_rmem of 16 MiB or more. The counter counts skbs that were copied and freed; after GRO, one skb holds several segments.
    Read in larger pieces, write in larger pieces, and do not let buffers grow further than your paths need.

rule-zero-windows-announced-title = Applications here do not read fast enough
rule-zero-windows-announced-sentence = { $closed_window_count ->
        [one] Once
       *[other] { $closed_window_count } times
    } this host advertised a zero window because an application had not read.
rule-zero-windows-announced-sentence-brief = This host advertised zero windows because applications had not read.
rule-zero-windows-announced-doc =
    A zero window is advertised when the buffer is full of data that the application has not read. The sender then stops and probes.
    Detected by TCPToZeroWindowAdv over InSegs, from 0.1 % on, and a warning from 1 % on: busy hosts advertise a zero window for a moment now and then. Not reported once the load has stopped.
    Find the connections with unread data (ss -tm) and what their process waits for. A larger buffer only postpones the stop.

rule-zero-window-probes-sent-title = Peers do not read fast enough
rule-zero-window-probes-sent-sentence = { $probe_count ->
        [one] Once
       *[other] { $probe_count } times
    } this host probed a zero window: the application at the other end had not read.
rule-zero-window-probes-sent-doc =
    Peers advertised zero windows because their applications did not read, and this host probed them.
    Detected by TCPWinProbe over OutSegs, from 0.1 % on, while it goes on.
    Look at the peers: tcpwhy audit on that host, or a capture.

rule-retransmission-share-title = Many retransmissions
rule-retransmission-share-sentence = { $retransmitted_share } of all segments sent were retransmissions ({ $retransmitted_count } of { $sent_count }).
rule-retransmission-share-doc =
    Segments are retransmitted when they were lost, or seemed to be. From one percent on, losses set the rate of most connections.
    Detected by RetransSegs, less those of SYNs (TCPSynRetrans), over OutSegs: since boot, or during --interval if that had enough segments. Reported where the share is above 1 % with 95 % confidence, of at least 100 segments; two losses in a hundred may be chance.
    Find where packets are lost: interfaces and queues of both hosts, then the path between them. A capture and tcpwhy explain show which connections.

rule-needless-retransmissions-title = Many spurious retransmissions
rule-needless-retransmissions-sentence = { $needless_share } of what was retransmitted had arrived already.
rule-needless-retransmissions-doc =
    Receivers report duplicates (duplicate SACK). Many of them mean that packets were late or reordered, not lost; the sender slowed down without need.
    Detected by TCPDSACKRecv, less the tail loss probes (TCPLossProbes), over RetransSegs: at least 30 %, and only where more than 1 % of the segments sent were retransmissions. Devices that duplicate packets raise it too.
    Stop what reorders or delays packets: bonding by packet, long queues, wireless links, virtual machines that stall.

rule-send-queue-refuses-title = Send queues refused to be split
rule-send-queue-refuses-sentence = { $refused_count ->
        [one] Once
       *[other] { $refused_count } times
    } a send queue refused to split a segment for a retransmission, because it held more memory than its send buffer allows. The smallest send buffer that an application has set is that of { $process } ({ $buffer_bytes }).
rule-send-queue-refuses-sentence-brief = { $refused_count ->
        [one] Once
       *[other] { $refused_count } times
    } a send queue refused to split a segment for a retransmission, because it held more memory than its send buffer allows.
rule-send-queue-refuses-doc =
    A selective acknowledgement may cover part of a large segment, which must then be split. Since CVE-2019-11478 Linux refuses that where the queue holds more than twice the send buffer: an attacker could fill the memory with tiny pieces. The data then waits for a retransmission timeout.
    Detected by the counter TCPWqueueTooBig. A small SO_SNDBUF and losses cause it, and so does a peer that sends SACK for tiny pieces on purpose. The first kernels with the check compared without any allowance and refused far too often (4.4.182, 4.9.182, 4.14.127, 4.19.52, 5.1.11, each with those shortly after).
    Delete SO_SNDBUF in the application, or set it much larger. Update a kernel that refuses too often.

rule-checksum-errors-title = Packets with a wrong checksum
rule-checksum-errors-sentence = { $checksum_error_count ->
        [one] 1 packet
       *[other] { $checksum_error_count } packets
    } arrived with a wrong checksum and { $checksum_error_count ->
        [one] was
       *[other] were
    } dropped. Their senders take that for losses.
rule-checksum-errors-doc =
    The kernel drops packets whose TCP checksum is wrong without a word, so they look lost to their senders. Usually an interface that should complete the checksum does not: checksum offload with tunnels (VXLAN) or virtual interfaces, or a faulty driver, cable or memory.
    Detected by the counter InCsumErrors, a warning from one in 32,000 segments received. Fewer happen on healthy networks.
    Capture at each hop and see where the checksum becomes wrong. Switch off checksum offload there.

rule-kernel-regression-title = A known fault of this kernel
rule-kernel-regression-sentence = Linux { $kernel } has a known fault: { $fault }. The connection { $socket } shows it.
rule-kernel-regression-sentence-brief = Linux { $kernel } has a known fault: { $fault }. A counter of this host shows it.
rule-kernel-regression-doc =
    Some stable releases of Linux made TCP slower until a later one fixed it. With 4.19.86 to 4.19.163 and 4.20 to 5.9.15, a receive window never grows with jumbo frames. With 6.6.0 to 6.6.32 and 6.7 to 6.9.3, the same SO_RCVBUF gives half the window. With 4.4.182, 4.9.182, 4.14.127, 4.19.52, 5.1.11 and those shortly after, a small send buffer holds back retransmissions. With 4.14.48 and 4.14.49, the window stays tiny behind a slow reader. With 6.16 and 6.17, receive autotuning grows too slowly. With 6.17, 6.18 to 6.18.16 and 6.19 to 6.19.6, segments inside the window are dropped where the receive queue is half full, mostly on loopback. With 6.6.128, 6.12.75, 6.18.14, 6.19.4 and those after, up to 7.1, FIONREAD says 0 for sockets in a sockmap (BPF tracers and meshes use them).
    Detected by the kernel's version together with a socket or a counter that shows the fault. Distributions fix faults under old version numbers, so the version alone is not reported.
    Update the kernel.

# Fixes.
fix-host-find-checksums-short = See whether this host's interface is wrong
fix-host-find-checksums = If the checksums are right on the wire, the interface of this host checks or changes them wrongly.
fix-host-find-small-send-buffers-short = Find the small send buffers
fix-host-find-small-send-buffers = Find the connections with small send buffers, and see whether the counter still grows.
fix-update-kernel-short = Update the kernel
fix-update-kernel = Update the kernel to a release that has the fix.
fix-find-sockmap-short = Find the program that puts sockets into a sockmap
fix-find-sockmap = A tracer or service mesh puts sockets into a BPF map. Until the kernel is updated, stop it, or switch off the part that needs the map.
fix-host-raise-tcp-rmem-start-short = Raise the second value of net.ipv4.tcp_rmem
fix-host-raise-tcp-rmem-start = Let receive buffers of new connections start larger, so that autotuning can begin.
fix-host-bond-by-flow-short = Let the bond spread packets by flow
fix-host-bond-by-flow = This host has a bond that may send packets of one flow over several interfaces, or a copy over each. Spread by flow instead; the switch must agree to 802.3ad.
fix-spread-by-flow-short = Stop what reorders packets
fix-spread-by-flow = Packets of one flow take several paths or queues: per-packet load balancing on the way, or several receive queues without flow steering. Spread by flow instead.
fix-close-connections-short = Close what the peer has closed
fix-close-connections = Find the code that leaves connections open, most often an error path.
fix-accept-faster-short = Call accept() sooner
fix-accept-faster = Find what keeps the program from calling accept(): a lock, a slow query, a full worker pool, a debugger. Accept in a thread or process that does nothing else.
fix-raise-asked-backlog-short = Raise the backlog that the application asks for
fix-raise-asked-backlog = The application asks for a short queue of new connections; net.core.somaxconn allows it a longer one already.
fix-reuse-connections-short = Reuse connections
fix-reuse-connections = Keep connections to that server open and use them for many requests: a pool, HTTP keep-alive.
fix-give-up-sooner-short = Give up on peers that take nothing
fix-give-up-sooner = Set a limit for data that makes no progress. It also holds after the connection was closed.
fix-host-enable-syncookies-short = Turn SYN cookies on
fix-host-enable-syncookies = Turn SYN cookies on: when the queue is full, SYNs are answered all the same.
fix-host-find-syns-short = Find who sends the SYNs
fix-host-find-syns = See which listener they are for, and whether few addresses send them and never answer: a flood, a scan, or a way back that loses the SYN-ACK.
fix-host-add-route-short = Add the route back to the clients
fix-host-add-route = Add the route back to the clients, or see that these addresses are forged.
fix-host-reuse-time-wait-short = Let ports in TIME-WAIT be used again
fix-host-reuse-time-wait = Let outgoing connections take ports that have been in TIME-WAIT for over a second.
fix-host-widen-port-range-short = Widen the range of local ports
fix-host-widen-port-range = Widen the range of local ports. Ports of services in it must be reserved (net.ipv4.ip_local_reserved_ports).
fix-host-end-orphans-short = End the connections that hold data
fix-host-end-orphans = Look at them, and end them if they are too many.
fix-unlock-send-buffer-short = Give the running connection its autotuning back
fix-unlock-send-buffer = Without a restart: clear the lock of a connection that runs; the kernel then grows its buffer, until the connection ends. This is the one that suffers most; process id and descriptor of the others are in the JSON.
fix-host-raise-tcp-rmem-short = Raise the third value of net.ipv4.tcp_rmem
fix-host-raise-tcp-rmem = Let receive autotuning reach further. It holds for connections made from now on, and for each network namespace by itself.
fix-host-raise-tcp-wmem-short = Raise the third value of net.ipv4.tcp_wmem
fix-host-raise-tcp-wmem = Let send autotuning reach further. It holds for connections at once, and for each network namespace by itself.
fix-host-lower-tcp-rmem-short = Lower the third value of net.ipv4.tcp_rmem
fix-host-lower-tcp-rmem = Let receive queues grow no longer than your paths need.
fix-host-enable-autotuning-short = Turn receive autotuning on
fix-host-enable-autotuning = Turn receive autotuning on.
fix-host-enable-window-scaling-short = Turn window scaling on
fix-host-enable-window-scaling = Turn window scaling on. It holds for connections made from now on.
fix-host-enable-options-short = Turn the option on
fix-host-enable-options = Turn the option on. It holds for connections made from now on.
fix-host-order-values-short = Put the values in order
fix-host-order-values = Put the values in order: min, default, max.
fix-host-tcp-mem-in-pages-short = Set net.ipv4.tcp_mem in pages
fix-host-tcp-mem-in-pages = Set it in pages of memory, or delete the line and boot again: the kernel then chooses by the memory there is.
fix-host-raise-tcp-mem-short = Raise net.ipv4.tcp_mem
fix-host-raise-tcp-mem = If the machine has the memory, raise the limits, in pages. They are those of the whole machine; a container cannot see them.
fix-host-raise-orphans-short = Raise net.ipv4.tcp_max_orphans
fix-host-raise-orphans = Allow more closed connections to finish sending; each may hold up to 64 KiB and more.
fix-host-drop-setting-short = Delete the setting
fix-host-drop-setting = Delete the line from every file that has it.
fix-host-find-memory-short = Find who holds the memory
fix-host-find-memory = Find the sockets that hold the memory.
fix-host-find-pruned-short = Find whose buffers they are
fix-host-find-pruned = Find the sockets and processes whose buffers run out.
fix-host-find-busy-cpu-short = Find the busy CPU
fix-host-find-busy-cpu = See whether one CPU does all the work, and which sockets have a backlog.

# Evidence.
evidence-process = process
evidence-pid = process id
evidence-socket = socket
evidence-setting = setting
evidence-autotuning-setting = autotuning ends at
evidence-value = value
evidence-scale = value
evidence-mode = mode
evidence-per-hour = an hour
evidence-interval-s = watched for
evidence-recent-count = during that time
evidence-is-recent = during the interval
evidence-connected-count = connected
evidence-half-open-count = half open now
evidence-held-bytes = memory held
evidence-held-share = share of TCP's memory
evidence-second-process = next process
evidence-second-held-bytes = memory held
evidence-second-held-share = share of TCP's memory
evidence-third-process = next process
evidence-third-held-bytes = memory held
evidence-third-held-share = share of TCP's memory
evidence-not-accepted-ms = not accepted for, at least
evidence-port-count = local ports
evidence-port-share = share taken
evidence-syn-backlog-count = net.ipv4.tcp_max_syn_backlog
evidence-threads-accepting-count = threads in accept()
evidence-threads-device-count = threads waiting for a disk
evidence-threads-lock-count = threads waiting for a lock
evidence-threads-other-count = other threads
evidence-threads-polling-count = threads waiting for events
evidence-threads-running-count = threads running
evidence-threads-sleeping-count = threads sleeping
evidence-threads-stopped-count = threads stopped
evidence-threads-transfer-count = threads reading or writing
evidence-time-wait-count = in TIME-WAIT
evidence-aborted-count = aborted
evidence-asked-bytes = asked for, at least
evidence-autotuned-bits-per-s = autotuning would allow
evidence-backlog-count = room for
evidence-backlog-drop-count = dropped
evidence-backoff-count = times doubled
evidence-buffer-bytes = buffer
evidence-buffer-share = share of the buffer
evidence-busy-us = time with data to send
evidence-ceiling-bits-per-s = rate that it allows
evidence-ceiling-low-bits-per-s = rate that it allows, at least
evidence-closed-window-count = zero windows advertised
evidence-collapsed-count = skbs copied and freed
evidence-cookie-count = cookies
evidence-host-queue-count = still in this host's queue
evidence-idle-ms = untouched for
evidence-is-at-limit = at its limit now
evidence-is-under-pressure = under pressure now
evidence-last-received-ms = last data came, ago
evidence-last-sent-ms = last data sent, ago
evidence-limit-bytes = limit
evidence-limited-share = share of it waiting
evidence-listen-drop-count = dropped by listeners in all
evidence-max-bytes = raised to
evidence-max-orphan-count = orphans allowed
evidence-memory-bytes = memory of the machine
evidence-needless-share = share that had arrived
evidence-orphan-count = orphans now
evidence-out-of-order-pruned-count = out of order, dropped
evidence-overflow-count = connections dropped
evidence-page-count = pages
evidence-path-rate-bits-per-s = path
evidence-path-rtt-us = its round trip
evidence-path-share = share of the path
evidence-pressure-count = times
evidence-pressure-limit-bytes = pressure begins at
evidence-pressure-ms = time under pressure
evidence-prune-count = times full
evidence-rate-at-20ms-bits-per-s = rate over 20 ms
evidence-checksum-error-count = wrong checksum, dropped
evidence-commit = commit
evidence-fault = known fault
evidence-kernel = kernel
evidence-reached-bits-per-s = rate reached
evidence-received-dropped-count = received, dropped
evidence-received-pruned-count = received, pruned
evidence-received-share = per segment received
evidence-refused-count = splits refused
evidence-retransmitted-share = share retransmitted
evidence-sent-count = segments sent
evidence-set-because = known because it is
evidence-set-receive-buffer-count = receive buffers set
evidence-set-send-buffer-count = send buffers set
evidence-setting-bytes = setting
evidence-socket-count = connections
evidence-somaxconn-count = net.core.somaxconn
evidence-spurious-timeout-count = spurious timeouts
evidence-no-route-drop-count = SYNs without a route back
evidence-syn-queue-drop-count = SYNs dropped
evidence-syncookies-mode = net.ipv4.tcp_syncookies
evidence-syn-queue-full-count = times the SYN queue was full
evidence-tcp-memory-bytes = memory of TCP
evidence-unread-bytes = not read
evidence-waiting-bytes = waiting
evidence-waiting-count = waiting
evidence-wanted-closed-count = zero windows wanted
evidence-window-drop-count = arrived during a zero window
