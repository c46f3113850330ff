# The first three lines: who and how much, WHY, FIX. Then problems, services, exchanges.
# Each WHY is one sentence of at most 75 columns with its numbers: `$time` is `6.21 s of 8.80 s (71%)`.

answer-across = { $title } cost { $time }.
answer-why = WHY
answer-but = BUT
answer-fix = FIX
# A cause that is less often right than wrong.
answer-possibly = Possibly: { $sentence }
# One connection of many.
answer-number = Connection { $n }: { $sentence }
answer-time = { $seconds } of { $total } ({ $share })

# Who and how much.
answer-transfer = { $from } → { $to }   { $amount }
answer-exchanges = { $from } ⇄ { $to }   { $amount }
answer-amount = { $bytes } in { $time }   { $rate }
answer-amount-no-rate = { $bytes } in { $time }
answer-amount-exchanges = { $count ->
        [one] 1 request, { $bytes } in { $time }
       *[other] { $count } requests, { $bytes } in { $time }
    }
answer-no-data = no data in { $time }
answer-connections = { $count ->
        [one] 1 connection, { $bytes } in { $time }
       *[other] { $count } connections, { $bytes } in { $time }
    }

# Who took the time of requests.
answer-client = The client was idle for { $time }; server { $server }, network { $network }.
answer-server = The server took { $time } to answer { $count ->
        [one] one request
       *[other] { $count } requests
    }; network { $network }.
answer-round-trips = { $count ->
        [one] One round trip
       *[other] { $count } round trips
    } took { $time }; transfer { $transfer }, server { $server }.
answer-transfers = Sending { $count ->
        [one] one request and its answer
       *[other] { $count } requests and their answers
    } took { $time }; server { $server }.
answer-client-brief = The client was idle for { $time }.
answer-server-brief = The server took { $time } to answer { $count ->
        [one] one request
       *[other] { $count } requests
    }.
answer-round-trips-brief = { $count ->
        [one] One round trip
       *[other] { $count } round trips
    } took { $time }.
answer-blocks-sent = Each block of { $block } waited for an answer: { $time }.
answer-blocks-asked = Each block of { $block } waited for its own request: { $time }.
answer-blocks-asked-or-allowed = Each { $block } waited for a request or a window update: { $time }.
answer-transfers-brief = Sending { $count ->
        [one] one request and its answer
       *[other] { $count } requests and their answers
    } took { $time }.
answer-overlapping = Requests overlap, so the packets do not show whose time it was.
answer-unasked = One end sends data on its own, without being asked for it.

# What limited a transfer.
answer-healthy = Nothing held it back.
answer-unobserved = The capture does not show why for { $time }.
answer-unobserved-receiver = The receiving host does not show why for { $time }.
answer-unobserved-kernel = The kernel did not report why for { $time }.
answer-handshake = The handshake took { $time }.
answer-handshake-syn-rto = Lost or ignored SYNs took { $time }.
answer-loss-recovery = Repairing losses took { $time }.
answer-loss-recovery-fast = Fast retransmits took { $time }.
answer-loss-recovery-rto = Retransmission timeouts took { $time }.
answer-loss-recovery-tlp = Losses at the tail took { $time }.
answer-loss-recovery-lost-acks = ACKs lost on the way to the sender cost { $time }.
answer-loss-recovery-spurious = Spurious retransmissions took { $time }.
answer-receive-window = The receive window limited it for { $time }.
answer-receive-window-zero-window = The receiver advertised a zero window for { $time }.
answer-receive-window-slow-reader = The receiver read too slowly for { $time }.
answer-receive-window-small-buffer = The receive buffer was too small for { $time }.
answer-receive-window-capped = Autotuning capped the receive window for { $time }.
answer-receive-window-no-window-scale = Without window scaling, the limit was 64 KiB for { $time }.
answer-receive-window-ramp = The receive window was still growing for { $time }.
answer-ack-delay = It waited for delayed ACKs for { $time }.
answer-ack-delay-nagle = Nagle's algorithm delayed small writes for { $time }.
answer-ack-delay-delayed-ack = Small writes waited for delayed ACKs for { $time }.
answer-ack-delay-cork = TCP_CORK kept small writes in the socket for { $time }.
answer-application = The sender had nothing to send for { $time }.
answer-application-think = The sender was slow to respond for { $time }.
answer-application-think-client = The client paused between requests for { $time }.
answer-application-think-unasked = The sender paused between messages for { $time }.
answer-application-idle = The sending application was idle for { $time }.
answer-application-peer-turn = The sender waited for its peer for { $time }.
answer-application-peer-window = The peer's protocol window was too small for { $time }.
answer-application-peer-window-of-client = The client's protocol window of { $window } cost { $time }.
answer-application-peer-window-of-server = The server's protocol window of { $window } cost { $time }.
answer-application-close-wait = All was sent; it was then kept open for { $time }.
answer-application-paced-writes = The sender wrote slowly, at its own pace, for { $time }.
answer-neutral = Nothing held it back; no data to send for { $time }.
answer-tail-rtt = The final round trip took { $time }.
answer-path = The bottleneck was saturated for { $time }.
answer-path-queue = The bottleneck and its queue were full for { $time }.
answer-path-ack-queue = ACKs queued on their way to the sender for { $time }.
answer-path-policer = A policer dropped packets for { $time }.
answer-send-buffer = The sender's socket buffer was too small for { $time }.
answer-slow-start = Slow start took { $time }.
answer-congestion-window = The congestion window limited it for { $time }.
answer-congestion-window-post-loss = Losses kept the congestion window small for { $time }.
answer-congestion-window-post-mark = ECN marks kept the congestion window small for { $time }.
answer-congestion-window-delay-exit = Slow start ended too early: it cost { $time }.
answer-congestion-window-paced = The sender paced itself for { $time }.
answer-congestion-window-other = Congestion window or send buffer limited it for { $time }.

