# Two captures beside each other (`tcpwhy compare`), and both legs of a proxy in one capture.

sides-heading-problems = Problems, A → B
sides-no-problems = Neither capture has a problem.
sides-new = new
sides-worse = worse
sides-gone = gone
sides-better = better
sides-same = same
sides-only-before = only in A
sides-only-after = only in B

# `$connections` is `1 of 20 → 3 of 21`, `$lost` is `1.00 s → 3.00 s`.
sides-problem = { $server }, { $what }: { $connections } connections
sides-problem-lost = { $server }, { $what }: { $connections } connections, { $lost } lost
sides-of = { $count } of { $all }
sides-more-problems = { $count ->
        [one] One more problem: --json lists it.
       *[other] { $count } more problems: --json lists them.
    }

# What is wrong, in a few words.
sides-failed-unanswered = SYN unanswered
sides-failed-refused = refused
sides-failed-reset-by-client = reset by the client
sides-failed-reset-by-server = reset by the server
sides-failed-reset-between = reset by a device between
sides-failed-timed-out = packets stopped arriving
sides-failed-unfinished = ended with data unsent
sides-failed-request-unanswered = request unanswered
sides-failed-handshake-incomplete = handshake never completed
sides-failed-large-vanished = full-sized segments vanish
sides-failed-idle-close = closed while idle, a request was lost
sides-scan-unanswered = port scan, SYNs unanswered
sides-scan-handshake-incomplete = port scan, handshakes not completed
sides-scan-refused = port scan, refused
sides-trace-unanswered = path traced, SYNs unanswered
sides-trace-handshake-incomplete = path traced, handshakes not completed
sides-trace-refused = path traced, refused
sides-flood-unanswered = SYN flood, unanswered
sides-strays-unanswered = single SYNs from outside, unanswered
sides-strays-refused = single SYNs from outside, refused
sides-peers-unanswered = peers that did not answer
sides-client-unanswered = addresses that did not answer
sides-slow-server = server slow to respond
sides-slow-round-trips = a round trip per request

sides-heading-services = Services, A → B
sides-column-service = service
sides-column-connections = connections
sides-column-failed = failed
sides-column-median = request median
sides-column-p95 = request p95
sides-column-server-median = server median
sides-column-server-p95 = server p95
sides-more-services = { $count ->
        [one] One more service: --json lists it.
       *[other] { $count } more services: --json lists them.
    }

sides-only-services = No connection with data has a counterpart: services and problems are compared.

# Both legs of what passes connections on.
legs-relay = { $outer } is relayed as { $inner } ({ $count ->
        [one] 1 pair
       *[other] { $count } pairs
    }).
legs-slower = {" "}The leg { $leg } is the slower one: { $cause }.
legs-clients = several clients
legs-more = { $count ->
        [one] One more relay: --json lists it.
       *[other] { $count } more relays: --json lists them.
    }

# The first line of a comparison. `$why` is one of the clauses below it, `$limit` and `$other` name limits.
contrast-second-transfer = B is { $times } times as fast ({ $a } → { $b }): { $why }.
contrast-other-transfer = B is { $times } times as fast as A ({ $b } and { $a }): { $why }.
contrast-first-transfer = A is { $times } times as fast as B ({ $a } and { $b }): { $why }.
contrast-equal-transfer = A and B are about as fast ({ $a } and { $b }): { $why }.
contrast-second-requests = B's requests are { $times } times as fast (median { $a } → { $b }): { $why }.
contrast-other-requests = B's requests are { $times } times as fast as A's (median { $b } and { $a }): { $why }.
contrast-first-requests = A's requests are { $times } times as fast as B's (median { $a } and { $b }): { $why }.
contrast-equal-requests = Requests of A and B are about as fast (median { $a } and { $b }): { $why }.

