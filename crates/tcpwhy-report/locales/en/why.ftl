# The reason for an interval of the timeline: `why-` and the name of the reason, with hyphens.
# $length is the length of the interval. Its other numbers follow the sentence.

# Read from the packets before and after a gap.
why-handshake-under-way = The connection was being set up: SYN and SYN-ACK were on their way.
why-syn-repeated = A SYN or SYN-ACK got no answer and was retransmitted.
why-fast-retransmit = Duplicate ACKs or SACK reported a loss, and the sender retransmitted it. The recovery lasts until all data sent before it is acknowledged.
why-timer-ran-out = No ACK came until the retransmission timer expired. The recovery lasts until the retransmitted data is acknowledged.
why-hole-never-filled = The receiver reported missing data, and the rest of the capture contains no retransmission of it.
why-probe-of-tail = The last segments got no ACK, and a tail loss probe retransmitted them.
why-nothing-lost = The sender retransmitted data that had arrived: the receiver reported it as received twice.
why-nothing-in-flight = The application wrote nothing for { $length }, and no data was left to send.
why-answer-awaited = The peer had sent its message, and no data was left to send: the application wrote nothing for { $length }.
why-peer-awaited = No data was left to send, and the peer sent next: this side waited { $length } for it.
why-peer-had-closed = The peer had closed and all data was acknowledged, but the application kept its own end open for { $length }.
why-small-segment-held = A segment shorter than the MSS waited for the ACK of the previous one (Nagle's algorithm). This interval is the round trip that the ACK needs at least.
why-ack-held-back = A short segment waited for an ACK, which came { $length } later than a round trip: the receiver delayed it.
why-data-not-captured = The receiver acknowledged data that is not in the capture, or the capture started mid-connection.
why-acks-not-captured = No ACK of this data was captured, so the bytes in flight are unknown.
why-last-flight = All data was sent: the last segments and their ACKs were on their way.

# The form of a full window.
why-window-zero = The receiver advertised a zero window.
why-window-shrinks = The bytes in flight filled the advertised window, and the window shrank: the receiving application did not read the data that had arrived.
why-window-unscaled = The bytes in flight filled the advertised window. Window scaling was not negotiated, so the window is at most 65,535 bytes.
why-window-grows = The bytes in flight filled the advertised window. The window was the largest so far and still growing: autotuning was opening it.
why-window-capped = The bytes in flight filled the advertised window. Autotuning had opened the window and then stopped: it had reached its limit.
why-window-small = The bytes in flight filled the advertised window. The window stayed constant although the application read the data: the receive buffer is too small.

# Path.
why-queue-never-empties = Each segment echoed an older ACK than the newest that must have reached the sender before: it had waited in a queue, at the sender or on the way.
why-queue-in-slow-start = The bytes in flight were still growing, but slow start had filled the path and a queue. ACKs came without a pause, and round trips took longer than the path needs.
why-queue-under-pacer = The sender paced its packets without a pause, and its probing does not explain the long round trips: the bottleneck had a queue.
why-queue-served-evenly = Single segments came evenly spaced, ACKs came without a pause, and round trips took longer than the path needs. The bottleneck was serving a queue.
why-queue-under-full-buffer = The path was full, even if a buffer or window was full too. ACKs came without a pause, and round trips took longer than the path needs.
why-more-than-path-holds = More data was in flight than the path holds, whenever the sender sent: the rest waited in a queue, and more would only have lengthened it.
why-queue-standing = Round trips took longer than the path needs, and nothing shows that the sender lacked data: the bottleneck had a queue.
why-queue-under-last-flight = The final round trip went through a queue: ACKs came without a pause, and round trips took longer than the path needs.
why-even-spacing = Single segments left at a constant pace, many per round trip: a network card, a shaper or a pacing sender spaced them.

# Congestion window.
why-flight-opens = Slow start was opening the congestion window. These were the first round trips, or the bytes in flight exceeded their maximum since the last loss or pause by half or more.
why-repairs-all-around = Losses were being repaired most of the time. Between two repairs, the sender sent as much as the reduced congestion window allowed.
why-pacer-slowed-by-loss = The sender paced its packets without a pause, but after losses. Its rate was lower than the rate that the path had carried before.
why-small-segments-leave = Nearly every burst ended with less than a full segment. Linux merges waiting writes into full segments, so no data was waiting: the application wrote small amounts at its own pace.
why-pacer-never-probes = The sender paced its packets without a pause and never probed for more bandwidth. A pacer with more data to send would probe (BBR: a quarter more in one of eight round trips).
why-pacer-through-repairs = The sender repeated what was lost and delivered as much as before: the losses cost nothing, its own estimate of the path set the rate.
why-pacer-at-its-estimate = The sender paced its packets without a pause, and no loss had slowed it: its own estimate of the path set the rate.
why-released-evenly-after-loss = ACKs released single segments evenly, after a loss had reduced the congestion window.
why-released-by-thirds-after-loss = The bytes in flight were at their maximum since a loss. ACKs that released no data prove nothing here: a sender may wait until a third of a small window is free (tcp_tso_should_defer).
why-window-grows-back = Data had been lost, and no other limit shows: the congestion window was growing back after the loss.
why-window-grows-back-after-mark = A queue had marked packets (ECN), and no packet was lost since. No other limit shows: the sender had reduced its congestion window (CWR), and the window was growing back.
why-slow-growth-without-loss = The bytes in flight grew steadily but slowly, although no packet had been lost. Something else had ended slow start, usually a rising delay (HyStart).
why-undetermined = ACKs released the data. Nothing shows whether the congestion window or a full send buffer was the limit.

# Application.
why-own-rhythm = Sends came at a fixed period that neither the round trip nor the path explains: the application has a timer.
why-mostly-unreleased = Most sends followed no ACK although data was in flight. The window had room, and data left as soon as the application wrote it.
why-unreleased-send = These sends followed no ACK although data was in flight. The window had room, and data left as soon as the application wrote it.
why-burst-of-unreleased = The last send of this burst followed no ACK. The window had room, and data left as soon as the application wrote it.
why-sends-by-chance = Sends followed ACKs no more closely than by chance: ACKs did not release them.
why-path-rests-before-sends = The path was idle each time before data followed an ACK: the sender waited for a timer of its own.
why-never-prompt = Data never followed an ACK as quickly as in the handshake: the sender waited for a timer of its own.
why-less-in-rhythm = Fewer bytes were in flight than the congestion window had allowed. The rhythm was even, without loss, queue or pauses between ACKs. Only the application can be the limit.
why-path-left-idle = Fewer bytes were in flight than the congestion window had allowed, and the path could carry more. A full send buffer would have left window space unused after ACKs. That did not happen, so the application had no more data.
why-no-wake-level = Some sends began with many bytes in flight. At other times fewer bytes were in flight, ACKs came, and nothing was sent. A writer that waits for its buffer resumes at one level, so the application had nothing to send.
why-peer-releases = Data followed the peer's next message at once, but not the ACKs: the application waited for this message.
why-peer-grants = Data followed small messages from the peer immediately; it did not follow ACKs. In HTTP/2, SSH and SFTP, such messages permit the sender to send more.
why-peer-grants-whole-turns = The sender stopped after the same number of bytes each time. It went on when the peer had sent a few bytes: the peer's protocol allows no more at a time.
why-peer-grants-throughout = The peer had received all data, and the sender waited for its next small message. Most waits of this sender were for messages that permit more data.
why-far-below-flight = The window had unused room, and far fewer bytes were in flight than earlier: no buffer shrinks like that.

# Send buffer.
why-room-left-unused = Again and again, ACKs made room, but the sender sent nothing until a later ACK. The writer was blocked until a third of its full buffer was free.
why-unused-now-and-then = ACKs had made room, but the sender sent nothing until a later ACK, as it had done now and then before. It had nothing to send.
why-flight-below-window = Fewer bytes were in flight than the congestion window had allowed, and the receive window had room: the socket had no more data.
why-buffer-under-pacer = A pacing sender had fewer bytes in flight than allowed before, and the path could carry more: its send buffer contained no more data.
why-flat-flight = The bytes in flight stayed constant for ten round trips without loss or queue. A congestion window would have grown.

# Visible only in the whole direction.
why-window-over-queue = The window was full, but most of that time the path had a queue: a larger window would only lengthen the queue.
why-sender-at-unknown-distance = The capture was taken at the receiver without the handshake, so the round trip is unknown. Nothing shows whether the sender waited for ACKs or had nothing to send. A capture at the sender, or with the handshake, would settle it.
why-clock-contradicted = The capture's clock disagrees with the TCP timestamps of both ends: the capturing host stamped packets in batches, or its clock jumped. No time in this connection is reliable.
why-more-missing-than-captured = The capture misses more of this direction than it contains, so tcpwhy names no cause.
why-lost-to-policer = A policer caused the losses, their repair and the reduced window: right after a loss, no data passed faster than its rate.
why-lost-to-full-queue = A full queue caused the losses, and data kept arriving at nearly the highest rate. The path was the limit, not the repair.
why-acks-queued = By the timestamps of both ends, ACKs waited in a queue on their way to the sender for most of each round trip. The direction of the data had room.
why-rate-of-full-path = Data arrived at one rate nearly all the time, and never faster. More was in flight than the path contains, so the rest waited in a queue. The path was the limit, even if a buffer or window was full too.

# The other limit that the packets allow, with its reason.
alternative-application = An application that writes at exactly this pace would look the same.
alternative-send-buffer = A full send buffer would release the same data at the same times.
alternative-congestion-window = A constant congestion window would allow the same bytes in flight.
alternative-receive-window = The size of the advertised window is unknown: the window may have been full.

# tcpwhy --why
moment-number = Number { $n }, { $transfer }
moment-at = At { $time } ({ $clock }): { $limit }, from { $from } to { $to } ({ $length }), confidence { $confidence }
moment-flip = If { $name } ({ $value } { $unit }, a chosen number) were a third { $way ->
    [lower] lower
   *[higher] higher
}, the verdict would be: { $limit }.
moment-flip-none = nothing to change
moment-no-flip = No chosen number changes the verdict when it is moved by a third.
moment-before = Before: { $limit }, from { $from } to { $to } ({ $length })
moment-after = After: { $limit }, from { $from } to { $to } ({ $length })
moment-label-value = { $label } { $value }
moment-outside = { $time } is outside { $from } → { $to } ({ $first } to { $last })
moment-outside-all = { $time } is outside every connection that carried data
