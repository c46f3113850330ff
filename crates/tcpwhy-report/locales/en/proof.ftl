# tcpwhy lab score: how often the answer is right for transfers with a known cause.

score-count = { $captures } captures judged, { $left-out } recordings left out because their emulated link was late or a capture incomplete, { $failed } failed.
score-failed = FAILED { $name }: { $why }
score-left-out = left out { $name }: { $why }
score-run = { $mark } { $name }, { $at }: set { $imposed }, verdict { $verdict }, TV { $tv }; true: { $truth } | answer: { $answer }
score-right = ok   
score-wrong = WRONG
score-at-sender = at the sender
score-at-receiver = at the receiver
score-at-middle = half way
score-at-near-sender = 3 ms from the sender
score-at-near-receiver = 3 ms from the receiver
score-at-begun-late = at the sender, begun late
score-at-ended-early = at the sender, ended early
score-at-clock-steps = at the sender, clock set twice
score-at-copies = at the sender, packets twice
score-row-captures = captures
score-row-dominant = largest share of time right
score-row-verdict = verdict right (group of limits)
score-row-limit = verdict's limit right
score-row-expected = verdict as the scenario expects (limit and form)
score-row-headline = first three lines about the right connection and direction
score-row-fix = fix in the first three lines removes the cause
score-row-exchanges = exchanges right: who asks, how many, the server's seconds
score-row-tv-mean = distance of the shares (TV), mean
score-row-tv-median = … median
score-row-tv-p90 = … 90 % at or under
score-row-ambiguous = time that could be another limit's
score-row-calibration = expected calibration error of the confidence
score-row-sums = sums wrong
score-heading-groups = Largest share of time, captured { $at }
score-heading-limits = Verdict, captured { $at }
score-heading-reliability = Confidence and how often it was right
score-heading-reliability-limits = Confidence, by the limit of the verdict
score-heading-imposed = Right, by the limit and form that was set
score-heading-writing = Right, by how the sending program writes
score-heading-talks = Exchanges right, by conversation
score-heading-places = Capture point: actual and recognized
score-heading-reliability-forms = Confidence, by limit and form of the verdict
score-heading-reliability-reasons = Confidence by the reason of the verdict
score-imposed = set
score-writing = writes
score-writing-stream = as fast as the socket takes it
score-writing-paced = at its own rate
score-writing-portions = portions and rests
score-writing-resting = portions and rests of any length
score-writing-forwarder = when poll finds room (forwarder)
score-writing-credit = as the peer's protocol allows
score-writing-phases = in different phases
score-writing-turns = request–response
score-writing-split-turns = request–response, a message in several writes
score-writing-ahead = messages ahead of their answers
score-writing-talk = as a conversation goes
score-writing-application = programs of others
score-talk = conversation
score-talk-web-socket = WebSocket
score-talk-long-poll = long polls
score-talk-subscription = subscription
score-talk-calls = calls over HTTP/2
score-talk-chat = chat
score-talk-other = other
score-talk-cell = { $right } of { $count }{ $silent ->
        [0] {""}
       *[other] ; { $silent } not timed
    }
score-seen-sender = sender
score-seen-receiver = receiver
score-seen-middle = in between
score-seen-unknown = not recognized
score-tally-cell = limit { $limit }, form { $form } of { $count }{ $astray ->
        [0] {""}
       *[other] ; first lines of { $astray } about another
    }{ $judged ->
        [0] {""}
       *[other] ; fix { $fix } of { $judged }
    }
score-reliability-reason = reason
score-heading-reliability-numbers = Confidence of verdicts that a chosen number decides
score-reliability-number = moved by a third, a chosen number
score-number-flipped = names another cause
score-number-held = names no other cause
score-reliability-said = confidence
score-reliability-limit = verdict
score-reliability-cell = confidence { $said }, right { $right } of { $count }
score-true-said = true ↓ answer →
score-imposed-said = set ↓ answer →
score-group-network = network
score-group-send-buffer = send buffer
score-group-receive-window = receive window
score-group-application = application
score-limit-none = nothing
score-limit-mixed = several in alternation
score-title = How often tcpwhy is right
score-introduction = Each transfer ran on a real kernel over an emulated link with one cause set. The truth was read from the sender's own socket every few milliseconds. `tcpwhy explain` saw only the packets, once captured at the sender, once at the receiver and once halfway.
score-field = Captures from the field, judged by hand: [accuracy-field.md](accuracy-field.md).
score-command = Made by `{ $command }` (as root), which runs all transfers again.
score-definitions =
    - *Largest share of time right*: path, congestion window, losses, slow start and final round trip count as one group (network), application and ACK delay as another. Transfers whose two largest true shares are less than 15 points apart do not count here.
    - *Verdict right*: the verdict belongs to the group of the cause that was set.
    - *Verdict's limit right*: the limit itself is one that the scenario expects, in whatever form.
    - *First three lines*: what `tcpwhy -q` prints. Their fix counts where the scenario names the fixes that remove its cause.
    - *Expected calibration error*: the mean distance between the confidence of verdicts and the share of right limits. Verdicts are grouped in steps of ten points of confidence, and each step is weighted by its verdicts.
    - *Distance (TV)*: half the sum of the differences of the four shares; 0 is the same, 1 is disjoint.
    - *Sums wrong*: directions whose seconds by limit do not add up to their duration.

