/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What holds a sender back at an instant: the decision table of tcpwhy-watch/src/held.rs and cause.rs, in C, so that the
 * kernel can ask it at every ACK and write. It is plain C of plain numbers: tests/table.rs compiles it for this machine and
 * feeds the same states through both.
 */
#ifndef TCPWHY_DECIDE_H
#define TCPWHY_DECIDE_H

/* In the order of `HeldBy::ALL` (tcpwhy-model/src/live.rs). */
enum held_by {
    BY_IDLE,
    BY_THINK,
    BY_CLOSE_WAIT,
    BY_APPLICATION,
    BY_TAIL,
    BY_NAGLE,
    BY_SEND_BUFFER,
    BY_RECEIVE_WINDOW,
    BY_ZERO_WINDOW,
    BY_NO_WINDOW_SCALE,
    BY_SLOW_START,
    BY_QUEUE,
    BY_CWND_PACED,
    BY_POST_LOSS,
    BY_CWND,
    BY_PACING,
    BY_INTERFACE,
    BY_FAST_RECOVERY,
    BY_RTO,
    BY_HANDSHAKE,
    BY_SYN_RTO,
    HELD_BY_COUNT,
};

/* include/net/tcp_states.h */
enum {
    ESTABLISHED = 1,
    SYN_SENT,
    SYN_RECV,
    FIN_WAIT1,
    FIN_WAIT2,
    TIME_WAIT,
    CLOSED,
    CLOSE_WAIT,
    LAST_ACK,
    LISTEN,
    CLOSING,
};

enum { CA_RECOVERY = 3, CA_LOSS = 4 };

/* What a socket says of its sending half; numbers as in `struct tcp_info`. */
struct state {
    unsigned int tcp_state;
    unsigned int outq;   /* bytes written and not acknowledged */
    unsigned int unsent; /* of those not sent */
    unsigned int ca_state;
    unsigned int mss;
    unsigned int packets_out, sacked, lost, retrans; /* segments */
    unsigned int cwnd, ssthresh;                     /* segments */
    unsigned int window;                             /* the peer's, bytes */
    unsigned int wmem_alloc, wmem_queued, sndbuf;    /* bytes of memory */
    unsigned int rtt, min_rtt;                       /* µs; a least one that is not known is the largest number */
    unsigned int total_retrans, syn_retransmits;
    unsigned int unread;      /* bytes received and not read */
    int heard_after_spoken;   /* by how much data came later than data went, in any unit */
    unsigned int is_in_send;  /* a writer waits for room */
    unsigned int has_heard;   /* the peer has sent data */
    unsigned int has_scaling; /* both ends scale windows */
    unsigned int paces;       /* its congestion control paces: BBR */
    unsigned int nodelay;     /* TCP_NODELAY */
    unsigned long long pacing_rate; /* bytes a second */
};

#define LARGEST_UNSCALED 65535ULL /* RFC 7323 section 2.1 */
#define LARGEST_BURST 65536ULL    /* GSO_LEGACY_MAX_SIZE */
#define SKB_OVERHEAD 800ULL       /* SKB_TRUESIZE of one segment, about */
#define LEAST_QUEUE 5000ULL       /* µs: less is jitter … */
#define LEAST_QUEUE_PART 10ULL    /* … and less than this part of the round trip */

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

static __always_inline int has_closed(unsigned int state)
{
    return state == FIN_WAIT1 || state == FIN_WAIT2 || state == LAST_ACK || state == CLOSING || state == TIME_WAIT;
}

static __always_inline int has_peer_closed(unsigned int state)
{
    return state == CLOSE_WAIT || state == LAST_ACK || state == CLOSING || state == TIME_WAIT;
}

/* Its FIN is not acknowledged. */
static __always_inline int waits_for_last_ack(unsigned int state)
{
    return state == FIN_WAIT1 || state == LAST_ACK || state == CLOSING;
}

static __always_inline enum held_by by_rest(const struct state *s)
{
    if (has_closed(s->tcp_state) || has_peer_closed(s->tcp_state))
        return BY_CLOSE_WAIT;
    if (s->has_heard && (s->heard_after_spoken > 0 || (s->heard_after_spoken == 0 && s->unread > 0)))
        return BY_THINK;
    return BY_IDLE;
}

static __always_inline enum held_by by_application(const struct state *s)
{
    return has_closed(s->tcp_state) ? BY_TAIL : BY_APPLICATION;
}

