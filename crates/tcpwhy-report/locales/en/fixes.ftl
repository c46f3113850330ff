# What to change. `fix-ID-short` is an action with its place, for the third line of the report: at most 75
# columns with usual addresses. Places: $here and $there (where it is done, and the peer), $sender, $receiver,
# $client, $server, $host (the server's address), $port, $probe (options of mtr), $sockets (a filter of ss).
# `fix-ID-brief` is the same without a place, for narrow windows and unknown connections. `fix-ID` says where
# and how.
# Exact lines of code or configuration come with the finding; only their remarks are translated
# (`remarks.ftl`).

fix-remove-so-sndbuf-short = Delete the SO_SNDBUF call on { $here }
fix-remove-so-sndbuf-brief = Delete the SO_SNDBUF call
fix-remove-so-sndbuf = Delete the SO_SNDBUF call in the application, or the setting in the server software that it runs on. Linux then grows the send buffer by itself, up to the third value of net.ipv4.tcp_wmem.

fix-raise-so-sndbuf-short = Raise SO_SNDBUF on { $here }
fix-raise-so-sndbuf-brief = Raise SO_SNDBUF
fix-raise-so-sndbuf = If the application must set SO_SNDBUF, set it to at least twice bandwidth × RTT. The kernel doubles the value to cover its bookkeeping, and silently caps the request at net.core.wmem_max. Raise that setting too if it is smaller.

fix-raise-tcp-wmem-short = Raise net.ipv4.tcp_wmem on { $here }
fix-raise-tcp-wmem-brief = Raise tcp_wmem
fix-raise-tcp-wmem = The third value of net.ipv4.tcp_wmem limits send buffer autotuning. Raise it if it is below twice bandwidth × RTT. Its default is 4 MiB, and a smaller value was set on that host. Keep larger first and second values. It applies to sockets that do not set SO_SNDBUF.

fix-remove-both-buffers-short = Delete SO_SNDBUF on { $sender } and SO_RCVBUF on { $receiver }
fix-remove-both-buffers-brief = Delete SO_SNDBUF and SO_RCVBUF
fix-remove-both-buffers = Delete both calls, or the settings in the software that make them, or raise tcp_wmem on the sending and tcp_rmem on the receiving host. With one of them alone, the other buffer limits to the same rate.

fix-remove-receive-buffers-short = Delete SO_RCVBUF at both ends, on { $client } and { $server }
fix-remove-receive-buffers-brief = Delete SO_RCVBUF at both ends
fix-remove-receive-buffers = Delete the SO_RCVBUF call in both programs, or the setting in the software that they run on. With the change at one end alone, data towards the other end stays as slow.

fix-remove-so-rcvbuf-short = Delete the SO_RCVBUF call on { $here }
fix-remove-so-rcvbuf-brief = Delete the SO_RCVBUF call
fix-remove-so-rcvbuf = Delete the SO_RCVBUF call in the application, or the setting in the server software that it runs on. The call turns autotuning off for that socket. Without it, the buffer grows up to the third value of net.ipv4.tcp_rmem.

fix-raise-so-rcvbuf-short = Raise SO_RCVBUF on { $here }
fix-raise-so-rcvbuf-brief = Raise SO_RCVBUF
fix-raise-so-rcvbuf = If the application must set SO_RCVBUF, set it to at least twice bandwidth × RTT. Set it before connect or listen, because the SYN fixes the window scale. The kernel caps the request at net.core.rmem_max. Raise that setting too if it is smaller.

fix-raise-tcp-rmem-short = Raise net.ipv4.tcp_rmem on { $here }
fix-raise-tcp-rmem-brief = Raise tcp_rmem
fix-raise-tcp-rmem = The third value of net.ipv4.tcp_rmem limits receive window autotuning. Raise it if it is below twice bandwidth × RTT. Its default is 6 MiB, since Linux 6.16 32 MiB, and a smaller value was set on that host. Keep larger first and second values, and net.ipv4.tcp_moderate_rcvbuf at 1.

fix-forget-metrics-short = Delete the slow-start threshold that { $here } caches for { $there }
fix-forget-metrics-brief = Clear cached tcp_metrics
fix-forget-metrics = Linux caches a slow-start threshold (ssthresh) per peer in tcp_metrics, and new connections leave slow start there. Delete the entry on the sending host, and turn the cache off.

