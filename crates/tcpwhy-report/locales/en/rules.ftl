# Rules: `rule-ID-title`; `rule-ID-sentence` says what was found here, with the finding's evidence under its names;
# `rule-ID-doc` has three paragraphs: what it means, how it is detected, what to do.
# Every sentence also has $seconds (what it cost), $total (the span) and $share.

rule-send-buffer-plateau-title = Send buffer too small
rule-send-buffer-plateau-sentence = Never more than about { $plateau_bytes } was in flight although the receiver offered { $window_bytes }: each RTT of { $rtt_us } the sender had to wait for an ACK before its socket took more data.
rule-send-buffer-plateau-sentence-brief = Never more than about { $plateau_bytes } was in flight: the sender had to wait for ACKs before its socket took more data.
rule-send-buffer-plateau-doc =
    The application had data, the receiver had room and the network would have taken more, but the sender's socket buffer was full of data that was not acknowledged yet. At most one buffer is sent in a round trip, so the rate is buffer / RTT.
    Detected by a flat limit of the data in flight, under the offered window and the congestion window, with ACKs that free buffer space and release the next piece late. The plateau is what is seen on the wire, not the value given to SO_SNDBUF: with overheads that may be half or twice as much.
    Do not set SO_SNDBUF, so that the kernel grows the buffer, or raise it to twice bandwidth × RTT; raise net.ipv4.tcp_wmem when autotuning stops at its limit.

rule-receive-window-small-buffer-title = Receive buffer too small
rule-receive-window-small-buffer-sentence = The window did not grow beyond { $window_bytes }, although the application read promptly: at an RTT of { $rtt_us } that is all that can be in flight.
rule-receive-window-small-buffer-sentence-brief = The window did not grow beyond { $window_bytes }, although the application read promptly.
rule-receive-window-small-buffer-doc =
    The receiver offered a constant, small window although its application read what came. At most one window is sent in a round trip, so the rate is window / RTT.
    Detected by data in flight that reaches the edge of the window, sends that are released by the window's advance, a window that advances as fast as data is acknowledged, and that never grew as autotuning would have made it.
    Do not set SO_RCVBUF, which turns autotuning off, or set it before connect or listen to twice bandwidth × RTT; check net.ipv4.tcp_moderate_rcvbuf.

rule-receive-window-capped-title = Receive window reached its autotuning limit
rule-receive-window-capped-sentence = The window grew to { $window_bytes } and stopped there: at an RTT of { $rtt_us } that is all that can be in flight.
rule-receive-window-capped-sentence-brief = The window grew to { $window_bytes } and stopped there.
rule-receive-window-capped-doc =
    Autotuning opened the receive window until it reached its limit, and from then on the window limited the rate to window / RTT.
    Detected as a full window, like a small buffer, but one that grew before it stopped.
    Raise the third value of net.ipv4.tcp_rmem on the receiving host to twice bandwidth × RTT.

rule-receive-window-no-scaling-title = Receive window limited to 64 KiB: no window scaling
rule-receive-window-no-scaling-sentence = Window scaling was not agreed, so the window ends at { $window_bytes }: at an RTT of { $rtt_us } that is all that can be in flight.
rule-receive-window-no-scaling-sentence-brief = Window scaling was not agreed, so the window ends at 64 KiB.
rule-receive-window-no-scaling-doc =
    The window field of TCP has 16 bits. Without the window scale option in both SYNs a window cannot exceed 65,535 bytes, and the rate cannot exceed 64 KiB / RTT.
    Detected by SYNs without the option together with data in flight that reaches the edge of the window.
    Enable window scaling on both hosts. If both have it, a device between them removes the option, or the server answered with SYN cookies that could not carry it.

rule-slow-reader-title = The receiving application reads too slowly
rule-slow-reader-sentence = Data was acknowledged but not read: the application took { $reader_rate_bits_per_s } out of its socket, and the window shrank accordingly.
rule-slow-reader-doc =
    The receiver's kernel accepts the data, but the application does not fetch it. The buffer fills and the offered window shrinks; the reader sets the pace.
    Detected by a right edge of the window that advances more slowly than data is acknowledged.
    Read in a task of its own and keep processing out of the read loop. Stack traces show what the process waits for. A larger buffer only postpones the stall.

rule-zero-window-title = The receiver advertised a zero window
rule-zero-window-sentence = The receiver advertised a zero window { $stall_count ->
        [one] once
       *[other] { $stall_count } times
    }, for up to { $longest_us }: its application had stopped reading.
rule-zero-window-doc =
    The receiver's buffer was full, so it advertised a zero window. The sender stops and asks from time to time whether there is room (window probes).
    Detected by ACKs with window 0 while data waits, and the probes that follow.
    Take stack traces while the application does not read: a pause for garbage collection, a lock, a slow disk or database behind it, a debugger.

rule-zero-window-death-title = Aborted during zero window
rule-zero-window-death-sentence = The receiver advertised a zero window, { $probe_count ->
        [one] one probe
       *[other] { $probe_count } probes
    } got no answer for { $silence_us }, and the sender gave up; a window update that came later found no connection.
rule-zero-window-death-sentence-brief = The receiver advertised a zero window for { $longest_us }, until the connection was reset.
rule-zero-window-death-doc =
    The receiver advertised a zero window, and then its ACKs no longer arrived. The sender probes with growing pauses and gives up after net.ipv4.tcp_retries2 attempts; when the receiver finally has room again, its update is answered with a reset.
    Detected by a zero window, unanswered probes, silence, and a reset or the end of the connection.
    Two things went wrong. Take stack traces of the receiver: they show why it stopped reading. Capture at both ends to see where its ACKs are lost (a firewall that forgot the flow, a NAT timeout, a route).

rule-nagle-delayed-ack-title = Nagle's algorithm holds small writes back
rule-nagle-delayed-ack-sentence = { $turn_count ->
        [one] One small write
       *[other] { $turn_count } small writes
    } waited for the ACK of the data before, about { $delay_us } each.
rule-nagle-delayed-ack-doc =
    The application writes a message in two pieces, of which the first may be large. Nagle's algorithm keeps the small last segment until the data before it is acknowledged. That takes a round trip. The receiver has nothing to answer yet, so it may delay this ACK by 40 ms or more.
    Detected by a small last segment that leaves when the ACK arrives, and an answer of the peer behind it.
    Set TCP_NODELAY, or write each message at once (writev, a buffered stream and one flush).

