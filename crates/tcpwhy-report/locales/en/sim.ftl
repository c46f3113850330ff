# tcpwhy sim: transfers that are simulated.

sim-took = { $bytes } in { $time }, { $rate } (simulated, Linux { $kernel })
sim-settings = Set: { $list }
sim-range =
    { $runs } runs with other losses and hosts: { $low } to { $high }, { $median } in the middle{ $stalled ->
        [0] {""}
       *[other] ; { $stalled } did not end
    }
sim-heading-held = What held the sender back
sim-sender =
    Sender: { $segments } data segments sent, { $again } of them again, { $timeouts ->
        [one] 1 timeout
       *[other] { $timeouts } timeouts
    }; congestion window up to { $window } segments
sim-receiver =
    Receiver: { $segments } data segments sent, { $again } of them again, { $timeouts ->
        [one] 1 timeout
       *[other] { $timeouts } timeouts
    }; congestion window up to { $window } segments
sim-there = Path to the receiver: { $frames } frames, { $lost } lost, { $dropped } dropped by the queue or policer
sim-back = Path back: { $frames } frames, { $lost } lost, { $dropped } dropped by the queue or policer
