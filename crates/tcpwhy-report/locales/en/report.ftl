# The frame of the report: units, headings, tables, notes.

unit-bytes = { $n } B
unit-nanoseconds = { $n } ns
unit-microseconds = { $n } µs
unit-milliseconds = { $n } ms
unit-seconds = { $n } s
unit-minutes-seconds = { $large } min { $small } s
unit-hours-minutes = { $large } h { $small } min
unit-days-hours = { $large } d { $small } h
unit-part-of = { $part } of { $all }
unit-count = { $n }
unknown = unknown
yes = yes
no = no

list-separator = {", "}
fact-separator = {"; "}
sentence-separator = {" "}
sentence = { $text }.
cause-details = { $limit } ({ $details })
verdict-alternative = Possibly the { $other } instead; { $decider } would settle it.
verdict-related = With { $others } included: { $seconds } ({ $share }).
direction = { $from } → { $to }

basis-kernel-reported = kernel
basis-wire-exact = exact
basis-wire-inferred = inferred
basis-assumed = assumed

severity-info = note
severity-warning = warning
severity-critical = critical

place-sending-application = sending application
place-receiving-application = receiving application
place-sending-host = sending host
place-receiving-host = receiving host
place-network = network
place-capture = capture

# The first three lines.
head-transfer = { $from } → { $to }: { $bytes } in { $time }, { $rate }
head-transfer-no-rate = { $from } → { $to }: { $bytes } in { $time }
# An end of the connection and what it is to it.
end-client = { $end } (client)
end-server = { $end } (server)
# One connection of several that failed; then how many more did.
head-fix = { $fix } ({ $place }).
head-healthy = Nothing to change.
head-no-fix = There is no setting that would take this away.
head-no-connections = No TCP connection found.
head-all-excluded =
    { $count ->
        [one] The only connection there is does not match the filter.
       *[other] None of the { $count } connections matches the filter.
    }
head-none-in-range = No connection that was asked for lies between --from and --to (connections captured: { $count }).
no-such-connection =
    there is no connection { $n }: { $count ->
        [0] no connection was found
        [one] the only one is number 0
       *[other] { $count } were found, numbered 0 to { $last }
    }
progress-stream = { $name }: { $bytes }, connections so far: { $connections }; Ctrl-C stops reading and prints the report
progress-captures = Captures read: { $captures } { $name }
range-empty = --from { $from } is not before --to { $to }
range-impossible = --from or --to is outside the times that a capture can contain
standard-input = standard input
wrote = wrote { $path } ({ $size })
wrote-files = wrote { $count } files to { $path } ({ $size })
svg-of-another-capture = nothing was written, because { $path } is not a picture of this capture; --overwrite replaces it, another folder keeps both
svg-time-outside = --svg-time { $from } s to { $to } s is outside every connection; the longest lasts { $longest }
svg-time-outside-one = --svg-time { $from } s to { $to } s is outside the connection, which lasts { $longest }
svg-time-outside-some = --svg-time { $from } s to { $to } s is outside { $count ->
        [one] 1 connection: it has no picture
       *[other] { $count } connections: they have no pictures
    }

heading-limits = Where the time went
heading-limits-kernel = Where the time went, by kernel and packets
heading-findings = Findings
heading-doubts = Could be either
heading-connection = The connection as a whole
heading-capture = Captures
heading-timeline = Timeline (seconds from the start, time of day)

bars-rest = the rest

fact-rtt = RTT { $median } (min { $low }, p95 { $high }; { $basis })
fact-flight = in flight { $median }, at most { $max }
fact-flight-at-most = in flight at most { $max }
fact-window = window { $median } ({ $low } to { $max })
fact-window-unknown = window scale unknown
fact-no-scaling = no window scaling
fact-mss = MSS { $value }
fact-vantage-sender = captured at the sender
fact-vantage-receiver = captured at the receiver
fact-vantage-middle = captured between the two hosts
fact-vantage-unknown = capture point unknown
fact-no-syn = capture started mid-connection

doubt = { $seconds } ({ $share }): { $a } or { $b }; { $decider } would settle it.

