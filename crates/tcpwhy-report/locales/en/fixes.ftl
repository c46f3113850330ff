# What to change: `fix-ID-short` in a few words for the third line of the report, `fix-ID` with where and how.
# Exact lines of code or configuration come with the finding; only their remarks are translated (`remarks.ftl`).

fix-remove-so-sndbuf-short = Do not set SO_SNDBUF
fix-remove-so-sndbuf = Do not set the send buffer: Linux then grows it by itself, up to the third value of net.ipv4.tcp_wmem. Look for the call in the application, and for the setting in what it runs on.

fix-raise-so-sndbuf-short = Raise SO_SNDBUF
fix-raise-so-sndbuf = If the buffer must be set, set it to at least twice bandwidth × RTT. The kernel doubles what is asked for to pay for its bookkeeping and silently caps the request at net.core.wmem_max: raise that too.

fix-raise-tcp-wmem-short = Raise net.ipv4.tcp_wmem
fix-raise-tcp-wmem = Raise the third value of net.ipv4.tcp_wmem, the limit of send buffer autotuning, to at least twice bandwidth × RTT. It holds for sockets that do not set SO_SNDBUF.

fix-remove-so-rcvbuf-short = Do not set SO_RCVBUF
fix-remove-so-rcvbuf = Do not set the receive buffer: setting it turns autotuning off for that socket; unset, it grows up to the third value of net.ipv4.tcp_rmem. Look for the call in the application, and for the setting in what it runs on.

fix-raise-so-rcvbuf-short = Raise SO_RCVBUF
fix-raise-so-rcvbuf = If the buffer must be set, set it to at least twice bandwidth × RTT, before connect or listen, because the window scale is agreed in the SYN. The kernel caps the request at net.core.rmem_max: raise that too.

fix-raise-tcp-rmem-short = Raise net.ipv4.tcp_rmem
fix-raise-tcp-rmem = Raise the third value of net.ipv4.tcp_rmem, the limit of receive window autotuning, to at least twice bandwidth × RTT, and keep net.ipv4.tcp_moderate_rcvbuf at 1.

fix-forget-metrics-short = Forget the remembered slow-start threshold
fix-forget-metrics = Linux remembers a slow-start threshold (ssthresh) per peer in tcp_metrics, and new connections leave slow start there. Delete it, and turn the memory off on the sending host.

fix-enable-receive-autotuning-short = Turn receive window autotuning on
fix-enable-receive-autotuning = Windows grows the receive window only if receive window autotuning is on. Set it to normal on the receiving host.

fix-check-receive-buffer-short = Compare the receive buffer with net.ipv4.tcp_rmem
fix-check-receive-buffer = The packets do not show whether a program or net.ipv4.tcp_rmem limits this buffer. Compare the two on the receiving host while the connection is open. If rb equals the third value, raise the setting; otherwise delete the program's SO_RCVBUF.

fix-check-send-buffer-short = Compare the send buffer with net.ipv4.tcp_wmem
fix-check-send-buffer = The packets do not show whether a program or net.ipv4.tcp_wmem limits this buffer. Compare the two on the sending host while the connection is open. If tb equals the third value, raise the setting; otherwise delete the program's SO_SNDBUF.

fix-enable-window-scaling-short = Enable window scaling
fix-enable-window-scaling = Both hosts must offer window scaling in their SYN. If both do, a firewall or load balancer between them strips the option.

fix-read-faster-short = Let the receiver read faster
fix-read-faster = The receiving application does not call read often enough. Read in a thread or task of its own and pass the data on through a queue. Keep parsing, disk and database work out of the read loop. Stack traces show what the process waits for: CPU, disk, locks, garbage collection. A larger buffer only postpones the stall.

fix-enlarge-reads-short = Read in larger pieces
fix-enlarge-reads = Read 64 KiB or more at a time. Many small reads cost a system call each and keep the window from opening.

fix-set-tcp-nodelay-short = Set TCP_NODELAY
fix-set-tcp-nodelay = Turn Nagle's algorithm off on the side that writes small messages.

