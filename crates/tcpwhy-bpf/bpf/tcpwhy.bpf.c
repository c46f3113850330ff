// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Accounts of what held each TCP connection back, and events beside them. Nothing here changes anything: every program reads the
// socket that the kernel hands it, and writes to maps of its own.
//
// At each ACK, before it is processed, and at each write, before its data is taken, the time since the last look goes to what
// holds the sender at that instant: the state has not changed in between. `last` is exchanged and all sums are added atomically,
// so that a reader on another processor neither loses nor doubles time: the sum of an account is always `last - since`.
#include "kernel.h"
#include "decide.h"

char licence[] SEC("license") = "Dual MIT/GPL";

#define TCP 6
#define AF_INET 2
#define AF_INET6 10
#define TCP_NAGLE_OFF 1
#define TCP_NAGLE_CORK 2
#define SOCK_SNDBUF_LOCK 1
#define SHUTDOWN_MASK 3 /* include/net/sock.h */
#define SOL_SOCKET 1
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_SNDBUFFORCE 32
#define SO_RCVBUFFORCE 33
#define TCP_WINDOW_CLAMP 10
#define SOCK_NOSPACE 2
#define EAGAIN 11
#define NAME 16
#define SLOTS 32 /* a power of two over HELD_BY_COUNT, so that an index can be masked */
_Static_assert(HELD_BY_COUNT <= SLOTS, "an account has room for all");

#define MILLISECOND 1000000ULL
/* Of one socket, retransmissions are told together for so long. */
#define RETRANSMITS_EVERY (20 * MILLISECOND)
/* Of one socket, what a receive queue without room came to: while there is none, each segment meets it. */
#define PRUNED_EVERY (100 * MILLISECOND)
/* Of the whole machine, memory that is used up: where it is, each segment of each socket meets it. */
#define MEMORY_EVERY (100 * MILLISECOND)
#define PACING_BY_TIMER 1          /* SK_PACING_NEEDED, include/net/sock.h */
/* From where a small write is looked at, its data leaves within so long, if nothing holds it. */
#define LONGEST_WRITE 5000ULL
#define PF_KTHREAD 0x00200000 /* include/linux/sched.h */
#define PF_IO_WORKER 0x00000010
/* Whoever writes again within so long after a rest goes at its own pace; after a longer one it had rested. */
#define LONGEST_OWN_PACE (500 * MILLISECOND)
/* A word of the peer that grants more is no longer than this, bytes: WINDOW_UPDATE of HTTP/2 takes 13, 35
 * in TLS; two of them go together. SSH_MSG_CHANNEL_WINDOW_ADJUST takes 36 to 52, a request for a block of
 * SFTP up to 116. */
#define LONGEST_GRANT 128U
/* Of one socket, the calls that led to a write are told so often: they hardly change. */
#define STACKS_EVERY (1000 * MILLISECOND)
/* As much of a thread's stack is told, if so much is there; else less. */
#define STACK 4096
#define LESS_STACK 1024

enum { OPENED_HERE = 1, IS_SERVER = 2, IS_CLIENT = 4 };
/* `room` of a record.
 * ROOM_WANTED: SOCK_NOSPACE. A write that sleeps or was refused sets it. So does poll() (tcp_poll), even
 * if it only asks for input. An ACK that frees a third of the buffer clears it (sk_stream_write_space).
 * ROOM_SLEEPS: a thread sleeps in a write (sk_stream_wait_memory).
 * ROOM_REFUSED: the last write that could not wait met a full buffer.
 * ROOM_POLLED: poll() asks for output.
 * ROOM_SEES_WRITES: refused writes are seen. */
enum { ROOM_WANTED = 1, ROOM_SLEEPS = 2, ROOM_REFUSED = 4, ROOM_POLLED = 8, ROOM_SEES_WRITES = 16, ROOM_NODELAY = 32 };
#define EPOLLOUT 4U
#define EPOLLET (1U << 31)
/* Who waits at a socket: its own threads and epoll sets, few. */
#define MOST_WAITERS 16
enum { BY_FAST, BY_TIMEOUT, BY_PROBE, REASONS };
/* What the kernel does where a receive buffer has no room: tcp_prune_queue, net/ipv4/tcp_input.c. */
enum { COLLAPSED, DROPPED_OUT_OF_ORDER, DROPPED_ARRIVING, PRUNINGS };

/* How long one side took from the other's last word to its own first: how many turns, their sum, and how
 * many by length. The first bucket is below 2^TURNS_FROM ns, each further one up to twice the one before,
 * the last one has no end. Buckets overflow: readers take differences. */
#define TURN_BUCKETS 16
#define TURNS_FROM 17
struct turns {
    u64 ns;
    u32 count, reserved;
    u16 buckets[TURN_BUCKETS];
};

/* What is kept of a socket as long as it lives. ACKs and writes may come on different processors, and each
 * cache line that both touch is fetched from the other: what most of them need stands in the first two
 * lines (the kernel puts 8 bytes before it). */
struct account {
    u64 last;       /* up to where time was given out; 0: nothing was yet */
    u64 same_until; /* up to where a write found that what held goes on; such time is given out at the next look */
    u64 refused_at; /* a write that may not wait met a full buffer */
    u32 looks;      /* how often was looked */
    u32 held;       /* what held at the last look */
    u32 undated;    /* enum undated: what came since then, and changed nothing */
    u32 spoken;     /* lsndtime then */
    u32 unsent;     /* bytes not sent then */
    u32 received;   /* rcv_nxt then */
    u32 waiters;    /* its entries among `waits`, or more: where it is 0, none is looked for */
    u32 pid;
    u32 flags;
    u64 waits_at;   /* when a writer waited for room last (still_waits) */
    u64 zero_since; /* the peer's window is closed; 0: it is not */
    u64 own_zero_since;
    u64 ns[SLOTS];  /* by enum held_by; the first few are what most time goes to */
    u64 since;      /* from where time was given out */
    u64 slow_reader_ns;
    u64 blocked_ns; /* writers waited for room in the send buffer */
    u64 retransmits_told, retransmitted_at;
    u64 pruned_told, pruned_at;
    u64 stack_told;
    u64 room_at; /* since when there is room again for the write that was refused */
    u64 cookie;
    u32 retransmitted;        /* segments, up to the last one that was seen */
    u32 retransmits[REASONS]; /* not told yet */
    u32 pruned[PRUNINGS];     /* not told yet */
    u32 told;                 /* up to which look */
    u32 acked, sent;          /* snd_una and snd_nxt at the last look */
    /* Time since the last word, among what `ns` has of BY_IDLE and BY_APPLICATION: the next word decides
     * what it was. */
    u64 open_idle, open_application;
    u32 unanswered; /* bytes that this side had sent since the peer's last word, when the peer ended it */
    u64 spoken_at;  /* when this side wrote last; 0: nobody saw it */
    u64 granted_at; /* when a short word of the peer came while data was in flight; 0: none did */
    u64 granted;    /* of `open_application`, what that ended */
    u32 written;    /* write_seq as of the last word of this side */
    u32 written_before; /* and as of the last word of the peer */
    u32 last_word;  /* whose it was */
    u32 bound;      /* what kept the rates below the path's last (bounds_rate), and when that was */
    u64 bound_at;
    u64 heard_at;   /* when the peer's last word came */
    struct turns own, peers;
    char name[NAME];
};
_Static_assert(__builtin_offsetof(struct account, waits_at) <= 64, "the first line");

enum { WORD_UNKNOWN, WORD_OWN, WORD_PEERS };
enum undated { UNDATED_SAME = 1, UNDATED_HEARD = 2, UNDATED_SPOKEN = 4 };

/* What is told of a socket: by the iterator, and when it closes. Little fields stand together so that
 * there are no gaps. */