finding-title = { $title } ({ $rule }, confidence { $confidence })
fix-above = { $fix } (as above)
fix-number = Fix { $number } of { $count }
fix-number-rival = Or fix { $number } of { $count }
fix-other-code = (code for { $names }: --code { $first } | all)
fix-place = [{ $place }]
fix-rival-why = The packets do not show whether this fix or the one before it is needed. One of the two is enough.
prediction-label = After that:{" "}
prediction-together-label = All of these together:{" "}
prediction-gain = about { $then } ({ $low } to { $high }) instead of { $now }. Next limit: { $next }. { $why }
prediction-at-best = up to { $times } times faster: at least { $low } instead of { $now }. Next limit: { $next }. { $why }
prediction-by-path = { $fast } if the path carries { $fast-rate }, { $slow } at { $slow-rate }, instead of { $now }. Next limit: { $next }. { $why }
prediction-little = little gain on its own: { $low } to { $high }, now { $now }. Next limit: { $next }. { $why }

timeline-coarsened = The timeline merges many short intervals into their neighbours; the totals are exact.

table-heading =
    { $shown ->
        [1] The connection with the largest potential saving, of { $count }
       *[other] The { $shown } connections with the largest potential savings, of { $count }
    }
table-heading-all = Largest potential saving first
table-heading-bytes = Most bytes first
table-heading-time = Longest first
table-heading-retransmissions = Most retransmissions first
column-retransmitted = retransmitted
column-connections = connections
column-longest = longest
column-most-lost = largest saving
column-group = group
groups-by-host = By server, { $count } in all
groups-by-port = By port of the server, { $count } in all
groups-by-cause = By limit
groups-more = --top N shows { $count } more.
# Below the ten connections that a notebook shows.
notebook-more =
    { $count ->
        [one] 1 more connection
       *[other] { $count } more connections
    }
spent = Where the connections' { $total } went: { $parts }.
spent-part = { $limit } { $share }
spent-waiting =
    { $count ->
        [one] 1 connection ({ $total }) was idle or interactive most of the time and is not counted here.
       *[other] { $count } connections ({ $total }) were idle or interactive most of the time and are not counted here.
    }
spent-wrong-clock =
    { $count ->
        [one] 1 connection ({ $total }) is not counted here: the capture's clock is wrong.
       *[other] { $count } connections ({ $total }) are not counted here: the capture's clock is wrong.
    }
table-nothing = nothing
column-number = #
column-start = start
column-ends = from → to
column-bytes = bytes
column-time = time
column-rate = rate
column-lost = saving
column-share = share
saving-upper-bound = ≤: upper bound; the effect of a fix is not predicted there.
column-limit = limited by
hint-connection = --connection { $n } shows that connection in detail; --top N lists more; --filter, --limit and --severity select connections.

heading-across-connections = Across connections
across-finding = { $title }: { $sentence }
across-more =
    { $count ->
        [one] The same holds for one more client/server pair.
       *[other] The same holds for { $count } more client/server pairs.
    }
empty-connections =
    { $count ->
        [one] 1 connection carried no data.
       *[other] { $count } connections carried no data.
    }

fact-times = { $from } to { $to }
heading-limits-between = Where the time went from { $from } to { $to } ({ $start } to { $end } after the start)
capture-line-from = { $path }: { $format }, { $packets } packets ({ $segments } TCP), { $bytes } on the wire, { $time }, starting { $start }
capture-line = { $path }: { $format }, { $packets } packets ({ $segments } TCP), { $bytes } on the wire, { $time }
capture-warning = tcpwhy: { $path }: { $text }
anonymize-key-visible = every user of this machine can read the key on the command line while tcpwhy runs; put it into a file: --anonymize-key-file FILE
anonymize-key-readable = other users can read { $path }: with this key they can restore the replaced addresses

rules-hint = tcpwhy rules ID explains a rule.
rule-heading = { $title } ({ $rule })
rule-limits = Explains: { $limits }

## tcpwhy serve

serve-reachable = Other hosts can reach { $address }. Everybody who has the address below can see these captures. So can everybody who sees the traffic: it is not encrypted.

## tcpwhy compare

compare-head-ends =
    { $count ->
        [one] The same connection, captured at two places.
       *[other] The same { $count } connections, captured at two places.
    }
compare-head-ends-bare =
    { $bare ->
        [one] The same connection without data, captured at two places.
       *[other] The same { $bare } connections without data, captured at two places.
    }
