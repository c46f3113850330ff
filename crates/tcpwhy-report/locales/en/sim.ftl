# tcpwhy sim: transfers that are simulated.

sim-took = { $bytes } in { $time }, { $rate } (simulated, Linux { $kernel })
sim-settings = Set: { $list }
sim-range =
    Range: { $low } to { $high }, { $median } in the middle ({ $runs } runs with other losses and hosts, and 5% for the simulator; the first is shown){ $stalled ->
        [0] {""}
       *[other] ; { $stalled } did not end
    }
sim-heading-held = What held the sender back
sim-sender =
    Sender: { $segments } data segments sent, { $again } of them retransmissions, { $timeouts ->
        [one] 1 timeout
       *[other] { $timeouts } timeouts
    }; congestion window up to { $window } segments
sim-receiver =
    Receiver: { $segments } data segments sent, { $again } of them retransmissions, { $timeouts ->
        [one] 1 timeout
       *[other] { $timeouts } timeouts
    }; congestion window up to { $window } segments
sim-buffers = Buffers in the end: the sender's send buffer { $send }, the receiver's receive buffer { $receive }
sim-there = Path to the receiver: { $frames } frames, { $lost } lost, { $dropped } dropped by the queue or policer
sim-back = Path back: { $frames } frames, { $lost } lost, { $dropped } dropped by the queue or policer

sim-compare-head = { $name }: { $kernel } on the kernel, { $simulated } simulated ({ $difference })
sim-compare-kernels = { $bytes }; Linux { $kernel }, and the simulator with the rules of { $rules }
sim-compare-range = { $runs } simulated runs with other losses and hosts: { $low } to { $high }
sim-compare-doubt = Do not trust the kernel's run: { $why }
sim-compare-kernel = kernel
sim-compare-simulated = simulated
sim-compare-difference = difference
sim-compare-time = time
sim-compare-network = network
sim-compare-points = { $points } points
sim-compare-retransmitted = retransmissions
sim-compare-timeouts = timeouts
sim-compare-dropped = dropped by the queue or policer
sim-compare-frames-there = frames to the receiver
sim-compare-frames-back = frames back
sim-compare-explained = What explain reports about each capture
sim-compare-apart = Where the captures differ first
sim-compare-same-order = Order: nowhere; both sent the same packets in the same order.
sim-compare-order = Order: packet { $number } with data. The kernel sent { $kernel }, the simulator { $simulated }.
sim-compare-packet = { $bytes } from byte { $offset } at { $time }
sim-compare-no-packet = no more
sim-compare-same-times = Time: nowhere; each byte left within { $within } of the kernel's time.
sim-compare-times = Time: byte { $offset } left at { $kernel } on the kernel and at { $simulated } in the simulator. All bytes before it left within { $within } of each other.

sim-score-times = { $simulated }, kernel { $kernel }
sim-score-range = {", range "}{ $low } to { $high }
sim-score-noise = {" (the kernel itself repeats it within "}{ $share })
sim-score-as-it-was = As it was: { $within } of { $transfers } within 10% ({ $within-share }), { $near } within 3%, median { $median }
sim-score-cause = Without { $cause }: { $within } of { $transfers } within 10% ({ $within-share }), { $near } within 3%, median { $median }
sim-score-repeatable = What the kernel repeats within 5%: { $within } of { $transfers } within 10% ({ $within-share }), median { $median }
sim-score-counts = Retransmissions, drops and timeouts near the kernel's: { $near } of { $all }
sim-score-drawn = Losses drawn: { $in-range } of { $transfers } lie in the range of the seeds ({ $share }); of the medians { $within } are within 10%
sim-score-all = All: { $within } of { $transfers } within 10% ({ $within-share }), { $near } within 3% ({ $near-share }), median { $median }
sim-score-ranges = ; { $hold } of { $ranges } ranges hold, ×{ $width } wide
sim-score-distance = ; causes differ by { $distance } in the middle
sim-score-refused = ; { $count } not simulated