struct record {
    u32 kind, size;
    u64 time, cookie, since;
    u64 ns[HELD_BY_COUNT];
    u64 slow_reader_ns, blocked_ns;
    u64 bytes_acked, bytes_received, bytes_sent, bytes_retrans, pacing_rate;
    u32 namespace, pid;
    char name[NAME], congestion_control[NAME];
    u8 local[16], peer[16];
    u16 local_port, peer_port;
    u8 is_v6, tcp_state, held, flags;
    u32 looks, outq, unsent, unread;
    u32 ca_state, mss, packets_out, sacked, lost, retrans, cwnd, ssthresh, window, rtt, min_rtt, total_retrans;
    u32 wmem_alloc, wmem_queued, sndbuf, rmem_alloc, rcvbuf, userlocks;
    u32 own_window, own_mss;
    u32 segs_out, segs_in, data_segs_out, data_segs_in;
    u8 has_scaling, window_scale, own_window_scale, room;
    u32 delivered, delivery_interval;
    u32 unanswered;
    u64 max_pacing_rate;
    struct turns own, peers;
    /* After the end: its error and the state before, and whether its program had shut both halves. */
    u16 error;
    u8 state_before, is_shut;
    u8 is_unaccepted; /* no program has accepted it */
    u8 timeouts;      /* retransmission timers that ran out since something was acknowledged */
    u8 reserved[2];
};
_Static_assert(sizeof(struct record) == 608, "as in src/record.rs");

enum { KIND_RECORD = 1, KIND_BLOCKED, KIND_BUFFER_SET, KIND_RETRANSMIT, KIND_ZERO_WINDOW, KIND_MEMORY, KIND_PRUNED, KIND_STACK };

/* Something that happened. */
struct event {
    u32 kind, size;
    u64 time, cookie;
    u64 ns;    /* how long, where it has a length */
    s64 value; /* what was asked, how many */
    u32 what;  /* which option, reason or side */
    u32 namespace, pid, thread;
    char name[NAME];
    u8 local[16], peer[16];
    u16 local_port, peer_port;
    u8 is_v6, reserved[3];
};
_Static_assert(sizeof(struct event) == 112, "as in src/record.rs");

struct {
    __uint(type, MAP_SK_STORAGE);
    __uint(map_flags, NO_PREALLOC);
    __type(key, int);
    __type(value, struct account);
} accounts SEC(".maps");

struct {
    __uint(type, MAP_RINGBUF);
    __uint(max_entries, 1 << 20);
} events SEC(".maps");

/* Connections that ended, apart from events: however many of those there are, what is known of a
 * connection is not lost. Room for 9,000. */
struct {
    __uint(type, MAP_RINGBUF);
    __uint(max_entries, 1 << 22);
} ends SEC(".maps");

/* Where in its code a thread is: registers, and the newest part of its stack. Whoever reads this finds the
 * calls in it, by the tables of the program: most are built without frame pointers, which is all that the
 * kernel could follow. */
struct stack {
    u32 kind, size;
    u64 time; /* of its event */
    u32 pid, thread;
    u64 ip, sp, bp, lr;
    u32 length, reserved;
    u8 bytes[STACK];
};
_Static_assert(sizeof(struct stack) == 64 + STACK, "as in src/record.rs");
struct {
    __uint(type, MAP_RINGBUF);
    __uint(max_entries, 1 << 20);
} stacks SEC(".maps");

/* Since when a thread waits in a write, and for how long it did. By cookie: a socket's place is given to
 * another one. */
struct wait {
    u64 cookie, began, waits_since, waited;
};
struct {
    __uint(type, MAP_LRU_HASH);
    __uint(max_entries, 8192);
    __type(key, u64);
    __type(value, struct wait);
} waits SEC(".maps");

/* How many waits there are of the threads that share a place: most writes end without any, and a hash is
 * dearer than that. Too many where the kernel forgot a wait, which costs time only. */
#define WAIT_PLACES 1024
struct {
    __uint(type, MAP_ARRAY);
    __uint(max_entries, WAIT_PLACES);
    __type(key, u32);
    __type(value, u32);
} waiting SEC(".maps");

/* SEES_WRITES: each write is looked at before its data is taken; SEES_WRITE_ENDS: and when it is over.
 * MEMORY_TOLD: when it was told last that memory is used up, for sending and for receiving. */
enum { LOST_EVENTS, LOST_ENDS, TELL_ALL, SEES_WRITES, SEES_WRITE_ENDS, MEMORY_TOLD, SETTINGS = MEMORY_TOLD + 2 };
struct {
    __uint(type, MAP_ARRAY);
    __uint(max_entries, SETTINGS);
    __type(key, u32);
    __type(value, u64);
} settings SEC(".maps");

struct {
    __uint(type, MAP_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, u32);
    __type(value, struct record);
} scratch SEC(".maps");

/* System calls that were looked at, of each processor. */
struct {
    __uint(type, MAP_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, u32);
    __type(value, u64);
} system_calls SEC(".maps");

#define probe(to, from) bpf_probe_read_kernel(to, sizeof(*(to)), from)

static __always_inline u64 *setting(u32 which)
{
    return bpf_map_lookup_elem(&settings, &which);
}

static __always_inline u32 *waiting_at(u64 thread)
{
    u32 place = thread & (WAIT_PLACES - 1);
    return bpf_map_lookup_elem(&waiting, &place);
}

static __always_inline void *reserve(void *ring, u64 size, u32 counts_lost)
{
    void *room = bpf_ringbuf_reserve(ring, size, 0);
    u64 *lost;
    if (!room && (lost = setting(counts_lost)))
        __sync_fetch_and_add(lost, 1);
    return room;
}

static __always_inline struct event *reserve_event(void)
{
    return reserve(&events, sizeof(struct event), LOST_EVENTS);
}

static __always_inline void addresses(struct sock *sk, u8 *local, u8 *peer, u16 *local_port, u16 *peer_port, u8 *is_v6)
{
    struct sock_common *common = &sk->__sk_common;
    /* A socket that closes gives up skc_num first. */
    *local_port = __builtin_bswap16(((struct inet_sock *)sk)->inet_sport);
    *peer_port = __builtin_bswap16(common->skc_dport);
    *is_v6 = common->skc_family == AF_INET6;
    if (*is_v6) {
        /* Sockets of a kernel without IPv6 have no such fields. */
        if (exists(common->skc_v6_daddr)) {
            *(struct in6_addr *)local = common->skc_v6_rcv_saddr;
            *(struct in6_addr *)peer = common->skc_v6_daddr;
        }
        return;
    }
    *(u32 *)local = common->skc_rcv_saddr;
    *(u32 *)peer = common->skc_daddr;
}

static __always_inline int paces(struct inet_connection_sock *icsk)
{
    const struct tcp_congestion_ops *ops = icsk->icsk_ca_ops;
    return ops && ops->name[0] == 'b' && ops->name[1] == 'b' && ops->name[2] == 'r';
}

static __always_inline u32 behind(u32 to, u32 from)
{
    return (s32)(to - from) > 0 ? to - from : 0;
}

/* By how much the peer's last word came later than this side's. A segment is looked at before it is
 * processed: what came with the last evaluation changed `rcv_nxt` after it. */
static __always_inline s32 heard_after_spoken(struct tcp_sock *tp, struct account *a)
{
    struct inet_connection_sock *icsk = (void *)tp;
    if (a->looks && a->received != tp->rcv_nxt)
        return 1;
    if (a->last_word)
        return a->last_word == WORD_PEERS ? 1 : -1;
    return icsk->icsk_ack.lrcvtime - tp->lsndtime;
}

/* Whether writes and their ends are seen. */
static __always_inline int sees_writes(void)
{
    u64 *writes = setting(SEES_WRITES), *ends = setting(SEES_WRITE_ENDS);
    return writes && *writes && ends && *ends;
}

/* Whether a writer waits for room, as far as the socket shows. Where writes are seen, whoever met a full
 * buffer is known, but for one that has been waiting in poll() since before anybody watched. */
static __always_inline enum room_wanted room_wanted(struct sock *sk, struct account *a)
{
    struct socket *socket = sk->sk_socket;
    if (has_closed(sk->__sk_common.skc_state))
        return NOBODY_WAITS;
    if (sk->sk_write_pending > 0 || (a->refused_at && !a->room_at))
        return SOMEBODY_WAITS;
    if (!sees_writes())
        return NOT_KNOWN;
    return !a->spoken_at && socket && socket->flags & 1 << SOCK_NOSPACE ? NOT_KNOWN : NOBODY_WAITS;
}

