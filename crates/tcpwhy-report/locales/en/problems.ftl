# Problems of many connections. Each is one sentence of at most 25 words, with one number of what it cost.
# `$which` is `the connection`, `all 6 connections` or `3 of 20 connections`; `$where` names the server, too.

problem-which-only = the connection
problem-which-all = all { $count } connections
problem-which-some = { $count } of { $all } connections
problem-which-only-brief = the connection
problem-which-all-brief = all { $count }
problem-which-some-brief = { $count } of { $all }
problem-where = { $which } to { $service }
problem-after = { $low } to { $high }

# Connections that failed. `$attempts` is `the connection attempt`, or `3 of 20 connections`.
problem-attempts = { $all ->
        [one] the connection attempt
       *[other] { $count } of { $all } connections
    }
problem-unanswered = { $service } never answered { $attempts }.
problem-unanswered-reused-ports = { $service } never answered SYNs of reused ports: { $attempts }.
problem-refused = { $service } refused { $attempts }.
problem-reset-by-client = The client reset { $where } after { $after }.
problem-reset-by-server = { $service } reset { $which } after { $after }.
problem-reset-between = A device between the ends reset { $where }.
problem-timed-out = Packets stopped arriving on { $where }.
problem-returned = { $service } did not answer for { $time }, then worked again.
problem-silent-here = { $host } stopped answering on { $where }, although packets still arrived there.
problem-unfinished = Data was still unsent at the end of { $where }.
problem-request-unanswered = { $service } left a request unanswered on { $which }.
problem-handshake-incomplete = { $service } got no ACK to its SYN-ACK on { $which }.
problem-large-vanished = Full-sized segments ({ $bytes } bytes) vanish on { $where }, small ones pass.
problem-idle-close = { $count ->
        [one] { $service } closed an idle connection after { $idle } while a request was under way.
       *[other] { $service } closed { $count } idle connections after { $idle } while a request was under way.
    }

# Attempts that failed at several services, and those that nobody waited for.
problem-client = { $client } got no answer from { $hosts } addresses: { $count } connection attempts failed.
problem-scan-unanswered = { $client } tried { $ports } ports of { $address }: { $count } SYNs unanswered.
problem-scan-refused = { $client } tried { $ports } ports of { $address }: { $count } refused.
problem-scan-handshake-incomplete = { $client } tried { $ports } ports of { $address }: { $count } handshakes never completed.
problem-trace = { $client } traced the path to { $address } with { $syns } SYNs.
problem-flood = { $service } never answered { $syns } SYNs in { $time }: a SYN flood.
problem-strays-unanswered = { $count ->
        [one] { $address } did not answer a single SYN from outside this network.
       *[other] { $address } did not answer { $count } single SYNs from outside this network.
    }
problem-strays-refused = { $count ->
        [one] { $address } refused a single SYN from outside this network.
       *[other] { $address } refused { $count } single SYNs from outside this network.
    }
problem-peers = { $client } got no answer from { $hosts } peers: { $count } connection attempts.
problems-probes = Probes (--problem { $n }): { $sentence }
problems-probes-more = Probes (--problem { $n } and on): { $sentence } And { $more } more.

# Connections whose requests were slow.
problem-server = { $all ->
        [one] { $service } took { $lost } to respond.
       *[other] { $service } took { $lost } to respond, on { $which }.
    }
problem-server-often = { $all ->
        [one] { $service } took up to { $longest } to respond.
       *[other] { $service } took up to { $longest } to respond, on { $which }.
    }
problem-round-trips = { $all ->
        [one] { $requests } requests to { $service } paid { $lost } in round trips.
       *[other] { $requests } requests to { $service } paid { $lost } in round trips, on { $which }.
    }