compare-bare =
    { $bare ->
        [one] 1 more connection has no data in one of them.
       *[other] { $bare } more connections have no data in one of them.
    }
compare-head-captures = { $count } pairs of connections between the same hosts, to the same port.
compare-head-connections = Two connections.
compare-only = Without a counterpart: { $a } in A, { $b } in B.
compare-more = --top N shows { $count } more.
compare-alike =
    { $count ->
        [one] 1 pair is alike: the same limit, times within 10%.
       *[other] { $count } pairs are alike: the same limit, times within 10%.
    }
compare-full = { $name } has too many packets to compare them all: loss and delay cover only its beginning
compare-one-place = Cannot compare the two captures: too few packets match in both directions, or both captures come from one place.
compare-both = From both captures together
compare-way = { $from } → { $to } (from { $near } to { $far }): { $text }.
compare-lost = { $lost } of { $sent } ({ $share }) lost between the two captures
compare-lost-nothing = none of { $sent } was lost between the two captures
compare-lost-unknown = { $arrived } arrived, but only { $sent } was captured on departure: one capture misses packets
compare-delay = one-way delay above its minimum: median { $median }, p95 { $p95 }, at most { $max } at { $at } ({ $samples } packets)
compare-clock-ahead = The round trip between A and B takes at least { $round_trip }. B's clock is { $offset } ahead of A's, if both directions have the same minimum delay. Delay changes do not depend on that.
compare-clock-behind = The round trip between A and B takes at least { $round_trip }. B's clock is { $offset } behind A's, if both directions have the same minimum delay. Delay changes do not depend on that.
compare-row-bytes = bytes
compare-row-time = time
compare-row-rate = rate
compare-row-retransmitted = retransmitted
compare-row-rtt = RTT, median
compare-row-flight = in flight, median
compare-row-window = receive window, median
compare-row-limit = limited by
compare-said = { $letter }: { $sentence }
compare-said-sender = { $letter }, at the sender: { $sentence }
compare-said-receiver = { $letter }, at the receiver: { $sentence }
compare-trust = Trust { $letter } for what limited it: its confidence is { $high }, that of { $other } { $low }.

# Handshakes as both captures show them. `$facts` is a list of those below, `$packets` is SYN, SYN-ACK or
# both.
compare-syn = SYN of { $end }: { $facts }.
compare-syn-ack = SYN-ACK of { $end }: { $facts }.
compare-syn-unchanged = The options of SYN and SYN-ACK pass unchanged. Hop limits: SYN { $syn_a } at A and { $syn_b } at B, SYN-ACK { $answer_a } at A and { $answer_b } at B.
compare-fact-mss = MSS { $value }
compare-fact-window-scale = window scale { $value }
compare-fact-sack = SACK permitted
compare-fact-timestamps = timestamps
compare-fact-hop-limit = hop limit { $value }
compare-fact-count = sent { $value } times
compare-fact-differs = { $fact } at A and { $value } at B
compare-fact-only = { $fact } at { $with }, not at { $without }
compare-clamped-one-way = A device between A and B lowers the MSS for segments to { $limited }, but not for segments to { $unlimited }. Clamp the MSS in both directions.
compare-changed-mss = A device between A and B changes the MSS in the { $packets }.
compare-changed-window-scale = A device between A and B changes the window scale in the { $packets }: the ends disagree about window sizes.
compare-changed-sack = A device between A and B changes SACK permitted in the { $packets }: repairs of losses are slower.
compare-changed-timestamps = A device between A and B changes the timestamps option in the { $packets }.

# Data that only one of the captures has. `$near` has it, `$far` lacks it.
compare-unseen-size = From { $at } on, full-sized segments of { $from } ({ $smallest } bytes and more) vanish between { $near } and { $far }. Those of up to { $passed } bytes pass.
compare-unseen = { $far } never shows { $bytes } that { $from } sent from { $at } on ({ $segments ->
        [one] 1 segment
       *[other] { $segments } segments
    }, retransmissions included).
compare-unseen-uncovered = { $far } has no packet after that: its capture may have ended.

# Connections of which a capture has no data: what became of them. `$near` has what `$far` lacks.
compare-heading-attempts = Connections without data in A or B
compare-attempts = { $server }, { $count ->
        [one] 1 connection
       *[other] { $count } connections
    }