rule-delayed-ack-title = Delayed ACKs hold the sender up
rule-delayed-ack-sentence = The sender waited for ACKs that the receiver delayed by about { $delay_us }.
rule-delayed-ack-doc =
    The receiver waits for a second segment, or for something to send, before it acknowledges. Where the sender cannot go on without that ACK, for instance because only one segment fits into a window, the wait is lost time.
    Detected by ACKs of single segments that come later than the round trip explains while the sender is held up.
    Give the connection room for more than two segments (buffers, windows), write larger pieces, or set TCP_QUICKACK at the receiver.

rule-application-idle-title = The sending application pauses
rule-application-idle-sentence = The sender had nothing to send for { $seconds } in all, { $longest_us } at the longest.
rule-application-idle-sentence-brief = The sender had nothing to send for { $seconds } in all.
rule-application-idle-doc =
    Everything was sent and acknowledged, and the same side sent next: the connection waited for its application, not for the network.
    Detected by stretches without data in flight that end with new data from the same side.
    If the pauses are not meant, look at what the sending application waits for: its own upstream, disk, locks, a timer.

rule-application-close-wait-title = The application does not close
rule-application-close-wait-sentence = The peer had closed and had everything; this side kept the connection open for another { $seconds }.
rule-application-close-wait-doc =
    The peer ended its side and had received everything, but the application did not close its own (the socket is in CLOSE-WAIT). It costs no time on the wire, but sockets, memory and places in pools; enough of them exhaust the file descriptors.
    Detected by the time from the peer's FIN to this side's own, or to the end of the capture, with nothing sent in between.
    Close when the peer has closed: a read that returns nothing is the sign.

rule-application-think-title = Slow to respond
rule-application-think-sentence = Requests waited about { $think_us } for their answers, { $seconds } in all: time inside the answering application.
rule-application-think-sentence-shared = After the peer's data about { $pause_us } passed until this side sent data, { $seconds } in all: time inside its application, or of whoever uses it.
rule-application-think-sentence-brief = Requests waited { $seconds } in all for their answers: time inside the answering application.
rule-application-think-doc =
    The peer had sent its request, and nothing came back for a while: server response time, also called think time.
    Detected by the time between the arrival of the peer's data and the first data of the answer, less what the network needs.
    Profile the answering application: the query, the upstream call, the queue before it. No setting of TCP helps.

rule-application-paced-title = Application-limited: it writes at its own pace
rule-application-paced-sentence = The application wrote { $rate_bits_per_s }, and neither a window nor a buffer was seen to be full. That leaves the program: a rate limit, a live stream, a slow source, or a wait for something else.
rule-application-paced-doc =
    Data left as the application wrote it. Neither a window nor a buffer was full; whatever was in flight, more room would not have sent more.
    Detected by sends that no ACK released, at a steady rate or period of their own.
    If the rate is meant (a rate limit, a live stream), nothing is wrong. Otherwise read ahead, write larger blocks, and do not wait for something else between writes.

rule-request-response-turns-title = Many request–response round trips
rule-request-response-turns-sentence = { $turn_count } requests, one after the other, each paid for an RTT of { $rtt_us }: { $seconds } of { $total } went into round trips.
rule-request-response-turns-sentence-brief = { $turn_count } requests, one after the other, each paid for a round trip.
rule-request-response-turns-doc =
    Client and server send little at a time and wait for each other. The time goes into round trips, not into bytes.
    Detected by many changes of direction with little data in each.
    Send several requests at once (batches, pipelining, larger fetch sizes), or move the two closer together.

rule-request-latency-title = Who took the time of the requests
rule-request-latency-sentence = { $request_count ->
        [one] Of the time of one request
       *[other] Of the time of { $request_count } requests
    }, { $taken_by } took most: server { $server_us }, network { $network_us }, client until the next request { $client_us }.
rule-request-latency-sentence-brief = Most of the time of the requests was taken by { $taken_by }.
rule-request-latency-doc =
    A request waits for the network that carries it, for the server that answers, and between two requests the connection waits for the client. The packets tell the three apart.
    Detected by the waits between the last byte of a request and the first of its answer, less the round trip (server), round trips and repairs of losses (network), and from an answer to the next request (client), where the longest of them exceeds three round trips and 100 ms a request. A server that waits for something to tell (long polls, notifications) looks like a slow one.
    Look where the time went: profile the server, find the loss, or leave it where the client merely had nothing to ask.

rule-connection-setup-title = Opened for little data
rule-connection-setup-sentence = Opening the connection took { $setup_us }, { $setup_share } of its time, for { $data_bytes } in all.
rule-connection-setup-sentence-brief = Opening the connection took { $setup_us }, much of its time.
rule-connection-setup-doc =
    The handshake costs a round trip before the first request can be sent, and a connection that is closed after one request pays it for each. TLS adds one or two round trips more, which are not counted here: without looking into the data they are requests like others.
    Detected by a handshake of 100 ms and more that took over 30 % of the time until the last data of a connection that is then closed, with no more than an initial window of data in either direction.
    Keep connections open and reuse them (a pool, HTTP keep-alive). With TLS, resume sessions and use version 1.3.

rule-connection-per-request-title = A connection for each request
rule-connection-per-request-sentence = { $client } opened { $connection_count } connections to { $server }, one every { $opened_every_us }, for { $bytes_each_bytes } each. Opening them took { $setups_us } at least, { $setups_share } of their time.
rule-connection-per-request-sentence-brief = { $client } opened a connection to { $server } for each request.
rule-connection-per-request-doc =
    A connection that is closed after one request pays for the handshake, a round trip, and starts slowly, each time. TLS adds at least one round trip more (version 1.2 without resumption: two), and the computing of keys on both sides. The closed ones keep local ports in TIME-WAIT.
    Detected over the whole capture, for each client and server: at least ten connections for each that was open at a time, and two thirds of all between them, that were closed again after no more than an initial window of data each way, with pauses of at most 5 s on average; opening them took 100 ms in all and over 30 % of the time until their last data. A round trip is counted for TCP, another one for TLS where the server's port is registered for that. Connections that were opened at once, as browsers do, are not meant.
    Keep connections open and reuse them: a pool, HTTP keep-alive, HTTP/2. With TLS, resume sessions and use version 1.3.