/* The socket now. */
static __noinline void observe(struct tcp_sock *tp, struct account *a, struct state *s)
{
    struct sock *sk = (void *)tp;
    struct inet_connection_sock *icsk = (void *)tp;
    s->tcp_state = sk->__sk_common.skc_state;
    s->outq = behind(tp->write_seq, tp->snd_una);
    s->unsent = behind(tp->write_seq, tp->snd_nxt);
    s->ca_state = bits(icsk, icsk_ca_state);
    s->mss = tp->mss_cache;
    s->packets_out = tp->packets_out;
    s->sacked = tp->sacked_out;
    s->lost = tp->lost_out;
    s->retrans = tp->retrans_out;
    s->cwnd = tp->snd_cwnd;
    s->ssthresh = tp->snd_ssthresh;
    s->window = tp->snd_wnd;
    s->wmem_alloc = sk->sk_wmem_alloc.refs.counter;
    if (s->wmem_alloc)
        s->wmem_alloc--; /* sk_wmem_alloc_get */
    s->wmem_queued = sk->sk_wmem_queued;
    s->sndbuf = sk->sk_sndbuf;
    s->rtt = tp->srtt_us >> 3;
    s->rtt_var = tp->mdev_us >> 2;
    s->min_rtt = tp->rtt_min.s[0].v;
    s->total_retrans = tp->total_retrans;
    s->syn_retransmits = icsk->icsk_retransmits;
    s->unread = behind(tp->rcv_nxt, tp->copied_seq);
    s->heard_after_spoken = heard_after_spoken(tp, a);
    s->room = room_wanted(sk, a);
    s->has_heard = tp->bytes_received != 0;
    s->has_scaling = bits(tp, rx_opt.wscale_ok);
    s->paces = paces(icsk);
    s->nodelay = bits(tp, nonagle) & TCP_NAGLE_OFF;
    s->is_corked = bits(tp, nonagle) & TCP_NAGLE_CORK;
    s->is_locked = bits(sk, sk_userlocks) & SOCK_SNDBUF_LOCK;
    s->largest_sndbuf = sk->__sk_common.skc_net.net->ipv4.sysctl_tcp_wmem[2];
    s->rate_delivered = tp->rate_delivered;
    s->rate_interval = tp->rate_interval_us;
    /* Until what was sent since has arrived. */
    s->is_rate_of_program = tp->app_limited && bits(tp, rate_app_limited);
    s->pacing_rate = sk->sk_pacing_rate;
    s->max_pacing_rate = sk->sk_max_pacing_rate;
}

/* What `held_now` says: enum held_by, and whether a rate stands for that. */
#define HELD 0xffU
#define IS_RATE 0x100U

/* The decision, as a function of its own (not static): kernels check such a one once, for any state, and
 * not anew on each way that leads to it. They take whatever they are handed for a pointer that may be
 * null. */
__noinline u32 held_now(const struct state *s)
{
    enum held_by held, bound;
    if (!s)
        return BY_HANDSHAKE;
    held = decide(s);
    bound = under_bound(s, held);
    return bound == held ? held : bound | IS_RATE;
}

/* The name of the current process, which /proc and ps show; each of its threads may have one of its own. */
static __always_inline void name_process(char *name)
{
    struct task_struct *task = bpf_get_current_task_btf();
    struct task_struct *leader = task->group_leader;
    bpf_probe_read_kernel(name, NAME, leader->comm);
}

static __always_inline void own(struct account *a)
{
    u32 pid = bpf_get_current_pid_tgid() >> 32;
    /* A socket that was handed on has its newest owner. */
    if (pid && pid != a->pid) {
        a->pid = pid;
        name_process(a->name);
    }
}

static __always_inline void begin(struct tcp_sock *tp, struct account *a, u64 now)
{
    if (a->last)
        return;
    a->cookie = bpf_get_socket_cookie(tp);
    a->since = now;
    a->last = now;
    a->retransmitted = tp->total_retrans;
    a->received = tp->rcv_nxt;
    a->written = a->written_before = tp->write_seq;
}

static __always_inline struct account *open_account(struct tcp_sock *tp, u64 now)
{
    struct account *a = bpf_sk_storage_get(&accounts, tp, 0, STORAGE_CREATE);
    if (a)
        begin(tp, a, now);
    return a;
}

/* Gives the time up to `now` to `held`. */
static __always_inline void give(struct account *a, u64 now, u32 held)
{
    u64 before = __sync_lock_test_and_set(&a->last, now);
    __sync_fetch_and_add(&a->ns[held & (SLOTS - 1)], now - before);
    /* The iterator alone does not hold the socket's lock: what it adds at the same time may be lost here. */
    if (held == BY_IDLE)
        a->open_idle += now - before;
    if (held == BY_APPLICATION)
        a->open_application += now - before;
    a->held = held;
}

/* Time that was given to `from` was `to`. */
static __always_inline void move(struct account *a, enum held_by from, enum held_by to, u64 ns)
{
    __sync_fetch_and_add(&a->ns[from], -ns);
    __sync_fetch_and_add(&a->ns[to], ns);
}

static __always_inline u64 least(u64 a, u64 b)
{
    return a < b ? a : b;
}

/* Counts a turn that took so long. */
static __always_inline void count_turn(struct turns *turns, u64 ns)
{
    u64 rest = ns >> TURNS_FROM;
    u32 bucket = 0;
    if (rest >= 1 << 8) {
        rest >>= 8;
        bucket = 8;
    }
    if (rest >= 1 << 4) {
        rest >>= 4;
        bucket += 4;
    }
    if (rest >= 1 << 2) {
        rest >>= 2;
        bucket += 2;
    }
    bucket += rest >= 2 ? 2 : rest;
    turns->count++;
    turns->ns += ns;
    turns->buckets[(bucket < TURN_BUCKETS ? bucket : TURN_BUCKETS - 1) & (TURN_BUCKETS - 1)]++;
}

/* The peer spoke at `at`, the time of the last evaluation. If that acknowledged all, this side had been
 * waiting for it, in flight and at rest. If something is in flight still, a short word may have granted
 * more: what this side does next decides. */
static __noinline void heard(struct tcp_sock *tp, struct account *a, u64 at)
{
    u32 length = tp->rcv_nxt - a->received;
    u64 waited = a->spoken_at && (s64)(at - a->spoken_at) > 0 ? at - a->spoken_at : ~0ULL;
    u64 application = least(a->open_application, waited), idle = least(a->open_idle, waited);
    u32 given = behind(tp->write_seq, a->written_before);
    /* A write is looked at before its data leaves. Where none is seen, this side may have sent since. */
    u32 sent = a->sent, next = tp->snd_nxt, written = a->written, all = tp->write_seq;
    /* One load from either place would be one from no known place. */
    asm volatile("" : "+r"(sent), "+r"(next), "+r"(written), "+r"(all));
    if (sees_writes()) {
        sent = next;
        written = all;
    }
    a->received = tp->rcv_nxt;
    /* A FIN counts as a byte, and is no word. What it acknowledges was the end of what this side sent. */
    if (length == 1 && has_peer_closed(((struct sock *)tp)->__sk_common.skc_state)) {
        if (behind(sent, tp->snd_una) == 0) {
            move(a, BY_APPLICATION, BY_TAIL, application);
            a->open_application = 0;
        }
        return;
    }
    if (a->last_word == WORD_OWN && behind(sent, tp->snd_una) == 0 && (s64)(at - a->spoken_at) > 0)
        count_turn(&a->peers, at - a->spoken_at);
    a->last_word = WORD_PEERS;
    a->heard_at = at;
    if (behind(sent, tp->snd_una) == 0) {
        move(a, BY_APPLICATION, BY_PEER_TURN, application);
        move(a, BY_IDLE, BY_PEER_TURN, idle);
        a->open_application = a->open_idle = 0;
        a->granted_at = 0;
    } else if (length <= LONGEST_GRANT && given > 2 * tp->mss_cache) {
        a->granted_at = at;
        a->granted = application;
    }
    a->written_before = written;
}

/* This side spoke. */
static __noinline void spoke(struct tcp_sock *tp, struct account *a, u64 now)
{
    /* An answer to a grant comes at once: within a quarter of a round trip, or a millisecond. */
    u64 at_once = MILLISECOND + (tp->srtt_us >> 5) * 1000ULL;
    if (a->last_word == WORD_PEERS && !a->granted_at && a->heard_at && (s64)(now - a->heard_at) > 0)
        count_turn(&a->own, now - a->heard_at);
    if (a->granted_at && now - a->granted_at <= at_once)
        move(a, BY_APPLICATION, BY_PEER_WINDOW, a->granted);
    if (a->open_idle < LONGEST_OWN_PACE)
        move(a, BY_IDLE, BY_APPLICATION, a->open_idle);
    a->open_application = a->open_idle = a->granted = a->granted_at = 0;
    a->spoken_at = now;
    a->written = tp->write_seq;
    a->last_word = WORD_OWN;
}

