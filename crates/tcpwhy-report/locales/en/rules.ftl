# Rules: `rule-ID-title`, at most 60 characters. `rule-ID-sentence` reports a finding, with its evidence.
# `rule-ID-doc` has three paragraphs: meaning, detection, fix.
# Every sentence also has $seconds (the cost), $total (the span) and $share.

rule-send-buffer-plateau-title = Send buffer too small
rule-send-buffer-plateau-sentence = At most about { $plateau_bytes } was in flight although the receiver offered { $window_bytes }. In each RTT of { $rtt_us }, the sender waited for an ACK before its socket took more data.
rule-send-buffer-plateau-sentence-brief = At most about { $plateau_bytes } was in flight: the sender waited for ACKs before its socket took more data.
rule-send-buffer-plateau-sentence-least = The send buffer limited the sender for { $seconds } of { $total }.
rule-send-buffer-plateau-doc =
    The application had data, the receiver had room, and the network would have taken more. But the sender's socket buffer was full of unacknowledged data. At most one buffer is sent per round trip, so the rate is buffer / RTT.
    Detected by a plateau of the bytes in flight, below the offered window and the congestion window. ACKs free buffer space, and the next data leaves late. The plateau is the amount on the wire, not the value of SO_SNDBUF. Because of overheads, the two may differ by a factor of 2.
    Delete the SO_SNDBUF call, so that the kernel grows the buffer, or raise the value to twice bandwidth × RTT. If autotuning stops at its limit, raise net.ipv4.tcp_wmem.

rule-receive-window-small-buffer-title = Receive buffer too small
rule-receive-window-small-buffer-sentence = The window did not grow beyond { $window_bytes }, although the application read promptly. The sender can send at most this much per RTT of { $rtt_us }.
rule-receive-window-small-buffer-sentence-brief = The window did not grow beyond { $window_bytes }, although the application read promptly.
rule-receive-window-small-buffer-doc =
    The receiver offered a constant, small window although its application read the data. At most one window is sent per round trip, so the rate is window / RTT.
    Detected by data in flight that reaches the edge of the window, and by sends that follow each advance of the window. The window advances as fast as data is acknowledged, but never grows as autotuning would make it grow. Where the window takes fewer than two full segments, senders use smaller ones: Linux sends half of the window at a time.
    Delete the SO_RCVBUF call, which turns autotuning off. Or set the buffer to twice bandwidth × RTT, before connect or listen. Check net.ipv4.tcp_moderate_rcvbuf.

rule-receive-buffers-both-ends-title = Receive buffers too small at both ends
rule-receive-buffers-both-ends-sentence = The receive buffers at both ends, of about { $window_bytes }, were too small for { $seconds } of { $total }.
rule-receive-buffers-both-ends-doc =
    Both ends receive much, and each offers a constant, small window although its program reads promptly. A change at one end makes that end's direction faster, and leaves the other one.
    Detected by a small constant window that is full, in both directions.
    Delete the SO_RCVBUF calls at both ends, or the settings in the software that make them.

rule-acks-queued-title = ACKs queue on their way to the sender
rule-acks-queued-sentence = Half of the ACKs waited { $queue_delay_us } or longer in a queue on their way to the sender: another transfer fills that direction.
rule-acks-queued-doc =
    The ACKs of this transfer share a full link with data of the other direction, for instance an upload through the modem of the receiver. Each round trip is longer by that queue, and slow start takes longer to open the window. The direction of the data has room.
    Detected by the TCP timestamps of both ends: ACKs come later than at the best times by half of the round trip, and the data does not.
    Limit or pause the upload, or shape the uplink to a little less than its rate with cake or fq_codel.

rule-buffers-alike-title = Send and receive buffer are too small alike
rule-buffers-alike-sentence = Both ends' socket buffers, of about { $window_bytes }, were too small for { $seconds } of { $total }.
rule-buffers-alike-doc =
    The send buffer of one end and the receive window of the other have about the same size, and each was full for a part of the time. A change to one of them leaves the other one in its place.
    Detected by a plateau of the data in flight and by a full window of nearly the same size.
    Let the kernels size both: delete SO_SNDBUF and SO_RCVBUF, or raise the third values of tcp_wmem and tcp_rmem.

rule-receive-window-capped-title = Receive window reached its autotuning limit
rule-receive-window-capped-sentence = The window grew to { $window_bytes } and stopped there. The sender can send at most this much per RTT of { $rtt_us }.
rule-receive-window-capped-sentence-brief = The window grew to { $window_bytes } and stopped there.
rule-receive-window-capped-doc =
    Autotuning opened the receive window until it reached its limit. From then on, the window limited the rate to window / RTT.
    Detected by a full window, as for a small buffer, but this window grew before it stopped.
    Raise the third value of net.ipv4.tcp_rmem on the receiving host to twice bandwidth × RTT.

rule-receive-window-no-scaling-title = Receive window limited to 64 KiB: no window scaling
rule-receive-window-no-scaling-sentence = Window scaling was not negotiated, so the window is at most { $window_bytes }. The sender can send at most this much per RTT of { $rtt_us }.
rule-receive-window-no-scaling-sentence-brief = Window scaling was not negotiated, so the window is at most 64 KiB.
rule-receive-window-no-scaling-doc =
    The window field of TCP has 16 bits. Without the window scale option in both SYNs, a window cannot exceed 65,535 bytes, and the rate cannot exceed 64 KiB / RTT.
    Detected by SYNs without the option, together with data in flight that reaches the edge of the window.
    Turn window scaling on at both hosts. If it is on, a device between them removes the option, or the server answered with SYN cookies that could not carry it.

rule-slow-reader-title = The receiving application reads too slowly
rule-slow-reader-sentence = The application read only { $reader_rate_bits_per_s } from its socket: acknowledged data waited there, and the window shrank.
rule-slow-reader-sentence-brief = The receiving application left data unread in its socket, so the window shrank. It limited the sender for { $seconds } of { $total }.
rule-slow-reader-doc =
    The receiver's kernel accepts the data, but the application does not read it. The buffer fills and the offered window shrinks: the reader sets the pace.
    Detected by a right edge of the window that advances more slowly than data is acknowledged.
    Read in a separate task, and keep processing out of the read loop. Stack traces show why the process waits. A larger buffer only postpones the stall.

rule-zero-window-title = The receiver advertised a zero window
rule-zero-window-sentence = The receiver advertised a zero window { $stall_count ->
        [one] once
       *[other] { $stall_count } times
    }, for up to { $longest_us }: its application had stopped reading.
rule-zero-window-doc =
    The receiver's buffer was full, so it advertised a zero window. The sender stops, and asks from time to time whether there is room (window probes).
    Detected by ACKs with window 0 while data waits, and by the probes that follow.
    Take stack traces while the application does not read. Usual causes: garbage collection, a lock, a slow disk or database, a debugger.

rule-both-ends-unread-title = Each end waits for the other to read
rule-both-ends-unread-sentence = Each end waits for the other to read: neither could go on for { $seconds } of { $total }.
rule-both-ends-unread-doc =
    Both programs write, and do not read while they write. Each fills the other's receive buffer, then its own send buffer, and blocks in its write. Each would have to read for the other to go on, so neither does: a deadlock, until a timeout or a user ends it.
    Detected by zero windows in both directions at the same time, while both ends have more to send.
    Let one of the programs read also while it writes.

rule-zero-window-death-title = Aborted during zero window
rule-zero-window-death-sentence = The receiver advertised a zero window. { $probe_count ->
        [one] One probe
       *[other] { $probe_count } probes
    } got no answer for { $silence_us }, and the sender gave up. A later window update found no connection.
rule-zero-window-death-sentence-brief = The receiver advertised a zero window for { $longest_us }, until the connection was reset.
rule-zero-window-death-doc =
    The receiver advertised a zero window, and then its ACKs no longer arrived. The sender probes with growing pauses, and gives up after net.ipv4.tcp_retries2 attempts. When the receiver finally has room again, a reset answers its update.
    Detected by a zero window, unanswered probes, silence, and a reset or the end of the connection.
    Two things went wrong. Take stack traces of the receiver: they show why it stopped reading. Capture at both ends to see where its ACKs are lost (a firewall that forgot the flow, a NAT timeout, a route).