# Connections whose data was slow, by limit and form, and by whose data it was.
problem-slow-unobserved = The capture does not show what limited { $where }: { $lost } lost.
problem-slow-handshake = Handshakes cost { $lost } on { $where }.
problem-slow-handshake-syn-rto = Lost or ignored SYNs cost { $lost } on { $where }.
problem-slow-reused-ports = SYNs of reused ports cost { $lost } on { $where }.
problem-slow-loss-recovery = Repairing losses cost { $lost } on { $where }.
problem-slow-loss-recovery-fast = Lost packets cost { $lost } on { $where }.
problem-slow-loss-recovery-rto = Retransmission timeouts cost { $lost } on { $where }.
problem-slow-loss-recovery-tlp = Losses at the tail cost { $lost } on { $where }.
problem-slow-loss-recovery-lost-acks-of-server = ACKs lost on the way to { $service } cost { $lost } on { $which }.
problem-slow-loss-recovery-lost-acks-of-client = ACKs lost on the way to the client cost { $lost } on { $where }.
problem-slow-loss-recovery-spurious = Spurious retransmissions cost { $lost } on { $where }.
problem-slow-receive-window-of-server = The client's receive window limited { $where }: { $lost } lost.
problem-slow-receive-window-of-client = The receive window of { $service } limited { $which }: { $lost } lost.
problem-slow-receive-window-zero-window-of-server = The client advertised a zero window on { $where }: { $lost } lost.
problem-slow-receive-window-zero-window-of-client = { $service } advertised a zero window on { $which }: { $lost } lost.
problem-slow-receive-window-slow-reader-of-server = The client read too slowly on { $where }: { $lost } lost.
problem-slow-receive-window-slow-reader-of-client = { $service } read too slowly on { $which }: { $lost } lost.
problem-slow-receive-window-small-buffer-of-server = The client's receive buffer limited { $where }: { $lost } lost.
problem-slow-receive-window-small-buffer-of-client = The receive buffer of { $service } limited { $which }: { $lost } lost.
problem-slow-receive-window-capped-of-server = Autotuning capped the client's receive window on { $where }: { $lost } lost.
problem-slow-receive-window-capped-of-client = Autotuning capped the receive window of { $service } on { $which }: { $lost } lost.
problem-slow-receive-window-no-window-scale-of-server = Without window scaling, the client's receive window limited { $where }: { $lost } lost.
problem-slow-receive-window-no-window-scale-of-client = Without window scaling, the receive window of { $service } limited { $which }: { $lost } lost.
problem-slow-receive-window-ramp-of-server = The client's receive window was still growing on { $where }: { $lost } lost.
problem-slow-receive-window-ramp-of-client = The receive window of { $service } was still growing on { $which }: { $lost } lost.
problem-slow-ack-delay-of-server = { $service } waited for the client's delayed ACKs on { $which }: { $lost } lost.
problem-slow-ack-delay-of-client = The client waited for delayed ACKs on { $where }: { $lost } lost.
problem-slow-ack-delay-nagle-of-server = Nagle's algorithm delayed small writes of { $service } on { $which }: { $lost } lost.
problem-slow-ack-delay-nagle-of-client = Nagle's algorithm delayed the client's small writes on { $where }: { $lost } lost.
problem-slow-ack-delay-delayed-ack-of-server = Small writes of { $service } waited for delayed ACKs on { $which }: { $lost } lost.
problem-slow-ack-delay-delayed-ack-of-client = The client's small writes waited for delayed ACKs on { $where }: { $lost } lost.
problem-slow-ack-delay-cork-of-server = TCP_CORK kept small writes of { $service } in the socket on { $which }: { $lost } lost.
problem-slow-ack-delay-cork-of-client = TCP_CORK kept the client's small writes in the socket on { $where }: { $lost } lost.
problem-slow-application-of-server = The application at { $service } limited { $which }: { $lost } lost.
problem-slow-application-of-client = The client's application limited { $where }: { $lost } lost.
problem-slow-application-think-of-server = { $service } was slow to respond on { $which }: { $lost } lost.
problem-slow-application-think-of-client = The client paused between requests on { $where }: { $lost } lost.
problem-slow-application-idle-of-server = { $service } had nothing to send on { $which }: { $lost } lost.
problem-slow-application-idle-of-client = The client had nothing to send on { $where }: { $lost } lost.
problem-slow-application-peer-turn-of-server = { $service } waited for the client on { $which }: { $lost } lost.
problem-slow-application-peer-turn-of-client = The client waited for { $service } on { $which }: { $lost } lost.
problem-slow-application-peer-window-of-server = The client's protocol window was too small on { $where }: { $lost } lost.
problem-slow-application-peer-window-of-client = The protocol window of { $service } was too small on { $which }: { $lost } lost.
problem-slow-application-close-wait-of-server = { $service } kept { $which } open after all was sent: { $lost } lost.
problem-slow-application-close-wait-of-client = The client kept { $where } open after all was sent: { $lost } lost.
problem-slow-application-paced-writes-of-server = { $service } wrote at its own pace on { $which }: { $lost } lost.
problem-slow-application-paced-writes-of-client = The client wrote at its own pace on { $where }: { $lost } lost.
problem-slow-tail-rtt = Final round trips cost { $lost } on { $where }.
problem-slow-path = The bottleneck was saturated on { $where }: { $lost } lost.
problem-slow-path-queue = The bottleneck and its queue were full on { $where }: { $lost } lost.
problem-slow-path-ack-queue-of-server = ACKs queued on their way to { $service }, which cost { $lost } on { $which }.
problem-slow-path-ack-queue-of-client = ACKs queued on their way to the client, which cost { $lost } on { $where }.
problem-slow-path-policer = A policer dropped packets on { $where }: { $lost } lost.
problem-slow-send-buffer-of-server = The send buffer of { $service } limited { $which }: { $lost } lost.
problem-slow-send-buffer-of-client = The client's send buffer limited { $where }: { $lost } lost.
problem-slow-slow-start = Slow start cost { $lost } on { $where }.
problem-slow-congestion-window-of-server = The congestion window of { $service } limited { $which }: { $lost } lost.
problem-slow-congestion-window-of-client = The client's congestion window limited { $where }: { $lost } lost.
problem-slow-congestion-window-post-loss-of-server = Losses kept the congestion window of { $service } small on { $which }: { $lost } lost.
problem-slow-congestion-window-post-loss-of-client = Losses kept the client's congestion window small on { $where }: { $lost } lost.
problem-slow-congestion-window-post-mark-of-server = ECN marks kept the congestion window of { $service } small on { $which }: { $lost } lost.
problem-slow-congestion-window-post-mark-of-client = ECN marks kept the client's congestion window small on { $where }: { $lost } lost.
problem-slow-congestion-window-delay-exit-of-server = { $service } left slow start too early on { $which }: { $lost } lost.
problem-slow-congestion-window-delay-exit-of-client = The client left slow start too early on { $where }: { $lost } lost.
problem-slow-congestion-window-paced-of-server = The pacing of { $service } limited { $which }: { $lost } lost.
problem-slow-congestion-window-paced-of-client = The client's pacing limited { $where }: { $lost } lost.
problem-slow-congestion-window-other-of-server = The congestion window or send buffer of { $service } limited { $which }: { $lost } lost.
problem-slow-congestion-window-other-of-client = The client's congestion window or send buffer limited { $where }: { $lost } lost.