fix-enable-receive-autotuning-short = Turn on receive window autotuning on { $here }
fix-enable-receive-autotuning-brief = Turn on receive window autotuning
fix-enable-receive-autotuning = Windows grows the receive window only if receive window autotuning is on. Set its level to normal on the receiving host.

fix-check-receive-buffer-short = Compare the receive buffer with net.ipv4.tcp_rmem on { $here }
fix-check-receive-buffer-brief = Compare the receive buffer with tcp_rmem
fix-check-receive-buffer = The packets do not show whether a program or net.ipv4.tcp_rmem limits this buffer. Compare the two on the receiving host while the connection is open. If rb in the output of ss equals the third value, raise the setting. Otherwise delete the program's SO_RCVBUF call.

fix-check-send-buffer-short = Compare the send buffer with net.ipv4.tcp_wmem on { $here }
fix-check-send-buffer-brief = Compare the send buffer with tcp_wmem
fix-check-send-buffer = The packets do not show whether a program or net.ipv4.tcp_wmem limits this buffer. Compare the two on the sending host while the connection is open. If tb in the output of ss equals the third value, raise the setting. Otherwise delete the program's SO_SNDBUF call.

fix-enable-window-scaling-short = Enable window scaling on { $sender } and { $receiver }
fix-enable-window-scaling-brief = Enable window scaling at both ends
fix-enable-window-scaling = Turn window scaling on at both hosts: both SYNs must offer it. If both hosts offer it, a firewall or load balancer between them removes the option.

fix-read-faster-short = Read from the socket faster in the program on { $here }
fix-read-faster-brief = Read from the socket faster
fix-read-faster = The receiving application does not call read often enough. Read in a separate thread or task, and pass the data on through a queue. Keep parsing, disk and database work out of the read loop. Stack traces show why the process waits: CPU, disk, locks, garbage collection. A larger buffer only postpones the stall.

fix-read-before-close-short = Let { $here } read requests to their end before closing
fix-read-before-close-brief = Read requests to their end before closing
fix-read-before-close = Let the server take requests of this size, or close for writing only and read on until the client has closed. Its log says why it refused the request.
fix-read-while-writing-short = Read while writing, on { $client } or on { $server }
fix-read-while-writing-brief = Read while writing, at one end or at both
fix-read-while-writing = Let one of the programs read also while it writes: in a thread or task of its own, or with poll for both. Where both write until they are done and read after that, each needs room that only the other one can make. Larger buffers only let them write more before they block.

fix-enlarge-reads-short = Read 64 KiB or more at a time in the program on { $here }
fix-enlarge-reads-brief = Read 64 KiB or more at a time
fix-enlarge-reads = Read 64 KiB or more at a time. Each small read costs a system call, and small reads keep the window from growing.

fix-raise-max-pacing-rate-short = Raise SO_MAX_PACING_RATE in the program on { $here }
fix-raise-max-pacing-rate-brief = Raise SO_MAX_PACING_RATE
fix-raise-max-pacing-rate = Delete the SO_MAX_PACING_RATE call in the application, or raise the rate. Without it, the socket sends as fast as congestion control allows.

fix-uncork-short = Clear TCP_CORK after each message in the program on { $here }
fix-uncork-brief = Clear TCP_CORK after each message
fix-uncork = Clear TCP_CORK after the last write of each message. The kernel then sends what is left at once.

fix-set-tcp-nodelay-short = Set TCP_NODELAY in the program on { $here }
fix-set-tcp-nodelay-brief = Set TCP_NODELAY
fix-set-tcp-nodelay = Set TCP_NODELAY on the side that writes small messages. It turns Nagle's algorithm off.

fix-set-tcp-nodelay-at-both-ends-short = Set TCP_NODELAY at both ends, on { $client } and { $server }
fix-set-tcp-nodelay-at-both-ends-brief = Set TCP_NODELAY at both ends
fix-set-tcp-nodelay-at-both-ends = Set TCP_NODELAY in both programs, or write each message in one call at both ends. With the change at one end alone, the other end's small writes still wait.