/* When this side began to send what is in flight, between two evaluations; where that is not known, at the
 * first of them. */
static __always_inline u64 first_sent(struct tcp_sock *tp, u64 from, u64 now)
{
    u64 sent = tp->first_tx_mstamp * 1000;
    return sent > from && sent < now ? sent : from;
}

/* Decides what the time up to the last evaluation was, by the words since. */
static __always_inline void hear_words(struct tcp_sock *tp, struct account *a, u64 now)
{
    if (a->received != tp->rcv_nxt)
        heard(tp, a, a->last);
    if (a->written != tp->write_seq && !sees_writes())
        spoke(tp, a, first_sent(tp, a->last, now));
}

/* Where no write is seen: with nothing in flight the first segment dates itself, and up to it there was
 * nothing to send. */
static __always_inline void give_rest(struct tcp_sock *tp, struct account *a, struct state *s, u64 from, u64 now)
{
    u64 sent = tp->first_tx_mstamp * 1000, *sees_writes;
    u32 outq = s->outq, heard_after_spoken = s->heard_after_spoken;
    if (sent <= from || sent >= now || a->unsent || !(sees_writes = setting(SEES_WRITES)) || *sees_writes)
        return;
    s->outq = 0;
    s->heard_after_spoken += tp->lsndtime - a->spoken;
    give(a, sent, held_now(s) & HELD);
    s->outq = outq;
    s->heard_after_spoken = heard_after_spoken;
}

static __always_inline void fill_event(struct event *e, struct sock *sk, u32 kind, u64 now)
{
    u64 thread = bpf_get_current_pid_tgid();
    __builtin_memset(e, 0, sizeof(*e));
    e->kind = kind;
    e->size = sizeof(*e);
    e->time = now;
    e->pid = thread >> 32;
    e->thread = thread;
    name_process(e->name);
    if (sk) {
        e->namespace = sk->__sk_common.skc_net.net->ns.inum;
        addresses(sk, e->local, e->peer, &e->local_port, &e->peer_port, &e->is_v6);
    }
}

/* An event of a socket whose process is that of its account: whatever runs now has nothing to do with it. */
static __always_inline struct event *event_of(struct sock *sk, struct account *a, u32 kind, u64 now)
{
    struct event *e = reserve_event();
    if (!e)
        return 0;
    fill_event(e, sk, kind, now);
    e->cookie = a->cookie;
    e->pid = a->pid;
    e->thread = 0;
    __builtin_memcpy(e->name, a->name, NAME);
    return e;
}

/* A window that closed or opened: `is_own` the one that this end offers. */
static __always_inline void window(struct sock *sk, struct account *a, u64 *since, u64 from, u64 now, int is_closed, int is_own)
{
    struct event *e;
    if (is_closed == (*since != 0))
        return;
    e = event_of(sk, a, KIND_ZERO_WINDOW, now);
    if (e) {
        e->what = is_own;
        e->value = is_closed;
        e->ns = is_closed ? now - from : now - *since;
        bpf_ringbuf_submit(e, RB_NO_WAKEUP);
    }
    *since = is_closed ? from : 0;
}

/* Whether a timer of the kernel sends: it paces, or ends what TCP_CORK keeps. */
static __always_inline int sends_by_timer(struct tcp_sock *tp)
{
    return ((struct sock *)tp)->sk_pacing_status == PACING_BY_TIMER || bits(tp, nonagle) & TCP_NAGLE_CORK;
}

/* When what was sent last left, ns, and how long that is, where a timer sends. 0: none does, or nothing is
 * on its way. Each write and ACK is looked at before it makes anything leave: what left since the last
 * evaluation left by the timer. */
static __always_inline u64 left_by_timer(struct tcp_sock *tp, u32 *length)
{
    struct list_head *last = tp->tsorted_sent_queue.prev;
    struct sk_buff *skb = 0;
    u64 left = 0;
    if (!sends_by_timer(tp) || (u64)last == place(tp, tsorted_sent_queue))
        return 0;
    skb = (void *)last - place(skb, tcp_tsorted_anchor);
    if (bpf_probe_read_kernel(&left, sizeof(left), &skb->skb_mstamp_ns) ||
        bpf_probe_read_kernel(length, sizeof(*length), &skb->len))
        return 0;
    return left;
}

/* µs; what is longer ago than fits is as long ago as fits. */
static __always_inline u32 microseconds_since(u64 at, u64 now)
{
    u64 passed = (s64)(now - at) > 0 ? (now - at) / 1000 : 0;
    return passed < ~0U ? passed : ~0U;
}

/* What held before so many bytes left. */
static __always_inline enum held_by before_sending(struct state *s, u32 length)
{
    u32 unsent = s->unsent, packets_out = s->packets_out;
    enum held_by held;
    s->unsent += length;
    s->packets_out = behind(packets_out, length / (s->mss ? s->mss : 1));
    held = held_now(s) & HELD;
    s->unsent = unsent;
    s->packets_out = packets_out;
    return held;
}

static __always_inline int is_between(u64 time, u64 from, u64 to)
{
    return (s64)(time - from) > 0 && (s64)(to - time) > 0;
}

/* Gives the time for which looks found nothing new to what held; up to where that was. */
static __always_inline u64 give_same(struct account *a, u64 from, u64 now)
{
    u64 until = a->same_until;
    if (!is_between(until, from, now))
        return from;
    give(a, until, a->held);
    return until;
}

/* The kernel dates what it sends and what arrives itself, right after these programs. What changed nothing
 * is dated by that, at the next evaluation: a clock costs as much as all else. */
static __always_inline void date(struct tcp_sock *tp, struct account *a)
{
    u32 undated = a->undated;
    u64 time;
    if (!undated)
        return;
    a->undated = 0;
    time = tp->tcp_mstamp * 1000;
    a->same_until = time;
    if (undated & UNDATED_HEARD)
        a->heard_at = time;
    if (undated & UNDATED_SPOKEN)
        a->spoken_at = time;
}

/* `how` it is looked at. IS_SETTLED: each ACK was evaluated, so the state has not changed since the last
 * one. IS_LOCKED: nobody else changes the socket now. */
enum { IS_SETTLED = 1, IS_LOCKED = 2, CLOSES = 4 };

static __noinline void look(struct tcp_sock *tp, struct account *a, u64 now, int how)
{
    int is_settled = how & IS_SETTLED;
    struct sock *sk = (void *)tp;
    struct inet_connection_sock *icsk = (void *)tp;
    struct state s;
    u64 from = a->last;
    u32 offered, answer, length = 0;
    enum held_by held;
    u64 sent, left;
    /* Another processor has looked since `now` was taken. */
    if ((s64)(now - from) < 0)
        now = from;
    date(tp, a);
    from = give_same(a, from, now);
    if (how & IS_LOCKED)
        hear_words(tp, a, now);
    observe(tp, a, &s);
    /* Up to here its end was not acknowledged: that it is changes the state, and makes this look. */
    if (!s.outq && waits_for_last_ack(s.tcp_state))
        s.outq = 1;
    /* Woken up, a writer is still in its call, and has more to give. */
    if (still_waits(&a->waits_at, now, &s))
        s.room = SOMEBODY_WAITS;
    if (a->refused_at && !a->room_at && !is_two_thirds_full(&s))
        a->room_at = now;
    s.bound = a->bound;
    s.bound_ago = microseconds_since(a->bound_at, now);
    answer = held_now(&s);
    held = answer & HELD;
    if (bounds_rate(held) && !(answer & IS_RATE)) {
        a->bound = held;
        a->bound_at = now;
    }
    offered = behind(tp->rcv_wup + tp->rcv_wnd, tp->rcv_nxt);
    if (is_reader_slow(s.unread, tp->rcv_wnd, icsk->icsk_ack.rcv_mss))
        __sync_fetch_and_add(&a->slow_reader_ns, now - from);
    left = left_by_timer(tp, &length);
    if (is_settled && is_between(left, from, now)) {
        from = left;
        give(a, from, before_sending(&s, length));
    }
    if (!is_settled && a->held != held) {
        /* Without a look at each ACK nothing says when it changed, and each stands for half; but what was
         * sent last has its time. */
        sent = tp->tcp_wstamp_ns;
        if (held != BY_TAIL || sent < from || sent > now)
            sent = from + (now - from) / 2;
        give(a, sent, a->held);
    }
    if (s.outq)
        give_rest(tp, a, &s, from, now);
    give(a, now, held);
    if (how & CLOSES) {
        /* From here on no program waits for room. */
        s.tcp_state = FIN_WAIT1;
        s.room = NOBODY_WAITS;
        a->held = held_now(&s) & HELD;
    }
    a->looks++;
    a->spoken = tp->lsndtime;
    a->unsent = s.unsent;
    a->acked = tp->snd_una;
    a->sent = tp->snd_nxt;
    window(sk, a, &a->zero_since, from, now, held == BY_ZERO_WINDOW, 0);
    window(sk, a, &a->own_zero_since, from, now, s.unread && offered == 0, 1);
}