# All causes of one family together.
answer-all-loss = Packet loss cost { $time }.
answer-all-receive-window = The receive window limited it for { $time }.
answer-all-ack-delay = Small writes and delayed ACKs took { $time }.
answer-all-path = The bottleneck was saturated for { $time }.
answer-all-congestion-window = The congestion window limited it for { $time }.

# What to change.
answer-predicted = { $fix }: about { $then } instead of { $now }.
answer-at-best = { $fix }: { $low } at best instead of { $now }.
answer-predicted-brief = { $fix }: about { $then }, now { $now }.
answer-by-path = { $fix }: { $fast } over { $fast-rate }, { $slow } over { $slow-rate }, now { $now }.
answer-at-best-brief = { $fix }: { $low } at best, now { $now }.
answer-predicted-found = { $fix }: once fixed, about { $then }, now { $now }.
answer-at-best-found = { $fix }: once fixed, { $low } at best, now { $now }.
answer-fix-alone = { $fix }.
answer-either = { $fix }, or { $rival }
answer-nothing = Nothing to change.
answer-not-shown = This capture does not show what to change.
answer-look-at-sender = Run tcpwhy live on { $sender } while it lasts: this capture does not show why.
answer-look-at-server = Capture at { $server } too: this capture does not show why.
answer-not-shown-kernel = The kernel's data about this socket does not show what to change.
answer-peer-side = Look at the program on { $peer }: the sender waited for it.
answer-if-intended = If this is intended, nothing is wrong.
answer-no-setting = No setting fixes this.
answer-profile = Profile what { $service } does between a request and its answer.
answer-scan = Ask who runs { $client }: this is a port scan.
answer-show-connection = See what held it back: { $command }
answer-show-problem = See what these connections did: { $command }
answer-clock = Times are unreliable: the capture clock is wrong on { $count } of { $all } connections.

# Nothing is wrong.
problem-none-aside = No connection failed or waited long; number { $n } lost { $time }.
problem-none = Nothing is wrong: no connection failed or waited long.
problem-none-largest = Nothing is wrong. Largest, number { $n }: { $sentence }
problem-none-probes = Nothing is wrong. Probes: { $sentence }
problem-none-short = Nothing is wrong; transfers are short: at most { $bytes } (number { $n }).
problem-none-transfer = Nothing is wrong. Largest, number { $n }: { $bytes } in { $time }.

heading-problems = Problems
heading-services = Services
problem-example = Example: number { $n }, from packet { $packet } on.
problems-more = { $count ->
        [one] One more problem: --problem { $next } shows its connections.
       *[other] { $count } more problems: --problem { $next } and on show their connections.
    }
hint-problem = --problem 1 shows the connections of a problem; --connection { $n } shows one in detail.
no-such-problem = there is no problem { $n }: the capture has { $count }.
services-more = { $count ->
        [one] One more service.
       *[other] { $count } more services.
    }

services-wrong-clock = { $count ->
        [one] The times of 1 connection are left out: the capture's clock is wrong.
       *[other] The times of { $count } connections are left out: the capture's clock is wrong.
    }
column-service = service
column-failed = failed
column-reset = reset
column-requests = requests
column-median = median
column-p95 = p95
column-server-time = server
column-network-time = network
column-client-time = client

# Requests and answers of one connection.
heading-exchanges = Requests and answers
exchanges-parts = { $count ->
        [one] 1 request
       *[other] { $count } requests
    }: { $parts }
exchanges-part-client = client { $time }
exchanges-part-server = server { $time }
exchanges-part-network = network { $time }
exchanges-part-round-trips = round trips { $time }
exchanges-part-transfer = transfer { $time }
exchanges-limit = { $limit } { $time }
exchanges-limits = Transfer by limit: { $limits }
exchanges-range = RTT varied, so server time is uncertain: { $low } to { $high }.
exchanges-range-client = RTT varied, so client time is uncertain: { $low } to { $high }.
exchanges-spread = Time per request: median { $median }, p95 { $p95 }, slowest { $max }
exchanges-spread-server = Server's part: median { $median }, p95 { $p95 }, slowest { $max }
exchanges-slowest = Slowest, from packet { $packet }: { $time } for { $bytes }; server { $server }, transfer { $transfer }
exchanges-slowest-limit = Slowest, from packet { $packet }: { $time } for { $bytes }; server { $server }, transfer { $transfer }, of which { $limit } { $limited }
exchanges-opening-greeting = The server's greeting took { $time }
exchanges-opening-tls = The TLS handshake took { $time }
exchanges-overlapping = Several requests at a time: no answer can be timed alone. In { $count } bursts the server's first byte came within { $low } to { $high }.
exchanges-interactive = Interactive: a person types. No time is lost.
exchanges-long-poll = The client polls: the server keeps each request until it has news.

# What it was not.
answer-excluded-separator = {"; not "}
answer-excluded = Not { $list }.
answer-excluded-window = the receive window ({ $free } free)
answer-excluded-loss = loss ({ $count } of { $all } segments retransmitted)
answer-excluded-path = the path ({ $rate } used of { $path })