fix-coalesce-writes-short = Write each message in one call in the program on { $here }
fix-coalesce-writes-brief = Write each message in one call
fix-coalesce-writes = Pass header and body of a message to the socket in one call, not in two. This helps with Nagle's algorithm on or off.

fix-quickack-short = Set TCP_QUICKACK in the program on { $here }
fix-quickack-brief = Set TCP_QUICKACK at the receiver
fix-quickack = Set TCP_QUICKACK, so that the receiver acknowledges at once. The option does not last: set it after every read, or for the route. A fix in the application that writes is better.

fix-write-more-ahead-short = Keep the socket filled on { $here }, unless this pace is intended
fix-write-more-ahead-brief = Unless intended, keep the socket filled
fix-write-more-ahead = The sending application does not keep its socket filled. Write larger blocks. Read from disk or upstream while the network sends (a second buffer or thread). Do not wait for an answer after every block. If the pace is intentional (a rate limit, a live stream), nothing is wrong.

fix-pipeline-requests-short = Send several requests at once from { $client }
fix-pipeline-requests-brief = Send several requests at once
fix-pipeline-requests = Every request waits for the answer to the previous one: at least a round trip, plus the server's time. Send several requests at once: batches, pipelining, larger blocks and fetch sizes, HTTP/2, or parallel connections.

fix-raise-peer-window-short = Raise the window of the protocol above TCP, on { $here }
fix-raise-peer-window-brief = Raise the window of the protocol above TCP
fix-raise-peer-window = Let the receiving program allow more data at a time: a larger HTTP/2, gRPC or SSH window, or more SFTP requests without an answer. Several connections also help. SO_SNDBUF and SO_RCVBUF do not change this window.

fix-resume-tls-sessions-short = Resume TLS sessions on { $server }
fix-resume-tls-sessions-brief = Resume TLS sessions
fix-resume-tls-sessions = Where the application needs a new connection, resume the TLS session. This saves a round trip with TLS 1.2. With any version it saves the certificates and most of the computation.
fix-reuse-connection-short = Keep connections to { $server } open on { $client }, and reuse them
fix-reuse-connection-brief = Keep connections open and reuse them
fix-reuse-connection = Each new connection costs a handshake and starts slowly. Use one connection pool for the whole process, or keep-alive.

fix-disable-idle-restart-short = Set tcp_slow_start_after_idle to 0 on { $here }
fix-disable-idle-restart-brief = Set tcp_slow_start_after_idle to 0
fix-disable-idle-restart = After a pause longer than the retransmission timeout, Linux shrinks the congestion window and repeats slow start. Turn that off on the sending host.

fix-lower-minimum-rto-short = Lower the minimum RTO on { $here }
fix-lower-minimum-rto-brief = Lower the sender's minimum RTO
fix-lower-minimum-rto = Let the sender retransmit sooner after a loss. Linux waits 200 ms longer than the RTT, unless a route or a sysctl sets more.

fix-raise-initcwnd-short = Raise initcwnd on { $here }, if the path carries the burst
fix-raise-initcwnd-brief = Raise initcwnd, if the path carries it
fix-raise-initcwnd = For short transfers over a long path, raise initcwnd of the route. Do so only where you know that the path carries the burst.

fix-use-bbr-short = Use BBR for congestion control on { $here }
fix-use-bbr-brief = Use BBR for congestion control
fix-use-bbr = Loss-based congestion control (CUBIC, Reno) slows down after every loss, even if the loss is no sign of congestion. BBR does not. No restart needed: new connections use it.

fix-fix-loss-short = Find where packets are lost: mtr { $probe }, on { $here }
fix-fix-loss-brief = Find where packets are lost, with mtr
fix-fix-loss = Run mtr on the sending host: the hop where loss begins, and goes on behind, drops packets. Read the error and drop counters there: a duplex mismatch, a bad cable or signal, overload. On a full path, no device is faulty.

