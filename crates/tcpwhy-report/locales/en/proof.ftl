# tcpwhy lab score: what is said of transfers whose cause is known.

score-count = { $captures } captures judged, { $left-out } recordings left out because their emulated link was late or a capture incomplete, { $failed } failed.
score-failed = FAILED { $name }: { $why }
score-left-out = left out { $name }: { $why }
score-run = { $mark } { $name }, { $at }: imposed { $imposed }, verdict { $verdict }, TV { $tv }; true: { $truth } | said: { $answer }
score-right = ok   
score-wrong = WRONG
score-at-sender = at the sender
score-at-receiver = at the receiver
score-row-captures = captures
score-row-dominant = largest share of time right
score-row-verdict = verdict right (group of limits)
score-row-expected = verdict as the scenario expects (limit and form)
score-row-tv-mean = distance of the shares (TV), mean
score-row-tv-median = … median
score-row-tv-p90 = … 90 % at or under
score-row-ambiguous = time that could be another limit's
score-row-sums = sums wrong
score-heading-groups = Largest share of time, captured { $at }
score-heading-limits = Verdict, captured { $at }
score-true-said = true ↓ said →
score-imposed-said = imposed ↓ said →
score-group-network = network
score-group-send-buffer = send buffer
score-group-receive-window = receive window
score-group-application = application
score-limit-none = nothing
score-limit-mixed = several by turns
score-title = How often tcpwhy is right
score-introduction = Each transfer ran on a real kernel over an emulated link with one cause imposed. What held the sender back was read from its own socket every few milliseconds (the truth); `tcpwhy explain` saw only the packets, once captured at the sender and once at the receiver.
score-command = Made by `{ $command }` (as root), which runs all transfers again.
score-definitions =
    - *Largest share of time right*: path, congestion window, losses, slow start and last flight count as one group (network), application and ACK delay as another. Transfers whose two largest true shares are less than 15 points apart do not count here.
    - *Verdict right*: the verdict belongs to the group of the imposed cause.
    - *Distance (TV)*: half the sum of the differences of the four shares; 0 is the same, 1 is disjoint.
    - *Sums wrong*: directions whose seconds by limit do not add up to their duration.