# The same where connections were under several forms of a family.
problem-slow-family-handshake = Lost or ignored SYNs cost { $lost } on { $where }.
problem-slow-family-loss = Packet loss cost { $lost } on { $where }.
problem-slow-family-receive-window-of-server = The client's receive window limited { $where }: { $lost } lost.
problem-slow-family-receive-window-of-client = The receive window of { $service } limited { $which }: { $lost } lost.
problem-slow-family-ack-delay-of-server = Small writes of { $service } and delayed ACKs cost { $lost } on { $which }.
problem-slow-family-ack-delay-of-client = The client's small writes and delayed ACKs cost { $lost } on { $where }.
problem-slow-family-application-of-server = The application at { $service } limited { $which }: { $lost } lost.
problem-slow-family-application-of-client = The client's application limited { $where }: { $lost } lost.
problem-slow-family-close-wait-of-server = { $service } kept { $which } open after all was sent: { $lost } lost.
problem-slow-family-close-wait-of-client = The client kept { $where } open after all was sent: { $lost } lost.
problem-slow-family-path = The bottleneck was saturated on { $where }: { $lost } lost.
problem-slow-family-send-buffer-of-server = The send buffer of { $service } limited { $which }: { $lost } lost.
problem-slow-family-send-buffer-of-client = The client's send buffer limited { $where }: { $lost } lost.
problem-slow-family-slow-start = Slow start cost { $lost } on { $where }.
problem-slow-family-congestion-window-of-server = The congestion window of { $service } limited { $which }: { $lost } lost.
problem-slow-family-congestion-window-of-client = The client's congestion window limited { $where }: { $lost } lost.

