// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Programs at the hooks of tcpwhy.bpf.c that do nothing: what the hooks alone cost.
// `benches/writes.rs` compiles it.
#define SEC(name) __attribute__((section(name), used))
char licence[] SEC("license") = "Dual MIT/GPL";
SEC("tp_btf/tcp_probe") int on_segment(void *ctx) { return 0; }
SEC("tp_btf/tcp_sendmsg_locked") int on_write(void *ctx) { return 0; }
SEC("tp_btf/sock_send_length") int on_written(void *ctx) { return 0; }
SEC("tp_btf/tcp_rcv_space_adjust") int on_read(void *ctx) { return 0; }