/* Whether a thread in poll(), or an epoll set, asks for output. An edge-triggered set always asks for all. */
static __always_inline int polls_for_output(struct sock *sk)
{
    struct socket *socket = sk->sk_socket;
    struct socket_wq *queue = sk->sk_wq;
    struct list_head *head, *at = 0;
    struct poll_table_entry *polled = 0;
    struct eppoll_entry *watched = 0;
    struct wait_queue_entry *wait = 0;
    struct epitem *item = 0;
    struct file *own, *file = 0;
    u32 events = 0;
    int i;
    if (!socket || !queue || !(own = socket->file))
        return 0;
    head = (void *)place(queue, wait.head);
    if (probe(&at, &head->next))
        return 0;
    for (i = 0; i < MOST_WAITERS && at && at != head; i++) {
        wait = (void *)at - place(wait, entry);
        polled = (void *)wait - place(polled, wait);
        if (!probe(&file, &polled->filp) && file == own && !probe(&events, &polled->key) && events & EPOLLOUT)
            return 1;
        watched = (void *)wait - place(watched, wait);
        if (!probe(&item, &watched->base) && !probe(&file, &item->ffd.file) && file == own &&
            !probe(&events, &item->event.events) && events & EPOLLOUT && !(events & EPOLLET))
            return 1;
        wait = 0;
        polled = 0;
        watched = 0;
        if (probe(&at, &at->next))
            return 0;
    }
    return 0;
}

static __always_inline u8 room_of(struct sock *sk, struct account *a, struct state *s)
{
    struct socket *socket = sk->sk_socket;
    return (socket && socket->flags & 1 << SOCK_NOSPACE ? ROOM_WANTED : 0) | (sk->sk_write_pending > 0 ? ROOM_SLEEPS : 0) |
           (a->refused_at ? ROOM_REFUSED : 0) | (s->nodelay ? ROOM_NODELAY : 0) |
           (sees_writes() ? ROOM_SEES_WRITES : 0);
}

/* Whether it waits in the queue of a listener: only a socket that was accepted has a file. */
static __always_inline int is_unaccepted(struct sock *sk)
{
    u8 state = sk->__sk_common.skc_state;
    return !sk->sk_socket && (state == ESTABLISHED || state == CLOSE_WAIT);
}

/* `is_over`: nothing more is said, so what is open stays what it looks like. */
static __noinline void fill_record(struct record *r, struct tcp_sock *tp, struct account *a, int is_over)
{
    u64 open_idle = is_over ? 0 : a->open_idle, open_application = is_over ? 0 : a->open_application;
    struct sock *sk = (void *)tp;
    struct inet_connection_sock *icsk = (void *)tp;
    const struct tcp_congestion_ops *ops = icsk->icsk_ca_ops;
    struct state s;
    __builtin_memset(r, 0, sizeof(*r));
    observe(tp, a, &s);
    r->kind = KIND_RECORD;
    r->size = sizeof(*r);
    r->cookie = a->cookie;
    r->since = a->since;
    __builtin_memcpy(r->ns, a->ns, sizeof(r->ns));
    r->slow_reader_ns = a->slow_reader_ns;
    r->blocked_ns = a->blocked_ns;
    /* Up to where it is known what held. */
    r->ns[BY_IDLE] -= open_idle;
    r->ns[BY_APPLICATION] -= open_application;
    r->time = a->last - open_idle - open_application;
    r->bytes_acked = tp->bytes_acked;
    r->bytes_received = tp->bytes_received;
    r->bytes_sent = tp->bytes_sent;
    r->bytes_retrans = tp->bytes_retrans;
    r->pacing_rate = s.pacing_rate;
    r->namespace = sk->__sk_common.skc_net.net->ns.inum;
    r->pid = a->pid;
    __builtin_memcpy(r->name, a->name, NAME);
    if (ops)
        bpf_probe_read_kernel(r->congestion_control, NAME, ops->name);
    addresses(sk, r->local, r->peer, &r->local_port, &r->peer_port, &r->is_v6);
    r->tcp_state = s.tcp_state;
    r->held = a->held;
    r->flags = a->flags;
    r->looks = a->looks;
    r->outq = s.outq;
    r->unsent = s.unsent;
    r->unread = s.unread;
    r->ca_state = s.ca_state;
    r->mss = s.mss;
    r->packets_out = s.packets_out;
    r->sacked = s.sacked;
    r->lost = s.lost;
    r->retrans = s.retrans;
    r->cwnd = s.cwnd;
    r->ssthresh = s.ssthresh;
    r->window = s.window;
    r->rtt = s.rtt;
    r->min_rtt = s.min_rtt;
    r->total_retrans = s.total_retrans;
    r->wmem_alloc = s.wmem_alloc;
    r->wmem_queued = s.wmem_queued;
    r->sndbuf = s.sndbuf;
    r->rmem_alloc = sk->sk_backlog.rmem_alloc.counter;
    r->rcvbuf = sk->sk_rcvbuf;
    r->userlocks = bits(sk, sk_userlocks);
    r->own_window = tp->rcv_wnd;
    r->own_mss = icsk->icsk_ack.rcv_mss;
    r->segs_out = tp->segs_out;
    r->segs_in = tp->segs_in;
    r->data_segs_out = tp->data_segs_out;
    r->data_segs_in = tp->data_segs_in;
    r->has_scaling = s.has_scaling;
    r->window_scale = bits(tp, rx_opt.snd_wscale);
    r->own_window_scale = bits(tp, rx_opt.rcv_wscale);
    r->room = room_of(sk, a, &s);
    r->delivered = s.rate_delivered;
    r->delivery_interval = s.rate_interval;
    r->max_pacing_rate = s.max_pacing_rate;
    r->unanswered = a->unanswered;
    r->is_unaccepted = is_unaccepted(sk);
    r->timeouts = s.syn_retransmits;
    __builtin_memcpy(&r->own, &a->own, sizeof(r->own));
    __builtin_memcpy(&r->peers, &a->peers, sizeof(r->peers));
}

/* Whether something may have left by a timer since this was looked at last: whatever leaves sets the
 * socket's clock. */
static __always_inline int has_left_by_timer(struct tcp_sock *tp, struct account *a)
{
    u64 looked = (s64)(a->same_until - a->last) > 0 ? a->same_until : a->last;
    return sends_by_timer(tp) && (s64)(tp->tcp_mstamp * 1000 - looked) > (s64)LONGEST_WRITE;
}

/* The same as `look`, for what most segments and small writes meet: a connection that rests, or whose data
 * all left and is to be acknowledged, with no window closed and nobody waiting. It reads a third of the
 * fields, and where nothing changed, it gives no time out: the next look does. Whether it was such a case. */
static __always_inline int look_briefly(struct tcp_sock *tp, struct account *a, int is_write)
{
    struct sock *sk = (void *)tp;
    struct inet_connection_sock *icsk = (void *)tp;
    u32 written = tp->write_seq, window = tp->rcv_wnd, unread;
    u32 held;
    u64 now;
    /* What it was has to be known, and nothing may have begun that a whole look ends. */
    if (!a->looks || a->waits_at | a->refused_at | a->zero_since | a->own_zero_since ||
        sk->__sk_common.skc_state != ESTABLISHED)
        return 0;
    unread = behind(tp->rcv_nxt, tp->copied_seq);
    if (unread && (is_reader_slow(unread, window, icsk->icsk_ack.rcv_mss) ||
                   behind(tp->rcv_wup + window, tp->rcv_nxt) == 0))
        return 0;
    if (behind(written, tp->snd_una) == 0) {
        if (a->last_word == WORD_PEERS && a->held == BY_THINK && !is_write) {
            /* So it stays until it writes, and that makes a look. */
            a->received = tp->rcv_nxt;
            a->undated = UNDATED_SAME | UNDATED_HEARD;
            a->looks++;
            return 1;
        }
        if (!a->last_word || a->received != tp->rcv_nxt)
            return 0;
        held = a->last_word == WORD_PEERS && tp->bytes_received ? BY_THINK : BY_IDLE;
    } else {
        if (a->received != tp->rcv_nxt || behind(written, tp->snd_nxt) || bits(icsk, icsk_ca_state) >= CA_RECOVERY ||
            sk->sk_write_pending || !a->spoken_at || has_left_by_timer(tp, a) || !sees_writes())
            return 0;
        held = BY_APPLICATION;
    }
    date(tp, a);
    a->looks++;
    a->unsent = 0;
    a->spoken = tp->lsndtime;
    /* Where a timer sends, the socket's clock shows that. */
    if (held == a->held && !is_write && !sends_by_timer(tp)) {
        a->undated = UNDATED_SAME;
        return 1;
    }
    now = bpf_ktime_get_ns();
    if (held == a->held && !is_write) {
        a->same_until = now;
        return 1;
    }
    if ((s64)(now - a->last) >= 0) {
        give_same(a, a->last, now);
        give(a, now, held);
    }
    if (is_write)
        spoke(tp, a, now);
    return 1;
}

