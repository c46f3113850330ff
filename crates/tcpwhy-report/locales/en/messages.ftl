# Anomalies of captures, limits of predictions, reasons of verdicts.

anomaly-truncated-file = The file ends in the middle of packet { $packet } or after it; what came before was read.
anomaly-read-error = Reading failed at packet { $packet }; what came before was read.
anomaly-shrunk-file = The file became shorter while it was read and ends at packet { $packet }; what came before was read.
anomaly-rewritten-file = The file was overwritten while it was read (seen at packet { $packet }); the data may mix two captures.
anomaly-corrupt-record = { $count ->
        [one] A damaged record
       *[other] { $count } damaged records
    } (first at packet { $packet }); what could be read was.
anomaly-unknown-records = The records do not fit the pcap format from packet { $packet } on: the file is damaged or a variant that tcpwhy does not know. Save it again with the program that wrote it, as pcapng.
anomaly-excessive-growth = The compressed data grows to more than 1000 times its size, so reading stopped at packet { $packet }; what came before was read. Use --max-unpacked to read on.
anomaly-corrupt-compression = The compressed stream is damaged or ends early; what came before was read.
anomaly-truncated-header = Snap length too small: { $count ->
        [one] 1 packet was
       *[other] { $count } packets were
    } cut before the end of the TCP header (first: { $packet }). Capture again with -s { $detail }.
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
anomaly-undecoded-frame = { $count ->
        [one] 1 frame was
       *[other] { $count } frames were
    } not decoded: unknown, encrypted or too deeply nested content (first: { $packet }).
anomaly-missing-timestamp = { $count ->
        [one] 1 packet has
       *[other] { $count } packets have
    } no timestamp (first: { $packet }) and took the time of the packet before.
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
anomaly-impossible-fraction = { $count ->
        [one] 1 packet has
       *[other] { $count } packets have
    } a fraction of a second of 1 s or more (first: { $packet }): times may be wrong, the file may be in nanoseconds and say microseconds.
anomaly-simulated = Simulated by tcpwhy: no packet of this capture was ever sent.

# Why a predicted rate stops where it does.
ceiling-slow-start = It ends before the window has opened: slow start remains.
ceiling-default-send-buffer = Linux grows the send buffer to 4 MiB by default.
ceiling-path-rate-seen = Data came through at that rate at times: the path carries at least this much.
ceiling-window-unscaled = Without window scaling no more than 64 KiB is in flight.
ceiling-path-rate-assumed = The path was never tried: nothing shows how fast it is.
ceiling-all-else-as-it-was = All other time stays as it was.
ceiling-simulated = The simulated transfer shows it.
ceiling-application = The applications remain as fast as they were.

# Why the verdict names this limit although another has more time.
reason-window-next = The receive window is full as well: on a faster path it would be the next limit.
reason-protocol-window-next = The window of the protocol above TCP is full as well: on a faster path it would be the next limit.
reason-window-held-by-queue = The window fills only because of a persistent queue at the bottleneck: more window would lengthen the queue, not the rate.
