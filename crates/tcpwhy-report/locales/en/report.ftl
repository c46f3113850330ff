# The frame of the report: units, headings, tables, notes.

unit-bytes = { $n } B
unit-nanoseconds = { $n } ns
unit-microseconds = { $n } µs
unit-milliseconds = { $n } ms
unit-seconds = { $n } s
unit-minutes-seconds = { $large } min { $small } s
unit-hours-minutes = { $large } h { $small } min
unit-days-hours = { $large } d { $small } h
unit-count = { $n }
unknown = unknown
yes = yes
no = no

list-separator = {", "}
fact-separator = {"; "}
sentence-separator = {" "}
sentence = { $text }.
cause-details = { $limit } ({ $details })
verdict-alternative = It could also be the { $other }; { $decider } would decide.
verdict-related = Together with { $others }: { $seconds } ({ $share }).
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
head-totals =
    { $count } connections carried { $bytes } in { $time }; { $lossy ->
        [0] none has time to save.
        [one] 1 could save time.
       *[other] { $lossy } could save time.
    }
# One connection of several that failed; then how many more did.
head-failed = Number { $n }, { $direction }: { $sentence }
head-failed-alike = { $text } { $count ->
        [one] One more connection between the two ended alike.
       *[other] { $count } more connections between the two ended alike.
    }
head-worst = Worst is number { $n }, { $direction }: { $sentence }
head-busiest = Largest that was not mostly idle is number { $n }, { $direction }: { $sentence }
head-largest = Largest is number { $n }, { $direction }: { $sentence }
head-fix-predicted = { $fix } ({ $place }): about { $then } ({ $low } to { $high }) instead of { $now }.
head-fix-at-best = { $fix } ({ $place }): up to { $times } times faster (now { $now }).
head-fix-untried = { $fix } ({ $place }): up to { $times } times faster (now { $now }); the path was never tried.
head-fix-little = { $fix } ({ $place }): little gain on its own: { $low } to { $high }, now { $now }.
head-fix = { $fix } ({ $place }).
head-fix-rival = Or: { $fix } ({ $place }). The packets do not show which of the two it is.
head-healthy = Nothing to change.
head-cannot-tell = What to change cannot be told from this capture.
head-other-direction = Nothing to change at the sender: the other direction says what its peer did meanwhile.
head-meant = If these pauses are intended, there is nothing to change.
head-clock-contradicted =
    Warning: the capture's clock is wrong. It disagrees with the TCP timestamps { $all ->
        [1] of the connection
       *[other] in { $count } of { $all } connections
    }: times in this report mean nothing there, and no cause is named.
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
range-empty = --from { $from } does not lie before --to { $to }
range-impossible = --from or --to lies beyond what a capture can hold
standard-input = standard input
wrote = wrote { $path } ({ $size })
wrote-files = wrote { $count } files to { $path } ({ $size })
svg-of-another-capture = { $path } is not a picture of this capture: nothing was written; --overwrite replaces it, another folder keeps both
svg-time-outside = --svg-time { $from } s to { $to } s is outside of every connection: the longest is { $longest }
svg-time-outside-one = --svg-time { $from } s to { $to } s is outside of the connection, which takes { $longest }
svg-time-outside-some = --svg-time { $from } s to { $to } s is outside of { $count ->
        [one] 1 connection, which has
       *[other] { $count } connections, which have
    } no picture
head-no-data =
    { $count ->
        [one] 1 connection, which carried no data.
       *[other] { $count } connections, none of which carried data.
    }

heading-limits = Where the time went
heading-findings = Findings
heading-doubts = Could be either
heading-connection = The connection as a whole
heading-without-data = Without data
heading-capture = What was read
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
fact-vantage-middle = captured between the two
fact-vantage-unknown = capture point unknown
fact-no-syn = capture started mid-connection

doubt = { $seconds } ({ $share }): { $a } or { $b }; { $decider } would decide.

finding-title = { $title } ({ $rule }, confidence { $confidence })
fix-as-above = Fix in the { $place }, as above: { $fix }
fix-label = Fix in the { $place }
fix-label-rival = Or fix in the { $place }: the packets do not show which of the two it is
prediction-label = After that:{" "}
prediction-gain = about { $then } ({ $low } to { $high }) instead of { $now }. Next limit: { $next }. { $why }
prediction-at-best = up to { $times } times faster: at least { $low } instead of { $now }. Next limit: { $next }. { $why }
prediction-little = little gain on its own: { $low } to { $high }, now { $now }. Next limit: { $next }. { $why }