compare-more-attempts = { $count ->
        [one] One more group: --json lists it.
       *[other] { $count } more groups: --json lists them.
    }
compare-fate-syn-lost = { $syns ->
        [one] A SYN of { $client } passes { $near }
       *[other] { $syns } SYNs of { $client } pass { $near }
    } and { $syns ->
        [one] never reaches
       *[other] never reach
    } { $far }. Check filters and the route from { $client } to { $server }.
compare-fate-syn-ack-lost = The SYN arrives, and { $syn_acks ->
        [one] a SYN-ACK passes { $near }
       *[other] { $syn_acks } SYN-ACKs pass { $near }
    } but { $syn_acks ->
        [one] never reaches
       *[other] never reach
    } { $far }. Check filters and the route from { $server } to { $client }.
compare-fate-ack-lost = The SYN-ACK arrives, and the ACK of { $client } passes { $near } but never reaches { $far }. Check filters and the route from { $client } to { $server }.
compare-fate-data-lost = The handshake passes both captures.
compare-fate-unanswered = SYNs of { $client } pass both captures, and no answer passes either. Check the firewall and the listener on { $server }.
compare-fate-refused = The SYN of { $client } passes both captures, and a reset answers it. Check the listener on { $server }.
compare-fate-unacknowledged = SYN-ACKs pass both captures, and { $client } acknowledges none. Check the firewall of { $client }.

# Many captures.

tables-left-out = left out { $count ->
        [one] { $count } capture that has its rows
       *[other] { $count } captures that have their rows
    } already
tables-doubled = { $count ->
        [one] { $count } capture has
       *[other] { $count } captures have
    } rows in other files of { $path } too, so queries count them twice: use the same --part, or --resume
tables-capture-changed = { $name } was left out, but has changed since its rows were written: { $before } bytes then, { $now } bytes now
gate-share = --fail-on { $gate }: { $place } spent { $time } of { $total } ({ $share }) under { $limit }{ $more ->
        [0] {""}
        [one] ; one more connection is over it
       *[other] ; { $more } more connections are over it
    }
gate-verdict = --fail-on { $gate }: the verdict on { $place } is { $limit }, for { $time } of { $total } ({ $share }){ $more ->
        [0] {""}
        [one] ; one more connection has it
       *[other] ; { $more } more connections have it
    }
gate-finding = --fail-on { $gate }: { $title } ({ $rule }, { $severity }){ $more ->
        [0] {""}
        [one] ; one more finding is over it
       *[other] ; { $more } more findings are over it
    }
gate-not-read = --fail-on { $gate } could not be checked: { $parts } not read
gate-needs-path = --fail-on { $gate } checks a path: give --path RATE,RTT
gate-nothing-measured = --fail-on checked nothing: no selected connection has a direction with data whose limits are known
gate-capture-not-measured = --fail-on checked nothing in { $name }{ $more ->
        [0] {""}
        [one] {" "}and 1 more capture
       *[other] {" "}and { $more } more captures
    }: no connection with data whose limits are known
captures-failed = { $failed } of { $count } captures could not be read
no-captures = found no captures; { $count ->
        [one] { $count } file was
       *[other] { $count } files were
    } passed over
no-captures-but-folders = found no captures; { $count ->
        [one] { $count } file was
       *[other] { $count } files were
    } passed over. -r reads the files in { $folders ->
        [one] { $folders } folder
       *[other] { $folders } folders
    } too
collection-captures = { $count ->
        [one] { $count } capture
       *[other] { $count } captures
    }
collection-failed = { $count } could not be read.
collection-passed-over = { $count ->
        [one] { $count } file was passed over: not a capture, hidden, or a link.
       *[other] { $count } files were passed over: not a capture, hidden, or a link.
    }
collection-folders = { $count ->
        [one] { $count } folder was passed over; -r reads its files too.
       *[other] { $count } folders were passed over; -r reads their files too.
    }
collection-heading-time = Time connections spent under each limit
collection-heading-problems = Captures by their gravest problem
collection-column-limit = limit
collection-column-time = time
collection-column-share = share
collection-column-problem = problem
collection-column-captures = captures