contrast-neither = nothing limits either
contrast-same = { $limit } limits both
contrast-same-reason = { $same }; { $reason }
contrast-only = { $limit } limits { $letter }, nothing limits { $rest }
contrast-each = { $limit } limits { $letter }, { $other } limits { $rest }
contrast-gone = { $limit } no longer limits it, and nothing else does
contrast-gone-loss = no loss now, and no other limit
contrast-next = { $limit } no longer limits it; { $next } is the next limit
contrast-next-loss = no loss now; { $next } is the next limit
contrast-now = nothing limited A; { $next } limits B

contrast-reason-round-trip = A's RTT is { $a }, B's { $b }
contrast-reason-flight = A has { $a } in flight, B { $b }
contrast-reason-window = A's receive window is { $a }, B's { $b }
contrast-reason-retransmitted = A retransmitted { $a }, B { $b }

contrast-limit-nothing = nothing
contrast-limit-handshake = the handshake
contrast-limit-loss = packet loss
contrast-limit-receive-window = the receive window
contrast-limit-ack-delay = the ACK delay
contrast-limit-application = the sending application
contrast-limit-think = the sender's think time
contrast-limit-idle = an idle sender
contrast-limit-peer-turn = the wait for the peer
contrast-limit-peer-window = the peer's protocol window
contrast-limit-paced-writes = the application's own pace
contrast-limit-close-wait = the wait for the close
contrast-limit-path = the path
contrast-limit-policer = a policer
contrast-limit-send-buffer = the send buffer
contrast-limit-slow-start = slow start
contrast-limit-congestion-window = the congestion window
contrast-limit-tail-rtt = the final round trip
contrast-limit-unobserved = a limit that the capture does not show
contrast-party-client = the client
contrast-party-server = the server
contrast-party-round-trips = the round trip
contrast-party-transfers = the transfer

contrast-directions-client = A and B cannot be compared: the client sends in A, the server in B.
contrast-directions-server = A and B cannot be compared: the server sends in A, the client in B.
contrast-clock = A and B cannot be compared: the clock of { $letter } is wrong.
contrast-little = A and B cannot be compared: { $letter } has hardly any data ({ $bytes }).
contrast-kinds = A and B cannot be compared: { $letter } has { $count } requests, { $other } one transfer.
contrast-paced = A and B cannot be compared: in { $letter } a person or events set the pace.
contrast-failed = { $letter } failed ({ $what }); { $other } sent { $bytes } in { $time }.
contrast-failed-alike = A and B failed alike ({ $what }).
contrast-failed-both = A and B failed: A ({ $a }), B ({ $b }).

# Both ends of one connection.
contrast-ends = One connection: A saw it { $a }, B { $b }.
contrast-ends-many = The largest of { $count } connections: A saw it { $a }, B { $b }.
contrast-place-sender = at the sender
contrast-place-receiver = at the receiver
contrast-place-middle = between the ends
contrast-place-unknown = at an unknown place
contrast-trust-nothing = Neither shows a limit.
contrast-trust-both = Both name one limit: { $limit }.
contrast-trust-neither = A names { $a }, B names { $b }, and neither is surer.
contrast-trust-one = Trust { $letter }: { $limit } limits it. { $other } names { $wrong }.
contrast-trust-sender = Trust { $letter }, the sender's capture: { $limit } limits it. { $other } names { $wrong }.
contrast-lost-nothing = No data was lost between A and B.
contrast-lost = { $lost } of { $all } ({ $share }) was lost between A and B.

# Two captures of many connections.
contrast-problem-new = B has a new problem: { $problem }.
contrast-problem-worse = A problem is worse in B: { $problem }.
contrast-problem-gone = A problem is gone in B: { $problem }.
contrast-problem-better = A problem is smaller in B: { $problem }.
contrast-problem-counts = New or worse problems: { $worse }. Gone or smaller: { $better }.
contrast-service-second = Requests to { $server } are { $times } times as fast in B (median { $a } → { $b }).
contrast-service-first = Requests to { $server } take { $times } times as long in B (median { $a } → { $b }).
contrast-pairs = { $n } of { $all } pairs of connections differ by more than 10% or in their limit.
contrast-nothing-shared = A and B cannot be compared: they have no server in common.
contrast-alike = A and B are alike where they share a server: no new problem, and times within 10%.