/* Each segment that arrives, before it is processed. */
SEC("tp_btf/tcp_probe")
int on_segment(u64 *ctx)
{
    struct tcp_sock *tp = bpf_skc_to_tcp_sock((void *)ctx[0]);
    struct account *a;
    u64 now;
    if (!tp || !(a = bpf_sk_storage_get(&accounts, tp, 0, STORAGE_CREATE)) || look_briefly(tp, a, 0))
        return 0;
    now = bpf_ktime_get_ns();
    begin(tp, a, now);
    look(tp, a, now, IS_SETTLED | IS_LOCKED);
    return 0;
}

/* Tells where in its code the current thread is, before the event of this time is told. Where there is no
 * room, nothing is told: the event is known without. */
__noinline int tell_stack(u64 time)
{
    u64 thread = bpf_get_current_pid_tgid();
    struct task_struct *task = bpf_get_current_task_btf();
    struct pt_regs___x86 *x86;
    struct pt_regs___arm64 *arm64;
    struct stack *s;
    void *regs;
    if (task->flags & (PF_KTHREAD | PF_IO_WORKER) || !(regs = bpf_task_pt_regs(task)) ||
        !(s = bpf_ringbuf_reserve(&stacks, sizeof(*s), 0)))
        return 0;
    x86 = regs;
    arm64 = regs;
    s->kind = KIND_STACK;
    s->size = sizeof(*s);
    s->time = time;
    s->pid = thread >> 32;
    s->thread = thread;
    if (exists(x86->ip)) {
        s->ip = x86->ip;
        s->sp = x86->sp;
        s->bp = x86->bp;
        s->lr = 0;
    } else {
        s->ip = arm64->pc;
        s->sp = arm64->sp;
        s->bp = arm64->regs[29];
        s->lr = arm64->regs[30];
    }
    s->reserved = 0;
    s->length = STACK;
    /* It may end before that, or its pages may not be there. */
    if (bpf_probe_read_user(s->bytes, STACK, (void *)s->sp)) {
        s->length = LESS_STACK;
        if (bpf_probe_read_user(s->bytes, LESS_STACK, (void *)s->sp))
            s->length = 0;
    }
    bpf_ringbuf_submit(s, RB_NO_WAKEUP);
    return 0;
}

/* A writer waited for room. */
static __always_inline void tell_blocked(struct sock *sk, struct account *a, u64 waited, u64 call, u64 now)
{
    struct event *e;
    if (waited < MILLISECOND)
        return;
    if (is_due(&a->stack_told, now, STACKS_EVERY))
        tell_stack(now);
    if (!(e = reserve_event()))
        return;
    fill_event(e, sk, KIND_BLOCKED, now);
    e->cookie = a->cookie;
    e->ns = waited;
    e->value = call;
    bpf_ringbuf_submit(e, RB_NO_WAKEUP);
}

/* A program whose write may not wait comes back when there is room: it waited from the full buffer on, in
 * poll(). One that comes much later was not waiting any more. */
static __noinline void end_refusal(struct sock *sk, struct account *a, u64 now)
{
    u64 since = __sync_lock_test_and_set(&a->refused_at, 0), until = now;
    if (a->room_at && (s64)(now - a->room_at) > (s64)LONGEST_WAKING)
        until = a->room_at;
    a->room_at = 0;
    a->waits_at = 0;
    if (!since || (s64)(until - since) <= 0)
        return;
    __sync_fetch_and_add(&a->blocked_ns, until - since);
    tell_blocked(sk, a, until - since, until - since, now);
}

/* What holds until an ACK comes, whatever is written: by enum held_by. */
#define NO_ROOM                                                                                                              \
    (1U << BY_RECEIVE_WINDOW | 1U << BY_NO_WINDOW_SCALE | 1U << BY_SLOW_START | 1U << BY_QUEUE | 1U << BY_CWND_PACED |       \
     1U << BY_POST_LOSS | 1U << BY_CWND)

/* Whether what held at the last look holds still, as few fields show: since then bytes were written, no
 * more. */
static __always_inline int holds_still(struct tcp_sock *tp, struct account *a)
{
    struct sock *sk = (void *)tp;
    u32 unsent = behind(tp->write_seq, tp->snd_nxt), acked = tp->snd_una, sent = tp->snd_nxt;
    if (!a->spoken_at || a->received != tp->rcv_nxt || a->granted_at)
        return 0;
    /* While a segment waits already, one more byte changes nothing. */
    if (a->held != BY_SEND_BUFFER && unsent >= tp->mss_cache)
        return 1;
    if (a->waits_at || sk->sk_wmem_queued >= sk->sk_sndbuf ||
        bits((struct inet_connection_sock *)tp, icsk_ca_state) >= CA_RECOVERY)
        return 0;
    if (a->held == BY_APPLICATION && !unsent && tp->write_seq != acked) {
        if (!sends_by_timer(tp)) {
            a->undated = UNDATED_SAME | UNDATED_SPOKEN;
            return 1;
        }
        /* Between two writes the timer may have held back what the first one gave. */
        if (!has_left_by_timer(tp, a)) {
            a->same_until = a->spoken_at = bpf_ktime_get_ns();
            return 1;
        }
    }
    if (a->held == BY_NAGLE && unsent && acked == a->acked && sent == a->sent && unsent <= behind(acked + tp->snd_wnd, sent)) {
        a->same_until = bpf_ktime_get_ns();
        return 1;
    }
    /* No room in the congestion window or in the peer's, and nothing was acknowledged or left since. */
    if (a->unsent && unsent >= a->unsent && acked == a->acked && sent == a->sent && 1U << a->held & NO_ROOM &&
        tp->rcv_nxt == tp->copied_seq) {
        a->same_until = bpf_ktime_get_ns();
        return 1;
    }
    return 0;
}

/* Each round of a write, before data is taken (Linux 6.16). */
SEC("tp_btf/tcp_sendmsg_locked")
int on_write(u64 *ctx)
{
    struct tcp_sock *tp = bpf_skc_to_tcp_sock((void *)ctx[0]);
    struct sock *sk = (void *)tp;
    u64 now, thread, waited;
    struct account *a;
    struct wait *w, new = {};
    struct task_struct *task;
    u64 *sees_ends;
    u32 *there;
    int is_full, is_known;
    if (!tp || !(a = bpf_sk_storage_get(&accounts, tp, 0, STORAGE_CREATE)))
        return 0;
    is_full = sk->sk_wmem_queued >= sk->sk_sndbuf;
    is_known = a->looks && holds_still(tp, a);
    if (is_known && !is_full && !a->waiters && !a->refused_at)
        return 0;
    /* The first of many writes in a row is enough. */
    own(a);
    is_known = is_known || (a->looks && look_briefly(tp, a, 1));
    if (is_known && !is_full && !a->waiters && !a->refused_at)
        return 0;
    now = bpf_ktime_get_ns();
    begin(tp, a, now);
    if (!is_known) {
        look(tp, a, now, IS_SETTLED | IS_LOCKED);
        spoke(tp, a, now);
    }
    if (a->refused_at)
        end_refusal(sk, a, now);
    if (!is_full && !a->waiters)
        return 0;
    if (is_full)
        a->waits_at = now;
    thread = bpf_get_current_pid_tgid();
    w = bpf_map_lookup_elem(&waits, &thread);
    if (w && w->cookie == a->cookie) {
        if (w->waits_since) {
            waited = now - w->waits_since;
            w->waited += waited;
            __sync_fetch_and_add(&a->blocked_ns, waited);
        }
        w->waits_since = is_full ? now : 0;
        return 0;
    }
    if (!is_full)
        return 0;
    /* What nobody ends would wait for ever: threads of the kernel write without a call (encryption of
     * kTLS, for one). */
    task = bpf_get_current_task_btf();
    if (task->flags & PF_KTHREAD || !(sees_ends = setting(SEES_WRITE_ENDS)) || !*sees_ends) {
        a->waits_at = 0;
        return 0;
    }
    new.cookie = a->cookie;
    new.began = now;
    new.waits_since = now;
    if (bpf_map_update_elem(&waits, &thread, &new, 0) == 0) {
        __sync_fetch_and_add(&a->waiters, 1);
        if (!w && (there = waiting_at(thread)))
            __sync_fetch_and_add(there, 1);
    }
    return 0;
}

