# tcpwhy lab: transfers of a known cause.

lab-list-hint = tcpwhy lab show NAME prints a scenario's story and how to do the same by hand; tcpwhy lab run NAME runs it.

lab-run-took = { $bytes } in { $time }, { $rate }
lab-at-sender = sender
lab-at-receiver = receiver
lab-truth = socket
lab-said = { $cause }: { $seconds } of { $total } ({ $share })
lab-said-nothing = nothing to act on
lab-nothing = nothing to act on
lab-nothing-captured = no payload in the capture
lab-expected = expected: { $list }
lab-ended = ended: { $reported }
lab-ended-otherwise = ended: { $reported }; expected: { $expected }
lab-ending-not-reported = ended: { $expected }, which explain does not report
lab-ending-closed = closed by both ends
lab-ending-reset-by-sender = reset by the sender
lab-ending-reset-by-receiver = reset by the receiver
lab-ending-unanswered = the last request had no answer
lab-ending-open = still open in the capture
lab-right-now = right now, and listed as wrong: delete its entry of known_wrong
lab-first-is-not-largest = The first expected verdict ({ $cause }) has { $share } of the time; another limit has { $larger }.
lab-answer-is-far-behind = The expected verdict { $cause } has { $share } of the time, and the first one { $larger }.
lab-or = {" or "}
lab-headline-label = first lines
lab-headline-label-at = first lines, { $place }
lab-headline-in-question = this connection and direction
lab-headline-other-direction = the other direction
lab-headline-other-connection = another connection
lab-headline-nobody = no connection
lab-headline-fix = fix { $fix }
lab-headline-no-fix = no fix
lab-finding-missing = expected finding { $rule } is missing
lab-counter = { $name } { $count }
lab-counter-still = { $name } did not move
lab-counter-absent = { $name }: this kernel has no such counter
lab-counter-finding = counters: { $sentence } ({ $rule })
lab-counters-unknown = the kernel's counters are not known
lab-broken = The connection broke: { $how }
lab-unreliable = Unreliable: { $why }
lab-heading-ratios = Time for the same number of bytes
lab-ratio-between = expected { $least } to { $most }
lab-ratio-at-least = expected at least { $least }
lab-summary =
    { $right } as expected, { $wrong } not{ $doubtful ->
        [0] {""}
       *[other] , { $doubtful } in doubt
    }{ $failed ->
        [0] {""}
       *[other] , { $failed } failed
    }{ $ratios ->
        [0] .
        [one] ; one ratio does not hold.
       *[other] ; { $ratios } ratios do not hold.
    }
lab-summary-headlines =
    The first three lines speak of the right connection and direction in { $right } of { $captures } captures. Their fix removes the cause in { $fixes } of { $judged }.
lab-recording = Recording: { $folder }
lab-progress = { $number } of { $count }: { $name } …
lab-again = { $name }: { $why }; run again ({ $number } of { $count })
lab-powers = the scenario file { $name } runs or sets, besides its transfer: { $powers }
lab-setting-restored = { $name } is { $value } again: a run that was killed had left it at { $was }
lab-setting-left = { $name } was left at { $value }: a run had changed it from { $before }, and somebody else has changed it since
lab-guardian-ended = the process that guards the machine's settings was ended from outside; the run has set them back itself
lab-shell-opened =
    You are the { $end }, { $address }; the { $other } is { $other-address }. Open a shell there with `{ $command }`. The link ends with this shell.
lab-shell-joined =
    You are the { $end }, { $address }; the { $other } is { $other-address }. The link ends with the shell that opened it.
lab-failed = { $name }: { $why }
lab-repeats = { $name }: { $count } runs, { $least } to { $most } (spread { $share })

lab-compare-faster = { $b } is { $by } times as fast as { $a }.
lab-compare-slower = { $b } takes { $by } times as long as { $a }.
lab-compare-same = { $a } and { $b } are equally fast.
lab-compare-unknown = { $a } and { $b } cannot be compared: one of them moved nothing.
lab-compare-unreliable = { $name } is unreliable: { $why }
lab-none = –
lab-time-with-share = { $time } ({ $share })
lab-row-time = duration
lab-row-bytes = payload
lab-row-goodput = goodput
lab-row-verdict-sender = said at the sender
lab-row-verdict-receiver = said at the receiver
lab-row-rtt = RTT, median
lab-row-flight = in flight, 95 %
lab-row-window = receive window, median
lab-row-send-buffer = send buffer, largest
lab-row-receive-buffer = receive buffer, largest
lab-row-retransmits = segments retransmitted

lab-article-published = published
lab-article-scaled = measured, for as much
lab-article-computed = computed (simulator)
lab-article-measured = measured
lab-article-setting = What was set
lab-article-default = default
lab-article-figures = Both transfers on the same axes
lab-article-figure = { $name }: { $verdict }
lab-article-numbers = Published, computed, measured
lab-article-again = Measure it again
lab-article-kernel = Measured on Linux { $kernel } between two network namespaces, over an emulated link.

lab-show-source = Source
lab-show-imposed = Imposed
lab-show-expected = Expected
lab-show-ratio = { $bytes } take at least { $least } times as long as in { $to }
lab-show-ratio-most = { $bytes } take { $least } to { $most } times as long as in { $to }
lab-show-same-bytes = The same number of bytes
lab-show-counters = Counters of the { $end } that must move: { $list } (by hand, while the namespace is there: { $command })
lab-show-reported = Reported
lab-show-reported-value = { $bytes } in { $time }
lab-show-by-hand = By hand
lab-show-by-hand-intro = As root, with iproute2 (ip, tc), tcpdump and python3. Without netem in the kernel everything works but the delay and the losses; tcpwhy lab run emulates the link itself.
lab-show-run = Here: { $command }

lab-book-title = Cases
lab-book-intro = Each was run on a Linux { $kernel } kernel, between two network namespaces with an emulated link, by the command on its page. Each page shows tcpwhy's answer beside the expected one.
lab-book-column-case = Case
lab-book-column-title = What happened
lab-book-column-reported = Reported
lab-book-column-measured = Measured
lab-book-column-rate = Goodput
lab-book-column-said = What tcpwhy says
lab-book-back = All cases
lab-book-command = Run it
lab-book-picture = The picture
lab-book-picture-of = { $name }: limits over time at the sender, with these charts: { $charts }
lab-book-detail = A closer look:
lab-book-said = tcpwhy's answer for the sender's capture
lab-book-numbers = The numbers
lab-book-at-receiver = At the receiver
lab-book-kernel-clocks = The kernel's own clocks
lab-book-kernel-clocks-value = busy { $busy }, limited by the window { $rwnd }, by the send buffer { $sndbuf }
lab-book-scaled = { $time } for { $bytes }
lab-book-unexpected = This is not what was expected: { $list }.
lab-book-generated = This page was written by `{ $command }` from a real run.