rule-nat-bypassed-title = Segments bypassed a NAT
rule-nat-bypassed-sentence = Segments from { $stray_from } bypassed the NAT between { $client } and { $server }. The client reset them, and that ended { $connection_count ->
        [one] the connection
       *[other] { $connection_count } connections
    } at the server.
rule-nat-bypassed-doc =
    Connection tracking passes segments that it regards as invalid without translating their addresses. The client gets them from the real address of the server, has no such connection, and answers with a reset. That ends the connection at the server, and the client then meets a reset of its server.
    Detected by a connection that was opened and ended by a reset. While it was open, the client reset segments from another address to the same port, which no SYN had announced.
    Set net.netfilter.nf_conntrack_tcp_be_liberal to 1 on the NAT, or drop invalid packets there.

rule-cut-alike-title = Connections are cut after the same bytes
rule-cut-alike-sentence = { $connection_count } connections of { $client } to { $server } ended alike after { $cut_least_bytes } to { $cut_most_bytes }: { $cut }.
rule-cut-alike-doc =
    Several connections of one client to one server failed in the same way after about the same amount of data. That is no chance: a size limit of a proxy, a request that kills its worker, a packet that the path drops each time.
    Detected by two or more connections that the same rule reports as failed, and whose data differs by a tenth at most.
    Look at what the transfer carries at that place, and for a limit of that size in proxies and applications.

rule-path-busy-title = Bottleneck saturated
rule-path-busy-sentence = Data arrived without a gap at { $rate_bits_per_s }: that is what the path gives.
rule-path-busy-doc =
    The bottleneck of the path was busy all the time. A larger window or buffer would only make its queue longer.
    Detected by a round-trip time that stays above its minimum, arrivals without gaps and at a steady rate.
    More capacity or fewer bytes are the only ways to finish earlier.

rule-bufferbloat-title = A persistent queue at the bottleneck (bufferbloat)
rule-bufferbloat-sentence = The RTT rose from { $rtt_min_us } to { $rtt_us } while data flowed: a queue that delays everyone on this path.
rule-bufferbloat-doc =
    The bottleneck has more buffer than it needs, and the sender fills it. The transfer itself loses little, but everything that shares the path waits in the queue.
    Detected by a round-trip time under load that is a multiple of the smallest one.
    Use active queue management (fq_codel, cake) at the bottleneck, or BBR at the sender.

rule-policer-title = A policer drops what exceeds its rate
rule-policer-sentence = Losses set in whenever more than { $burst_bytes } came faster than { $rate_bits_per_s }, without the delay rising before: a policer.
rule-policer-sentence-shared = Right after losses nothing passed fast; at other times back-to-back segments did, and no delay rose before: a policer. This connection got { $rate_low_bits_per_s } to { $rate_high_bits_per_s } of it, because others share it or its bucket holds little.
rule-policer-sentence-together = Right after losses nothing passed fast; at other times back-to-back segments did, and no delay rose before: a policer of { $rate_bits_per_s }. { $sharing_count } connections of this capture share it; this one got { $share_bits_per_s } of it.
rule-policer-sentence-brief = Losses set in whenever a certain rate was exceeded, without the delay rising before: a policer.
rule-policer-doc =
    A device on the path lets a certain rate through, with bursts up to the depth of its bucket, and drops the rest at once instead of queueing it. TCP finds the rate only by losing packets.
    Detected by what follows losses: the bucket is empty then, so nothing passes faster than the rate, while after other packets back-to-back segments (packet trains) pass as fast as the wire. Chance and full queues make no such difference. Where the bucket holds more than is in flight, it fills again before the sender goes on; there it is told by losses that came when it was empty, on one line, while other packets passed when it was not. The line that the losses lie on gives the rate, its height the burst; the bucket fills again while the application is idle. Where others share the bucket, only what this connection got is known, unless they go between the same hosts in the same capture: what all of them got together is the rate then. Rates count IP packets with their headers.
    Shape a little below that rate on your side, use BBR, or have the provider shape instead of police.

rule-ecn-congestion-title = Congestion marked by ECN
rule-ecn-congestion-sentence = Queues on the path marked packets instead of dropping them, and the sender reduced its window { $reduction_count ->
        [one] once
       *[other] { $reduction_count } times
    }: congestion without loss.
rule-ecn-congestion-sentence-brief = Queues on the path marked { $mark_count } packets ({ $mark_percent }) instead of dropping them: congestion without loss.
rule-ecn-congestion-doc =
    Both ends use explicit congestion notification (RFC 3168): a queue that fills marks packets (CE), the receiver echoes that (ECE), and the sender reduces its congestion window as after a loss (CWR). The transfer slows down although nothing is lost.
    The time that the reduced window takes to grow back is told as the congestion window's, after an ECN mark.
    Detected by the flags ECE and CWR where the handshake agreed on ECN, and by marks in the IP header; with AccECN by marks alone.
    That is how it should be where the link is full. If it is not, find the queue that marks: a threshold far below the bandwidth-delay product costs throughput.

rule-path-stalls-title = The path stalls now and then
rule-path-stalls-sentence = The path stalled { $path_stall_count } times, for { $longest_us } at most and { $stalled_us } in all, without losing anything: typical of Wi-Fi or cellular links, or of a host that is not scheduled.
rule-path-stalls-doc =
    Data that was in flight arrived a tenth of a second late and more, then round trips were as before. Radio links do that while a station saves power, scans other channels or repeats frames; virtual machines do it while others have the processor.
    Detected by pauses of the ACKs (at the receiver: of data whose timestamps show that it was sent without a pause) of 75 ms and more beyond the round trip, and as long as that again, with at least four segments in flight, no retransmission, and short round trips right after.
    Turn power saving off, look at signal and channel, or use a cable. On virtual machines look at steal time.

rule-loss-recovery-title = Packet loss
rule-loss-recovery-sentence = { $retransmitted_percent } of the data was retransmitted, in { $recovery_count ->
        [one] one recovery
       *[other] { $recovery_count } recoveries
    } that took { $seconds }.