rule-nagle-delayed-ack-title = Nagle's algorithm delays small writes
rule-nagle-delayed-ack-sentence = { $turn_count ->
        [one] One small write
       *[other] { $turn_count } small writes
    } waited for the ACK of earlier data, about { $delay_us } each.
rule-nagle-delayed-ack-sentence-brief = Nagle's algorithm kept small writes in the socket until earlier data was acknowledged, for { $seconds } of { $total }.
rule-nagle-delayed-ack-doc =
    The application writes a message in two pieces, and the first may be large. Nagle's algorithm keeps the small last segment until the data before it is acknowledged. That takes a round trip. The receiver has nothing to answer yet, so it may delay this ACK by 40 ms or more.
    Detected by a small last segment that leaves when the ACK arrives, and by an answer of the peer after it.
    Set TCP_NODELAY, or write each message in one call (writev, or a buffered stream and one flush).

rule-nagle-both-ends-title = Nagle's algorithm delays small writes at both ends
rule-nagle-both-ends-sentence = Small writes at both ends waited for delayed ACKs for { $seconds } of { $total }.
rule-nagle-both-ends-doc =
    Both programs write each message in two pieces or more, with Nagle's algorithm on. Each end keeps the last piece until the other acknowledges the one before, and each delays that ACK. A change at one end takes away that end's waits alone.
    Detected by small last segments in both directions that leave when the ACK arrives.
    Set TCP_NODELAY, or write each message in one call, at both ends.

rule-delayed-ack-title = Delayed ACKs slow the sender down
rule-delayed-ack-sentence = The sender waited for ACKs that the receiver delayed by about { $delay_us }.
rule-delayed-ack-sentence-brief = The sender waited for ACKs that the receiver delayed, for { $seconds } of { $total }.
rule-delayed-ack-doc =
    The receiver waits for a second segment, or for something to send, before it acknowledges. If the sender cannot continue without that ACK, the wait is lost time. For instance, the window may have room for only one segment.
    Detected by ACKs of single segments that come later than the round trip explains, while the sender waits.
    Give the connection room for more than two segments (buffers, windows), write larger pieces, or set TCP_QUICKACK at the receiver.

rule-application-idle-title = The sending application pauses
rule-application-idle-sentence = The sender had nothing to send for { $seconds } in total, { $longest_us } at the longest.
rule-application-idle-sentence-brief = The sender had nothing to send for { $seconds } in total.
rule-application-idle-doc =
    All data was sent and acknowledged, and the same side sent next: the connection waited for its application, not for the network.
    Detected by times without data in flight that end with new data from the same side.
    If the pauses are not intended, profile the sending application: it may wait for its own upstream, a disk, a lock or a timer.

rule-application-close-wait-title = The application does not close its socket
rule-application-close-wait-sentence = The peer had closed and had received everything, but this side kept the connection open for another { $seconds }.
rule-application-close-wait-doc =
    The peer closed its side and had received everything, but the application did not close its own side (the socket is in CLOSE-WAIT). That costs no time on the wire, but a socket, memory and a place in a pool. Enough such sockets exhaust the file descriptors.
    Detected by the time from the peer's FIN to this side's FIN (or the end of the capture), with nothing sent in between.
    Close the socket when the peer has closed: a read then returns 0 bytes.

rule-application-think-title = The application responds slowly
rule-application-think-sentence-together = The server took { $server_us } to answer { $request_count ->
        [one] one request
       *[other] { $request_count } requests: median { $think_us }, p95 { $think_p95_us }, slowest { $longest_us }
    }. This time passed inside the answering application.
rule-application-think-sentence = Requests waited about { $think_us } for their answers, { $seconds } in total. This time passed inside the answering application.
rule-application-think-sentence-shared = After the peer's data, about { $pause_us } passed until this side sent data, { $seconds } in total. The application of this side, or its user, took this time.
rule-application-think-sentence-brief = Requests waited { $seconds } in all for their answers. This time passed inside the answering application.
rule-application-think-doc =
    The peer had sent its request, and nothing came back for a while: this is the server response time, also called think time.
    Detected by the time from the arrival of a request at the server to the first data of its answer, less the network's time. All requests of the connection are reported together, if the server took 15 % of the time in which somebody waited. One answer must be late (over 100 ms and three round trips), or all must take a second. Answers that nobody waited for, such as news and heartbeats, do not count.
    Where requests and answers cannot be matched, a direction is reported instead.
    Profile the answering application: the query, the upstream call, the queue before it. No TCP setting helps.

rule-application-paced-title = The sending application sets the pace
rule-application-paced-sentence = The application wrote { $rate_bits_per_s }, and no window or buffer appeared to be full. Probably the program set the pace: a rate limit, a live stream, a slow source, or another wait.
rule-application-paced-sentence-brief = The application wrote less than could be sent, for { $seconds } of { $total }.
rule-application-paced-doc =
    Data left as the application wrote it. No window or buffer was full: with more room, the application would not have sent more.
    Detected by sends that no ACK released, at a steady rate or period of their own.
    If the rate is intentional (a rate limit, a live stream), nothing is wrong. Otherwise read ahead, write larger blocks, and do not wait for other work between writes.

rule-request-response-turns-title = Many request–response round trips
rule-request-response-turns-sentence-together = Each block of { $block_bytes } waited for an answer before the next: { $request_count } blocks, one RTT ({ $rtt_us }) each. Round trips took { $seconds } of { $total }.
rule-request-response-turns-sentence-shared = { $turn_count } requests were sent one at a time, each waiting one RTT ({ $rtt_us }). Round trips took { $seconds } of { $total }.
rule-request-response-turns-sentence = { $request_count } requests were sent one at a time, each waiting one RTT ({ $rtt_us }). Round trips took { $seconds } of { $total }.
rule-request-response-turns-sentence-brief = { $turn_count } requests went one after the other, each with a round trip.
rule-request-response-turns-doc =
    Client and server send little at a time, or a block at a time, and wait for each other. The time goes into round trips, not into bytes.
    Detected by ten or more requests whose round trips took a third of their time and of the time between them. If each has more than ten segments, it is a block, and the share must be half. Where requests and answers cannot be matched, changes of direction are counted instead.
    Batches of two requests are predicted at worst, and at best one round trip with the transfer at the path's rate.
    Send several requests at once (batches, pipelining, larger fetch sizes), use larger blocks, or move the two closer together.

rule-client-pauses-title = The client paused between requests
rule-client-pauses-sentence = The client took { $client_us } between its { $request_count } requests; server { $server_us }, network { $network_us }.
rule-client-pauses-doc =
    Between an answer and the next request, the connection waits for the client: a program with other work, a poll at its own pace, a person who reads. Nobody waits for the server or the network then.
    Detected by the time from the end of an answer to the next request, less the round trip. It must be two thirds of the time of all requests, and over three round trips and 100 ms per pause.
    If the client had nothing to ask, change nothing. If its work should have been done sooner, profile the client.

rule-connection-setup-title = A connection opened for little data
rule-connection-setup-sentence = Opening the connection took { $setup_us }, { $setup_share } of its time. It carried only { $data_bytes } in total.
rule-connection-setup-sentence-brief = Opening the connection took { $setup_us }, a large part of its time.
rule-connection-setup-doc =
    The handshake costs a round trip before the first request. A client that closes the connection after each request pays that each time. TLS adds one or two round trips. They are not counted here, because without the payload they look like other requests.
    Detected by a handshake of 100 ms or more that took over 30 % of the time until the last data. The connection was then closed, with at most an initial window of data in either direction.
    Keep connections open and reuse them (a pool, HTTP keep-alive). With TLS, resume sessions and use version 1.3.