static __always_inline enum held_by by_window(const struct state *s)
{
    if (s->window < s->mss)
        return BY_ZERO_WINDOW;
    if (!s->has_scaling && s->window * 2ULL > LARGEST_UNSCALED)
        return BY_NO_WINDOW_SCALE;
    return BY_RECEIVE_WINDOW;
}

static __always_inline enum held_by by_cwnd(const struct state *s)
{
    if (!s->paces && s->cwnd < s->ssthresh)
        return BY_SLOW_START;
    if (s->min_rtt != ~0U && s->min_rtt != 0 && s->rtt > s->min_rtt) {
        unsigned long long jitter = s->min_rtt / LEAST_QUEUE_PART;
        if (s->rtt - s->min_rtt > (jitter > LEAST_QUEUE ? jitter : LEAST_QUEUE))
            return BY_QUEUE;
    }
    if (s->paces)
        return BY_CWND_PACED;
    return s->total_retrans ? BY_POST_LOSS : BY_CWND;
}

/* Whether what is waiting to be read keeps the own window small. */
static __always_inline int is_reader_slow(unsigned int unread, unsigned int window, unsigned int mss)
{
    return unread && (window < 2ULL * mss || window * 2ULL < unread);
}

/* A writer that was woken runs within so long, however busy the machine is; ns. */
#define LONGEST_WAKING 1000000000ULL

static __always_inline int is_two_thirds_full(const struct state *s)
{
    return 3ULL * s->wmem_queued >= 2ULL * s->sndbuf;
}

/* Whether a writer that met a full buffer is in its call still: it sleeps until a third of the buffer is free
 * (sk_stream_write_space), and it takes a moment to wake. `since` is when it was known to sleep; 0: nobody does. One whose end
 * was never told is forgotten. */
static __always_inline int still_waits(unsigned long long *since, unsigned long long now, const struct state *s)
{
    if (!*since)
        return 0;
    if (is_two_thirds_full(s))
        *since = now;
    else if ((long long)(now - *since) > (long long)LONGEST_WAKING)
        *since = 0;
    return *since != 0;
}

/* Whether it is time to tell of something that happens often: `told` is when that was done last. Of several at once, one. */
static __always_inline int is_due(unsigned long long *told, unsigned long long now, unsigned long long every)
{
    unsigned long long before = *told;
    if (before && (long long)(now - before) < (long long)every)
        return 0;
    return __sync_val_compare_and_swap(told, before, now) == before;
}

static __always_inline enum held_by decide(const struct state *s)
{
    unsigned long long mss = s->mss ? s->mss : 1, window_room, cwnd_room, least, burst;
    unsigned int left = s->sacked + s->lost, in_flight = s->packets_out + s->retrans, sent;
    int is_full, is_window;

    if (s->tcp_state == SYN_SENT || s->tcp_state == SYN_RECV)
        return s->syn_retransmits ? BY_SYN_RTO : BY_HANDSHAKE;
    if (s->outq == 0)
        return by_rest(s);
    if (s->ca_state >= CA_RECOVERY)
        return s->ca_state == CA_LOSS ? BY_RTO : BY_FAST_RECOVERY;
    is_full = s->is_in_send || is_two_thirds_full(s);
    if (s->unsent == 0)
        return is_full ? BY_SEND_BUFFER : by_application(s);
    in_flight = in_flight > left ? in_flight - left : 0;
    sent = s->outq > s->unsent ? s->outq - s->unsent : 0;
    window_room = s->window > sent ? s->window - sent : 0;
    cwnd_room = s->cwnd > in_flight ? (s->cwnd - in_flight) * mss : 0;
    if (s->unsent < mss && s->unsent <= window_room && cwnd_room > 0) {
        if (is_full)
            return BY_SEND_BUFFER;
        return in_flight && !s->nodelay ? BY_NAGLE : by_application(s);
    }
    is_window = window_room <= cwnd_room;
    least = is_window ? window_room : cwnd_room;
    if (least < mss)
        return is_window ? by_window(s) : by_cwnd(s);
    burst = s->pacing_rate >> 10; /* sk_pacing_shift: about a millisecond of it */
    if (s->wmem_alloc > burst && s->wmem_alloc > 2 * (mss + SKB_OVERHEAD))
        return BY_INTERFACE;
    if (s->paces) {
        unsigned long long enough = burst < LARGEST_BURST ? burst : LARGEST_BURST;
        if (enough < 2 * mss)
            enough = 2 * mss;
        if (!(is_window && window_room < enough))
            return BY_PACING;
    }
    return is_window ? by_window(s) : by_cwnd(s);
}

#endif