rule-loss-recovery-doc =
    Packets were lost on the way. While the holes are repaired little new data flows, and afterwards the congestion window is smaller.
    Detected by retransmissions that follow selective or duplicate ACKs, or timeouts; retransmissions of data that had arrived do not count, nor do packets that only the capture lost.
    Find where packets are lost. If it cannot be fixed (radio, long distance), BBR copes with random loss better than CUBIC.

rule-retransmission-timeouts-title = Retransmission timeouts
rule-retransmission-timeouts-sentence = { $timeout_count ->
        [one] One timeout
       *[other] { $timeout_count } timeouts
    } with silences of up to { $longest_us } before the lost data was retransmitted.
rule-retransmission-timeouts-doc =
    A loss could not be repaired at once, because too few packets followed it or the repair was lost too. The sender waits for its timer, at least 200 ms on Linux and doubling each time.
    Detected by retransmissions after a silence without ACKs.
    Fix the packet loss. For losses at the end of messages, tail loss probes and RACK (net.ipv4.tcp_early_retrans = 3, tcp_recovery = 1, the defaults) and SACK on both hosts shorten the wait.

rule-spurious-retransmissions-title = Spurious retransmissions
rule-spurious-retransmissions-sentence = { $spurious_count ->
        [one] One retransmission was
       *[other] { $spurious_count } retransmissions were
    } spurious: the data had arrived, only late or out of order.
rule-spurious-retransmissions-doc =
    The sender took reordering or a sudden delay for a loss, retransmitted what had arrived, and slowed down without need.
    Detected by duplicate SACKs, or by the first ACK after it: its timestamp answers the original, or it came sooner than a round trip allows. A capture near the receiver shows repeats of data that it had acknowledged.
    Look for what reorders or delays: per-packet load balancing, several queues or links, radio. Timestamps, SACK and RACK must be on, so that the sender can undo it.

rule-sack-not-offered-title = Slow repair of losses: no SACK
rule-sack-not-offered-sentence = Losses were repaired one segment a round trip: { $slow_repair_count } retransmissions in { $slow_recovery_count ->
        [one] one recovery
       *[other] { $slow_recovery_count } recoveries
    } took { $slow_repair_us }, because SACK was not agreed.
rule-sack-not-offered-sentence-brief = SACK was not agreed, so that losses were repaired by timeouts.
rule-sack-not-offered-doc =
    Without selective acknowledgments the sender learns of one lost segment at a time and repairs one each round trip (RFC 6582), where SACK repairs all in about one. Linux has no tail loss probes and no RACK without it, so more waits for the retransmission timer.
    Detected by a SYN or SYN-ACK without the option together with recoveries of three segments and more that took a round trip for each, or with repeated timeouts.
    Set net.ipv4.tcp_sack = 1 on the end that did not offer it. If it is set, a firewall removes the option, or changes sequence numbers and not those in SACK blocks.

rule-data-beyond-window-title = Data beyond the receive window
rule-data-beyond-window-sentence = { $beyond_count ->
        [one] One segment
       *[other] { $beyond_count } segments
    } lay beyond the window that was advertised last, and { $beyond_repeated_count } had to be retransmitted; the receiver took back what it had offered { $shrink_count ->
        [0] at no time.
        [one] once.
       *[other] { $shrink_count } times.
    }
rule-data-beyond-window-doc =
    A receiver drops data beyond its window, and the sender finds out by a timeout. That happens when a receiver takes back window that it had offered (RFC 9293 strongly discourages it), or when a device in between or the sender gets the window wrong.
    Detected by segments beyond the right edge of the newest window, by more than scaling cuts off, that were retransmitted later.
    Do not make the receive buffer of an open connection smaller, leave net.ipv4.tcp_shrink_window at 0, and look for memory pressure at the receiver.

rule-reordering-without-loss-title = Packets overtake one another
rule-reordering-without-loss-sentence = { $filled_hole_count } holes that the receiver reported filled without a retransmission, up to { $late_us } late: packets were reordered, not lost.
rule-reordering-without-loss-doc =
    Packets of the connection take several paths or queues and arrive out of order. Receivers report holes that fill by themselves. Senders that adapt to it (RACK, Linux) cope; others retransmit without need and slow down.
    Detected by SACK blocks above a hole that is acknowledged later although nothing was retransmitted since.
    Spread packets by flow, not one by one: bonding, multipath routing, receive queues.

rule-slow-start-dominates-title = Too short to leave slow start
rule-slow-start-dominates-sentence = The transfer of { $transfer_bytes } was over while the window was still opening: it took { $round_count } round trips of { $rtt_us }.
rule-slow-start-dominates-sentence-brief = The transfer of { $transfer_bytes } was over while the window was still opening.
rule-slow-start-dominates-doc =
    A connection begins with about 10 segments and doubles every round trip. A short transfer over a long path ends before it reaches the rate that the path could carry.
    Detected by bytes in flight that still grow by half or more each round trip for most of the time.
    Reuse connections, so that the window is open already; bring the data closer; where the path is known to carry it, raise initcwnd.

rule-idle-restart-title = Slow start after idle
rule-idle-restart-sentence = After { $restart_count ->
        [one] a pause
       *[other] each of { $restart_count } pauses
    } the sender began again slowly, which cost { $seconds } in all.
rule-idle-restart-doc =
    When a connection was idle for longer than its retransmission timeout, Linux forgets most of the congestion window and starts slowly, on every burst anew.
    Detected by few bytes in flight after each pause although the window had been larger.
    Set net.ipv4.tcp_slow_start_after_idle = 0 on the sending host.

rule-congestion-window-post-loss-title = Congestion window small after losses
rule-congestion-window-post-loss-sentence = After losses the congestion window allowed about { $flight_bytes } in flight; at an RTT of { $rtt_us } it grows back slowly.
rule-congestion-window-post-loss-sentence-brief = After losses the congestion window was small, and it grows back slowly.
rule-congestion-window-post-loss-doc =
    Each loss makes loss-based congestion control halve its window (CUBIC: minus 30 %), and it takes many round trips to grow back. On a long path with some loss the window is small most of the time.
    Detected by a window-limited sender without slow start, after a recovery, while neither receiver nor send buffer nor a queue limits.
    Fix the packet loss, or use BBR, which does not take every loss for congestion.