fix-find-host-drops-short = Find what { $here } drops: these packets never leave it
fix-find-host-drops-brief = Find what this host drops
fix-find-host-drops = Both ends are on one host, so no path lost these packets. Look for a full receive buffer, a queueing discipline on lo, a firewall rule, or a kernel that drops segments inside the window.
fix-check-silent-host-short = Check firewall and VPN of { $here }: packets arrive, no answers leave
fix-check-silent-host-brief = Check firewall and VPN of the silent host
fix-check-silent-host = The packets arrive at this host and nothing answers them. Check its firewall, its routes and its VPN: a rule drops the packets or the answers, or another route takes the answers. A host that sleeps or is overloaded looks alike.

fix-find-restart-short = Find out why { $here } was away: uptime, journalctl -b -1
fix-find-restart-brief = Find out why the host was away
fix-find-restart = The host or its program was away for a while and then answered again. Check whether it restarted. If the restart is planned, let clients reconnect sooner: set a timeout, or TCP_USER_TIMEOUT.

fix-fix-ack-loss-short = See where ACKs to { $sender } are lost: mtr { $probe }, on { $here }
fix-fix-ack-loss-brief = Find where ACKs to the sender are lost
fix-fix-ack-loss = Run mtr on the receiving host towards the sender: the hop where loss begins, and goes on behind, drops packets. Read the error and drop counters there. On Wi-Fi, check signal and channel. If the uplink is full, limit uploads or shape them.

fix-limit-neighbours-short = Limit the other traffic to { $receiver }, or run it later
fix-limit-neighbours-brief = Limit the other traffic, or run it later
fix-limit-neighbours = Limit the other traffic in the programs that send it, or run it at another time. UDP without congestion control does not slow down by itself. If all of it must run at once, use cake or fq_codel at the bottleneck: each flow then gets its turn.
fix-shape-uploads-short = Limit uploads from { $receiver }, or use cake at its uplink
fix-shape-uploads-brief = Limit uploads, or use cake at the uplink
fix-shape-uploads = The ACKs wait behind data in the queue of the uplink, so each round trip is longer. Pause or limit the uploads of the receiving host and its network. Or shape the uplink to a little less than its rate with cake or fq_codel: ACKs then pass the queue. More windows or buffers for the download gain nothing.

fix-fix-queue-aqm-short = Use fq_codel or cake at the bottleneck towards { $receiver }
fix-fix-queue-aqm-brief = Use fq_codel or cake at the bottleneck
fix-fix-queue-aqm = More buffer or window at the ends gains nothing: the queue at the bottleneck only grows. To lower the delay, use fq_codel or cake at the bottleneck, or BBR at the sender. If the queue is in a modem, shape traffic to a little less than the line rate.

fix-lengthen-queue-short = Lengthen the queue that overflows on the path, or use BBR on { $here }
fix-lengthen-queue-brief = Lengthen the queue that overflows, or use BBR
fix-lengthen-queue = The losses came while more was in flight than the path holds: a queue overflowed, and no device is faulty. After each such loss the window is small for long, because the queue holds too little data to fill the path. Lengthen the queue of the bottleneck to what the path holds in a round trip, or use BBR on the sending host.

fix-raise-capacity-short = Send fewer bytes from { $sender }, or raise the capacity of the path
fix-raise-capacity-brief = Send fewer bytes, or raise the capacity
fix-raise-capacity = The transfer uses the whole capacity of the path. Send less: compress, select only the needed rows and columns, send deltas. Or send at another time, or over a faster path. Check that interfaces run at full speed, and that no shaper or provider limits the rate.

fix-capture-at-receiver-short = Capture on { $receiver } too
fix-capture-at-receiver-brief = Capture at the receiver too
fix-capture-at-receiver = Capture at the receiving host too. That capture shows whether this connection or a proxy's connection arrives there, and how long the data takes.

fix-enable-sack-short = Enable SACK on { $sender } and { $receiver }
fix-enable-sack-brief = Enable SACK at both ends
fix-enable-sack = Turn SACK on at both ends (the default everywhere). If it is on, find the device that removes the option.

fix-keep-window-open-short = Do not shrink receive buffers of open connections on { $here }
fix-keep-window-open-brief = Do not shrink receive buffers in use
fix-keep-window-open = Keep the receive buffer of open connections as it is, or enlarge it. Check the receiver for memory pressure, and for net.ipv4.tcp_shrink_window other than 0.