/* The end of each write (Linux 6.3). */
SEC("tp_btf/sock_send_length")
int on_written(u64 *ctx)
{
    struct sock *given = (void *)ctx[0];
    struct tcp_sock *tp;
    struct sock *sk;
    struct account *a;
    struct wait *w;
    u64 now, thread = bpf_get_current_pid_tgid(), waited, began;
    u32 *there = waiting_at(thread);
    if (!there || !*there || given->sk_protocol != TCP)
        return 0;
    tp = bpf_skc_to_tcp_sock(given);
    if (!tp)
        return 0;
    a = bpf_sk_storage_get(&accounts, tp, 0, 0);
    if (!a || !a->waiters)
        return 0;
    sk = (void *)tp;
    w = bpf_map_lookup_elem(&waits, &thread);
    if (!w)
        return 0;
    now = bpf_ktime_get_ns();
    if (w->waits_since) {
        waited = now - w->waits_since;
        w->waited += waited;
        if (w->cookie == a->cookie)
            __sync_fetch_and_add(&a->blocked_ns, waited);
    }
    waited = w->cookie == a->cookie ? w->waited : 0;
    began = w->began;
    if (w->cookie == a->cookie) {
        __sync_fetch_and_add(&a->waiters, -1);
        /* Its last round met a full buffer, and it did not wait, or not until there was room: it may not. */
        if (w->waits_since && (now - w->waits_since < MILLISECOND || (s32)ctx[1] == -EAGAIN)) {
            a->room_at = 0;
            a->refused_at = now;
        } else {
            a->waits_at = 0;
        }
    }
    if (bpf_map_delete_elem(&waits, &thread) == 0)
        __sync_fetch_and_add(there, -1);
    tell_blocked(sk, a, waited, now - began, now);
    return 0;
}

/* A program reads: whose socket it is, and what it read makes room. */
SEC("tp_btf/tcp_rcv_space_adjust")
int on_read(u64 *ctx)
{
    struct account *a = bpf_sk_storage_get(&accounts, (void *)ctx[0], 0, 0);
    if (a)
        own(a);
    return 0;
}

/* Tells of what was counted and not told yet, with the time of the last one. */
static __always_inline void tell_counts(struct sock *sk, struct account *a, u32 kind, u32 *counts, u32 kinds, u64 *told, u64 at,
                                        u64 now)
{
    struct event *e;
    u32 what, count;
    for (what = 0; what < kinds; what++) {
        if (!counts[what] || !(count = __sync_lock_test_and_set(&counts[what], 0)))
            continue;
        *told = now;
        if (!(e = event_of(sk, a, kind, at)))
            continue;
        e->what = what;
        e->value = count;
        bpf_ringbuf_submit(e, RB_NO_WAKEUP);
    }
}

static __noinline void tell_retransmits(struct sock *sk, struct account *a, u64 now)
{
    tell_counts(sk, a, KIND_RETRANSMIT, a->retransmits, REASONS, &a->retransmits_told, a->retransmitted_at, now);
}

static __noinline void tell_prunings(struct sock *sk, struct account *a, u64 now)
{
    tell_counts(sk, a, KIND_PRUNED, a->pruned, PRUNINGS, &a->pruned_told, a->pruned_at, now);
}

SEC("tp_btf/inet_sock_set_state")
int on_state(u64 *ctx)
{
    struct sock *given = (void *)ctx[0];
    int before = ctx[1], after = ctx[2], how;
    volatile int kept, kept_before;
    struct tcp_sock *tp;
    struct account *a;
    struct record *r;
    u64 now;
    if (given->sk_protocol != TCP || after == LISTEN || before == LISTEN)
        return 0;
    tp = bpf_skc_to_tcp_sock(given);
    if (!tp)
        return 0;
    now = bpf_ktime_get_ns();
    if (after == SYN_SENT || (after == ESTABLISHED && before == SYN_RECV)) {
        /* A socket that connects once more: of its connection before this all was told. */
        a = bpf_sk_storage_get(&accounts, tp, 0, 0);
        if (a && after == SYN_SENT)
            __builtin_memset(a, 0, sizeof(*a));
        a = open_account(tp, now);
        if (!a)
            return 0;
        if (a->flags == 0)
            a->flags = OPENED_HERE | (after == SYN_SENT ? IS_CLIENT : IS_SERVER);
        /* It is the caller of connect(); whoever is interrupted by the last ACK of a handshake is nobody. */
        if (after == SYN_SENT)
            own(a);
        a->held = after == SYN_SENT ? BY_HANDSHAKE : BY_IDLE;
        a->looks++;
        return 0;
    }
    a = bpf_sk_storage_get(&accounts, tp, 0, 0);
    if (!a)
        return 0;
    /* Linux 6.1 does not know it any more after the call, if it stays in a register. */
    kept = after;
    kept_before = before;
    /* Whatever this side said last, the peer ended it without an answer. A FIN counts as a byte. */
    if (before == ESTABLISHED && (after == CLOSE_WAIT || after == CLOSED) && behind(tp->rcv_nxt, a->received) <= 1)
        a->unanswered = behind(tp->write_seq, a->written_before);
    /* Up to here it is known at each ACK; from here on it is looked at now and then. */
    how = IS_LOCKED;
    if (before == ESTABLISHED || before == SYN_SENT || before == CLOSE_WAIT)
        how |= IS_SETTLED;
    if (after == FIN_WAIT1 || after == LAST_ACK)
        how |= CLOSES;
    look(tp, a, now, how);
    after = kept;
    /* Nothing more will be written, or is to be acknowledged. */
    if ((after == FIN_WAIT1 || after == LAST_ACK) && !a->unsent)
        a->held = BY_TAIL;
    if (after == FIN_WAIT2 || after == TIME_WAIT)
        a->held = BY_CLOSE_WAIT;
    if (after != CLOSED)
        return 0;
    tell_retransmits((void *)tp, a, now);
    tell_prunings((void *)tp, a, now);
    if ((r = reserve(&ends, sizeof(*r), LOST_ENDS))) {
        fill_record(r, tp, a, 1);
        r->tcp_state = CLOSED;
        r->error = ((struct sock *)tp)->sk_err;
        r->state_before = kept_before;
        r->is_shut = (((struct sock *)tp)->sk_shutdown & SHUTDOWN_MASK) == SHUTDOWN_MASK;
        bpf_ringbuf_submit(r, RB_NO_WAKEUP);
    }
    return 0;
}

SEC("tp_btf/tcp_retransmit_skb")
int on_retransmit(u64 *ctx)
{
    struct tcp_sock *tp = bpf_skc_to_tcp_sock((void *)ctx[0]);
    struct inet_connection_sock *icsk = (void *)tp;
    u64 now = bpf_ktime_get_ns();
    struct account *a;
    u32 reason, segments;
    if (!tp || !(a = open_account(tp, now)))
        return 0;
    /* A timer changed the state before this: the silence before it was the loss. */
    look(tp, a, now, IS_SETTLED | IS_LOCKED);
    switch (bits(icsk, icsk_ca_state)) {
    case CA_LOSS: reason = BY_TIMEOUT; break;
    case CA_RECOVERY: reason = BY_FAST; break;
    /* Only a SYN and a tail loss probe are repeated without either. */
    default: reason = ((struct sock *)tp)->__sk_common.skc_state == SYN_SENT ? BY_TIMEOUT : BY_PROBE;
    }
    /* Several segments may go at once; whatever was counted before, this is one. */
    segments = behind(tp->total_retrans, a->retransmitted);
    __sync_fetch_and_add(&a->retransmits[reason], segments ? segments : 1);
    a->retransmitted = tp->total_retrans;
    a->retransmitted_at = now;
    /* What follows within that time is told by the iterator, or when the connection ends. */
    if (now - a->retransmits_told >= RETRANSMITS_EVERY)
        tell_retransmits((void *)tp, a, now);
    return 0;
}

