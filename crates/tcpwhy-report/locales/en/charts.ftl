# Charts: the page without its script, the static pictures, and names that both share with the viewer.

page-title = { $name }: what held TCP back
page-no-script = The charts need JavaScript, which is off; the numbers are below.

chart-requests = Requests
chart-limits = Limited by
chart-sequence = Sequence
chart-window = Window and bytes in flight
chart-rtt = Round-trip time
chart-throughput = Throughput
chart-socket = The sending socket
chart-description = { $direction }: { $verdict }
chart-axis-time = seconds from the first packet

series-data = data
series-ack = acknowledged
series-edge = right edge of the window
series-flight = in flight
series-pipe = on the path (SACK)
series-window = receive window
series-cwnd = congestion window, at least
series-socket-cwnd = congestion window
series-buffer = send buffer
series-queued = queued
series-unsent = not sent yet
series-unused = left unused
series-rtt = round trip
series-rtt-min = smallest round trip
series-acked = goodput
series-sent = sent
series-resent = retransmitted

line-plateau = plateau of { $bytes } in flight
line-bdp = bandwidth × RTT { $bytes }
line-window-max = largest window { $bytes }

mark-retransmission-fast = fast retransmit
mark-retransmission-rto = timeout retransmit
mark-retransmission-tlp = tail loss probe
mark-retransmission-other = retransmission
mark-out-of-order = out of order
mark-duplicate-frame = captured twice
mark-zero-window = zero window
mark-probe = window probe
mark-keep-alive = keep-alive
mark-sack = SACK
mark-dsack = received twice (D-SACK)
mark-syn = SYN
mark-fin = FIN
mark-rst = RST

chart-proof-path = { $rate }: the path carries no more
chart-proof-queue = RTT { $median }, without a queue { $low }: the rest is the queue at the bottleneck
chart-proof-policer = A policer drops what exceeds its rate: losses without a queue
chart-proof-nothing-to-send = Flat for { $time }: the program had nothing to send
chart-proof-exchanges = Server { $server }, network { $network }, client { $client }
chart-proof-ack-delay = Each step waits for an ACK that comes late
chart-proof-slow-start = Bytes in flight double each round trip: slow start took most of the time
chart-proof-congestion-window = Bytes in flight follow the congestion window, far below the receive window of { $window }
chart-proof-post-loss = { $n } segments retransmitted (top lane): after each loss less may be in flight
chart-proof-loss = { $n } segments retransmitted (top lane): recovery took { $time }
chart-proof-slow-reader = The receiving program reads too slowly: its window stays small or closed for { $time }
chart-proof-receive-window = Bytes in flight reach the receive window of { $window }: the receiver allows no more
chart-proof-own-pace = { $unused } of the window never used: the program wrote no more
chart-proof-peer-window = { $unused } of the window never used: the window of the protocol above TCP ends at { $flight }
chart-proof-send-buffer = { $unused } of the window never used: the send buffer is full at { $flight }