fix-find-marking-queue-short = Find the queue that marks packets from { $sender } to { $receiver }
fix-find-marking-queue-brief = Find the queue that marks packets
fix-find-marking-queue = Read the mark counters of both hosts and of the routers: they show which queue marks packets. If it marks before the link is full, raise its threshold. A queue should mark packets only while it persists.

fix-find-stalls-short = Find the link that stalls: mtr -m 1 { $there }, on { $here }
fix-find-stalls-brief = Find the link that stalls, with mtr
fix-find-stalls = To see which link or host stalls, ping the first hop during a stall, or capture on both sides of a hop. Turn off Wi-Fi power saving and scans, improve the signal, or give the virtual machine CPU time.

fix-fix-mtu-short = Set net.ipv4.tcp_mtu_probing to 1 on { $sender }, or let ICMP pass
fix-fix-mtu-brief = Let ICMP pass, or probe for the MTU
fix-fix-mtu = The path drops large packets, and the sender gets no error. Let every firewall pass ICMP "fragmentation needed" (IPv6: "packet too big"). Set the path's MTU on tunnels, containers and pods, or let the sender probe for it.

fix-mss-clamp-short = Clamp the MSS on the tunnel or router between { $sender } and { $receiver }
fix-mss-clamp-brief = Clamp the MSS on the tunnel or router
fix-mss-clamp = On the router before the narrow link, lower the MSS in passing SYNs, so that full packets fit.

fix-check-listener-short = See what listens on { $server }: ss -ltnp 'sport = :{ $port }'
fix-check-listener-brief = See what listens on the server's port
fix-check-listener = The host answers, but no process accepts on that port. See what listens there. If clients need the service, start it, and let it listen on this address, not only on 127.0.0.1. If it already listens, a firewall sends the reset.

fix-let-kernel-choose-port-short = Let the kernel choose the local port on { $client }
fix-let-kernel-choose-port-brief = Let the kernel choose the local port
fix-let-kernel-choose-port = Do not bind a fixed local port before connect(). The kernel then chooses a port that no recent connection used.

fix-check-firewall-short = See whether SYNs of { $client } arrive on { $host }: tcpdump port { $port }
fix-check-firewall-brief = See whether SYNs reach the server
fix-check-firewall = No answer came back. Capture at the server. If no SYN arrives, check that the host is up, then the route, security groups and firewalls. If SYNs arrive, check the route back, and on a busy server the accept queue.

fix-find-syn-ack-short = See if SYN-ACKs of { $host } reach { $client }: tcpdump port { $port }
fix-find-syn-ack-brief = See whether SYN-ACKs reach the client
fix-find-syn-ack = The server answered, and no ACK came back. Capture at the client. If no SYN-ACK arrives, check the route back, firewalls and security groups. If it arrives and the client acknowledges it, check the way to the server.

fix-capture-both-directions-short = Capture both directions, on { $sender } or { $receiver }
fix-capture-both-directions-brief = Capture both directions
fix-capture-both-directions = Only one direction was captured: the path is asymmetric, or a mirror port copies one direction only. Capture on one of the two hosts, without a filter on source or destination.

fix-capture-at-sender-short = Capture on { $sender }, which sends the data
fix-capture-at-sender-brief = Capture at the sender
fix-capture-at-sender = Capture again on the host that sends the data. Only that capture shows when data left the application and which window stopped it.

fix-capture-from-syn-short = Start the capture before the connection to { $server }
fix-capture-from-syn-brief = Start the capture before the connection
fix-capture-from-syn = Start the capture before the connection opens. The hosts negotiate window scale, MSS and SACK in the SYNs only.

fix-larger-snaplen-buffer-short = Capture without drops: tcpdump -s 128 -B 65536
fix-larger-snaplen-buffer-brief = Capture without drops
fix-larger-snaplen-buffer = The capture itself lost packets. Capture headers only, enlarge the buffer, write to a fast disk, and filter by host and port.

fix-disable-offload-note-short = Change nothing: offload is normal
fix-disable-offload-note = The capture shows packets before segmentation or after reassembly by the network card. That is normal, and the analysis allows for it. To see the packets on the wire, capture on another device, or turn offload off for a test.

