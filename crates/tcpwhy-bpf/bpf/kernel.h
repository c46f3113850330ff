/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What is used of the kernel: helpers by number (include/uapi/linux/bpf.h) and the fields that are read. The loader moves each
 * access to where the running kernel has the field (CO-RE), so only names and types matter here, not places.
 */
#ifndef TCPWHY_KERNEL_H
#define TCPWHY_KERNEL_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed int s32;
typedef signed long long s64;

#define SEC(name) __attribute__((section(name), used))
#define CORE __attribute__((preserve_access_index))
#define __noinline __attribute__((noinline))
#define __always_inline inline __attribute__((always_inline))
#define __uint(name, value) int(*name)[value]
#define __type(name, value) typeof(value) *name

enum { MAP_ARRAY = 2, MAP_PERCPU_ARRAY = 6, MAP_LRU_HASH = 9, MAP_SK_STORAGE = 24, MAP_RINGBUF = 27 };
enum { NO_PREALLOC = 1 };
enum { STORAGE_CREATE = 1 };
enum { RB_NO_WAKEUP = 1 };

static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;
static long (*const bpf_map_update_elem)(void *map, const void *key, const void *value, u64 flags) = (void *)2;
static long (*const bpf_map_delete_elem)(void *map, const void *key) = (void *)3;
static u64 (*const bpf_ktime_get_ns)(void) = (void *)5;
static u64 (*const bpf_get_current_pid_tgid)(void) = (void *)14;
static u64 (*const bpf_get_socket_cookie)(void *sk) = (void *)46;
static void *(*const bpf_sk_storage_get)(void *map, void *sk, void *value, u64 flags) = (void *)107;
static long (*const bpf_probe_read_user)(void *to, u32 size, const void *from) = (void *)112;
static long (*const bpf_probe_read_kernel)(void *to, u32 size, const void *from) = (void *)113;
static long (*const bpf_seq_write)(void *seq, const void *data, u32 len) = (void *)127;
static void *(*const bpf_ringbuf_reserve)(void *map, u64 size, u64 flags) = (void *)131;
static void (*const bpf_ringbuf_submit)(void *data, u64 flags) = (void *)132;
static struct tcp_sock *(*const bpf_skc_to_tcp_sock)(void *sk) = (void *)137;
static struct task_struct *(*const bpf_get_current_task_btf)(void) = (void *)158;
static void *(*const bpf_task_pt_regs)(struct task_struct *task) = (void *)175;
static long (*const bpf_get_func_ret)(void *ctx, u64 *value) = (void *)184;

/* enum bpf_field_info_kind of the loader's contract */
enum { FIELD_BYTE_OFFSET, FIELD_BYTE_SIZE, FIELD_EXISTS, FIELD_SIGNED, FIELD_LSHIFT, FIELD_RSHIFT };
#define exists(field) __builtin_preserve_field_info(field, FIELD_EXISTS)

#define place(s, field) ((u64)(s) + __builtin_preserve_field_info((s)->field, FIELD_BYTE_OFFSET))

/* A bit field of a typed pointer, wherever the kernel keeps it. */
#define bits(s, field)                                                                                      \
    ({                                                                                                      \
        const void *p = (const void *)(s) + __builtin_preserve_field_info((s)->field, FIELD_BYTE_OFFSET);  \
        u64 value;                                                                                          \
        asm volatile("" : "=r"(p) : "0"(p));                                                                \
        switch (__builtin_preserve_field_info((s)->field, FIELD_BYTE_SIZE)) {                              \
        case 1: value = *(const u8 *)p; break;                                                              \
        case 2: value = *(const u16 *)p; break;                                                             \
        case 4: value = *(const u32 *)p; break;                                                             \
        default: value = *(const u64 *)p; break;                                                            \
        }                                                                                                   \
        value <<= __builtin_preserve_field_info((s)->field, FIELD_LSHIFT);                                  \
        value >> __builtin_preserve_field_info((s)->field, FIELD_RSHIFT);                                   \
    })

struct in6_addr {
    u8 bytes[16];
};
typedef struct {
    int counter;
} atomic_t;
typedef struct {
    s64 counter;
} atomic64_t;
typedef struct {
    atomic_t refs;
} CORE refcount_t;
struct ns_common {
    u32 inum;
} CORE;
struct netns_ipv4 {
    int sysctl_tcp_wmem[3];
} CORE;
struct net {
    struct ns_common ns;
    struct netns_ipv4 ipv4;
} CORE;
typedef struct {
    struct net *net;
} CORE possible_net_t;