rule-congestion-window-delay-exit-title = Early slow-start exit
rule-congestion-window-delay-exit-sentence = Slow start ended at about { $flight_bytes } without a loss; from there the window grows slowly.
rule-congestion-window-delay-exit-sentence-brief = Slow start ended early, without a loss; from there the window grows slowly.
rule-congestion-window-delay-exit-doc =
    Two things end slow start without a loss. CUBIC's HyStart leaves it when the delay seems to rise or ACKs come evenly; jitter can deceive it. And Linux remembers a slow-start threshold per peer (tcp_metrics): before 5.6 by default. The window then grows slowly although the path is free. With fewer than 16 segments in flight it was a threshold; a delay that had risen by an eighth shows HyStart.
    Detected by growth of one or two segments per round trip after slow start, with no loss and no queue.
    Usually nothing to worry about. On long paths where it matters: BBR, the module parameter hystart of tcp_cubic, or `ip tcp_metrics flush all` on the sending host.

rule-congestion-window-paced-title = The sender paces itself
rule-congestion-window-paced-sentence = The sender sent at { $rate_bits_per_s }, its own estimate of the path.
rule-congestion-window-paced-doc =
    BBR and its like send at the rate that they measured the path to give, not in bursts up to a window. What limits is this estimate, which normally is the path's capacity.
    Detected by evenly spaced small groups of packets between ACKs, and the gain cycles of BBR.
    If the estimate is right, only more capacity helps. If it is known to be too low, look for a rate limit on the socket (SO_MAX_PACING_RATE) or policing on the way.

rule-congestion-window-unknown-title = cwnd or send buffer (undetermined)
rule-congestion-window-unknown-sentence = About { $flight_bytes } was in flight each RTT of { $rtt_us }; the packets do not tell whether the congestion window or the send buffer set that.
rule-congestion-window-unknown-sentence-brief = The packets do not tell whether the congestion window or the send buffer limited the bytes in flight.
rule-congestion-window-unknown-doc =
    A window on the sender's side limited the rate, but the congestion window, a clamp on it and a send buffer that is refilled with every ACK look alike from outside.
    Detected as what remains when receiver, path, application, loss and slow start do not explain the wait.
    Look at the sender's socket while it runs: ss -tmin shows cwnd, notsent and the buffer, and so decides.

rule-syn-retries-title = SYN retransmitted
rule-syn-retries-sentence = The handshake took { $setup_us } because { $retry_count ->
        [one] a SYN or SYN-ACK was
       *[other] SYNs or SYN-ACKs were
    } retransmitted { $retry_count ->
        [one] once
       *[other] { $retry_count } times
    }.
rule-syn-retries-doc =
    The first SYN, or its answer, was lost or ignored. The client tries again after 1 second, then 2, 4 and so on: each try adds a visible pause to opening the connection.
    Detected by SYN or SYN-ACK segments with the same sequence number.
    Look for loss, a full accept queue at the server (nstat TcpExtListenOverflows, raise the listen backlog and net.core.somaxconn), or a firewall with a rate limit.

rule-syn-unanswered-title = No answer to the SYN
rule-syn-unanswered-sentence = { $syn_count ->
        [one] One SYN
       *[other] { $syn_count } SYNs
    } got no answer at all.
rule-syn-unanswered-doc =
    The client asked for a connection and heard nothing, neither acceptance nor refusal.
    Detected by SYN segments that no segment of the other side follows; ICMP errors that quote them are counted.
    Usually a firewall or security group that drops, a host that is down, or a route that is missing in one direction. A capture at the server tells whether the SYN arrives.

rule-wrong-checksum-title = SYNs with a wrong checksum
rule-wrong-checksum-sentence = { $wrong_checksum_count ->
        [one] One SYN has
       *[other] { $wrong_checksum_count } SYNs have
    } a wrong TCP checksum and got no answer ({ $seconds } until the last SYN): the receiver drops them, no packet was lost.
rule-wrong-checksum-doc =
    The receiver's kernel drops segments whose TCP checksum is wrong without a word, and so do some firewalls. Usually an interface that should complete the checksum does not: checksum offload with tunnels (VXLAN), virtual interfaces or a driver that has it wrong.
    Detected where SYNs were captured whole, by their TCP checksum and that of the UDP tunnel around them, unless one of them was answered. Packets of the capturing host itself often have checksums that its interface completes later; the usual forms of that are known and not counted. If no router passed the SYNs on before they were captured, the confidence is low.
    Switch off checksum offload at the sender and its tunnel interfaces, and count TcpInCsumErrors at the receiver.

rule-syn-meets-old-connection-title = SYN met an old connection
rule-syn-meets-old-connection-sentence = The SYN met a connection of the same addresses and ports that the other end still knew, so that it had to be retransmitted: { $retry_us } lost.
rule-syn-meets-old-connection-doc =
    The client used a port whose last connection the server still knew, in TIME-WAIT or half open. The server answered the SYN with the acknowledgment of that old connection (a challenge ACK, RFC 5961), the client reset it, and only the retransmitted SYN, a second later, opened the new one.
    Detected by an ACK without SYN that answers the SYN and acknowledges something else, usually followed by a reset with just that number.
    Let the kernel choose the port, keep timestamps on at both ends, and close the old connection at both ends.

rule-connection-refused-title = Connection refused
rule-connection-refused-sentence = The SYN was answered with a reset: nothing accepts connections there.
rule-connection-refused-doc =
    The host is up, but no process listens on this address and port, or a firewall rejects with a reset.
    Detected by a reset as the only answer to a SYN.
    Check with ss -ltn on the server that the service listens, and on which address.

rule-accept-queue-overflow-title = The server's accept queue overflows
rule-accept-queue-overflow-sentence = The server went on retransmitting its SYN-ACK for { $accept_wait_us } although the client had acknowledged it, and { $unanswered_count ->
        [one] one packet
       *[other] { $unanswered_count } packets
    } of the client had no effect: its accept queue was full.