timeline-coarsened = Many short intervals: some were absorbed by their neighbours here; the totals are exact.

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
groups-by-cause = By what held them back
groups-more = --top N shows { $count } more.
spent = Where their { $total } went: { $parts }.
spent-part = { $limit } { $share }
spent-waiting =
    { $count ->
        [one] 1 connection ({ $total }), idle or interactive for most of its time, is kept apart.
       *[other] { $count } connections ({ $total }), idle or interactive for most of their time, are kept apart.
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
saving-upper-bound = ≤: at most; what a change would bring there is not predicted.
column-limit = held back by
hint-connection = --connection { $n } shows that one in detail; --top N shows more; --filter, --limit and --severity select.

failures-unanswered =
    { $count ->
        [one] 1 connection to { $to } never got an answer.
       *[other] { $count } connections to { $to } never got an answer.
    }
failures-refused =
    { $count ->
        [one] 1 connection to { $to } was refused.
       *[other] { $count } connections to { $to } were refused.
    }
heading-across-connections = Across connections
across-finding = { $title }: { $sentence }
across-more =
    { $count ->
        [one] Of one more pair of client and server the same was found.
       *[other] Of { $count } more pairs of client and server the same was found.
    }
failures-rest =
    { $count ->
        [one] 1 more failed elsewhere.
       *[other] { $count } more failed elsewhere.
    }
empty-connections =
    { $count ->
        [one] 1 connection carried no data.
       *[other] { $count } connections carried no data.
    }

fact-times = { $from } to { $to }
heading-limits-between = Where the time went from { $from } to { $to } ({ $start } to { $end } from the start)
capture-line-from = { $path }: { $format }, { $packets } packets ({ $segments } TCP), { $bytes } on the wire, { $time } from { $start } on
capture-line = { $path }: { $format }, { $packets } packets ({ $segments } TCP), { $bytes } on the wire, { $time }
capture-warning = tcpwhy: { $path }: { $text }
anonymize-key-visible = the key on the command line can be read by everybody on this machine while this runs; put it into a file: --anonymize-key-file FILE
anonymize-key-readable = { $path } can be read by others than you: whoever has the key can undo the replacement of addresses

rules-hint = tcpwhy rules ID explains one.
rule-heading = { $title } ({ $rule })
rule-limits = Explains: { $limits }

## tcpwhy serve

serve-reachable = { $address } can be reached from other hosts. Whoever has the address below sees these captures, and so does whoever sees the traffic: it is not encrypted.

## tcpwhy compare

compare-head-ends =
    { $count ->
        [one] The same connection, captured at two places.
       *[other] The same { $count } connections, captured at two places.
    }
compare-head-captures = { $count } pairs of connections between the same hosts, for the same port.
compare-head-connections = Two connections.
compare-only = Without a counterpart: { $a } in A, { $b } in B.
compare-more = --top N shows { $count } more.
compare-alike =
    { $count ->
        [one] 1 pair is alike: the same limit, times within 10%.
       *[other] { $count } pairs are alike: the same limit, times within 10%.
    }
compare-nothing = nothing in the two captures belongs together: neither the same connections nor connections between the same hosts for the same port; --connections N:M compares any two
compare-full = { $name } holds more packets than can be held against another capture: what was lost and delayed is told of its beginning
compare-no-such-connection = there is no connection { $n } that carried data
compare-one-place = Too little passed both ways to hold the two against each other, or both were captured at one place.
compare-both = From both captures together
compare-way = { $from } → { $to } (from { $near } to { $far }): { $text }.
compare-lost = { $lost } of { $sent } ({ $share }) lost between the two
compare-lost-nothing = nothing of { $sent } lost between the two
compare-lost-unknown = { $arrived } arrived but only { $sent } was seen to leave, so a capture misses packets
compare-delay = one-way delay above its least: median { $median }, p95 { $p95 }, at most { $max } at { $at } ({ $samples } packets)
compare-clock-ahead = There and back takes at least { $round_trip }. B's clock is { $offset } ahead of A's, if both ways have the same least delay; changes of the delay do not depend on that.
compare-clock-behind = There and back takes at least { $round_trip }. B's clock is { $offset } behind A's, if both ways have the same least delay; changes of the delay do not depend on that.
compare-row-bytes = bytes
compare-row-time = time
compare-row-rate = rate
compare-row-retransmitted = retransmitted
compare-row-rtt = RTT, median
compare-row-flight = in flight, median
compare-row-window = receive window, median
compare-row-limit = held back by
compare-said = { $letter }: { $sentence }
compare-said-sender = { $letter }, at the sender: { $sentence }
compare-said-receiver = { $letter }, at the receiver: { $sentence }
compare-whom-to-believe = What held the sender back is seen best at the sender; what arrived, and when, at the receiver.
