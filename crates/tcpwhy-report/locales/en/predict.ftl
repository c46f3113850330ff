# tcpwhy predict: what changes would bring to a captured transfer.

predict-head = { $sender } → { $receiver }: { $bytes } in { $time }
predict-no-limit = nothing
predict-as-it-was = Held back by: { $cause }. Rebuilt without changes: { $time } ({ $fit }, { $worlds ->
        [one] 1 simulated transfer
       *[other] { $worlds } simulated transfers
    }).
predict-fit-good = good fit
predict-fit-fair = fair fit
predict-fit-poor = poor fit
predict-rate-drawn = The packets do not show how fast the path is: rates were drawn.
predict-then = { $what }: { $then } ({ $low } to { $high }) instead of { $now }. Next limit: { $next }
predict-endless = { $what }: the simulated transfer does not end
predict-together = all of these
predict-nothing = No finding of this connection has a fix that can be simulated: try --set, for example --set path.rtt=100ms