rule-accept-queue-overflow-doc =
    The queue of connections that wait for the server's accept() was full, so the server dropped the last step of the handshake and retransmitted its SYN-ACK after 1, 2, 4 seconds. The client takes the connection for open; its first request stays without an answer.
    Detected by SYN-ACKs that are retransmitted although the client's ACK, and usually its first data, passed the capture. Packets lost on the way to the server again and again look the same: nstat TcpExtListenOverflows on the server decides.
    Raise the backlog (listen, net.core.somaxconn; the smaller counts), and let the server accept sooner: a queue overflows when the application is busy with something else.

rule-syn-cookies-without-scaling-title = SYN cookies without window scaling
rule-syn-cookies-without-scaling-sentence = The SYN-ACK carried no window scale although the SYN offered it, with MSS { $mss_bytes }: it looks like a SYN cookie, and the window is limited to 64 KiB.
rule-syn-cookies-without-scaling-doc =
    A server whose SYN queue overflows answers with SYN cookies. If the client has no timestamps, a cookie cannot remember the window scale, and the connection stays limited to 64 KiB windows for its whole life.
    Detected by a SYN-ACK with nothing but an MSS, where the SYN offered scaling and SACK but no timestamps. A server with these options off, or a device that strips them, looks the same: nstat TcpExtSyncookiesSent on the server tells.
    Raise the backlog (listen, net.core.somaxconn, net.ipv4.tcp_max_syn_backlog) so that cookies are not needed, and keep net.ipv4.tcp_timestamps = 1 on the clients.

rule-missing-window-scale-title = Window scaling not agreed
rule-missing-window-scale-sentence = One of the SYNs carried no window scale: no window of this connection can exceed 64 KiB.
rule-missing-window-scale-doc =
    Window scaling works only if both SYNs carry the option. It costs nothing on short paths, but at an RTT of 50 ms 64 KiB windows mean 10 Mbit/s at most.
    Detected in the SYN and the SYN-ACK.
    Set net.ipv4.tcp_window_scaling = 1 on both hosts; if it is, a device on the way strips the option.

rule-tiny-mss-title = Very small segments
rule-tiny-mss-sentence = The segments carry at most { $mss_bytes }: headers and per-packet work take an unusually large part.
rule-tiny-mss-doc =
    The MSS is far below what Ethernet allows. Every packet costs the same work, so throughput suffers, and windows that are counted in segments are small.
    Detected in the MSS options of the SYNs, or in the largest segment sent.
    Look for tunnels with a wrong MTU, MSS clamping set too low, or an application that sets TCP_MAXSEG.

rule-mss-clamped-title = Segments smaller than Ethernet's
rule-mss-clamped-sentence = One end's SYN allows segments of { $smaller_mss_bytes }, the other's of { $larger_mss_bytes }: a tunnel, or a router that rewrites the option (MSS clamping), lies on the way, or that end's own link is narrower.
rule-mss-clamped-sentence-brief = Full segments are as if the MSS were { $carried_mss_bytes }, although both SYNs captured here allow { $allowed_mss_bytes }: the option was lowered on the way to the sender (MSS clamping), or the sender learnt of a smaller MTU.
rule-mss-clamped-doc =
    Tunnels, VPNs and PPPoE leave less than Ethernet's 1,500 bytes for a packet. Routers before them often lower the MSS option of the SYNs that pass, so that no packet is too large. That is harmless as long as the value fits; too low a value costs packets, too high a one loses the large ones.
    Detected by SYNs that say different sizes, the smaller below what Ethernet carries; and away from the sender by full segments smaller than both SYNs allow, while the sender always had more to send.
    To know who says so, capture at the end whose SYN says less: if it sent more, a device on the way rewrites it.

rule-pmtu-black-hole-title = Large packets vanish
rule-pmtu-black-hole-sentence = Segments of { $lost_bytes } were retransmitted { $retransmitted_count ->
        [one] once
       *[other] { $retransmitted_count } times
    } without an answer ({ $seconds }), smaller ones passed: the path drops large packets silently.
rule-pmtu-black-hole-sentence-brief = No full-sized segment arrived, smaller ones did: the path drops large packets silently.
rule-pmtu-black-hole-doc =
    Somewhere on the path the MTU is smaller, and the ICMP message that should say so is filtered. Small packets pass, so the handshake works; the first full-sized packet hangs.
    Detected by full-sized segments that are retransmitted without success while smaller ones are acknowledged, or while the peer still sends and acknowledges nothing. In the second case a device that drops everything after the handshake would look the same: the confidence is lower.
    Let ICMP "fragmentation needed" through, set the MTU of tunnels right, clamp the MSS, or set net.ipv4.tcp_mtu_probing = 1.

rule-hole-left-open-title = Data never arrived
rule-hole-left-open-sentence = { $hole_bytes } never arrived although later data did: the hole stayed open for { $hole_open_us }, until { $ended_by }.
rule-hole-left-open-doc =
    Data is missing at the receiver, later data is there, and no retransmission fills the hole: what is missing is dropped each time, or the sender is gone. The receiver's program gets nothing more and waits.
    Detected by a hole that the receiver itself reports by duplicate ACKs or SACK. Nothing fills it for three seconds or more, until the connection or the capture ends. A hole that only the capture has is acknowledged.
    If no full-sized segment arrived, the path drops large packets (pmtu-black-hole). Else capture at the sender: does it retransmit?

rule-peer-silent-title = The peer fell silent
rule-peer-silent-sentence = The last data was retransmitted { $repeat_count ->
        [one] once
       *[other] { $repeat_count } times
    } over { $silence_us }, at doubling intervals, and nothing of the peer was captured any more.
rule-peer-silent-sentence-brief = The last data was retransmitted at doubling intervals, and nothing of the peer was captured any more.
rule-peer-silent-doc =
    The peer's host is down, the path to it or back is cut, or a device drops the connection's packets. The sender goes on at doubling intervals until net.ipv4.tcp_retries2 (a quarter of an hour by default) or its application gives up.
    Detected by three and more repeats at doubling intervals that no packet of the peer follows, although the peer was captured before. That the capture missed its ACKs is no explanation: the sender would not have gone on.
    See whether the host answers, and capture there. Set TCP_USER_TIMEOUT or a timeout of the application if a quarter of an hour is too long.
rule-packet-too-big-title = A router asked for smaller packets
rule-packet-too-big-sentence = A router on the path passes packets of up to { $mtu_bytes } only and said so by ICMP ({ $too_big_count ->
        [one] one message
       *[other] { $too_big_count } messages
    }).