rule-connection-per-request-title = A connection for each request
rule-connection-per-request-sentence = { $client } opened { $connection_count } connections to { $server }, one every { $opened_every_us }, and each carried only { $bytes_each_bytes }. Opening them took at least { $setups_us }, { $setups_share } of their time.
rule-connection-per-request-sentence-brief = { $client } opened a connection to { $server } for each request.
rule-connection-per-request-doc =
    A connection that closes after one request pays for the handshake, a round trip, and starts slowly each time. TLS adds at least one more round trip (version 1.2 without resumption: two), and both sides compute keys. The closed connections keep local ports in TIME-WAIT.
    Detected over the whole capture, for each client and server. A short connection closes after at most an initial window of data each way. At least ten short connections came for each connection open at a time, and they made up two thirds of all. Pauses between them were at most 5 s on average. Opening them took 100 ms or more in total, and over 30 % of the time until their last data. A round trip counts for TCP, and another one for TLS if the server's port is registered for it. Connections that open at once, as browsers open them, do not count.
    Keep connections open and reuse them: a pool, HTTP keep-alive, HTTP/2. With TLS, resume sessions and use version 1.3.

rule-nat-bypassed-title = Segments bypassed a NAT
rule-nat-bypassed-sentence = Segments from { $stray_from } bypassed the NAT between { $client } and { $server }. The client reset them, and that ended { $connection_count ->
        [one] the connection
       *[other] { $connection_count } connections
    } at the server.
rule-nat-bypassed-doc =
    Connection tracking passes segments that it regards as invalid without translating their addresses. The client gets them from the server's real address, has no such connection, and answers with a reset. That reset ends the connection at the server. The client's next data is then answered with a reset of its server.
    Detected by a connection that began with a SYN and ended with a reset. While it was open, the client reset segments from another address to the same port, which no SYN had announced.
    Set net.netfilter.nf_conntrack_tcp_be_liberal to 1 on the NAT, or drop invalid packets there.

rule-cut-alike-title = Connections fail after the same number of bytes
rule-cut-alike-sentence = { $connection_count } connections from { $client } to { $server } failed the same way after { $cut_least_bytes } to { $cut_most_bytes }: { $cut }.
rule-cut-alike-doc =
    Several connections of one client to one server failed in the same way after about the same amount of data. That is no coincidence. Possible causes: a size limit of a proxy, a request that crashes its worker, a packet that the path drops each time.
    Detected by two or more connections that the same rule reports as failed, and whose data differs by 10 % at most.
    Check the data that the transfer carries at that position. Check proxies and applications for a limit of that size.

rule-path-busy-title = Bottleneck saturated
rule-path-busy-sentence = Data arrived without a gap at { $rate_bits_per_s }: the path carries no more.
rule-path-busy-sentence-brief = The path carried as much as it can for { $seconds } of { $total }.
rule-path-busy-doc =
    The bottleneck of the path was busy all the time. A larger window or buffer would only lengthen its queue.
    Detected by a round-trip time that stays above its minimum, and by arrivals without gaps at a steady rate.
    To finish earlier, raise the capacity or send fewer bytes.

rule-bufferbloat-title = A persistent queue at the bottleneck (bufferbloat)
rule-bufferbloat-sentence = The RTT rose from { $rtt_min_us } to { $rtt_us } while data flowed: a queue delays all traffic on this path.
rule-bufferbloat-sentence-brief = A queue at the bottleneck delayed all traffic on this path for { $seconds } of { $total }.
rule-bufferbloat-doc =
    The bottleneck has more buffer than it needs, and the sender fills it. The transfer itself loses little, but all traffic that shares the path waits in the queue.
    Detected by a round-trip time under load that is a multiple of the smallest one.
    Use active queue management (fq_codel, cake) at the bottleneck, or BBR at the sender.

rule-neighbours-on-path-title = Other traffic on the same path
rule-neighbours-on-path-sentence = While the path held this transfer back, { $sibling_count ->
        [one] one other connection
       *[other] { $sibling_count } other connections
    } between the same hosts carried { $sibling_percent } of the bytes { $shared_end }, at { $sibling_bits_per_s }. This transfer got { $own_bits_per_s }. The rates alone do not show whether they use the same bottleneck.
rule-neighbours-on-path-sentence-together = While the path held this transfer back, { $sibling_count ->
        [one] one other connection
       *[other] { $sibling_count } other connections
    } between the same hosts carried { $sibling_percent } of the bytes { $shared_end }, at { $sibling_bits_per_s }. This transfer got { $own_bits_per_s }, all together { $together_bits_per_s }. These rates show that they share one bottleneck.
rule-neighbours-on-path-sentence-shared = While the path held this transfer back, other traffic carried { $others_percent } of the bytes { $shared_end }. The largest part: { $neighbour } sent { $neighbour_bits_per_s } ({ $neighbour_percent }). This transfer got { $own_bits_per_s }, all together { $together_bits_per_s }. These rates show that they share one bottleneck.
rule-neighbours-on-path-sentence-brief = While the path held this transfer back, other traffic carried { $others_percent } of the bytes { $shared_end }. The largest part: { $neighbour } sent { $neighbour_bits_per_s } ({ $neighbour_percent }). This transfer got { $own_bits_per_s }. The rates alone do not show whether they use the same bottleneck.
rule-neighbours-on-path-doc =
    Losses or a queue held a transfer back, and other traffic of the same capture went the same way at that time. If both pass the same bottleneck, each gets a share of it. Parallel downloads between two hosts do this, backups, and UDP senders that never slow down.
    Detected by comparing bytes of IP packets while the path held the transfer. Other connections, UDP and other protocols to the same receiving host count, if they are a tenth of the bytes or more and the transfer has 100 kB or more. That they share a bottleneck is reported in two cases. Together they got the rate of the path that back-to-back segments (packet trains) show, or the transfer got less whenever the others sent more. Traffic from the same host to other hosts is reported only with that proof. Nothing is reported where all together used less than a tenth of the path. Traffic that does not pass the capture point is invisible.
    Limit the other traffic or run it at another time, or use fq_codel or cake at the bottleneck.

rule-policer-title = A policer drops packets above its rate
rule-policer-sentence = Packets were lost whenever more than { $burst_bytes } came faster than { $rate_bits_per_s }. The delay did not rise before the losses: a policer dropped the packets.
rule-policer-sentence-shared = A policer dropped packets. Data was slow right after each loss, but at other times back-to-back segments passed fast. Delay did not rise before the losses. This connection got { $rate_low_bits_per_s } to { $rate_high_bits_per_s }, because other traffic shares the policer or its bucket is small.
rule-policer-sentence-together = A policer of { $rate_bits_per_s } dropped packets. Data was slow right after each loss, but at other times back-to-back segments passed fast. Delay did not rise before the losses. { $sharing_count } connections of this capture share the policer; this one got { $share_bits_per_s }.
rule-policer-sentence-brief = Packets were lost whenever the rate exceeded a limit. The delay did not rise before the losses: a policer dropped the packets.
rule-policer-doc =
    A device on the path passes traffic up to a rate, with bursts up to the depth of its bucket. It drops the rest at once instead of queueing it. TCP finds the rate only by losing packets.
    Detected by the rate right after losses. The bucket is empty then, so no data passes faster than the policer's rate. After other packets, back-to-back segments (packet trains) pass as fast as the wire. Random losses and full queues make no such difference. If the bucket is larger than the bytes in flight, it fills again before the sender continues. Then the losses themselves show the policer: plotted as bytes over time, they are on one line, where the bucket was empty. Other packets passed while it was not empty. The slope of the line gives the rate, and its height the burst. The bucket also fills while the application is idle. If other traffic shares the bucket, only the rate of this connection is known. If that traffic goes between the same hosts in the same capture, the rate is the sum of all of it. Rates count IP packets with their headers.
    Shape traffic on your side to a little less than that rate, use BBR, or ask the provider to shape instead of police.

rule-ecn-congestion-title = Congestion marked by ECN
rule-ecn-congestion-sentence = Queues on the path marked packets instead of dropping them, and the sender reduced its window { $reduction_count ->
        [one] once
       *[other] { $reduction_count } times
    }: congestion without loss.