fix-coalesce-writes-short = Write each message at once
fix-coalesce-writes = Hand a message to the socket in one call instead of header and body apart. This helps with Nagle on or off.

fix-quickack-short = Set TCP_QUICKACK at the receiver
fix-quickack = Let the receiver acknowledge at once. The option does not last: set it after every read, or for the route. Fixing the writer is the better way.

fix-write-more-ahead-short = Keep more data waiting in the socket, unless this pace is intended
fix-write-more-ahead = The sender's application does not keep its socket filled. Write larger blocks, read from disk or upstream while the network sends (a second buffer or thread), and do not wait for an answer after every block. If the pace is intended (a rate limit, a live stream), nothing is wrong.

fix-pipeline-requests-short = Do not wait for each answer before asking again
fix-pipeline-requests = Every request waits for the answer to the one before it: a round trip at least, and the time that the server needs. Send several at once: batches, pipelining, larger fetch sizes, HTTP/2, or several connections side by side.

fix-raise-peer-window-short = Raise the window of the protocol above TCP
fix-raise-peer-window = Let the receiving program allow more at a time: a larger HTTP/2, gRPC or SSH window, or more SFTP requests without an answer. Several connections also help. Neither SO_SNDBUF nor SO_RCVBUF changes it.

fix-resume-tls-sessions-short = Resume TLS sessions
fix-resume-tls-sessions = Where a new connection is needed, a resumed session saves a round trip with TLS 1.2, and the certificates and most of the computing with any version.
fix-reuse-connection-short = Keep connections open and reuse them
fix-reuse-connection = A new connection pays for the handshake and starts slowly. Use a pool or keep-alive, one for the whole process.

fix-disable-idle-restart-short = Turn slow start after idle off
fix-disable-idle-restart = After a pause longer than the retransmission timeout Linux shrinks the congestion window and starts again slowly. Turn that off on the sending host.

fix-raise-initcwnd-short = Raise the initial congestion window
fix-raise-initcwnd = For short transfers over a long path, let the route begin with a larger window. Do so only where the path is known to carry the burst.

fix-use-bbr-short = Use BBR for congestion control
fix-use-bbr = Loss-based control (CUBIC, Reno) slows down for every loss, also for those that are no sign of congestion; BBR does not. No restart needed: new connections use it.

fix-fix-loss-short = Fix the hop that drops packets
fix-fix-loss = Read the error and drop counters of both interfaces, switch ports, radio links, firewalls and virtual switches. Captures on both sides of a device show whether it drops packets. Then fix that device: a duplex mismatch, a bad cable or signal, overload.

fix-fix-queue-aqm-short = Put active queue management at the bottleneck
fix-fix-queue-aqm = More buffer or window at the ends gains nothing: the queue at the bottleneck only grows. Use fq_codel or cake there (shape a little below the line rate if the queue sits in a modem), or BBR at the sender, to lower the delay.

fix-raise-capacity-short = The bottleneck is saturated: only more capacity or fewer bytes help
fix-raise-capacity = The transfer uses all that the path carries. Send less: compress, select only the rows and columns that are needed, send deltas. Or send at another time, or over a faster path. Check that interfaces run at full speed, and that no shaper or provider limits the rate.

fix-capture-at-receiver-short = Capture at the receiver too
fix-capture-at-receiver = Capture at the receiving host as well: it shows whether this connection arrives there or one of a proxy, and how long that takes.

fix-enable-sack-short = Enable SACK at both ends
fix-enable-sack = Have both ends offer SACK (the default everywhere), and look for a device that removes the option.

fix-keep-window-open-short = Do not shrink the window at the receiver
fix-keep-window-open = Leave the receive buffer of open connections as it is, or larger, and find out why the receiver takes back what it offered.

fix-find-marking-queue-short = Check the ECN threshold of the queue that marks
fix-find-marking-queue = Read the mark counters of both hosts and of the routers: they show which queue marks. If it marks before the link is full, raise its threshold. Marks should begin where a queue persists.

fix-find-stalls-short = Fix the link that stalls
fix-find-stalls = Ping the first hop during a stall, or capture on both sides of a hop, to see which link or host stalls. Turn off Wi-Fi power saving and scans, improve the signal, or give the virtual machine CPU time.