fix-accept-propagation-short = Use fewer round trips or a nearer host
fix-accept-propagation = Only the propagation delay is left, and no setting changes it. Use fewer round trips (batching, connection reuse, TLS 1.3), a nearer server or a cache.

fix-profile-application-short = Profile the program on { $here } while it sends nothing
fix-profile-application-brief = Profile the sender while it sends nothing
fix-profile-application = The time passes inside the application. Take three stack traces, a few seconds apart, while it sends nothing. They show why it waits: its own upstream, a query, a disk, a lock, garbage collection, a queue. Speed that work up, or do it while the network sends.

fix-close-connection-short = Close what the peer has closed, in the program on { $here }
fix-close-connection-brief = Close what the peer has closed
fix-close-connection = A read that returns 0 bytes means that the peer has closed. Close the socket then, on every path out of the code, errors included. Check connection pools that keep such sockets.

fix-enable-loss-probes-short = Turn on SACK, timestamps and tail loss probes on { $here }
fix-enable-loss-probes-brief = Turn on SACK, timestamps and loss probes
fix-enable-loss-probes = With SACK, timestamps, tail loss probes and RACK, a sender repairs most losses within a round trip. It also undoes slowdowns after spurious retransmissions. All four are on by default: check that both hosts still have them on.

fix-stop-reordering-short = Distribute packets by flow between { $sender } and { $receiver }
fix-stop-reordering-brief = Distribute packets by flow
fix-stop-reordering = A host or device on the path spreads packets of one flow over several paths or queues. Check bonding by packet (balance-rr), per-packet load balancing, and receive queues without flow steering. Distribute packets by flow instead.

fix-shape-below-policer-short = Shape traffic on { $here } a little below the policer's rate
fix-shape-below-policer-brief = Shape traffic below the policer's rate
fix-shape-below-policer = Shape traffic on your own side to a little less than the policer's rate. Then no packet is lost, and the connection uses the whole rate. Or ask the provider to shape instead of police, or to raise the rate.

fix-raise-backlog-short = Raise the listen backlog of { $server }
fix-raise-backlog-brief = Raise the listen backlog
fix-raise-backlog = New connections overflow the server's queues. Raise the backlog in the application and its limit net.core.somaxconn. The kernel uses the smaller of the two.

fix-find-reset-short = Capture on { $sender } and { $receiver } to see who sent the reset
fix-find-reset-brief = Capture at both ends: who sent the reset?
fix-find-reset = Compare the TTL of the reset with the TTL of the other packets, and capture on both hosts. If the other host did not send the reset, a device on the path did. A process also causes a reset if it crashes, or closes with unread data.

fix-keep-alive-every-short = Send keep-alives from { $here } before the idle timeout
fix-keep-alive-every-brief = Send keep-alives before the idle timeout
fix-keep-alive-every = Turn keep-alives on, with an interval well below the idle timeout of the device. Linux waits two hours by default, longer than most devices.

fix-outlast-pool-short = Keep idle connections on { $server } longer than the client does
fix-outlast-pool-brief = Keep idle connections longer than the client
fix-outlast-pool = Set the keep-alive timeout of the server above the idle limit of the client's pool, so that the client closes first. Let the client retry requests that may be sent twice.

fix-retire-idle-connections-short = Close idle connections on { $here } before the timeout
fix-retire-idle-connections-brief = Close idle connections before the timeout
fix-retire-idle-connections = Let pools close idle connections before the device or the server drops them, or test each connection before use.

fix-accept-sooner-short = Call accept() sooner in the program on { $server }
fix-accept-sooner-brief = Call accept() sooner
fix-accept-sooner = The queue overflows while the application does other work. Call accept() in a separate thread or loop, and use more workers. On the server, ss shows how many connections wait.

fix-look-for-peer-short = Trace the path to the peer: mtr { $probe }, on { $here }
fix-look-for-peer-brief = Trace the path to the peer, with mtr
fix-look-for-peer = Check that the peer's host is up, and capture there. If data arrives and ACKs leave, the path back loses the ACKs. If no data arrives, the path to the peer loses it.