rule-ecn-congestion-sentence-brief = Queues on the path marked { $mark_count } packets ({ $mark_percent }) instead of dropping them: congestion without loss.
rule-ecn-congestion-doc =
    Both ends use explicit congestion notification (RFC 3168). A filling queue marks packets (CE), and the receiver echoes the mark (ECE). The sender then reduces its congestion window as after a loss (CWR). The transfer slows down although no packet is lost.
    While the reduced window grows back, the limit is the congestion window, after an ECN mark.
    Detected by the flags ECE and CWR if the handshake negotiated ECN, and by marks in the IP header. With AccECN, only the marks count.
    If the link is full, this is normal. If it is not, find the queue that marks packets: a threshold far below the bandwidth-delay product costs throughput.

rule-path-stalls-title = The path stalls now and then
rule-path-stalls-sentence = The path stalled { $path_stall_count } times, for { $longest_us } at most and { $stalled_us } in total, but lost no packet. Typical causes: Wi-Fi, a cellular link, or a host that gets no CPU time.
rule-path-stalls-doc =
    Data in flight arrived 0.1 s late or more, and then round trips were as before. Radio links stall while a station saves power, scans other channels or repeats frames. Virtual machines stall while others have the processor.
    Detected by pauses of the ACKs that are at least 75 ms longer than a round trip, and at least twice as long. In a capture at the receiver, the data pauses although its timestamps show that the sender did not. At least four segments were in flight, none was retransmitted, and round trips were short right after.
    Turn power saving off, check signal and channel, or use a cable. On virtual machines, check the steal time.

rule-loss-recovery-title = Packet loss
rule-loss-recovery-sentence = { $retransmitted_percent } of the data was retransmitted, in { $recovery_count ->
        [one] one recovery
       *[other] { $recovery_count } recoveries
    } that took { $seconds }.
rule-loss-recovery-sentence-brief = Packets were lost. Repairing the losses took { $seconds } of { $total }.
rule-loss-recovery-doc =
    The path lost packets. During their repair little new data flows, and afterwards the congestion window is smaller.
    Detected by retransmissions after selective or duplicate ACKs, or after timeouts. Retransmissions of data that had arrived do not count. Packets that only the capture lost do not count either.
    Find the place where packets are lost. If you cannot fix it (radio, long distance), use BBR: it copes with random loss better than CUBIC.

rule-retransmission-timeouts-title = Retransmission timeouts
rule-retransmission-timeouts-sentence = { $timeout_count ->
        [one] One timeout:
       *[other] { $timeout_count } timeouts:
    } the sender was silent for up to { $longest_us } before it retransmitted the lost data.
rule-retransmission-timeouts-sentence-brief = The sender waited for retransmission timeouts for { $seconds } of { $total }.
rule-retransmission-timeouts-doc =
    The sender could not repair a loss at once, because too few packets followed it or the retransmission was lost too. It waits for its timer, at least 200 ms on Linux, and twice as long each time.
    Detected by retransmissions after a silence without ACKs.
    Fix the packet loss. If the losses are at the end of messages, tail loss probes, RACK and SACK on both hosts shorten the wait. Keep net.ipv4.tcp_early_retrans = 3 and tcp_recovery = 1, the defaults.

rule-lost-acks-title = Lost ACKs
rule-lost-acks-sentence = { $lost_ack_count ->
        [one] One retransmission was
       *[other] { $lost_ack_count } retransmissions were
    } of data that had arrived: its ACKs were lost on the way to the sender, which waited for its timer for up to { $longest_us }.
rule-lost-acks-sentence-brief = ACKs were lost on the way to the sender. Its timeouts took { $seconds } of { $total }.
rule-lost-acks-doc =
    The path from the receiver to the sender lost packets. The data had arrived, but the sender did not know. It waited for its timer, at least 200 ms on Linux, retransmitted, and reduced its window. Requests and SYNs of the receiver take the same path and are lost, too.
    Detected away from the sender by retransmissions of data whose ACK passed the capture 150 ms and two round trips before. At the sender, the first ACK after a timeout reports the retransmission as a duplicate (D-SACK), and no ACK came before it. Within a round trip, reordering is the cause.
    Find the loss on the path from the receiver to the sender: a weak Wi-Fi signal, a full uplink, a device that drops.

rule-spurious-retransmissions-title = Spurious retransmissions
rule-spurious-retransmissions-sentence = { $spurious_count ->
        [one] One retransmission was
       *[other] { $spurious_count } retransmissions were
    } spurious: the data had arrived, only late or out of order.
rule-spurious-retransmissions-doc =
    The sender mistook reordering or a sudden delay for a loss. It retransmitted data that had arrived, and slowed down without need.
    Detected by duplicate SACKs, or by the first ACK after the retransmission. The timestamp of that ACK answers the original, or the ACK came sooner than a round trip allows. A capture near the receiver shows retransmissions of data that the receiver had acknowledged.
    Find the cause of the reordering or delay: per-packet load balancing, several queues or links, radio. Keep timestamps, SACK and RACK on, so that the sender can undo the slowdown.

rule-minimum-rto-title = The sender's minimum RTO is long
rule-minimum-rto-sentence = The sender's minimum RTO of { $minimum_rto_us } cost { $seconds } of { $total }. { $timeout_count ->
        [one] One timeout took that long
       *[other] { $timeout_count } timeouts took that long
    }, although the RTT was only { $rtt_us }. Linux waits 200 ms longer than the RTT.
rule-minimum-rto-doc =
    A sender waits at least for its minimum retransmission timeout (RTO), even if the round trips are much shorter. RFC 6298 asks for 1 s, Linux uses 200 ms, Windows 300 ms. Each loss that no other packet reveals costs that time.
    Detected by timeouts of equal length, at least twice as long as the RTT and its variation explain. Timeouts that earlier ones had doubled are not used. One timeout alone is enough if it is as long as RFC 6298 asks for.
    Lower the minimum on the sending host. The losses remain: look for them as well.

rule-sack-not-offered-title = Slow loss recovery: no SACK
rule-sack-not-offered-sentence = SACK was not negotiated, so the sender repaired one lost segment per round trip. { $slow_repair_count } retransmissions in { $slow_recovery_count ->
        [one] one recovery
       *[other] { $slow_recovery_count } recoveries
    } took { $slow_repair_us }.
rule-sack-not-offered-sentence-brief = SACK was not negotiated, so only timeouts repaired the losses.
rule-sack-not-offered-doc =
    Without selective acknowledgments (SACK), the sender learns of one lost segment at a time and repairs one per round trip (RFC 6582). With SACK, it repairs all in about one round trip. Without SACK, Linux has no tail loss probes and no RACK either, so more losses wait for the retransmission timer.
    Detected by a SYN or SYN-ACK without the option, together with slow recoveries. Three segments or more took a round trip each, or timeouts came repeatedly.
    Set net.ipv4.tcp_sack = 1 on the end that did not offer it. If it is set, a firewall removes the option, or changes sequence numbers but not those in SACK blocks.

rule-data-beyond-window-title = Data beyond the receive window
rule-data-beyond-window-sentence = { $beyond_count ->
        [one] One segment was
       *[other] { $beyond_count } segments were
    } beyond the window that was advertised last, and { $beyond_repeated_count } had to be retransmitted. The receiver { $shrink_count ->
        [0] did not shrink its window.
        [one] shrank its window once.
       *[other] shrank its window { $shrink_count } times.
    }
rule-data-beyond-window-doc =
    A receiver drops data beyond its window, and the sender learns that only by a timeout. Either the receiver shrank a window that it had offered, which RFC 9293 strongly discourages. Or the sender or a device on the path gets the window wrong.
    Detected by segments that were retransmitted later. They were beyond the right edge of the newest window, by more than the rounding of window scaling.
    Do not shrink the receive buffer of an open connection. Keep net.ipv4.tcp_shrink_window at 0, and check the receiver for memory pressure.

rule-reordering-without-loss-title = Packets arrive out of order
rule-reordering-without-loss-sentence = The receiver reported { $filled_hole_count } holes that filled without a retransmission, up to { $late_us } late: packets were reordered, not lost.
rule-reordering-without-loss-doc =
    Packets of the connection take several paths or queues and arrive out of order. Receivers report holes that fill by themselves. Senders that adapt to it (RACK, Linux) cope. Others retransmit without need and slow down.
    Detected by SACK blocks above a hole that is acknowledged later, although nothing was retransmitted in between.
    Distribute packets by flow, not one by one: check bonding, multipath routing and receive queues.