# tcpwhy lab prove: an explanation of a capture and its rivals, run with and without their fixes.

prove-conclusion = { $conclusion }
prove-proved-as-predicted = Proved: { $cause }. Only this rebuilt transfer shows what the capture shows, and with the fix it takes { $measured } instead of { $before }; predicted: { $predicted }.
prove-proved-more-than-predicted = Proved: { $cause }. Only this rebuilt transfer shows what the capture shows, and the fix brings more than predicted: { $measured } instead of { $before }; predicted: { $predicted }.
prove-proved-shorter = Proved: { $cause }. Only this rebuilt transfer shows what the capture shows, and with the fix it takes { $measured } instead of { $before }.
prove-refuted-rival-explains = Refuted: { $cause }. The rival explains the capture: { $rival }.
prove-refuted-not-needed = Refuted: { $cause }. The packets explain the capture without it: its losses, its windows and its path are enough.
prove-refuted-no-trace = Refuted: { $cause }. The capture shows no { $trace }.
prove-undecided-both-explain = Undecided: { $cause }. The rival explains the capture as well: { $rival }.
prove-undecided-replayed = Undecided: { $cause }. The rebuilt program repeats the captured times, so its transfer resembles the capture for any cause.
prove-undecided-rival-replayed = Undecided: { $cause }. The rival repeats the captured times, so no run can exclude it: { $rival }.
prove-undecided-only-replayed = Undecided: { $cause }. The only transfer that resembles the capture repeats its times, which refutes nothing: { $rival }.
prove-undecided-none-resembles = Undecided: { $cause }. No rebuilt transfer resembles the capture.
prove-undecided-fix-without-effect = Undecided: { $cause }. The rebuilt transfer resembles the capture, but the fix does not shorten it.
prove-undecided-less-than-predicted = Undecided: { $cause }. The fix helps, but less than predicted: { $measured } instead of { $before }; predicted: { $predicted }.
prove-undecided-no-fix = Undecided: { $cause }. The rebuilt transfer resembles the capture, but the lab can apply none of the fixes.
prove-only-rebuilt = Rebuilt, not run.
prove-decides-socket = {"  "}To decide: run `tcpwhy live` or `tcpwhy record` on the sending host; they read its socket.
prove-decides-sockets = {"  "}To decide: run `tcpwhy live` or `tcpwhy record` on both hosts; they read the sockets.
prove-decides-scenario = {"  "}To decide: write the scenario with --scenario, change what differs, and run it again.
prove-decides-fix = {"  "}To decide: try the fix on the real hosts and capture again.
prove-setting-so-rcvbuf = {"  "}The window scale in the SYN shows SO_RCVBUF, set before the connection was opened.
prove-setting-tcp-rmem = {"  "}The window scale in the SYN shows tcp_rmem, or SO_RCVBUF set after the connection was opened.
prove-setting-either-receive = {"  "}The packets do not show which setting it is, SO_RCVBUF or tcp_rmem. On the receiver, `ss -tm` (rb) and `tcpwhy audit` do.
prove-setting-either-send = {"  "}The packets do not show which setting it is, SO_SNDBUF or tcp_wmem. On the sender, `ss -tm` (tb) and `tcpwhy audit` do.
prove-captured = {"  "}captured   { $seconds }   { $bytes }; to test: { $cause }
prove-line = {"  "}{ $line }
prove-shown = what the packets show, with nothing added
prove-origin = {" "}({ $origin })
prove-origin-verdict = the verdict
prove-origin-supposed = supposed
prove-origin-other-setting = by the other setting
prove-origin-alternative = rival: the packets allow it too
prove-origin-next-longest = rival: the next longest time
prove-origin-often-confused = rival: looks similar in packets
prove-tested-alike = { $cause }{ $origin }: { $seconds } ({ $error }), resembles the capture (distance { $distance }){ $furthest }
prove-tested-other = { $cause }{ $origin }: { $seconds } ({ $error }), does not resemble the capture (distance { $distance }){ $furthest }
prove-tested-missing = { $cause }{ $origin }: the capture shows no { $trace }
prove-replays-writes = {"  "}repeats the times of the captured writes: no evidence for this cause
prove-replays-reads = {"  "}repeats the captured pauses of the reader: no evidence for this cause
prove-replays-waits = {"  "}repeats the captured waits of the programs: no evidence for this cause
prove-tested-fixed = {"  "}with the fix: { $seconds } ({ $gain }), then limited by: { $verdict }. { $fix }
prove-furthest = ; largest difference: { $what } ({ $distance })
prove-observable-duration = duration
prove-observable-flight = bytes in flight
prove-observable-window = receive window
prove-observable-window-full = time with a full window
prove-observable-round-trip = RTT under load
prove-observable-rests = time between sends
prove-observable-after-peer = time from an ACK to the next send
prove-observable-on-messages = sends that follow the peer's messages
prove-observable-retransmitted = retransmissions
prove-observable-limits = seconds under each limit
prove-trace-repeats = retransmissions
prove-trace-full-window = full receive window
prove-trace-closed-window = zero window
prove-trace-missing-scale = SYN without window scaling
prove-trace-bucket = losses that follow a token bucket
prove-trace-repeated-syn = repeated SYN
prove-trace-peer-messages = message from the peer during the transfer
prove-trace-own-sends = send that no ACK released
prove-trace-turns = requests and responses in turn
prove-rebuilt = {"    "}rebuilt as { $what }
prove-fix = {"  "}fix        { $fix }
prove-predicted = {"  "}predicted  { $seconds }   { $low } to { $high }
prove-predicted-at-best = {"  "}predicted  at best { $low }
prove-at-best = at best { $seconds }
prove-shortened-before = {"  "}Rebuilt with { $share } of the bytes: the whole would take too long. The time is that of all bytes at the same rate.
prove-shortened-after = {"  "}Run with the fix and { $share } of the bytes: the whole would take too long. The time is that of all bytes at the same rate.
prove-part-queue = queue { $value }
prove-part-policer = policer of { $rate }, { $burst } at once
prove-part-loss = loss { $value }
prove-part-write-rate = written at { $value }
prove-part-read-rate = read at { $value }
prove-part-read-stalls = reader pauses { $seconds } after each { $bytes }
prove-part-turns = { $count } request–response round trips, { $wait } of waiting in each
prove-part-lost-frames = { $count } lost frames
prove-part-credit = { $value } granted by the peer's protocol
prove-part-schedule = { $count } bursts as the program wrote them
prove-assumed-rate = {"  "}Assumed: the path carries 1 Gbit/s, as the prediction assumes; the packets never came close to its rate.
prove-assumed-rate-cut = {"  "}Assumed: 2.5 Gbit/s, the limit of the lab's interfaces; the path is faster.
prove-assumed-queue = {"  "}Assumed: the bottleneck's queue holds as much as the path.
prove-assumed-writes = {"  "}Assumed: the size of the application's writes; packets show it only at the sender.
prove-assumed-loss = {"  "}Assumed: each packet is as likely to be lost as any other.
prove-assumed-stalls = {"  "}Assumed: the reader pauses equally long after each portion.
prove-assumed-buffer = {"  "}Assumed: the receive buffer was autotuned, and grows once its reader keeps up.
prove-assumed-burst = {"  "}Assumed: the policer's bucket holds as much as the path; packets do not show its depth.
prove-assumed-turns = {"  "}Assumed: all request–response round trips are alike.
prove-assumed-same-losses = {"  "}Assumed: the same frames are lost as in the capture.
prove-assumed-own-clock = {"  "}Assumed: the program writes on its own schedule, regardless of ACKs.
prove-assumed-bbr = {"  "}Assumed: the sender uses BBR; it sends more than its losses would allow CUBIC.
prove-cannot-nothing = no change would make this transfer faster, so there is nothing to test
prove-cannot-no-round-trip = no packets show its round-trip time, so its path cannot be rebuilt
prove-cannot-too-close = its ends are less than 0.1 ms apart: the emulated link itself takes about as long
prove-cannot-too-long = it contains waits longer than a run may take
prove-cannot-unknown = cannot rebuild it: the packets do not show { $what }
prove-cannot-cause = the lab cannot set up the cause “{ $what }”
prove-cannot-absent = the capture shows no { $what }

# Why a run proves nothing.
proof-doubt-late-link = the emulated link was late: the machine was too busy
proof-doubt-capture-drops = a capture lacks packets
proof-doubt-busy-machine = the machine was too busy to sample the sockets in time
prove-doubt = {"  "}Doubtful: { $doubt }.