fix-limit-retries-short = Set TCP_USER_TIMEOUT in the program on { $here } to give up sooner
fix-limit-retries-brief = Set TCP_USER_TIMEOUT to give up sooner
fix-limit-retries = Linux keeps retrying for about 15 minutes. Set TCP_USER_TIMEOUT, or a timeout in the application, to the time that its users can wait.

fix-move-closer-short = Run { $client } closer to { $server }, or answer from a cache
fix-move-closer-brief = Run the client closer to the server
fix-move-closer = Every request costs a round trip over the whole distance. Run the code with many requests next to its server, answer from a nearby cache or replica, or move the loop to the server.

fix-sample-socket-short = Sample the sending socket: ss -tmin { $sockets }, on { $sender }
fix-sample-socket-brief = Sample the sending socket, with ss
fix-sample-socket = Sample the sender's socket during the transfer. It shows what the packets do not: the congestion window, unacknowledged bytes, unsent bytes, and the buffer.

fix-disable-hystart-short = Turn off HyStart on { $here }
fix-disable-hystart-brief = Turn off HyStart
fix-disable-hystart = On the sending host, a module parameter of CUBIC turns HyStart off. Do so only where you know that paths have jitter but also room. Otherwise slow start ends in losses instead.

fix-profile-receiver-short = Profile the program on { $here } while it does not read
fix-profile-receiver-brief = Profile the receiver while it reads nothing
fix-profile-receiver = Take three stack traces of the receiving process during the zero window. They show why it does not read: garbage collection, a lock, a slow disk or database, a debugger. Move that work out of the thread that reads.

fix-raise-initrwnd-short = Raise the initial receive window on { $here }
fix-raise-initrwnd-brief = Raise the initial receive window
fix-raise-initrwnd = For short transfers over a long path, raise initrwnd of the route on the receiving host. Otherwise autotuning needs a few round trips to open the window.

fix-capture-at-one-place-short = Capture on one interface only
fix-capture-at-one-place = Capture on one interface instead of "any", or mirror each port in one direction. tcpwhy ignored the copies in this capture.

fix-raise-mss-short = Raise the MSS on { $sender } and { $receiver } to what the path allows
fix-raise-mss-brief = Raise the MSS to what the path allows
fix-raise-mss = Check the MTU of both hosts and of tunnels between them, MSS clamping on routers (TCPMSS), and TCP_MAXSEG in the applications.

fix-enable-client-timestamps-short = Turn on TCP timestamps on { $client }
fix-enable-client-timestamps-brief = Turn on TCP timestamps at the clients
fix-enable-client-timestamps = With timestamps, a SYN cookie can carry window scale and SACK. Set net.ipv4.tcp_timestamps = 1 on Linux clients. Windows turns timestamps off by default.
fix-find-hanging-request-short = Take stack traces of { $server } while a request hangs
fix-find-hanging-request-brief = Take stack traces while a request hangs
fix-find-hanging-request = The server's kernel acknowledged the request, so it arrived. Take stack traces of the program while a request hangs. A Recv-Q above 0 means that the program never read the request. Set a timeout on its upstreams, so that the client gets an error instead of silence.
fix-update-receiver-kernel-short = Update the kernel of { $here }
fix-update-receiver-kernel-brief = Update the receiver's kernel
fix-update-receiver-kernel = If no program sets the buffer and the receiver runs Linux 4.19.86 to 5.9.15, its window cannot grow with jumbo frames. Update its kernel to 4.19.164, 5.4.85, 5.10 or later.
fix-fix-checksums-short = Turn off checksum offload on { $sender }
fix-fix-checksums-brief = Turn off checksum offload at the sender
fix-fix-checksums = A host or device on the path computes TCP or tunnel checksums wrongly. Turn off transmit checksum offload at the sender and on its tunnel or virtual interface. Compare the checksum at each hop.
fix-track-liberally-short = Set nf_conntrack_tcp_be_liberal to 1 on the NAT
fix-track-liberally-brief = Set nf_conntrack_tcp_be_liberal on the NAT
fix-track-liberally = Connection tracking regards segments beyond its known window as invalid, and passes them without address translation. With nf_conntrack_tcp_be_liberal = 1, only resets beyond the window are invalid. Or drop invalid segments at the NAT. If there is no NAT, find the firewall or proxy that sends resets in the host's name.