rule-slow-start-dominates-title = The transfer ended during slow start
rule-slow-start-dominates-sentence = The transfer of { $transfer_bytes } ended while the congestion window was still opening. It took { $round_count } round trips of { $rtt_us }.
rule-slow-start-dominates-sentence-brief = The transfer of { $transfer_bytes } ended while the congestion window was still opening.
rule-slow-start-dominates-sentence-least = The congestion window was still opening for { $seconds } of { $total }.
rule-slow-start-dominates-doc =
    A connection begins with about 10 segments in the first round trip, and doubles that in every round trip. A short transfer over a long path ends before it reaches the rate of the path.
    Detected by bytes in flight that grow by half or more per round trip, for most of the time.
    Reuse connections, so that the window is open already, or move the data closer. Raise initcwnd where you know that the path carries the burst.

rule-idle-restart-title = Slow start after idle
rule-idle-restart-sentence = Slow start after { $restart_count ->
        [one] a pause
       *[other] { $restart_count } pauses
    } cost { $seconds } of { $total }. Each time it took { $ramp_us }, and with the window from before the pause it would take { $kept_ramp_us }.
rule-idle-restart-doc =
    When a connection was idle for longer than its retransmission timeout, Linux resets most of the congestion window. Each burst after such a pause starts slowly.
    Detected by few bytes in flight after each pause, although the window had been larger.
    Set net.ipv4.tcp_slow_start_after_idle = 0 on the sending host.

rule-congestion-window-post-loss-title = Congestion window small after losses
rule-congestion-window-post-loss-sentence = After losses, the congestion window allowed about { $flight_bytes } in flight. At an RTT of { $rtt_us }, it grows back slowly.
rule-congestion-window-post-loss-sentence-brief = After losses, a small congestion window limited the sender for { $seconds } of { $total }. It grows back slowly.
rule-congestion-window-post-loss-sentence-least = After losses the congestion window was small, and it grows back slowly.
rule-congestion-window-post-loss-doc =
    After each loss, loss-based congestion control halves its window (CUBIC: minus 30 %), and the window needs many round trips to grow back. On a long path with some loss, the window is small most of the time.
    Detected after a recovery, outside slow start, by a sender that waits for its window. Neither the receiver, nor the send buffer, nor a queue is the limit.
    Fix the packet loss, or use BBR, which does not regard every loss as congestion.

rule-congestion-window-delay-exit-title = Early slow-start exit
rule-congestion-window-delay-exit-sentence = Slow start ended at about { $flight_bytes } in flight, without a loss. From there the window grows slowly.
rule-congestion-window-delay-exit-sentence-brief = Slow start ended early, without a loss. The slowly growing window limited the sender for { $seconds } of { $total }.
rule-congestion-window-delay-exit-sentence-least = Slow start ended early, without a loss. From there the window grows slowly.
rule-congestion-window-delay-exit-doc =
    Two mechanisms end slow start without a loss. CUBIC's HyStart ends it when the delay seems to rise or ACKs come evenly, and jitter can deceive it. Linux also caches a slow-start threshold per peer (tcp_metrics), by default before 5.6. The window then grows slowly although the path is free. With fewer than 16 segments in flight, the cause was a threshold. If the delay had risen by an eighth, it was HyStart.
    Detected by growth of one or two segments per round trip after slow start, with no loss and no queue.
    Usually nothing is wrong. On long paths where it matters, use BBR, turn off the hystart parameter of tcp_cubic, or run `ip tcp_metrics flush all` on the sending host.

rule-congestion-window-paced-title = The sender paces itself
rule-congestion-window-paced-sentence = The sender sent at { $rate_bits_per_s }, its own estimate of the path's rate.
rule-congestion-window-paced-sentence-brief = The sender paced itself at its own estimate of the path's rate for { $seconds } of { $total }.
rule-congestion-window-paced-doc =
    BBR and similar algorithms send at the rate that they measured on the path, not in bursts up to a window. This estimate is the limit. Normally it equals the path's capacity.
    Detected by evenly spaced small groups of packets between ACKs, and by the gain cycles of BBR.
    If the estimate is right, only more capacity helps. If you know that it is too low, check for a rate limit on the socket (SO_MAX_PACING_RATE) and for a policer on the path.

rule-congestion-window-unknown-title = Congestion window or send buffer (undetermined)
rule-congestion-window-unknown-sentence = About { $flight_bytes } was in flight per RTT of { $rtt_us }. The packets do not show whether the congestion window or the send buffer was the limit.
rule-congestion-window-unknown-sentence-brief = The packets do not show whether the congestion window or the send buffer limited the bytes in flight.
rule-congestion-window-unknown-doc =
    A window on the sender's side limited the rate. The congestion window, a clamp on it, and a send buffer that refills with every ACK look the same from outside.
    Detected by elimination: receiver, path, application, loss and slow start do not explain the wait.
    Run ss -tmin on the sender during the transfer: it shows cwnd, notsent and the buffer, which settles the question.

rule-syn-retries-title = SYN retransmitted
rule-syn-retries-sentence = The handshake took { $setup_us } because { $retry_count ->
        [one] a SYN or SYN-ACK was
       *[other] SYNs or SYN-ACKs were
    } retransmitted { $retry_count ->
        [one] once
       *[other] { $retry_count } times
    }.
rule-syn-retries-sentence-brief = A SYN or SYN-ACK was retransmitted. The handshake took { $seconds } of { $total }.
rule-syn-retries-doc =
    The first SYN, or its answer, was lost or ignored. The client tries again after 1 second, then 2, 4 and so on. Each try adds a visible pause to the handshake.
    Detected by SYN or SYN-ACK segments with the same sequence number.
    Check for packet loss, a full accept queue at the server, or a firewall with a rate limit. If nstat TcpExtListenOverflows on the server grows, raise the listen backlog and net.core.somaxconn.

rule-syn-unanswered-title = No answer to the SYN
rule-syn-unanswered-sentence = { $syn_count ->
        [one] One SYN
       *[other] { $syn_count } SYNs
    } got no answer at all.
rule-syn-unanswered-doc =
    The client asked for a connection and got neither acceptance nor refusal.
    Detected by SYN segments without any later segment from the other side. ICMP errors that quote them are counted.
    Usual causes: a firewall or security group that drops packets, a host that is down, or a missing route in one direction. A capture at the server shows whether the SYN arrives.

rule-handshake-incomplete-title = The client never completed the handshake
rule-handshake-incomplete-sentence = { $syn_count ->
        [one] The server sent its SYN-ACK { $syn_ack_count } times and got no ACK. The client sent one SYN and nothing more, so nobody is known to wait: a probe, or all its later packets are lost.
       *[other] The server sent its SYN-ACK { $syn_ack_count } times and got no ACK. The client repeated its SYN ({ $syn_count } in all), so the SYN-ACK does not reach it.
    }
rule-handshake-incomplete-doc =
    The server answered the SYN, and the client never acknowledged that answer. No connection came about.
    Detected by a SYN-ACK that was repeated twice or more, without any ACK of the client. If the client repeats its SYN as well, it never got the SYN-ACK: a filter or a wrong route on the way back. If it sends one SYN only, nobody is known to wait: a scan, a ping by SYN or a flood. That is a note and no failure. A SYN-ACK that is repeated although the ACK came is a full accept queue.
    Capture at the client to see whether the SYN-ACK arrives. Check firewalls that see one direction only, and reverse path filters.

rule-wrong-checksum-title = SYNs with a wrong checksum
rule-wrong-checksum-sentence = { $wrong_checksum_count ->
        [one] One SYN has
       *[other] { $wrong_checksum_count } SYNs have
    } a wrong TCP checksum and got no answer ({ $seconds } until the last SYN). The receiver drops them; the path lost no packet.
