# Anomalies of captures, ceilings of predictions, reasons of verdicts.

anomaly-truncated-file = The file ends in the middle of packet { $packet } or after it; what came before was read.
anomaly-corrupt-record = { $count ->
        [one] A damaged record
       *[other] { $count } damaged records
    } (first at packet { $packet }); what could be read was.
anomaly-corrupt-compression = The compressed stream is damaged or ends early; what came before was read.
anomaly-truncated-header = { $count ->
        [one] 1 packet was
       *[other] { $count } packets were
    } cut before the end of the TCP header (first: { $packet }); capture with a larger snap length.
anomaly-malformed-header = { $count ->
        [one] 1 packet has
       *[other] { $count } packets have
    } contradictory headers (first: { $packet }).
anomaly-malformed-option = { $count ->
        [one] 1 packet has
       *[other] { $count } packets have
    } a malformed TCP option (first: { $packet }).
anomaly-unsupported-link-type = { $count ->
        [one] 1 packet was
       *[other] { $count } packets were
    } not decoded: link type { $detail } is not known (first: { $packet }).
anomaly-unknown-interface = { $count ->
        [one] 1 packet names
       *[other] { $count } packets name
    } an interface that the file does not describe (first: { $packet }).
anomaly-ip-fragment = { $count ->
        [one] 1 IP fragment
       *[other] { $count } IP fragments
    } without a TCP header (first: { $packet }).
anomaly-clock-step = The clock stepped back { $count ->
        [one] once
       *[other] { $count } times
    } (first at packet { $packet }): times around it are wrong.
anomaly-length-from-frame = { $count ->
        [one] 1 packet says
       *[other] { $count } packets say
    } a wrong IP length (first: { $packet }): segmentation offload; lengths were taken from the frame.

# Why a predicted rate stops where it does.
ceiling-path-capacity-seen = The path was busy at times, so its capacity is known.
ceiling-path-capacity-unknown = The path was never busy, so its capacity is not known; packet trains give a lower bound.
ceiling-window-over-rtt = The rate is bounded by the next window over the round-trip time.
ceiling-receive-window = The receive window offered bounds it next.
ceiling-send-buffer = The send buffer bounds it next.
ceiling-congestion-window = The congestion window has yet to grow; at first it is about twice what was used.
ceiling-slow-start = It ends before the window has opened: slow start remains.
ceiling-path-rate-seen-in-trains = Packet trains came through at that rate: the path gives at least this much.
ceiling-default-send-buffer = Linux grows the send buffer to 4 MiB by default.
ceiling-application = The application remains as fast as it was.
ceiling-propagation = What remains is the time that signals take.
ceiling-path-busy = The path was busy: more window gains nothing.
ceiling-optimistic = This is the time without that limit and nothing else changed.

# Why the verdict names this limit although another has more time.
reason-window-held-by-queue = The window fills only because a queue stands at the bottleneck: more window would lengthen the queue, not the rate.
reason-hole-pins-window = The window was blocked by a hole: a lost packet keeps the receiver from moving it.
reason-largest-removable = Other limits took more time, but no change would remove them.
reason-causes-the-other = It is the cause of the limit that took more time.