rule-packet-too-big-sentence-brief = A router on the path said by ICMP that packets are too large for it.
rule-packet-too-big-doc =
    The path has a link with a smaller MTU than the ends know of, usually a tunnel, and its router says so ("fragmentation needed", in IPv6 "packet too big"). The sender then sends smaller segments, after a round trip and a retransmission.
    Detected by captured ICMP errors that quote packets of the connection. If full-sized segments go on being retransmitted, the message does not reach the sender.
    Clamp the MSS at the tunnel, so that no connection has to find out.

rule-reset-mid-transfer-title = Reset in mid-transfer
rule-reset-mid-transfer-sentence = Reset by { $reset_by } after { $reset_after_us }: { $delivered_bytes } had been acknowledged, { $unacknowledged_bytes } not.
rule-reset-mid-transfer-doc =
    One side, or a device in between, ended the connection by a reset before all data had arrived: data was lost.
    Detected by a reset while data was in flight, unless that was only a goodbye to an end that had closed.
    A process that crashed, or closed with unread data, a timeout of a load balancer or NAT, or a firewall. Compare the TTL of the reset with that of the other packets, and capture on both hosts to see who sent it.

rule-reset-not-own-title = The reset came from somebody else
rule-reset-not-own-sentence = Reset in the name of { $reset_by } after { $reset_after_us } and { $delivered_bytes }, but that host did not send it: it sent { $outlived_count ->
        [one] one more packet
       *[other] { $outlived_count } more packets
    } over { $outlived_us }.
rule-reset-not-own-sentence-brief = Reset in the name of { $reset_by } after { $reset_after_us } and { $delivered_bytes }, probably by a device in between: the reset passed { $hops_apart_count } more or fewer routers than that host's other packets.
rule-reset-not-own-doc =
    A host that resets a connection has forgotten it, and answers whatever still comes by resets. Here the host went on, or the reset took another way. A firewall or proxy sent it in the host's name, or packets bypassed a NAT. Connection tracking of a NAT passes segments that it regards as invalid without translating them. The client gets them from an unknown address and resets that, and its reset ends the connection at the server.
    Detected by other packets of the same address after its last reset: 10 ms later or more, or three that acknowledge more data. Its hop limit (TTL) counts too, where it shows two routers more or fewer than all other packets of the host while data or a request was under way.
    Set net.netfilter.nf_conntrack_tcp_be_liberal to 1 on the NAT, or drop invalid packets there. Capture on both hosts: a reset that only one of them saw comes from in between.

rule-request-unanswered-title = A request was never answered
rule-request-unanswered-sentence = A request of { $request_bytes } was acknowledged but never answered: { $answer_wait_us } until { $ended_by }.
rule-request-unanswered-doc =
    The other end's kernel acknowledged the request, so it arrived. The program behind it never answered: a worker that hangs, a lock, a query, a proxy without its upstream. The network is not to blame.
    Detected by data of the client that was acknowledged in full, and no data of the server after it. The wait ends when the client closes after a second or more, when the server resets, or when the capture ends after five seconds or more. A server that closes counts at the client only: elsewhere a part of the request may be missing. It is four times as long as any earlier answer took. Small messages (goodbyes, window updates) count only where small ones were answered before, and messages that went on without an answer not at all. If the protocol answers no such message, nothing is wrong.
    Look at the server's program while a request hangs: whether it has read it (Recv-Q of ss -tn), and what its threads wait for. Set a timeout at both ends.

rule-idle-timeout-title = Idle timeout: the connection was forgotten
rule-idle-timeout-sentence = After { $rest_us } of idle time nobody knew the connection any more: an idle timeout of a NAT, firewall or load balancer, or a peer that was restarted.
rule-idle-timeout-sentence-brief = After a long idle time nobody knew the connection any more: an idle timeout of a NAT, firewall or load balancer, or a peer that was restarted.
rule-idle-timeout-doc =
    Devices in between forget idle connections: load balancers after 60 to 350 seconds, firewalls often after an hour, NATs at the latest after two hours and four minutes or so (RFC 5382). Both ends still take the connection for open; the first to send meets a reset, or silence.
    Detected by an idle time of a minute or more with everything acknowledged and nobody closing, after which data or keep-alives are answered by a reset that acknowledges none of it, or by nothing at all, while no longer idle time had done harm. A peer that crashed meanwhile looks the same.
    Let keep-alives come more often than the timeout, let pools close idle connections before it, or raise the timeout on the device.

rule-one-sided-capture-title = Only one direction captured
rule-one-sided-capture-sentence = Only one direction is in the capture: sizes and rates can be told, causes can not.
rule-one-sided-capture-doc =
    The capture holds the packets of one side only. Round trips, windows and losses show only in both directions together, and cannot be judged.
    Detected by a connection with segments from one side only that acknowledge data never seen.
    Capture on one of the hosts, without a filter on source or destination; a mirror port must mirror both directions.

rule-capture-drops-title = The capture lost packets
rule-capture-drops-sentence = { $missing_bytes } were acknowledged but never captured: the capture lost packets, the network did not.
rule-capture-drops-doc =
    Packets passed that the capture did not record. Time around them is marked as not captured, and they are not counted as losses.
    Detected by ACKs for data that was never captured and is never repeated.
    Cut packets short, enlarge the capture buffer, write to a faster disk (tcpdump -s 128 -B 65536).

rule-mid-stream-join-title = Capture started mid-connection
rule-mid-stream-join-sentence = The capture begins after the SYN: window scale and options are unknown, and what was inferred is less certain.
rule-mid-stream-join-doc =
    The connection was open when the capture began. Window scale, MSS and SACK are agreed in the SYN and must be guessed.
    Detected by a connection without SYN.
    Start the capture before the connection, if the answer hinges on the window.

rule-offload-super-packets-title = Offloaded packets
rule-offload-super-packets-sentence = The capture shows packets of up to { $largest_bytes }, before segmentation or after reassembly by the network card.
rule-offload-super-packets-doc =
    With TSO and GRO the kernel hands the card, or gets from it, packets many times the MTU. A capture on a host sees those.
    Detected by payloads above the MSS.
    Nothing to do: they are split for the analysis. Only their inner timing is unknown.