rule-wrong-checksum-doc =
    The receiver's kernel silently drops segments with a wrong TCP checksum, and so do some firewalls. Usually an interface that should complete the checksum does not: checksum offload with tunnels (VXLAN), virtual interfaces, or a faulty driver.
    Detected in SYNs that were captured whole, by their TCP checksum and that of the UDP tunnel around them. It is not reported if one of these SYNs got an answer. Packets of the capturing host often have checksums that its interface completes later: tcpwhy does not count the usual forms of them. If no router passed the SYNs on before the capture, the confidence is low.
    Turn off checksum offload at the sender and its tunnel interfaces, and read the counter TcpInCsumErrors at the receiver.

rule-syn-meets-old-connection-title = A SYN met an old connection
rule-syn-meets-old-connection-sentence = The other end still knew a connection with the same addresses and ports, so the client had to retransmit its SYN. That cost { $retry_us }.
rule-syn-meets-old-connection-doc =
    The client used a port whose last connection the server still knew, in TIME-WAIT or half open. The server answered the SYN with an acknowledgment of that old connection (a challenge ACK, RFC 5961), and the client reset it. Only the retransmitted SYN, one second later, opened the new connection.
    Detected by an ACK without SYN that answers the SYN and acknowledges something else. Usually a reset with exactly that number follows.
    Let the kernel choose the port, keep timestamps on at both ends, and close the old connection at both ends.

rule-connection-refused-title = Connection refused
rule-connection-refused-sentence = A reset answered the SYN: no process accepts connections there.
rule-connection-refused-doc =
    The host is up, but no process listens on this address and port, or a firewall rejects with a reset.
    Detected by a reset as the only answer to a SYN.
    Run ss -ltn on the server: it shows whether the service listens, and on which address.

rule-accept-queue-overflow-title = The server's accept queue overflows
rule-accept-queue-overflow-sentence = The server's accept queue was full. { $syn_ack_repeat_count ->
        [0] For { $accept_wait_us } after the handshake, the server ignored the client
       *[other] The server retransmitted its SYN-ACK for { $accept_wait_us } although the client had acknowledged it
    }, and { $unanswered_count ->
        [one] one packet
       *[other] { $unanswered_count } packets
    } of the client had no effect.
rule-accept-queue-overflow-doc =
    The queue of connections that wait for the server's accept() was full. So the server dropped the last step of the handshake, and retransmitted its SYN-ACK after 1, 2, 4 seconds. The client regards the connection as open, but its first request gets no answer.
    Detected by SYN-ACKs that are retransmitted although the client's ACK, and usually its first data, passed the capture point. A server with room again in less than a second ignores the client's first, small segment and two or more repeats of it. Repeated packet loss on the path to the server looks the same. nstat TcpExtListenOverflows on the server settles it.
    Raise the backlog (listen, net.core.somaxconn; the smaller counts), and let the server call accept() sooner. The queue overflows while the application does other work.

rule-syn-cookies-without-scaling-title = SYN cookies without window scaling
rule-syn-cookies-without-scaling-sentence = The SYN offered a window scale, but the SYN-ACK (MSS { $mss_bytes }) carried none. It looks like a SYN cookie, and the window is at most 64 KiB.
rule-syn-cookies-without-scaling-doc =
    A server whose SYN queue overflows answers with SYN cookies. If the client has no timestamps, a cookie cannot store the window scale. Then the window is at most 64 KiB for the whole connection.
    Detected by a SYN-ACK with nothing but an MSS, after a SYN with scaling and SACK but without timestamps. A server with these options off, or a device that removes them, looks the same. nstat TcpExtSyncookiesSent on the server settles it.
    Raise the backlog (listen, net.core.somaxconn, net.ipv4.tcp_max_syn_backlog), so that the server needs no cookies. Keep net.ipv4.tcp_timestamps = 1 on the clients.

rule-missing-window-scale-title = Window scaling not negotiated
rule-missing-window-scale-sentence = One of the SYNs carried no window scale: the window of this connection is at most 64 KiB.
rule-missing-window-scale-doc =
    Window scaling works only if both SYNs carry the option. On short paths a window without scaling costs nothing. At an RTT of 50 ms, a window of 64 KiB means 10 Mbit/s at most.
    Detected in the SYN and the SYN-ACK.
    Set net.ipv4.tcp_window_scaling = 1 on both hosts. If it is set, a device on the path removes the option.

rule-tiny-mss-title = Very small segments
rule-tiny-mss-sentence = Segments carry at most { $mss_bytes }, so headers and per-packet work take an unusually large share.
rule-tiny-mss-doc =
    The MSS is far below the size that Ethernet allows. Every packet costs the same work, so throughput suffers. Windows that count segments are small, too.
    Detected in the MSS options of the SYNs, or in the largest segment sent.
    Check for tunnels with a wrong MTU, for MSS clamping to a value that is too low, and for applications that set TCP_MAXSEG.

rule-mss-clamped-title = Segments smaller than Ethernet allows
rule-mss-clamped-sentence = One end's SYN allows segments of { $smaller_mss_bytes }, the other's of { $larger_mss_bytes }. Possible causes: a tunnel, a router that rewrites the option (MSS clamping), or a narrower link at that end.
rule-mss-clamped-sentence-brief = The full segments fit an MSS of { $carried_mss_bytes }, but both SYNs captured here allow { $allowed_mss_bytes }. A router lowered the option on the way to the sender (MSS clamping), or the sender learnt of a smaller MTU.
rule-mss-clamped-doc =
    Tunnels, VPNs and PPPoE leave less than Ethernet's 1,500 bytes for a packet. Routers before them often lower the MSS option in passing SYNs, so that no packet is too large. A value that fits is harmless. A lower value costs packets, and a higher one loses the large packets.
    Detected by SYNs with different sizes, the smaller one below the size that Ethernet carries. Away from the sender, also by full segments smaller than both SYNs allow, while the sender always had more to send. Not where the window takes fewer than two full segments: then the window makes them small.
    Capture at the end whose SYN has the smaller value. If that end sent a larger one, a device on the path rewrites it.

rule-pmtu-black-hole-title = The path drops large packets
rule-pmtu-black-hole-sentence = Full-sized segments ({ $lost_bytes }) vanish, smaller ones pass. { $retransmitted_count ->
        [one] A retransmission
       *[other] { $retransmitted_count } retransmissions
    } stayed unanswered ({ $seconds }): the path drops large packets silently.
rule-pmtu-black-hole-sentence-brief = Full-sized segments ({ $lost_bytes }) never arrive, smaller ones do. The path drops large packets silently.
rule-pmtu-black-hole-doc =
    The MTU is smaller somewhere on the path, and the ICMP message that should report it is filtered. Small packets pass, so the handshake works. The first full-sized packet never arrives.
    Detected by full-sized segments that are retransmitted without success while smaller ones are acknowledged. Also detected while the peer still sends but acknowledges nothing. Then a device that drops everything after the handshake would look the same, so the confidence is lower. If the peer was heard a second before the first full-sized segment, and never again, the confidence is in between.
    Let ICMP "fragmentation needed" through, set the MTU of tunnels right, clamp the MSS, or set net.ipv4.tcp_mtu_probing = 1.

rule-hole-left-open-title = Data never arrived
rule-hole-left-open-sentence = { $hole_bytes } never arrived although later data did: the hole stayed open for { $hole_open_us }, until { $ended_by }.
rule-hole-left-open-doc =
    The receiver has later data but misses a part before it, and no retransmission fills the hole. Either the path drops the missing data each time, or the sender is gone. The receiver's program gets nothing more and waits.
    Detected by a hole that the receiver itself reports by duplicate ACKs or SACK. Nothing fills it for three seconds or more, until the connection or the capture ends. If only the capture misses the data, the receiver acknowledges it.
    If no full-sized segment arrived, the path drops large packets (pmtu-black-hole). Otherwise capture at the sender, to see whether it retransmits.

rule-peer-silent-title = The peer fell silent
rule-peer-silent-sentence = The last data was retransmitted { $repeat_count ->
        [one] once
       *[other] { $repeat_count } times
    } over { $silence_us }, at doubling intervals. The capture contains no later packet of the peer.