struct sock_common {
    u32 skc_daddr, skc_rcv_saddr;
    u16 skc_dport, skc_num, skc_family;
    volatile unsigned char skc_state;
    possible_net_t skc_net;
    atomic64_t skc_cookie;
    struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
} CORE;

struct file;
struct socket {
    unsigned long flags;
    struct sock *sk;
    struct file *file;
} CORE;

struct list_head {
    struct list_head *next, *prev;
} CORE;
struct wait_queue_entry {
    struct list_head entry;
} CORE;
struct wait_queue_head {
    struct list_head head;
} CORE;
struct socket_wq {
    struct wait_queue_head wait;
} CORE;
/* One file of a thread that is inside poll() or select(): fs/select.c. */
struct poll_table_entry {
    struct file *filp;
    u32 key;
    struct wait_queue_entry wait;
} CORE;
/* One file of an epoll set: fs/eventpoll.c. */
struct epoll_filefd {
    struct file *file;
} CORE;
struct epoll_event {
    u32 events;
} CORE;
struct epitem {
    struct epoll_filefd ffd;
    struct epoll_event event;
} CORE;
struct eppoll_entry {
    struct epitem *base;
    struct wait_queue_entry wait;
} CORE;

struct sock {
    struct sock_common __sk_common;
    struct socket_wq *sk_wq;
    struct {
        atomic_t rmem_alloc;
    } sk_backlog;
    u8 sk_userlocks : 4;
    int sk_rcvbuf, sk_sndbuf, sk_wmem_queued, sk_write_pending;
    refcount_t sk_wmem_alloc;
    unsigned long sk_pacing_rate, sk_max_pacing_rate;
    u32 sk_pacing_status;
    int sk_err;
    u8 sk_shutdown;
    u16 sk_protocol;
    struct socket *sk_socket;
} CORE;

struct inet_sock {
    u16 inet_sport;
} CORE;

struct tcp_congestion_ops {
    char name[16];
} CORE;

struct inet_connection_sock {
    const struct tcp_congestion_ops *icsk_ca_ops;
    u8 icsk_ca_state : 5;
    u8 icsk_retransmits;
    struct {
        u32 lrcvtime;
        u16 rcv_mss;
    } icsk_ack;
} CORE;

struct minmax_sample {
    u32 t, v;
} CORE;
struct minmax {
    struct minmax_sample s[3];
} CORE;
struct tcp_options_received {
    u16 wscale_ok : 1, snd_wscale : 4, rcv_wscale : 4;
} CORE;

struct sk_buff {
    u32 len;
    u64 skb_mstamp_ns;
    struct list_head tcp_tsorted_anchor;
} CORE;

struct tcp_sock {
    u64 bytes_acked, bytes_received, bytes_sent, bytes_retrans, first_tx_mstamp, tcp_wstamp_ns, tcp_mstamp;
    u32 snd_una, snd_nxt, write_seq, snd_wnd, snd_cwnd, snd_ssthresh, mss_cache;
    u32 packets_out, sacked_out, lost_out, retrans_out, total_retrans;
    u32 rcv_nxt, copied_seq, rcv_wnd, rcv_wup, srtt_us, mdev_us, lsndtime, app_limited;
    u32 segs_out, segs_in, data_segs_out, data_segs_in;
    u32 rate_delivered, rate_interval_us;
    u8 nonagle : 4;
    u8 rate_app_limited : 1;
    struct minmax rtt_min;
    struct tcp_options_received rx_opt;
    struct list_head tsorted_sent_queue;
} CORE;

struct seq_file;
struct bpf_iter_meta {
    struct seq_file *seq;
} CORE;
struct bpf_iter__bpf_sk_storage_map {
    struct bpf_iter_meta *meta;
    void *map;
    struct sock *sk;
    void *value;
} CORE;

struct file {
    void *private_data;
} CORE;
struct fdtable {
    u32 max_fds;
    struct file **fd;
} CORE;
struct files_struct {
    struct fdtable *fdt;
} CORE;
struct task_struct {
    struct files_struct *files;
    struct task_struct *group_leader;
    unsigned int flags;
    char comm[16];
} CORE;

/* The registers of a system call, on x86-64 and on aarch64. */
struct pt_regs___x86 {
    unsigned long di, si, dx, r10, r8, bp, ip, sp;
} CORE;
struct pt_regs___arm64 {
    u64 regs[31], sp, pc;
} CORE;

#endif