rule-clock-contradicted-title = The capture's clock is wrong
rule-clock-contradicted-sentence = { $contradicted_count } of { $compared_count } round trips took more than 8 times longer by the ends' TCP timestamps than by the capture's clock. No time of this connection is reliable.
rule-clock-contradicted-doc =
    The capturing host stamped packets in batches, for example when it read a buffer, or its clock jumped. Order, bytes and losses are right; times, rates and causes are not, and none is named.
    Detected by round trips that one end's TCP timestamps (RFC 7323) show to have taken more than 8 times longer than the capture's clock does.
    Capture again with timestamps of the kernel or of the network card, for example with tcpdump on one of the two hosts.

rule-duplicated-packets-title = Packets captured twice
rule-duplicated-packets-sentence = { $duplicate_count ->
        [one] One packet was
       *[other] { $duplicate_count } packets were
    } captured twice; the copies were left out.
rule-duplicated-packets-doc =
    The same frame was recorded twice, usually because a mirror port sees it enter and leave, or on the interface "any". Unless they are removed, copies look like retransmissions.
    Detected by equal IP identification, sequence number and timestamp within a millisecond.
    Nothing to do for this analysis; capture on one interface to avoid it.

rule-proxy-suspected-title = A proxy may stand between the two
rule-proxy-suspected-sentence = The handshake was answered in { $handshake_rtt_us }, data in { $data_rtt_us }: a device in between seems to answer handshakes itself.
rule-proxy-suspected-sentence-brief = The SYN came with hop limit { $syn_hop_limit }, everything after it with { $hop_limit }: a device in between seems to answer handshakes itself.
rule-proxy-suspected-doc =
    The handshake and the data have round-trip times that do not fit one another. A load balancer, accelerator or firewall then ends the connection itself, and what is seen is only one of two.
    Detected by comparing the round trip of the handshake with that of data, and the hop limit (TTL) of the SYN with that of all that follows.
    Capture behind the device too: the limit may be on its other side.

rule-acknowledged-nearby-title = Somebody nearby answers for the other end
rule-acknowledged-nearby-sentence = The handshake took { $handshake_rtt_us }, but data is acknowledged within { $data_rtt_us }, faster than a window of { $window_max_bytes } allows over that distance: a proxy near the sender seems to acknowledge.
rule-acknowledged-nearby-sentence-brief = The handshake took { $handshake_rtt_us }, but data follows the ACK that allows it within { $ack_to_data_us }, faster than a window of { $window_max_bytes } allows over that distance: a proxy near the receiver seems to send.
rule-acknowledged-nearby-doc =
    Data is acknowledged, or sent, much sooner than the end that answered the handshake can. A local proxy, an accelerator (performance enhancing proxy, RFC 3135) or a security product ends the connection nearby and carries the data over a connection of its own; its limits cannot be seen here.
    Detected by round trips of data under a quarter of the handshake's together with more than two windows of data in a round trip of the handshake: at the sender from data to its ACK, at the receiver from an ACK to the data that answers it. A handshake that was held up (address resolution, a radio that woke up) looks alike.
    Capture at the other end or behind the proxy.

rule-keep-alive-only-title = Only keep-alives
rule-keep-alive-only-sentence = The connection carried nothing but { $probe_count ->
        [one] one keep-alive.
       *[other] { $probe_count } keep-alives.
    }
rule-keep-alive-only-doc =
    The connection was held open and checked from time to time, but not used.
    Detected by probes one byte before the next sequence number and their answers, with no data.
    Nothing to do.

rule-keep-alives-title = Keep-alives
rule-keep-alives-sentence = { $probe_count } keep-alives held the connection open while it was idle, { $keep_alive_period_us } apart: neither data nor losses.
rule-keep-alives-sentence-brief = Keep-alives held the connection open while it was idle: neither data nor losses.
rule-keep-alives-doc =
    One end asks from time to time whether the other is still there. It shows that the connection is kept for later use; other tools may show the probes as retransmissions.
    Detected by probes one byte before the next sequence number, a second or more after any other packet, with an open window.
    Nothing to do.

rule-receive-window-ramp-title = Receive window still growing
rule-receive-window-ramp-sentence = The window grew to { $window_max_bytes }, but always a step behind the sender, who waited for it for { $seconds } in all.
rule-receive-window-ramp-doc =
    The receiver's kernel opens the window as it sees that data comes and is read. It follows about one round trip behind the sender, so at the beginning of a transfer the window may limit for a while.
    Detected by data in flight that reaches the edge of a window that is still growing.
    Usually nothing is wrong. For short transfers over long paths: keep connections open, or let the route of the receiving host begin with a larger window (initrwnd).

rule-application-peer-window-title = Window of the protocol above TCP too small
rule-application-peer-window-sentence = About { $plateau_bytes } was in flight although TCP's window allowed { $window_bytes }. The sender then waited for a small message of the peer, for { $seconds } in all: its protocol allows no more at a time.
rule-application-peer-window-sentence-brief = The sender waited for small messages of the peer for { $seconds } in all: its protocol allows no more at a time.
rule-application-peer-window-doc =
    HTTP/2, gRPC, SSH and SFTP count bytes or requests above TCP. Their sender stops when the count is used up, and goes on when the peer's program allows more. So at most one such window is on the way in a round trip, whatever TCP allows.
    Detected by data that follows small messages of the peer at once. ACKs without data release nothing, although they make room.
    Raise the window at the receiving program, or the number of requests without an answer. Socket buffers do not change it.

rule-application-peer-turn-title = Waiting for the peer
rule-application-peer-turn-sentence = This side had sent everything and waited for the peer for { $seconds } in all, { $longest_us } at the longest: the other direction tells why.
rule-application-peer-turn-doc =
    Everything was sent and acknowledged, and the peer sent next. Seen from this direction that is waiting; what it was waiting for is told by the other direction.
    Detected by stretches without data in flight that end with data from the peer; or, with data in flight, by ACKs that make room and release nothing, while data follows the peer's next message at once.
    Look at the findings of the other direction. Where data was in flight, the protocol has a window or an acknowledgment of its own: of SSH's channels, HTTP/2's streams, SMB's credits. Raise that, or use several connections.