fix-fix-mtu-short = Fix path MTU discovery
fix-fix-mtu = Large packets are dropped without an error. Let ICMP "fragmentation needed" (IPv6: "packet too big") pass every firewall. Give tunnels, containers and pods the MTU of the path, or let the sender probe for it.

fix-mss-clamp-short = Clamp the MSS on the tunnel or router
fix-mss-clamp = Let the router before the narrow link lower the MSS in passing SYNs to what fits.

fix-check-listener-short = Start the service, or let it listen on this address
fix-check-listener = The host answers, but no process accepts on that port. Start the service, and let it listen on this address, not only on 127.0.0.1. If it listens already, a firewall rejects with a reset.

fix-let-kernel-choose-port-short = Let the kernel choose the local port
fix-let-kernel-choose-port = Do not bind a fixed local port before connect(): the kernel takes one that no recent connection used.

fix-check-firewall-short = Capture SYNs at the server, then check firewalls and routes
fix-check-firewall = Nothing came back. Capture at the server. If no SYN arrives, check that the host is up, and the route, security groups and firewalls on the way. If SYNs arrive, check the route back, and on a busy server the accept queue.

fix-capture-both-directions-short = Capture both directions
fix-capture-both-directions = Only one direction was captured: on an asymmetric path or a mirror port of one side the other is missing. Capture on one of the two hosts, without a filter on source or destination.

fix-capture-at-sender-short = Capture at the sender
fix-capture-at-sender = Capture once more on the host that sends the data: only there is it visible when data left the application and which window stopped it.

fix-capture-from-syn-short = Start the capture before the connection
fix-capture-from-syn = Start the capture before the connection opens: window scale, MSS and SACK are agreed in the SYN and are unknown without it.

fix-larger-snaplen-buffer-short = Capture without drops
fix-larger-snaplen-buffer = The capture itself lost packets: cut packets short, buffer more, write to a fast disk, filter by host and port.

fix-disable-offload-note-short = Nothing to change: offload is normal
fix-disable-offload-note = The capture shows packets before segmentation or after reassembly by the network card. That is normal and analysed as such. To see the packets of the wire, capture on another device or switch offload off for a test.

fix-accept-propagation-short = Only distance is left: fewer round trips or a nearer host
fix-accept-propagation = What remains is the time that signals take. Fewer round trips (batching, connection reuse, TLS 1.3), a nearer server or a cache help; no setting does.

fix-profile-application-short = Profile the application while it sends nothing
fix-profile-application = The time passes inside the application. Take three stack traces, a few seconds apart, while it sends nothing. They show what it waits for: its own upstream, a query, a disk, a lock, garbage collection, a queue. Speed that up, or do it while the network sends.

fix-close-connection-short = Close when the peer has closed
fix-close-connection = A read that returns nothing means that the peer has closed: close then, on every path out of the code, errors included. Look at connection pools that keep such sockets.

fix-enable-loss-probes-short = Keep SACK, timestamps and loss probes on
fix-enable-loss-probes = With SACK, timestamps, tail loss probes and RACK a sender repairs most losses within a round trip and undoes slowdowns after spurious retransmissions. All are on by default: see that nobody turned them off, on either host.

fix-stop-reordering-short = Stop what reorders packets
fix-stop-reordering = Something on the way puts packets of one flow on several paths or queues: bonding by packet (balance-rr), per-packet load balancing, several receive queues without flow steering. Spread by flow instead.

fix-shape-below-policer-short = Send a little below the policer's rate
fix-shape-below-policer = Shape on your own side a little below the policer's rate: then nothing is lost and the whole rate is used. Or have the provider shape instead of police, or raise the rate.

fix-raise-backlog-short = Raise the listen backlog
fix-raise-backlog = New connections overflow the server's queues. Raise the backlog in the application and its limit net.core.somaxconn; the smaller of the two counts.

fix-find-reset-short = Capture on both hosts to see who sent the reset
fix-find-reset = Compare the TTL of the reset with that of the other packets, and capture on both hosts. If the other host did not send the reset, a device in between did. A process that crashed, or closed with unread data, resets as well.