rule-peer-silent-sentence-brief = The last data was retransmitted at doubling intervals. The capture contains no later packet of the peer.
rule-peer-silent-doc =
    The peer's host is down, the path to it or back is cut, or a device drops the connection's packets. The sender retries at doubling intervals until net.ipv4.tcp_retries2 (about 15 minutes by default) or its application gives up.
    Detected by three or more retransmissions at doubling intervals, with no later packet of the peer, although the capture has earlier ones. If the capture had only missed the peer's ACKs, the sender would not have gone on.
    Check whether the host answers, and capture there. If 15 minutes are too long, set TCP_USER_TIMEOUT or a timeout in the application.

rule-transfer-stopped-title = The transfer stopped
rule-transfer-stopped-sentence = Nothing arrived for { $silence_us } after { $delivered_bytes } from { $silent_end }, until { $ended_by }.
rule-transfer-stopped-doc =
    A part of a transfer arrived, and then nothing more: the sender went silent without closing the connection. Its host may be gone, its program may hang, or the path drops the rest, such as packets that are too large.
    Detected away from the sender by five seconds or more without data at the end, with all data acknowledged, an open window and no keep-alive of the sender. The last segment was full and not pushed, so more was queued behind it. Or the receiver closed without a response to a message that may be the first part of a request. The silence is at least four times as long as any response took.
    Capture at the sender. If it retransmits, the path drops the rest: check the path MTU. If it does not, look at its program.

rule-packet-too-big-title = A router asked for smaller packets
rule-packet-too-big-sentence = A router on the path passes packets of up to { $mtu_bytes } only, and reported that by ICMP ({ $too_big_count ->
        [one] one message
       *[other] { $too_big_count } messages
    }).
rule-packet-too-big-sentence-brief = A router on the path reported by ICMP that packets are too large for it.
rule-packet-too-big-doc =
    A link on the path has a smaller MTU than the ends know of, usually a tunnel. Its router reports that ("fragmentation needed", in IPv6 "packet too big"). After a round trip and a retransmission, the sender uses smaller segments.
    Detected by captured ICMP errors that quote packets of the connection. If full-sized segments are still retransmitted, the message does not reach the sender.
    Clamp the MSS at the tunnel, so that no connection needs the ICMP message.

rule-closed-during-request-title = The server closed during a request
rule-closed-during-request-sentence = The server closed the connection while { $unacknowledged_bytes } of the client's data were under way, and its host reset the rest after { $reset_after_us }. { $delivered_bytes } had been acknowledged. The reset may have cost the client the answer.
rule-closed-during-request-doc =
    The server did not take the request to its end: it was too large, needed a login, or the program ended. A host that closes with unread data, or gets data after its close, sends a reset. The client's system then drops what it had not read, also the answer that says why.
    Detected by the server's FIN and reset while data of the client was in flight that had not seen the FIN.
    Raise the limit of the request's size, or read the request to its end before closing.

rule-reset-mid-transfer-title = Reset in mid-transfer
rule-reset-mid-transfer-sentence = Reset by { $reset_by } after { $reset_after_us }: { $delivered_bytes } had been acknowledged, { $unacknowledged_bytes } had not.
rule-reset-mid-transfer-doc =
    One side, or a device on the path, ended the connection with a reset before all data had arrived. Data was lost.
    Detected by a reset while data was in flight, unless that data was only a goodbye to an end that had closed.
    Usual causes: a process that crashed or closed with unread data, a timeout of a load balancer or NAT, a firewall. Compare the TTL of the reset with the TTL of the other packets. Capture on both hosts to see who sent it.

rule-reset-not-own-title = Another device sent the reset
rule-reset-not-own-sentence = Reset in the name of { $reset_by } after { $reset_after_us } and { $delivered_bytes }. That host did not send it: it sent { $outlived_count ->
        [one] one more packet
       *[other] { $outlived_count } more packets
    } over { $outlived_us }.
rule-reset-not-own-sentence-brief = Reset in the name of { $reset_by } after { $reset_after_us } and { $delivered_bytes }, probably by a device on the path. The reset passed { $hops_apart_count } more or fewer routers than that host's other packets.
rule-reset-not-own-doc =
    A host that resets a connection forgets it, and answers later packets with resets. Here the host continued, or the reset took another path. Either a firewall or proxy sent it in the host's name, or packets bypassed a NAT. Connection tracking of a NAT passes segments that it regards as invalid without translating them. The client gets them from an unknown address and resets them, and its reset ends the connection at the server.
    Detected by other packets from the same address after its last reset: 10 ms later or more, or three that acknowledge more data. The reset's hop limit (TTL) counts too, if it shows two or more routers more or fewer than the host's other packets. Data or a request must have been under way then.
    Set net.netfilter.nf_conntrack_tcp_be_liberal to 1 on the NAT, or drop invalid packets there. Capture on both hosts: a reset that only one of them captured comes from a device in between.

rule-idle-close-race-title = An idle connection was closed as a request came
rule-idle-close-race-sentence = After { $rest_us } idle, { $reset_by } closed the connection while a request of { $request_bytes } was under way: it was lost.
rule-idle-close-race-doc =
    The server closed an idle connection, and the client had taken it for the next request. The request met a closed socket. The client sees a reset or an end without a response, now and then, and only on connections that were idle.
    Detected by a FIN after a second or more without data, a request that it does not acknowledge, and a reset in place of the response. A goodbye, such as a TLS close alert, is no request. Whether the client sent the request before or after the FIN reached it does not matter.
    Give the server a longer keep-alive timeout than the client's pool, so that the client closes first. Or let the client retry requests that may be sent twice, on a new connection.

rule-request-unanswered-title = A request was never answered
rule-request-unanswered-sentence = A request of { $request_bytes } was acknowledged but never answered: { $answer_wait_us } until { $ended_by }.
rule-request-unanswered-doc =
    The other end's kernel acknowledged the request, so it arrived. The program behind it never answered: a hanging worker, a lock, a query, a proxy without its upstream. The network is not the cause.
    Detected by client data that was acknowledged in full, with no server data after it. The wait ends when the client closes after a second or more, or when the server resets. It also ends with the capture, after five seconds or more. A close by the server counts only in a capture at the client: elsewhere a part of the request may be missing. The wait is at least four times as long as any earlier answer took. Small messages (goodbyes, window updates) count only if earlier small ones were answered. Messages after which the client went on without an answer do not count. If the protocol answers no such message, nothing is wrong.
    Check the server's program while a request hangs. Recv-Q in ss -tn shows whether it has read the request, and stack traces show why its threads wait. Set a timeout at both ends.

rule-idle-timeout-title = Idle timeout: the connection was forgotten
rule-idle-timeout-sentence = After { $rest_us } of idle time, nobody knew the connection any more. Possible causes: an idle timeout of a NAT, firewall or load balancer, or a restart of the peer.
rule-idle-timeout-sentence-brief = After a long idle time, nobody knew the connection any more. Possible causes: an idle timeout of a NAT, firewall or load balancer, or a restart of the peer.
rule-idle-timeout-doc =
    Devices on the path forget idle connections. Load balancers do so after 60 to 350 seconds, and firewalls often after an hour. NATs do so after about two hours and four minutes at the latest (RFC 5382). Both ends still regard the connection as open. The first to send gets a reset, or no answer.
    Detected by an idle time of a minute or more, with all data acknowledged and neither end closed. Afterwards, data or keep-alives get no answer, or a reset that acknowledges none of it. The rule is silent if an earlier, longer idle time did no harm. A peer that crashed while the connection was idle looks the same.
    Send keep-alives more often than the timeout, let pools close idle connections before it, or raise the timeout on the device.

rule-one-sided-capture-title = Only one direction captured
rule-one-sided-capture-sentence = The capture contains only one direction: it shows sizes and rates, but no causes.
rule-one-sided-capture-doc =
    The capture contains the packets of one side only. Round trips, windows and losses show only in both directions together, so tcpwhy cannot judge them.
    Detected by segments from one side only, which acknowledge data that was never captured.
    Capture on one of the hosts, without a filter on source or destination. A mirror port must mirror both directions.

