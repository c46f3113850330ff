/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What holds a sender back at an instant: the decision table of tcpwhy-watch/src/hypotheses.rs, in C, so that the
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
    BY_PEER_TURN,
    BY_PEER_WINDOW,
    BY_CORK,
    BY_PATH,
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
    unsigned int rtt_var;                            /* µs: by how much round trips differ from `rtt` on average */
    unsigned int total_retrans, syn_retransmits;
    unsigned int unread;      /* bytes received and not read */
    int heard_after_spoken;   /* by how much data came later than data went, in any unit */
    unsigned int room;        /* enum room_wanted */
    unsigned int has_heard;   /* the peer has sent data */
    unsigned int has_scaling; /* both ends scale windows */
    unsigned int paces;       /* its congestion control paces: BBR */
    unsigned int nodelay;     /* TCP_NODELAY */
    unsigned int is_corked;   /* TCP_CORK */
    unsigned int is_locked;   /* SO_SNDBUF was set: the kernel does not let the buffer grow */
    unsigned int largest_sndbuf; /* what it may grow to: the third value of net.ipv4.tcp_wmem */
    unsigned int rate_delivered, rate_interval; /* the latest rate of delivery: segments, µs */
    unsigned int is_rate_of_program; /* that was measured while the program gave less than there was room for */
    unsigned int bound;              /* enum held_by: what kept its rates below the path's last (bounds_rate) … */
    unsigned int bound_ago;          /* … and how long ago that was, µs */
    unsigned long long pacing_rate, max_pacing_rate; /* bytes a second; one that is not set is the largest number */
};

/* Whether a writer waits for room in the send buffer. */
enum room_wanted { NOBODY_WAITS, SOMEBODY_WAITS, NOT_KNOWN };

#define LARGEST_UNSCALED 65535ULL /* RFC 7323 section 2.1 */
#define LARGEST_BURST 65536ULL    /* GSO_LEGACY_MAX_SIZE */
#define SKB_OVERHEAD 800ULL       /* SKB_TRUESIZE of one segment, about */
#define LEAST_QUEUE 5000ULL       /* µs: less is jitter … */
#define LEAST_QUEUE_PART 10ULL    /* … and less than this part of the round trip */
#define LEAST_FLIGHT 4U           /* segments: a receiver that delays its ACKs waits for two */
#define NO_PACING_RATE (~0ULL)    /* sk_max_pacing_rate that nobody has set */

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

/* Most round trips are longer than the shortest one by more than jitter: the path has a queue. A few late
 * ACKs make the mean longer, and the deviation with it. */
static __always_inline int has_queue(const struct state *s)
{
    unsigned long long jitter = s->min_rtt / LEAST_QUEUE_PART;
    unsigned int usual = s->rtt > s->rtt_var ? s->rtt - s->rtt_var : 0;
    if (s->min_rtt == ~0U || s->min_rtt == 0 || usual <= s->min_rtt)
        return 0;
    return usual - s->min_rtt > (jitter > LEAST_QUEUE ? jitter : LEAST_QUEUE);
}

static __always_inline unsigned int flight_of(const struct state *s)
{
    unsigned int left = s->sacked + s->lost, sent = s->packets_out + s->retrans;
    return sent > left ? sent - left : 0;
}

/* So much is in flight that half of it waits in a queue: the link is full, though a buffer allows no more.
 * (Of the peer's window that cannot be said: a reader that stops now and then makes round trips longer,
 * too.) */
static __always_inline int is_link_full(const struct state *s)
{
    return has_queue(s) && s->rtt >= 2ULL * s->min_rtt && flight_of(s) >= LEAST_FLIGHT;
}

/* BBR sends at the rate that it has measured of the path; while it still looks for that, at 2.9 times of
 * it (bbr_high_gain). */
static __always_inline enum held_by by_measured_rate(const struct state *s)
{
    unsigned long long delivered = (unsigned long long)s->rate_delivered * s->mss * 1000000ULL;
    if (!s->rate_delivered || !s->rate_interval)
        return BY_CWND_PACED;
    return s->pacing_rate > 2 * (delivered / s->rate_interval) ? BY_SLOW_START : BY_PATH;
}

/* Data waits for the pacer. A rate that the program itself gave is no rate of the path. */
static __always_inline enum held_by by_pace(const struct state *s)
{
    if (s->is_rate_of_program && s->rate_delivered && s->rate_interval && !has_queue(s))
        return by_application(s);
    return by_measured_rate(s);
}

static __always_inline enum held_by by_cwnd(const struct state *s)
{
    if (!s->paces && s->cwnd < s->ssthresh && !is_link_full(s))
        return BY_SLOW_START;
    if (has_queue(s))
        return BY_QUEUE;
    if (s->paces)
        return by_measured_rate(s);
    return s->total_retrans ? BY_POST_LOSS : BY_CWND;
}

/* Whether what is waiting to be read keeps the own window small. */
static __always_inline int is_reader_slow(unsigned int unread, unsigned int window, unsigned int mss)
{
    return unread && (window < 2ULL * mss || window < unread);
}

/* A writer that was woken runs within so long, however busy the machine is; ns. */
#define LONGEST_WAKING 1000000000ULL

static __always_inline int is_two_thirds_full(const struct state *s)
{
    return 3ULL * s->wmem_queued >= 2ULL * s->sndbuf;
}

/* Whether a writer that met a full buffer is in its call still: it sleeps until a third of the buffer is
 * free (sk_stream_write_space), and it takes a moment to wake. `since` is when it was known to sleep; 0:
 * nobody does. One whose end was never told is forgotten. */
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