# The line below a problem: numbers of the connection that shows it best, two or three of them.

problem-evidence = Number { $n }: { $facts }; from packet { $packet } on.
proof-timeouts = { $count ->
        [one] 1 timeout
       *[other] { $count } timeouts
    }
proof-retransmitted = { $count } of { $all } segments retransmitted
proof-round-trip = RTT { $time }
proof-flight = { $bytes } in flight
proof-window = window { $bytes }
proof-zero-windows = { $count ->
        [one] 1 zero window
       *[other] { $count } zero windows
    }
proof-turns = { $count ->
        [one] 1 wait for an ACK
       *[other] { $count } waits for an ACK
    }
proof-ack-delay = ACK delay { $time }
proof-carried = { $bytes } in { $time }
proof-rate = { $rate }
proof-requests = { $count ->
        [one] 1 request
       *[other] { $count } requests
    }
proof-slowest = slowest response { $time }
proof-syns = { $count ->
        [one] 1 SYN
       *[other] { $count } SYNs
    }
proof-syn-acks = { $count ->
        [one] 1 SYN-ACK
       *[other] { $count } SYN-ACKs
    }
proof-tried = tried for { $time }
proof-delivered = { $bytes } acknowledged
proof-unacknowledged = { $bytes } unacknowledged
proof-repeats = { $count ->
        [one] 1 retransmission unanswered
       *[other] { $count } retransmissions unanswered
    }
proof-silence = silence of { $time }
proof-request = request of { $bytes }
proof-idle = idle for { $time }
proof-awaited = no answer for { $time }
proof-reused = { $count } of { $all } connections of ports that were used less than a minute before
proof-not-reused = { $count } of { $all } others
proof-passed = segments up to { $bytes } passed
proof-from = sent by { $end }
proof-last-from = last packets from { $end }

# What failures go with: connections that have it, and others of the same time.
problem-goes-with-client = { $failed } of { $all } connections of client { $client } failed, while { $without } of { $rest } of other clients did.
problem-goes-with-server = { $failed } of { $all } connections to { $server } failed, while { $without } of { $rest } to { $others ->
        [one] the other server
       *[other] { $others } other servers
    } of its network did.
problem-goes-with-direction-to-server = { $failed } of { $all } uploads failed, while { $without } of { $rest } downloads did.
problem-goes-with-direction-to-client = { $failed } of { $all } downloads failed, while { $without } of { $rest } uploads did.
problem-goes-with-size-to-server = { $failed } of { $all } connections with { $bytes } or more from the client failed, while { $without } of { $rest } with less did.
problem-goes-with-size-to-client = { $failed } of { $all } connections with { $bytes } or more from the server failed, while { $without } of { $rest } with less did.