rule-capture-drops-title = The capture lost packets
rule-capture-drops-sentence = { $missing_bytes } were acknowledged but never captured: the capture lost packets, the network did not.
rule-capture-drops-doc =
    Packets passed that the capture did not record. tcpwhy marks the time around them as not captured, and does not count them as losses.
    Detected by ACKs for data that was never captured and never retransmitted.
    Capture headers only, enlarge the capture buffer, and write to a faster disk (tcpdump -s 128 -B 65536).

rule-mid-stream-join-title = Capture started mid-connection
rule-mid-stream-join-sentence = The capture begins after the SYN. Window scale and options are unknown, so inferred limits are less certain.
rule-mid-stream-join-doc =
    The connection was open when the capture began. Window scale, MSS and SACK are negotiated in the SYN, so tcpwhy has to guess them.
    Detected by a connection without SYN.
    If the answer depends on the window, start the capture before the connection.

rule-offload-super-packets-title = Offloaded packets
rule-offload-super-packets-sentence = The capture shows packets of up to { $largest_bytes }, before segmentation or after reassembly by the network card.
rule-offload-super-packets-doc =
    With TSO and GRO, the kernel exchanges packets of many times the MTU with the network card. A capture on a host shows these packets.
    Detected by payloads above the MSS.
    Change nothing: tcpwhy splits these packets for the analysis. Only the timing inside them is unknown.

rule-clock-contradicted-title = The capture's clock is wrong
rule-clock-contradicted-sentence = { $contradicted_count ->
        [0] { $stamped_back_count ->
            [0] The clock jumped forward during a silence, which seems to last { $silence_us }. Do not trust any time of this connection.
           *[other] { $stamped_back_count } packets have an earlier time than a packet before them. Do not trust any time of this connection.
        }
       *[other] { $contradicted_count } of { $compared_count } round trips are more than 8 times longer by the TCP timestamps of both ends than by the capture's clock. Do not trust any time of this connection.
    }
rule-clock-contradicted-sentence-brief = The capture shows times that no clock shows, before 1951 or after 2225. Do not trust any time of this connection.
rule-clock-contradicted-doc =
    The capturing host stamped packets in batches, for example when it read a buffer, or its clock jumped. Order, bytes and losses are right. Times, rates and causes are not, so tcpwhy names no cause.
    Detected by packets that are stamped more than 0.1 s before an earlier one. Or by round trips for which one end's TCP timestamps (RFC 7323) show more than 8 times the duration on the capture's clock. Or by a silence of a day or more in which an end's timestamps do not advance, or of more than 30 days without timestamps. Or by times before 1951 or after 2225.
    Capture again with timestamps of the kernel or of the network card, for example with tcpdump on one of the two hosts.

rule-duplicated-packets-title = Packets captured twice
rule-duplicated-packets-sentence = { $duplicate_count ->
        [one] One packet was
       *[other] { $duplicate_count } packets were
    } captured twice. tcpwhy ignored the copies.
rule-duplicated-packets-doc =
    The capture contains the same frame twice, usually because a mirror port copies it when it enters and when it leaves. A capture on the interface "any" does the same. Such copies look like retransmissions unless they are removed.
    Detected by equal IP identification, sequence number and timestamp within a millisecond.
    Change nothing for this analysis. Capture on one interface to avoid copies.

rule-proxy-suspected-title = A proxy may be on the path
rule-proxy-suspected-sentence = The handshake had an RTT of { $handshake_rtt_us }, but data had an RTT of { $data_rtt_us }. A device on the path seems to answer handshakes itself.
rule-proxy-suspected-sentence-brief = The SYN came with hop limit (TTL) { $syn_hop_limit }, everything after it with { $hop_limit }. A device on the path seems to answer handshakes itself.
rule-proxy-suspected-doc =
    The round-trip times of the handshake and of the data do not match. Probably a load balancer, accelerator or firewall ends the connection itself, and the capture shows only one of two connections.
    Detected by different round trips of handshake and data, or by different hop limits (TTL) of the SYN and later packets.
    Capture behind the device too: the limit may be on its other side.

rule-acknowledged-nearby-title = A nearby proxy answers for the other end
rule-acknowledged-nearby-sentence = The handshake took { $handshake_rtt_us }, but data is acknowledged within { $data_rtt_us }. Over such a distance, a window of { $window_max_bytes } would not carry data that fast: a proxy near the sender seems to acknowledge.
rule-acknowledged-nearby-sentence-brief = The handshake took { $handshake_rtt_us }, but data arrives { $ack_to_data_us } after the ACK that allows it. Over such a distance, a window of { $window_max_bytes } would not carry data that fast: a proxy near the receiver seems to send.
rule-acknowledged-nearby-doc =
    Data is acknowledged, or sent, much sooner than the end that answered the handshake can do it. A local proxy, an accelerator (performance enhancing proxy, RFC 3135) or a security product ends the connection nearby. It carries the data over a connection of its own, whose limits this capture does not show.
    Detected by round trips of data under a quarter of the handshake's. In addition, more than two windows of data pass per round trip of the handshake. At the sender, a round trip is measured from data to its ACK. At the receiver, it is measured from an ACK to the data that answers it. A delayed handshake (address resolution, a radio that woke up) looks the same.
    Capture at the other end or behind the proxy.

rule-keep-alive-only-title = Only keep-alives
rule-keep-alive-only-sentence = The connection carried nothing but { $probe_count ->
        [one] one keep-alive.
       *[other] { $probe_count } keep-alives.
    }
rule-keep-alive-only-doc =
    The connection was kept open and checked from time to time, but not used.
    Detected by probes one byte before the next sequence number and their answers, with no data.
    Change nothing.

rule-keep-alives-title = Keep-alives
rule-keep-alives-sentence = { $probe_count } keep-alives kept the idle connection open, { $keep_alive_period_us } apart. They are neither data nor losses.
rule-keep-alives-sentence-brief = Keep-alives kept the idle connection open. They are neither data nor losses.
rule-keep-alives-doc =
    One end asks from time to time whether the other is still there. So the connection is kept for later use. Other tools may show the probes as retransmissions.
    Detected by probes one byte before the next sequence number, a second or more after any other packet, with an open window.
    Change nothing.

rule-receive-window-ramp-title = Receive window still growing
rule-receive-window-ramp-sentence = The window grew to { $window_max_bytes }, but too slowly: the sender waited for it for { $seconds } in total.
rule-receive-window-ramp-doc =
    The receiver's kernel opens the window as data comes and is read. It follows about one round trip behind the sender, so the window may be the limit at the beginning of a transfer.
    Detected by data in flight that reaches the edge of a window that is still growing.
    Usually nothing is wrong. For short transfers over long paths, keep connections open, or raise the initial window (initrwnd) of the route on the receiving host.

rule-application-peer-window-title = Window of the protocol above TCP too small
rule-application-peer-window-sentence = About { $plateau_bytes } was in flight although TCP's window allowed { $window_bytes }. The sender then waited { $seconds } in all for small messages of the peer: its protocol allows no more at a time.
rule-application-peer-window-sentence-brief = The sender waited { $seconds } in all for small messages of the peer: its protocol allows no more at a time.
rule-application-peer-window-doc =
    HTTP/2, gRPC, SSH and SFTP count bytes or requests above TCP. The sender stops when it has used up the count, and continues when the peer's program allows more. So at most one such window is in flight per round trip, whatever TCP allows.
    Detected by data that follows small messages of the peer at once. ACKs without data make room but release nothing.
    Raise the window in the receiving program, or the number of requests without an answer. Socket buffers do not change it.

rule-application-peer-turn-title = Waiting for the peer
rule-application-peer-turn-sentence = This side had sent everything and waited for the peer for { $seconds } in total, { $longest_us } at most at a time. See the other direction for the reason.
rule-application-peer-turn-doc =
    All data was sent and acknowledged, and the peer sent next. This direction only waited, and the other direction shows the reason.
    Detected by times without data in flight that end with data from the peer. With data in flight, detected by ACKs that make room and release nothing, while data follows the peer's next message at once.
    Read the findings of the other direction. If data was in flight, the protocol has a window or an acknowledgment of its own: SSH channels, HTTP/2 streams, SMB credits. Raise it, or use several connections.