/* Whether it is time to tell of something that happens often: `told` is when that was done last. Of
 * several at once, one. */
static __always_inline int is_due(unsigned long long *told, unsigned long long now, unsigned long long every)
{
    unsigned long long before = *told;
    if (before && (long long)(now - before) < (long long)every)
        return 0;
    return __sync_val_compare_and_swap(told, before, now) == before;
}

/* Whether a program cannot give more, since its send buffer is full. Where nobody knows, a buffer that is
 * two thirds full decides, but for one that can grow: as soon as a program waits for room, it does
 * (tcp_new_space). */
static __always_inline int is_buffer_full(const struct state *s)
{
    if (s->room != NOT_KNOWN)
        return s->room == SOMEBODY_WAITS;
    return is_two_thirds_full(s) && (s->is_locked || s->sndbuf >= s->largest_sndbuf);
}

static __always_inline enum held_by by_send_buffer(const struct state *s)
{
    return is_link_full(s) ? BY_QUEUE : BY_SEND_BUFFER;
}

/* Less than a segment is left, and there is room for it. */
static __always_inline enum held_by by_small_segment(const struct state *s, unsigned int in_flight)
{
    if (is_buffer_full(s))
        return by_send_buffer(s);
    if (s->is_corked || (!in_flight && !s->paces))
        return BY_CORK;
    return in_flight && !s->nodelay ? BY_NAGLE : by_application(s);
}

static __always_inline enum held_by decide(const struct state *s)
{
    unsigned long long mss = s->mss ? s->mss : 1, window_room, cwnd_room, least, burst, enough;
    unsigned int in_flight = flight_of(s), sent;
    int is_window;

    if (s->tcp_state == SYN_SENT || s->tcp_state == SYN_RECV)
        return s->syn_retransmits ? BY_SYN_RTO : BY_HANDSHAKE;
    if (s->outq == 0)
        return by_rest(s);
    if (s->ca_state == CA_LOSS)
        return BY_RTO;
    /* BBR goes on at its rate while it repairs. A persistent queue is still being served. */
    if (s->ca_state == CA_RECOVERY && !s->paces)
        return has_queue(s) && in_flight >= LEAST_FLIGHT ? BY_QUEUE : BY_FAST_RECOVERY;
    if (s->unsent == 0)
        return is_buffer_full(s) ? by_send_buffer(s) : by_application(s);
    sent = s->outq > s->unsent ? s->outq - s->unsent : 0;
    window_room = s->window > sent ? s->window - sent : 0;
    cwnd_room = s->cwnd > in_flight ? (s->cwnd - in_flight) * mss : 0;
    if (s->unsent < mss && s->unsent <= window_room && cwnd_room > 0)
        return by_small_segment(s, in_flight);
    is_window = window_room <= cwnd_room;
    least = is_window ? window_room : cwnd_room;
    if (least < mss)
        return is_window ? by_window(s) : by_cwnd(s);
    if (s->max_pacing_rate != NO_PACING_RATE && s->pacing_rate >= s->max_pacing_rate)
        return BY_PACING;
    burst = s->pacing_rate >> 10; /* sk_pacing_shift: about a millisecond of it */
    if (s->wmem_alloc > burst && s->wmem_alloc > 2 * (mss + SKB_OVERHEAD))
        return BY_INTERFACE;
    if (s->paces) {
        enough = burst < LARGEST_BURST ? burst : LARGEST_BURST;
        if (enough < 2 * mss)
            enough = 2 * mss;
        /* The rate is what so small a buffer let it measure: its congestion window would take twice as
         * much. */
        if (is_buffer_full(s) && 2ULL * s->outq <= s->cwnd * mss)
            return by_send_buffer(s);
        if (!(is_window && window_room < enough))
            return by_pace(s);
    }
    return is_window ? by_window(s) : by_cwnd(s);
}

/* BBR takes the largest rate of so many round trips (bbr_bw_rtts). */
#define RATE_ROUND_TRIPS 10ULL

/* Whether `held` holds a sender below what the path takes, so that the rates which it reaches are no rates
 * of the path. */
static __always_inline int bounds_rate(enum held_by held)
{
    return held == BY_SEND_BUFFER || held == BY_RECEIVE_WINDOW || held == BY_ZERO_WINDOW || held == BY_NO_WINDOW_SCALE;
}

/* Whether `held` is the rate that BBR has measured. To the kernel a writer that waits for room gives no
 * more either: the rate is the program's then. */
static __always_inline int is_measured_rate(const struct state *s, enum held_by held)
{
    if (!s->paces || s->unsent < s->mss)
        return 0;
    return held == BY_PATH || held == BY_SLOW_START || held == BY_CWND_PACED || held == BY_APPLICATION;
}

/* What a rate that BBR has measured stands for. While something else bound within the round trips that BBR
 * takes its rate from, the rate is that of what bound. A send buffer over a full link allows as much as the
 * link takes. The peer's window does not show that: a reader that reads now and then makes round trips
 * longer, too. */
static __always_inline enum held_by under_bound(const struct state *s, enum held_by held)
{
    if (!is_measured_rate(s, held) || !bounds_rate(s->bound) || s->bound_ago > RATE_ROUND_TRIPS * s->rtt)
        return held;
    return s->bound == BY_SEND_BUFFER && is_link_full(s) ? held : (enum held_by)s->bound;
}

#endif
