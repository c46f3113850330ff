# Recordings of packets and the kernel's data: `tcpwhy record`, and the texts of `explain` for a recording.

record-done = recorded { $packets ->
    [one] { $packets } packet
   *[other] { $packets } packets
} and { $samples ->
    [one] { $samples } sample
   *[other] { $samples } samples
} of { $connections ->
    [one] { $connections } connection
   *[other] { $connections } connections
} in { $time }: { $path } ({ $size })
record-done-ring = recorded { $packets ->
    [one] { $packets } packet
   *[other] { $packets } packets
} and { $samples ->
    [one] { $samples } sample
   *[other] { $samples } samples
} of { $connections ->
    [one] { $connections } connection
   *[other] { $connections } connections
} in { $time }; kept: { $first } to { $path } ({ $size })
record-done-output = recorded { $packets ->
    [one] { $packets } packet
   *[other] { $packets } packets
} and { $samples ->
    [one] { $samples } sample
   *[other] { $samples } samples
} of { $connections ->
    [one] { $connections } connection
   *[other] { $connections } connections
} in { $time }
record-dropped = the kernel dropped { $drops ->
    [one] { $drops } packet
   *[other] { $drops } packets
} ({ $share }) because they came faster than they could be written: narrow it by a FILTER, or by -i
record-ring-small = this ring is too small to keep much, because each of its files begins with the state of all sockets; --ring { $size } has room for more
record-triggered = { $when }: { $process } { $local } → { $peer }; recording { $time } more
record-no-right = capturing on { $interface } needs the CAP_NET_RAW capability: run it as root, or use --no-packets for the kernel’s samples alone
record-no-right-capture = capturing on { $interface } needs the CAP_NET_RAW capability: run it as root, or `sudo tcpdump -i { $interface } -s 128 -w - tcp | tcpwhy -`
record-no-interface = the interface { $interface } does not exist: `ip link` lists all, and any is all of them
record-interface-down = the interface { $interface } is down: `ip link set { $interface } up`
record-no-ring = cannot capture on { $interface }: { $error }

# For a recording that is explained.
record-was-dropped = while this was recorded the kernel dropped { $drops ->
    [one] { $drops } packet
   *[other] { $drops } packets
} ({ $share }): missing packets may look like losses before the capture
record-left-out = { $count ->
    [one] { $count } socket
   *[other] { $count } sockets
} of the recording ended long before their packets, so the kernel’s data about them was dropped: give the recording in parts, such as the files of a ring
record-unknown = { $count ->
    [one] { $count } kernel record
   *[other] { $count } kernel records
} could not be read: damaged, of another version, or from a machine with the other byte order
heading-kernel = The kernel’s view
kernel-label-packets = packets
kernel-label-samples = kernel
kernel-label-clocks = tcp_info
kernel-clocks = busy { $busy }, rwnd_limited { $window }, sndbuf_limited { $buffer }
kernel-agrees = Packets and the kernel’s samples of the same { $time } agree.
kernel-decides = Packets and the kernel’s samples of the same { $time } disagree: the kernel decides.
kernel-too-little = Packets and the kernel’s samples of the same { $time } disagree: the packets decide.
kernel-disagrees = Packets and the kernel’s samples disagree for { $share } of the same { $time }.
# Where kernel and packets differ. Each kind of cause stands for all of its forms.
kernel-kind-network = the network
kernel-kind-send-buffer = the send buffer
kernel-kind-receive-window = the receive window
kernel-kind-application = the application
kernel-kind-small-write = small writes
kernel-kind-pacing = the program’s pacing rate
kernel-word-decides = In the { $time } that both cover, the kernel gives { $more } { $kernel } and { $less } { $less-kernel }; the packets alone give { $packets } and { $less-packets }. The kernel decides. { $why }
kernel-word-too-little = In the { $time } that both cover, the kernel gives { $more } { $kernel } and { $less } { $less-kernel }; the packets alone give { $packets } and { $less-packets }. The packets decide, because the kernel watched only { $watched } of { $all }.
# Why the packets alone do not show it.
kernel-why-network = Unsent data waited for the congestion window or the pacer, and packets show neither.
kernel-why-send-buffer = The send buffer was full. In packets, a program that waits in send() looks like one without data to send.
kernel-why-receive-window = Unsent data waited for the receiver’s window, and packets do not show unsent data.
kernel-why-application = The send queue was empty, and packets do not show whether the program had more to send.
kernel-why-small-write = Less than one segment waited for an ACK, and packets do not show unsent data.
kernel-why-pacing = The program has set SO_MAX_PACING_RATE, which packets do not show.
kernel-clocks-miss-send-buffer = sndbuf_limited misses most of the time with a full send buffer: it only counts while a writer waits and nothing is left unsent.
kernel-clocks-miss-window = rwnd_limited does not show the window’s time here: it is wrong with congestion control that paces (BBR).
kernel-receiver = Only the receiver’s socket was seen, which does not show what limited the sender.
kernel-socket = { $end }: { $process }, { $samples ->
    [one] { $samples } sample
   *[other] { $samples } samples
}
# On the page: a table of both views. These texts take ready-made values and never select on numbers.
kernel-column-samples = { $time }, samples: { $samples }
kernel-column-watched = watched for { $time }
kernel-row-busy = with data to send or in flight
kernel-clock-doubted = not reliable here
kernel-no-clock = the kernel has no clock for it
record-is-none = { $file } is not a recording of tcpwhy: it has no kernel records. `tcpwhy { $file }` explains its packets
record-is-no-capture = { $file } is not a recording of tcpwhy: { $why }

# A capture that is written again with comments (`--annotate`).
annotate-connection = connection { $n }: { $verdict }
annotate-connection-silent = connection { $n }
annotate-stretch = { $direction }: { $limit } for { $time }
annotate-stretch-kernel = { $direction }: { $limit } for { $time }; according to the kernel: { $kernel }
annotate-done = wrote { $path } ({ $size }): { $comments ->
    [one] { $comments } comment
   *[other] { $comments } comments
} on { $connections ->
    [one] { $connections } connection
   *[other] { $connections } connections
}; in Wireshark: frame.comment contains "tcpwhy:"
annotate-left-out = { $count ->
    [one] { $count } connection has
   *[other] { $count } connections have
} no comments: there are too many to hold; use filters
annotate-one-capture = --annotate writes one capture: name only one
