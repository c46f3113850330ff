# tcpwhy buffers: what a socket buffer comes to.

buffers-name-send = Send buffer
buffers-name-receive = Receive buffer

# The first three lines.
buffers-head-set-send = { $option } { $asked } → { $reported }: about { $flight } can be in flight.
buffers-head-set-receive = { $option } { $asked } → { $reported }: a window of about { $flight }.
buffers-head-clamped-send = { $option } { $asked } → { $clamped } ({ $sysctl }) → { $reported }: about { $flight } in flight.
buffers-head-clamped-receive = { $option } { $asked } → { $clamped } ({ $sysctl }) → { $reported }: a window of { $flight }.
buffers-head-auto-send = Autotuned send buffer: { $first } at first, up to { $most }, { $flight } in flight.
buffers-head-auto-receive = Autotuned receive buffer: { $first } at first, up to { $most }, a window of { $flight }.
buffers-head-no-path = { $short } at an RTT of 1 ms, { $middle } at 10 ms, { $long } at 100 ms.
buffers-head-rate = At most { $rate } at an RTT of { $rtt }.
buffers-head-covered = { $rate } at an RTT of { $rtt }: fills { $bandwidth } ({ $product } in flight).
buffers-head-doubtful = { $low } to { $rate } at an RTT of { $rtt }: { $bandwidth } is in doubt ({ $product } in flight).
buffers-head-too-small = { $rate } at an RTT of { $rtt }: { $share } of { $bandwidth } (needs { $product } in flight).
buffers-head-change = To fill the path: { $changes }.
buffers-head-better-unset = Without { $option } autotuning would reach { $flight }.
buffers-head-no-remedy = No setting fills this path.
buffers-head-nothing = Nothing to change.
buffers-head-foreign = What { $system } does with { $option } is known only in part: no rule of it was measured.

buffers-heading-what = { $name } ({ $option })
buffers-heading-changes = What fills the path
buffers-heading-notes = Worth knowing
buffers-heading-why = How it comes about: { $name }
buffers-heading-by-rtt = Highest rate by round-trip time: { $name }
buffers-heading-by-request = Highest rate by the { $option } asked for, at an RTT of { $rtt }

buffers-row-asked = asked for
buffers-row-when = set
buffers-row-clamped = cut by { $sysctl }
buffers-row-not-clamped = limit { $sysctl }
buffers-row-reported = getsockopt says
buffers-row-first = at first
buffers-row-most = autotuned up to
buffers-row-initial-flight = in flight at first
buffers-row-flight = in flight at most
buffers-row-scale = window scale
buffers-row-syn = window in SYN or SYN-ACK
buffers-row-initial-window = first window
buffers-row-window = largest window
buffers-row-usable = of that in whole segments
buffers-row-rate = rate at an RTT of { $rtt }
buffers-row-product = bandwidth × RTT
buffers-row-autotuned = autotuning would reach
buffers-row-ends-autotuning = setting it ends autotuning
buffers-value-scale = { $scale } (windows up to { $cap })
buffers-value-clamped = { $clamped } left
buffers-value-not-clamped = { $cap }, not reached
buffers-value-autotuned = { $buffer }, { $flight } in flight
buffers-value-range = { $value } ({ $low } to { $high })
buffers-value-from = { $value } ({ $low } or more)
buffers-asked-mark = asked
buffers-auto-label = autotuned

buffers-figure-exact = { $value }
buffers-figure-point = { $value } ({ $ground })
buffers-figure-range = { $value } ({ $low } to { $high }, { $ground })
buffers-figure-open = { $value } ({ $low } or more, { $ground })
buffers-ground-exact = exact
buffers-ground-measured = measured model
buffers-ground-assumed = assumed

buffers-when-before-connect = before connect()
buffers-when-on-listener = on the listening socket
buffers-when-after-connect = after connect() or accept(), before data
buffers-when-after-data = while data flows

buffers-change-unset-sndbuf = do not set { $option }
buffers-change-unset-rcvbuf = do not set { $option }
buffers-change-ask-sndbuf = set { $option } to { $bytes } or more
buffers-change-ask-rcvbuf = set { $option } to { $bytes } or more
buffers-change-ask-early = set { $option } before connect() or on the listening socket
buffers-change-raise = raise { $sysctl } to { $bytes }
buffers-change-raise-third = raise the third value of { $sysctl } to { $bytes }
buffers-change-enable = set { $sysctl } to 1
buffers-or = or
buffers-label = { $name }:{" "}

