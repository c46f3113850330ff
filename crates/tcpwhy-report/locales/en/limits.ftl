# Names of limits and their forms, and the verdict sentence of each.

limit-unobserved = not captured
limit-handshake = handshake
limit-loss-recovery = loss recovery
limit-receive-window = receive window
limit-ack-delay = ACK delay
limit-application = application
limit-tail-rtt = final round trip
limit-path = path
limit-send-buffer = send buffer
limit-slow-start = slow start
limit-congestion-window = congestion window

limit-with-detail = { $limit }: { $detail }

detail-syn-rto = SYN retransmitted
detail-fast = fast retransmit
detail-rto = timeout
detail-tlp = tail loss probe
detail-spurious = spurious retransmit
detail-zero-window = zero window
detail-slow-reader = slow reader
detail-small-buffer = small buffer
detail-capped = autotuning limit
detail-no-window-scale = no scaling
detail-ramp = still growing
detail-nagle = Nagle
detail-delayed-ack = delayed ACK
detail-think = think time
detail-idle = idle
detail-peer-turn = waiting for the peer
detail-close-wait = kept open
detail-paced-writes = own pace
detail-queue = persistent queue
detail-policer = policer
detail-post-loss = after a loss
detail-post-mark = after an ECN mark
detail-delay-exit = early slow-start exit
detail-paced = paced by the sender
detail-other = undetermined

# Verdict sentences: $seconds under the limit, of $total, which is $share. The full stop comes by itself.
verdict-none = Nothing worth changing held it back
verdict-unobserved = The capture does not show what held it back for { $seconds } of { $total } ({ $share })
verdict-handshake = Setting up the connection took { $seconds } of { $total } ({ $share })
verdict-handshake-syn-rto = The SYN had to be retransmitted: setting up took { $seconds } of { $total } ({ $share })
verdict-loss-recovery = Repairing losses took { $seconds } of { $total } ({ $share })
verdict-loss-recovery-fast = Repairing losses by fast retransmit took { $seconds } of { $total } ({ $share })
verdict-loss-recovery-rto = Waiting for retransmission timeouts took { $seconds } of { $total } ({ $share })
verdict-loss-recovery-tlp = Losses at the tail, found by tail loss probes, took { $seconds } of { $total } ({ $share })
verdict-loss-recovery-spurious = Spurious retransmissions (nothing was lost) took { $seconds } of { $total } ({ $share })
verdict-receive-window = The receive window held it back for { $seconds } of { $total } ({ $share })
verdict-receive-window-zero-window = The receiver advertised a zero window for { $seconds } of { $total } ({ $share })
verdict-receive-window-slow-reader = The receiving application reads too slowly: its window held the sender back for { $seconds } of { $total } ({ $share })
verdict-receive-window-small-buffer = The receiver's buffer is too small: its window held the sender back for { $seconds } of { $total } ({ $share })
verdict-receive-window-capped = The receive window reached its autotuning limit and held the sender back for { $seconds } of { $total } ({ $share })
verdict-receive-window-no-window-scale = Without window scaling the receive window ends at 64 KiB: it held the sender back for { $seconds } of { $total } ({ $share })
verdict-receive-window-ramp = The receive window was still growing for { $seconds } of { $total } ({ $share })
verdict-ack-delay = Waiting for delayed ACKs took { $seconds } of { $total } ({ $share })
verdict-ack-delay-nagle = Nagle's algorithm held small writes back for { $seconds } of { $total } ({ $share })
verdict-ack-delay-delayed-ack = Small writes waited for delayed ACKs for { $seconds } of { $total } ({ $share })
verdict-application = The sending application had nothing to send for { $seconds } of { $total } ({ $share })
verdict-application-think = The sender was slow to respond: it took { $seconds } of { $total } ({ $share })
verdict-application-idle = The sending application was idle for { $seconds } of { $total } ({ $share })
verdict-application-peer-turn = The sender had sent everything and waited for its peer for { $seconds } of { $total } ({ $share })
verdict-application-close-wait = All was sent; the connection was then kept open for { $seconds } of { $total } ({ $share })
verdict-neutral-application-idle = Nothing held it back: it was idle for { $seconds } of { $total } ({ $share })
verdict-neutral-application-think = Nothing held it back: its sender paused between requests for { $seconds } of { $total } ({ $share })
verdict-neutral-application-peer-turn = Nothing held it back: it waited for its peer for { $seconds } of { $total } ({ $share })
verdict-neutral-application-close-wait = Nothing held it back: all was sent, and the connection stayed open for { $seconds } of { $total } ({ $share })
verdict-neutral-application-paced-writes = Nothing held it back: its sender chose this pace for { $seconds } of { $total } ({ $share })
verdict-application-paced-writes = The sending application writes too slowly: it set the pace for { $seconds } of { $total } ({ $share })
verdict-tail-rtt = The final round trips took { $seconds } of { $total } ({ $share })
verdict-path = The bottleneck was saturated for { $seconds } of { $total } ({ $share })
verdict-path-queue = The bottleneck was saturated, with a persistent queue (bufferbloat), for { $seconds } of { $total } ({ $share })
verdict-path-policer = A policer dropped what exceeded its rate for { $seconds } of { $total } ({ $share })
verdict-send-buffer = The sender's socket buffer is too small: it held the sender back for { $seconds } of { $total } ({ $share })
verdict-slow-start = Slow start took { $seconds } of { $total } ({ $share })
verdict-congestion-window = The congestion window held it back for { $seconds } of { $total } ({ $share })
verdict-congestion-window-post-loss = The congestion window, cut by losses, held it back for { $seconds } of { $total } ({ $share })
verdict-congestion-window-post-mark = The congestion window, reduced for ECN marks, held it back for { $seconds } of { $total } ({ $share })
verdict-congestion-window-delay-exit = Slow start ended early on rising delay (HyStart); the congestion window held it back for { $seconds } of { $total } ({ $share })
verdict-congestion-window-paced = The sender paced itself at its estimate of the path for { $seconds } of { $total } ({ $share })
verdict-congestion-window-other = The congestion window or the send buffer (undetermined) held it back for { $seconds } of { $total } ({ $share })

# Numbers, in a sentence of their own after the verdict.
number-flight = in flight { $value }
number-window = window { $value }
number-rtt = RTT { $value }
number-rtt-queued = RTT { $value } instead of { $least }
number-retransmitted = retransmitted { $value } ({ $share })

decider-sender-capture = a capture at the sender
decider-syn = a capture that includes the SYN
decider-timestamps = TCP timestamps on both hosts
decider-live-sampling = live samples of the sender's socket
decider-longer-capture = a longer capture
