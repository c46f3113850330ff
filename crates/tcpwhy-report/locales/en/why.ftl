# What decided an interval of the timeline: `why-` and the name of the reason with hyphens. $length is how long the interval
# lasted; its other numbers follow the sentence.

# What the packets before and after a gap tell.
why-handshake-under-way = The connection was being set up: SYN and SYN-ACK were on their way.
why-syn-repeated = A SYN or SYN-ACK got no answer and was retransmitted.
why-fast-retransmit = Duplicate ACKs or SACK reported a loss; it was retransmitted, and this lasts until everything sent before was acknowledged.
why-timer-ran-out = No ACK came until the retransmission timer expired; this lasts until what it retransmitted was acknowledged.
why-hole-never-filled = The receiver reported missing data, and no retransmission of it was captured until the end.
why-probe-of-tail = The last segments were not acknowledged, and a tail loss probe retransmitted them.
why-nothing-lost = Data was retransmitted although it had arrived: the receiver reported it as received twice.
why-nothing-in-flight = Nothing was left to send for { $length }: the application had written no more.
why-answer-awaited = The peer had spoken last and nothing was left to send: the application wrote nothing for { $length }.
why-peer-awaited = Nothing was left to send, and the peer spoke next: this side waited { $length } for it.
why-peer-had-closed = The peer had closed, everything was acknowledged, and the application kept its own end open for { $length }.
why-small-segment-held = A segment shorter than the MSS waited for the ACK of the one before (Nagle's algorithm): this is the round trip that the ACK takes at least.
why-ack-held-back = The ACK that a short segment waited for came { $length } later than a round trip: the receiver delayed it.
why-data-not-captured = The receiver acknowledged data that is not in the capture, or the capture started mid-connection.
why-acks-not-captured = No ACK of this data was captured, so what was in flight is not known.
why-last-flight = Everything was sent: the last segments and their ACKs were on their way.

# The form of a full window.
why-window-zero = The receiver advertised a zero window.
why-window-shrinks = The bytes in flight filled the advertised window, and that shrank: the receiving application did not read what had arrived.
why-window-unscaled = The bytes in flight filled the advertised window, which ends at 65,535 bytes: window scaling was not negotiated.
why-window-grows = The bytes in flight filled the advertised window, which was the largest so far and still growing: autotuning was opening it.
why-window-capped = The bytes in flight filled the advertised window, which autotuning had opened and opened no further: it had reached its limit.
why-window-small = The bytes in flight filled the advertised window, which stayed as it was although data was read: the receive buffer is that small.

# Path.
why-queue-in-slow-start = The bytes in flight were still growing, but ACKs came without a pause and round trips took longer than the path needs: slow start had filled the path and a queue.
why-queue-under-pacer = The sender paced without a pause, and round trips took longer than its probing explains: there was a queue at the bottleneck.
why-queue-served-evenly = Single segments came evenly spaced, ACKs without a pause, and round trips took longer than the path needs: a bottleneck served a queue.
why-queue-under-full-buffer = ACKs came without a pause and round trips took longer than the path needs: the path was full, whatever buffer or window was full as well.
why-queue-standing = Round trips took longer than the path needs, and nothing shows that the sender lacked data: there was a queue at the bottleneck.
why-queue-under-last-flight = The final round trip went through a queue: ACKs came without a pause and round trips took longer than the path needs.
why-even-spacing = Single segments left at a constant pace, many in a round trip: a network card, a shaper or a pacing sender spaced them.

# Congestion window.
why-flight-opens = The bytes in flight grew by half or more over anything since the last loss or idle period, or these were the first round trips: slow start was opening the congestion window.
why-repairs-all-around = Losses were being repaired most of the time: what was sent between two repairs is what the reduced congestion window allowed.
why-pacer-slowed-by-loss = The sender paced without a pause, but after losses and more slowly than the path had carried before.
why-small-segments-leave = Nearly every burst ended with less than a full segment. Writes that wait in the send queue are coalesced into full segments, so none waited there: the application wrote small amounts at its own pace.
why-pacer-never-probes = The sender paced without a pause and never probed for more bandwidth, as a pacer with more to send does (BBR: a quarter more once in eight round trips).
why-pacer-at-its-estimate = The sender paced without a pause and no loss had slowed it: its own estimate of the path set the rate.
why-released-evenly-after-loss = ACKs released single segments evenly, after a loss had reduced the congestion window.
why-released-by-thirds-after-loss = As much was in flight as ever since a loss. ACKs that released nothing prove nothing here: a sender may wait until a third of a small window is free (tcp_tso_should_defer).
why-window-grows-back = Data had been lost, and nothing else shows as the limit: the congestion window that the loss reduced was growing back.
why-window-grows-back-after-mark = A queue had marked packets (ECN), nothing was lost since, and nothing else shows as the limit: the congestion window that the sender had reduced (CWR) was growing back.
why-slow-growth-without-loss = The bytes in flight grew steadily and slowly although nothing had been lost: something else, usually rising delay (HyStart), had ended slow start.
why-undetermined = ACKs released what was sent, and nothing shows whether the congestion window or a full send buffer waited for them.

# Application.
why-own-rhythm = Sends came at a fixed period that neither the round trip nor the path explains: a timer of the application.
why-mostly-unreleased = Most sends followed no ACK although data was in flight: there was room, and data went out when it was written.
why-unreleased-send = These sends followed no ACK although data was in flight: there was room, and data went out when it was written.
why-burst-of-unreleased = A burst whose last send followed no ACK: there was room, and data went out when it was written.
why-sends-by-chance = Sends came as close behind ACKs as chance would have it: ACKs did not release them.
why-path-rests-before-sends = The path was idle each time before data answered an ACK: the sender waited for a clock of its own.
why-never-prompt = Data never followed an ACK as soon as the handshake shows it can: the sender waited for a clock of its own.
why-less-in-rhythm = Less was in flight than had been allowed, in an even rhythm, without any loss, queue or pause between ACKs: only the application is left.
why-path-left-idle = Less was in flight than had been allowed, no ACK left room unused as it would over a full buffer, and the path could carry more: it was not asked to.
why-no-wake-level = Sends began with more in flight than at other times when nothing was sent although ACKs came: a writer that waits for its buffer goes on at one level, so this one had nothing to send.
why-peer-releases = Data followed the peer's next message at once, and no ACK: the application waited for this message.
why-peer-grants = Data followed small messages of the peer at once, and no ACK. These messages allow more data, as HTTP/2, SSH and SFTP do.
why-peer-grants-throughout = Everything had arrived, and the sender waited for the peer's next small message. Most of its waits were for messages that allow more data.
why-far-below-flight = Room was left unused, and far less was in flight than once: no buffer shrinks like that.

# Send buffer.
why-room-left-unused = Again and again ACKs made room and nothing was sent until a later one: the writer was blocked until a third of its full buffer was free.
why-unused-now-and-then = ACKs had made room and nothing was sent until a later one, as now and then before: there was nothing to send.
why-flight-below-window = The bytes in flight stayed below what the congestion window had allowed, with room in the receive window: no more was there to send.
why-buffer-under-pacer = A pacing sender had less in flight than had been allowed, and the path could carry more: its buffer held no more.
why-flat-flight = The bytes in flight stayed the same for ten round trips without loss or queue, where a congestion window would have grown.

# What shows itself only in the whole direction.
why-window-over-queue = The window was full, but most of that time over a queue: more window would only have made the queue longer.
why-sender-at-unknown-distance = The capture was taken at the receiver without the handshake, and nothing in it tells the round trip: whether the sender waited for ACKs or had nothing to send cannot be told. A capture at the sender, or one with the handshake, would tell.
why-clock-contradicted = The capture's clock disagrees with the TCP timestamps of the ends: packets were stamped in batches, and no time in this connection means anything.
why-more-missing-than-captured = More of this direction is missing from the capture than is in it: no cause can be told.
why-lost-to-policer = The losses, their repair and the reduced window after them are a policer's doing: right after a loss nothing passed faster than its rate.
why-lost-to-full-queue = The losses came from a full queue, and delivery stayed near the highest rate: the path was the limit, not the repair.
why-rate-of-full-path = Data arrived at one rate nearly all the time and never faster, and more was in flight than the path holds: the rest waited in a queue, so the path was the limit, whatever else was full above it.

# The other limit that the packets would allow as well: what speaks for it.
alternative-application = An application that writes at just this pace would look the same.
alternative-send-buffer = A full send buffer would let out the same data at the same times.
alternative-congestion-window = A congestion window that stayed as it was would allow the same bytes in flight.
alternative-receive-window = What the receiver advertised is not known: its window may have been full.

# tcpwhy --why
moment-number = Number { $n }, { $transfer }
moment-at = At { $time } ({ $clock }): { $limit }, from { $from } to { $to } ({ $length }), confidence { $confidence }
moment-before = Before: { $limit }, from { $from } to { $to } ({ $length })
moment-after = After: { $limit }, from { $from } to { $to } ({ $length })
moment-label-value = { $label } { $value }
moment-outside = { $from } → { $to } is accounted for from { $first } to { $last }; { $time } is outside
moment-outside-all = { $time } is outside of every connection that carried data