buffers-note-autotuning-off = Setting { $option } ends the buffer's autotuning for the life of the socket.
buffers-note-max-does-not-limit-autotuning = { $max } does not limit autotuning: it caps { $option } only. Autotuning ends at the third value of { $third }.
buffers-note-clamped = { $max } let only { $clamped } of { $asked } pass. setsockopt reports no error: only getsockopt tells.
buffers-note-more-than-the-buffer = More is in flight than the buffer holds: it is tested only when a new skb is begun, and one skb takes up to 64 kB.
buffers-note-open-tail = With Nagle's algorithm and writes that are no multiple of the segment ({ $mss } B), the open tail takes one write after the other without a test of the buffer: much more than { $buffer } may be in flight. TCP_NODELAY ends that.
buffers-note-scale-wastes = The window scale was chosen from half of the buffer and says { $cap } at most, although the buffer would allow more. A power of two wastes nothing.
buffers-note-frozen = The window stays at about { $window } whatever the buffer says, because it was set too late: autotuning is off and nothing recomputes the window.
buffers-note-driver-decides = How much of the buffer becomes window depends on the memory that the network driver takes for a segment. On a live connection window_clamp over SO_RCVBUF tells.
buffers-note-adv-win-scale-ignored = net.ipv4.tcp_adv_win_scale is set and has had no effect since Linux 6.6.
buffers-note-whole-segments = Only whole segments fly, so part of the window stays unused.

buffers-linux = Linux { $version }
buffers-settings-host = this host's settings
buffers-settings-file = settings of { $path }
buffers-settings-defaults = the kernel's default settings
buffers-premises = { $system }, { $settings }, MTU { $mtu } B, writes of { $write }.

buffers-axis-rtt = round-trip time
buffers-axis-rate = rate
buffers-axis-request = { $option } asked for
buffers-legend-set = as asked
buffers-legend-auto = autotuned
buffers-legend-bandwidth = bandwidth of the path

buffers-rule-clamp-by-max = The request is an unsigned number and is capped, without an error.
buffers-rule-force-skips-max = The FORCE option, which takes CAP_NET_ADMIN, is not capped.
buffers-rule-doubled = The kernel doubles it, for its bookkeeping, and keeps a minimum.
buffers-rule-locked = A buffer that was set is locked: autotuning leaves it alone.
buffers-rule-rcvbuf-start = Autotuning starts with the second value of tcp_rmem.
buffers-rule-rcvbuf-growth = It grows as the application reads, up to the third value of tcp_rmem.
buffers-rule-rcvbuf-fixed = Autotuning of the receive buffer is off.
buffers-rule-sndbuf-start = An established connection starts with room for two initial congestion windows (BBR: three).
buffers-rule-sndbuf-growth = It grows with the congestion window, up to the third value of tcp_wmem.
buffers-rule-segment-size = A full segment is the MTU less IPv4, TCP and timestamps.
buffers-rule-size-goal = One skb collects whole segments, as many as segmentation offload and half of the peer's window allow.
buffers-rule-skb-overhead = Each skb counts its own memory besides its payload.
buffers-rule-in-flight-fill = A new skb is begun while less than the buffer is queued: what is sent and not acknowledged counts.
buffers-rule-in-flight-poll = A program that polls before each write is woken only when a third of the buffer is free.
buffers-rule-nagle-tail = With Nagle's algorithm an odd tail stays open and takes the next write without a test of the buffer.
buffers-rule-adv-win-scale = Until 6.5 tcp_adv_win_scale says which share of the buffer is window.
buffers-rule-scaling-ratio = Since 6.6 the share of payload in the memory of the segments received is window.
buffers-rule-initial-ratio = Before a full segment has come, a fixed share stands in for it.
buffers-rule-segment-reserve = One segment of the window is kept back.
buffers-rule-clamp-frozen = In this version a set buffer keeps the window it had at establishment.
buffers-rule-window-frozen = Set while data flows, the option ends autotuning and leaves the window where it is.
buffers-rule-clamp-follows = Since 7.1 setting the buffer recomputes the window at any time.
buffers-rule-window-scale = The scale is chosen once, when SYN or SYN-ACK is built.
buffers-rule-wire-cap = Sixteen bits and the scale can say no more than this.
buffers-rule-syn-window = SYN and SYN-ACK are never scaled.
buffers-rule-initial-window = Before it grows, the window is the first one in whole segments.
buffers-rule-ack-queued = The ACK leaves while the segment that caused it is still in the buffer.
buffers-rule-largest-window = The window grows while the application keeps up, to what buffer and scale allow.
buffers-rule-whole-segments = Segments fly whole; their size is kept to half of the largest window.
buffers-rule-window-per-rtt = One window is sent and acknowledged in one round trip.
buffers-rule-bandwidth-delay = The path is full when bandwidth times round-trip time is in flight.