/* TCP's memory, or this socket's share of it, is used up. */
SEC("tp_btf/sock_exceed_buf_limit")
int on_memory(u64 *ctx)
{
    struct sock *given = (void *)ctx[0];
    struct tcp_sock *tp;
    struct account *a;
    struct event *e;
    u64 now, *told;
    if (given->sk_protocol != TCP || !(tp = bpf_skc_to_tcp_sock(given)))
        return 0;
    now = bpf_ktime_get_ns();
    told = setting(MEMORY_TOLD + (ctx[3] != 0));
    if (!told || !is_due(told, now, MEMORY_EVERY))
        return 0;
    a = open_account(tp, now);
    if (!a || !(e = event_of((void *)tp, a, KIND_MEMORY, now)))
        return 0;
    e->value = ctx[2]; /* pages that TCP has */
    e->what = ctx[3];  /* SK_MEM_SEND 0, SK_MEM_RECV 1 */
    bpf_ringbuf_submit(e, RB_NO_WAKEUP);
    return 0;
}

/* A receive buffer has no room, and this was done about it. */
static __always_inline int pruned(struct sock *sk, u32 what)
{
    struct tcp_sock *tp = bpf_skc_to_tcp_sock(sk);
    u64 now = bpf_ktime_get_ns();
    struct account *a;
    if (!tp || !(a = open_account(tp, now)))
        return 0;
    __sync_fetch_and_add(&a->pruned[what], 1);
    a->pruned_at = now;
    a->looks++; /* the iterator tells of it, though nothing follows */
    if (now - a->pruned_told >= PRUNED_EVERY)
        tell_prunings((void *)tp, a, now);
    return 0;
}

/* A segment in the queue is copied into those before it, to save the memory around it; counted as
 * TCPRcvCollapsed. */
SEC("fentry/tcp_collapse_one")
int on_collapse(u64 *ctx)
{
    return pruned((void *)ctx[0], COLLAPSED);
}

/* That did not suffice: data out of order was thrown away, or there was none, and the segment that arrives
 * is. */
SEC("fexit/tcp_prune_ofo_queue")
int on_prune(u64 *ctx)
{
    u64 has_pruned = 0;
    if (bpf_get_func_ret(ctx, &has_pruned))
        return 0;
    return pruned((void *)ctx[0], (u8)has_pruned ? DROPPED_OUT_OF_ORDER : DROPPED_ARRIVING);
}

static __always_inline struct sock *socket_of(u32 fd)
{
    struct task_struct *task = bpf_get_current_task_btf();
    struct fdtable *table = task->files->fdt;
    struct file **files = table->fd, *file = 0;
    struct socket *socket = 0;
    struct sock *sk = 0;
    if (fd >= table->max_fds || bpf_probe_read_kernel(&file, sizeof(file), files + fd) || !file)
        return 0;
    if (bpf_probe_read_kernel(&socket, sizeof(socket), &file->private_data) || !socket)
        return 0;
    if (bpf_probe_read_kernel(&sk, sizeof(sk), &socket->sk))
        return 0;
    return sk;
}

/* The ends of a socket that nobody promises to be there. */
static __always_inline void probe_ends(struct event *e, struct sock *sk)
{
    struct sock_common *common = &sk->__sk_common;
    u16 family = 0, port = 0;
    probe(&family, &common->skc_family);
    probe(&e->local_port, &common->skc_num);
    probe(&port, &common->skc_dport);
    e->peer_port = __builtin_bswap16(port);
    e->is_v6 = family == AF_INET6;
    if (!e->is_v6) {
        probe((u32 *)e->local, &common->skc_rcv_saddr);
        probe((u32 *)e->peer, &common->skc_daddr);
    } else if (exists(common->skc_v6_daddr)) {
        probe((struct in6_addr *)e->local, &common->skc_v6_rcv_saddr);
        probe((struct in6_addr *)e->peer, &common->skc_v6_daddr);
    }
}

/* An application asks for a buffer of a TCP socket; whether it gets it is not known yet. */
static __always_inline int set_buffer(u32 fd, u32 level, u32 option, u64 from)
{
    struct sock *sk;
    struct net *net = 0;
    struct event *e;
    s32 value = 0;
    u16 protocol = 0;
    u64 now;
    if (!(level == SOL_SOCKET && (option == SO_SNDBUF || option == SO_RCVBUF || option == SO_SNDBUFFORCE ||
                                  option == SO_RCVBUFFORCE)) &&
        !(level == TCP && option == TCP_WINDOW_CLAMP))
        return 0;
    sk = socket_of(fd);
    if (!sk || probe(&protocol, &sk->sk_protocol) || protocol != TCP)
        return 0;
    if (bpf_probe_read_user(&value, sizeof(value), (void *)from))
        return 0;
    now = bpf_ktime_get_ns();
    tell_stack(now);
    if (!(e = reserve_event()))
        return 0;
    fill_event(e, 0, KIND_BUFFER_SET, now);
    e->value = value;
    e->what = option;
    e->ns = fd;
    probe(&e->cookie, (u64 *)&sk->__sk_common.skc_cookie);
    if (!probe(&net, &sk->__sk_common.skc_net.net))
        probe(&e->namespace, &net->ns.inum);
    probe_ends(e, sk);
    bpf_ringbuf_submit(e, RB_NO_WAKEUP);
    return 0;
}

SEC("fentry/__sys_setsockopt")
int on_setsockopt(u64 *ctx)
{
    return set_buffer(ctx[0], ctx[1], ctx[2], ctx[3]);
}

/* Where nothing hooks into functions: each system call, of which few are wanted. What that costs all of
 * them is counted, so that it ends where there are many. */
SEC("tp_btf/sys_enter")
int on_system_call(u64 *ctx)
{
    struct pt_regs___x86 *x86 = (void *)ctx[0];
    struct pt_regs___arm64 *arm64 = (void *)ctx[0];
    u32 first = 0;
    u64 *count = bpf_map_lookup_elem(&system_calls, &first);
    if (count)
        ++*count;
    if (exists(x86->di))
        return ctx[1] == 54 ? set_buffer(x86->di, x86->si, x86->dx, x86->r10) : 0;
    return ctx[1] == 208 ? set_buffer(arm64->regs[0], arm64->regs[1], arm64->regs[2], arm64->regs[3]) : 0;
}

SEC("iter/bpf_sk_storage_map")
int tell(struct bpf_iter__bpf_sk_storage_map *ctx)
{
    struct sock *sk = ctx->sk;
    struct account *a;
    struct tcp_sock *tp;
    struct record *r;
    u64 *tell_all = setting(TELL_ALL);
    u32 state, looks, first = 0;
    u64 now;
    if (!sk || !ctx->value)
        return 0;
    tp = bpf_skc_to_tcp_sock(sk);
    /* The verifier wants fixed places of what the iterator hands out, and any of what is asked for. */
    if (!tp || !(a = bpf_sk_storage_get(&accounts, tp, 0, 0)) || !a->last)
        return 0;
    state = ((struct sock *)tp)->__sk_common.skc_state;
    looks = a->looks;
    /* Whoever rests was told already; others may be held by something that makes no event. */
    if (looks == a->told && state == ESTABLISHED && tp->write_seq == tp->snd_una && tp->rcv_nxt == tp->copied_seq &&
        !(tell_all && *tell_all))
        return 0;
    if (state == CLOSED)
        return 0;
    now = bpf_ktime_get_ns();
    tell_retransmits((void *)tp, a, now);
    tell_prunings((void *)tp, a, now);
    r = bpf_map_lookup_elem(&scratch, &first);
    if (!r)
        return 0;
    look(tp, a, now, state == ESTABLISHED || state == SYN_SENT ? IS_SETTLED : 0);
    fill_record(r, tp, a, 0);
    if (polls_for_output((void *)tp))
        r->room |= ROOM_POLLED;
    /* What does not fit any more is asked for again. */
    if (bpf_seq_write(ctx->meta->seq, r, sizeof(*r)) == 0)
        a->told = a->looks;
    return 0;
}
