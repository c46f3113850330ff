# Recordings of packets and of what the kernel says: `tcpwhy record`, and what `explain` says of one.

record-done = recorded { $packets ->
    [one] { $packets } packet
   *[other] { $packets } packets
} and { $samples ->
    [one] { $samples } sample
   *[other] { $samples } samples
} of { $connections ->
    [one] { $connections } connection
   *[other] { $connections } connections
} in { $time }: { $file }
record-done-ring = recorded { $packets ->
    [one] { $packets } packet
   *[other] { $packets } packets
} and { $samples ->
    [one] { $samples } sample
   *[other] { $samples } samples
} of { $connections ->
    [one] { $connections } connection
   *[other] { $connections } connections
} in { $time }; kept: { $first } to { $last }
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
record-triggered = { $when }: { $process } { $local } → { $peer }; recording { $time } more
record-no-right = capturing packets of { $interface } needs the right CAP_NET_RAW: run it as root, or --no-packets for the kernel’s samples alone
record-no-right-capture = capturing packets of { $interface } needs the right CAP_NET_RAW: run it as root, or `sudo tcpdump -i { $interface } -s 128 -w - tcp | tcpwhy -`
record-no-interface = there is no interface { $interface }: `ip link` lists those that there are, and any is all of them
record-interface-down = the interface { $interface } is down
record-no-ring = packets of { $interface } cannot be captured: { $error }
