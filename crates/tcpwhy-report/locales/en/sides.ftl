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