fix-keep-alive-every-short = Send keep-alives before the timeout
fix-keep-alive-every = Turn keep-alives on and let them come well before the device forgets the connection. Linux waits two hours by default, longer than most devices.

fix-retire-idle-connections-short = Retire idle connections before the timeout
fix-retire-idle-connections = Let pools close idle connections before the device forgets them, or test one before it is used.

fix-accept-sooner-short = Accept connections sooner
fix-accept-sooner = The queue overflows while the application is busy with something else: accept in a thread or loop of its own, and use more workers. On the server, ss shows how many connections wait.

fix-look-for-peer-short = Trace the path to the peer, and capture there
fix-look-for-peer = Check that the peer's host is up, and capture there. If data arrives and ACKs leave, they are lost on the way back. If no data arrives, it is lost on the way there.

fix-limit-retries-short = Give up sooner
fix-limit-retries = Linux keeps retrying for about 15 minutes. Set TCP_USER_TIMEOUT, or a timeout in the application, to what its users can wait.

fix-move-closer-short = Bring client and server closer together
fix-move-closer = Each turn pays for the distance. Run the chatty part next to its server, answer from a cache or replica nearby, or move the loop to the server.

fix-sample-socket-short = Sample the sender's socket while it runs
fix-sample-socket = The sender's own socket state shows what packets cannot: the congestion window, unacknowledged bytes, unsent bytes, and the buffer.

fix-disable-hystart-short = Turn HyStart off
fix-disable-hystart = On the sending host, CUBIC's HyStart can be switched off through a module parameter. Do so only where paths are known to have jitter but room; otherwise slow start ends in losses instead.

fix-profile-receiver-short = Profile the receiving process while it does not read
fix-profile-receiver = Take three stack traces of the receiving process during the zero window. They show why it does not read: garbage collection, a lock, a slow disk or database, a debugger. Move that work out of the thread that reads.

fix-raise-initrwnd-short = Offer a larger window from the start
fix-raise-initrwnd = On the receiving host, let the route begin with a larger window, if transfers are short and the path is long. Autotuning needs a few round trips to open it otherwise.

fix-capture-at-one-place-short = Capture on one interface only
fix-capture-at-one-place = Capture on one interface instead of "any", or mirror each port in one direction; the copies were left out here.

fix-raise-mss-short = Let segments be as large as the path allows
fix-raise-mss = Check the MTU of both hosts and of tunnels between them, MSS clamping on routers (TCPMSS), and whether an application sets TCP_MAXSEG.

fix-enable-client-timestamps-short = Keep TCP timestamps on at the clients
fix-enable-client-timestamps = With timestamps a SYN cookie can carry window scale and SACK: net.ipv4.tcp_timestamps = 1 on Linux clients; Windows has them off by default.
fix-find-hanging-request-short = Take stack traces of the server's program while a request hangs
fix-find-hanging-request = The server's kernel acknowledged the request, so it arrived. Take stack traces of the program while a request hangs; a Recv-Q above 0 means that it never read the request. Set a timeout on its upstreams, so that the client gets an error instead of silence.
fix-update-receiver-kernel-short = Update the receiver's kernel
fix-update-receiver-kernel = If nothing sets the buffer and the receiver runs Linux 4.19.86 to 5.9.15, its window cannot grow with jumbo frames. Update its kernel to 4.19.164, 5.4.85, 5.10 or later.
fix-fix-checksums-short = Fix the checksums: switch off checksum offload
fix-fix-checksums = Somebody on the way computes TCP or tunnel checksums wrongly. Switch off transmit checksum offload at the sender and on its tunnel or virtual interface, and compare the checksum at each hop.
fix-track-liberally-short = Set nf_conntrack_tcp_be_liberal to 1 on the NAT
fix-track-liberally = Connection tracking regards segments beyond the window that it knows as invalid, and passes them without translating addresses. With nf_conntrack_tcp_be_liberal only resets beyond the window are invalid. Or drop invalid segments at the NAT. If there is no NAT, find the firewall or proxy that sends resets in the host's name.
