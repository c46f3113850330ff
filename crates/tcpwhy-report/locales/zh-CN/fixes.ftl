# 改法：`fix-ID-short` 用于报告第三行，带上在哪里做；`fix-ID-brief` 是不带地点的短句，用于窄窗口；`fix-ID` 说明在哪里改、怎么改。
# 具体的代码或配置行由诊断给出，只翻译其中的注释（`remarks.ftl`）。

fix-remove-so-sndbuf-short = 删除 { $here } 上的程序里 SO_SNDBUF 的设置
fix-remove-so-sndbuf-brief = 删除 SO_SNDBUF 的设置
fix-remove-so-sndbuf = 删除应用里设置 SO_SNDBUF 的调用，或所用中间件里的相应配置。之后 Linux 会自动调整发送缓冲区，上限是 net.ipv4.tcp_wmem 的第三个值。

fix-raise-so-sndbuf-short = 在 { $here } 上的程序里调大 SO_SNDBUF
fix-raise-so-sndbuf-brief = 调大 SO_SNDBUF
fix-raise-so-sndbuf = 如果必须手动设置，至少设为“带宽 × RTT”的两倍。内核会把设置的值翻倍（一半留给管理开销），超过 net.core.wmem_max 的部分会被直接截掉且不报错，所以 wmem_max 更小时也要一起调大。

fix-raise-tcp-wmem-short = 在 { $here } 上调大 net.ipv4.tcp_wmem
fix-raise-tcp-wmem-brief = 调大 tcp_wmem
fix-raise-tcp-wmem = net.ipv4.tcp_wmem 的第三个值是发送缓冲区自动调整的上限，小于“带宽 × RTT”的两倍时才需要调大。默认为 4 MiB，更小的值是有人在这台主机上改的。前两个值更大时予以保留。只对没有设置 SO_SNDBUF 的套接字生效。

fix-remove-both-buffers-short = 删除 { $sender } 上 SO_SNDBUF 的设置和 { $receiver } 上 SO_RCVBUF 的设置
fix-remove-both-buffers-brief = 删除 SO_SNDBUF 和 SO_RCVBUF 的设置
fix-remove-both-buffers = 两端的设置都删掉（或者删掉所用软件里的相应配置），或者在发送主机上调大 tcp_wmem、在接收主机上调大 tcp_rmem。只改一端，另一端的缓冲区会把速率限制在同样的水平。

fix-remove-receive-buffers-short = 删除两端（{ $client } 和 { $server }）的 SO_RCVBUF 设置
fix-remove-receive-buffers-brief = 删除两端的 SO_RCVBUF 设置
fix-remove-receive-buffers = 删除两端程序里设置 SO_RCVBUF 的调用，或所用软件里的相应配置。只改一端，发往另一端的数据仍然一样慢。

fix-remove-so-rcvbuf-short = 删除 { $here } 上的程序里 SO_RCVBUF 的设置
fix-remove-so-rcvbuf-brief = 删除 SO_RCVBUF 的设置
fix-remove-so-rcvbuf = 删除应用里设置 SO_RCVBUF 的调用，或所用中间件里的相应配置。一旦设置，这个套接字的自动调整就关掉了；不设置的话，缓冲区可以一直涨到 net.ipv4.tcp_rmem 的第三个值。

fix-raise-so-rcvbuf-short = 在 { $here } 上的程序里调大 SO_RCVBUF
fix-raise-so-rcvbuf-brief = 调大 SO_RCVBUF
fix-raise-so-rcvbuf = 如果必须手动设置，至少设为“带宽 × RTT”的两倍，并且要在 connect 或 listen 之前设置，因为窗口缩放因子在 SYN 里就定下了。内核会按 net.core.rmem_max 截断，所以 rmem_max 更小时也要一起调大。

fix-raise-tcp-rmem-short = 在 { $here } 上调大 net.ipv4.tcp_rmem
fix-raise-tcp-rmem-brief = 调大 tcp_rmem
fix-raise-tcp-rmem = net.ipv4.tcp_rmem 的第三个值是接收窗口自动调整的上限，小于“带宽 × RTT”的两倍时才需要调大。默认为 6 MiB，Linux 6.16 起为 32 MiB，更小的值是有人在这台主机上改的。前两个值更大时予以保留，并保持 net.ipv4.tcp_moderate_rcvbuf 为 1。

fix-forget-metrics-short = 在 { $here } 上清除为 { $there } 记住的慢启动阈值
fix-forget-metrics-brief = 清除记住的慢启动阈值
fix-forget-metrics = Linux 会在 tcp_metrics 里按对端记住慢启动阈值（ssthresh），新连接到了这个值就退出慢启动。在发送端主机上清除它，并关掉这种记忆。

fix-enable-receive-autotuning-short = 在 { $here } 上打开接收窗口自动调优
fix-enable-receive-autotuning-brief = 打开接收窗口自动调优
fix-enable-receive-autotuning = Windows 只有在打开接收窗口自动调优时才会扩大接收窗口。在接收端主机上设为 normal。

fix-check-receive-buffer-short = 在 { $here } 上对比接收缓冲区和 net.ipv4.tcp_rmem
fix-check-receive-buffer-brief = 对比接收缓冲区和 net.ipv4.tcp_rmem
fix-check-receive-buffer = 数据包看不出是程序还是 net.ipv4.tcp_rmem 限制了这个缓冲区。趁连接还在，在接收端主机上对比一下：ss 输出的 rb 等于第三个值，就调大这个设置；否则删除程序里的 SO_RCVBUF。

fix-check-send-buffer-short = 在 { $here } 上对比发送缓冲区和 net.ipv4.tcp_wmem
fix-check-send-buffer-brief = 对比发送缓冲区和 net.ipv4.tcp_wmem
fix-check-send-buffer = 数据包看不出是程序还是 net.ipv4.tcp_wmem 限制了这个缓冲区。趁连接还在，在发送端主机上对比一下：ss 输出的 tb 等于第三个值，就调大这个设置；否则删除程序里的 SO_SNDBUF。

fix-enable-window-scaling-short = 在 { $sender } 和 { $receiver } 上开启窗口缩放
fix-enable-window-scaling-brief = 两端都开启窗口缩放
fix-enable-window-scaling = 两端的 SYN 都要带窗口缩放选项。如果两端都开了，那就是中间的防火墙或负载均衡把这个选项去掉了。

fix-read-faster-short = 让 { $here } 上的程序更快地读取套接字
fix-read-faster-brief = 更快地读取套接字
fix-read-faster = 接收端应用调用 read 不够及时。用单独的线程或协程收数据，再通过队列交给后面处理；读循环里不要做解析、写盘、访问数据库。调用栈能看出进程在等什么：CPU、磁盘、锁、GC。单纯加大缓冲区只能推迟卡顿。

fix-read-before-close-short = 让 { $here } 把请求读完再关闭
fix-read-before-close-brief = 把请求读完再关闭
fix-read-before-close = 让服务器接受这么大的请求；或者只关闭写方向，继续读到客户端关闭为止。服务器的日志里有拒绝的原因。
fix-read-while-writing-short = 在 { $client } 或 { $server } 上的程序里边写边读
fix-read-while-writing-brief = 至少有一端要边写边读
fix-read-while-writing = 至少让其中一个程序在写的同时也读：用单独的线程或任务，或者用 poll 同时等待读和写。如果两端都先写完再读，各自都需要只有对方才能腾出的空间。加大缓冲区只会让它们在停住之前多写一些。

fix-enlarge-reads-short = 让 { $here } 上的程序每次至少读 64 KiB
fix-enlarge-reads-brief = 每次至少读 64 KiB
fix-enlarge-reads = 每次读 64 KiB 以上。频繁小块读取既浪费系统调用，也让窗口打不开。

fix-raise-max-pacing-rate-short = 在 { $here } 上的程序里增大 SO_MAX_PACING_RATE
fix-raise-max-pacing-rate-brief = 增大 SO_MAX_PACING_RATE
fix-raise-max-pacing-rate = 删除应用里设置 SO_MAX_PACING_RATE 的调用，或者增大这个速率。不设置的话，套接字按拥塞控制允许的最快速度发送。

fix-uncork-short = 在 { $here } 上的程序里，每条消息写完后清除 TCP_CORK
fix-uncork-brief = 每条消息写完后清除 TCP_CORK
fix-uncork = 每条消息的最后一次写入之后清除 TCP_CORK，内核就会立即发出剩下的数据。

fix-set-tcp-nodelay-short = 在 { $here } 上的程序里设置 TCP_NODELAY
fix-set-tcp-nodelay-brief = 设置 TCP_NODELAY
fix-set-tcp-nodelay = 在写小包的一端关掉 Nagle 算法。

fix-set-tcp-nodelay-at-both-ends-short = 在两端（{ $client } 和 { $server }）的程序里都设置 TCP_NODELAY
fix-set-tcp-nodelay-at-both-ends-brief = 两端都设置 TCP_NODELAY
fix-set-tcp-nodelay-at-both-ends = 在两端的程序里都关掉 Nagle 算法，或者两端都一条消息一次写完。只改一端，另一端的小包写入仍然要等。

fix-coalesce-writes-short = 让 { $here } 上的程序一条消息一次写完
fix-coalesce-writes-brief = 一条消息一次写完
fix-coalesce-writes = 一条消息用一次系统调用交给套接字，不要把头和体分开写。不管 Nagle 开没开都有用。

fix-quickack-short = 在 { $here } 上的程序里设置 TCP_QUICKACK
fix-quickack-brief = 在接收端设置 TCP_QUICKACK
fix-quickack = 让接收端立即回 ACK。该选项不会一直保持，每次读完都要重新设置，或者在路由上设置。更好的办法是改写入的一端。

fix-write-more-ahead-short = 让 { $here } 始终有数据待发，除非是有意限速
fix-write-more-ahead-brief = 除非是有意限速，让套接字始终有数据待发
fix-write-more-ahead = 发送端应用没有把套接字喂饱。每次多写一些；网络在发的同时就去读磁盘或上游（双缓冲、多线程）；不要每写一块就等一次应答。如果这个速度本来就是有意限制的（限速、直播流），那就没有问题。

fix-pipeline-requests-short = 让 { $client } 一次发出多个请求
fix-pipeline-requests-brief = 一次发出多个请求
fix-pipeline-requests = 每个请求都要等上一个请求的应答：至少一个 RTT，再加服务端的处理时间。改成一次发多个：批量、流水线、更大的块、调大 fetch size、HTTP/2，或者多个连接并行。

fix-raise-peer-window-short = 在 { $here } 上的程序里调大 TCP 之上的协议窗口
fix-raise-peer-window-brief = 调大 TCP 之上的协议窗口
fix-raise-peer-window = 让接收程序一次多放行一些：调大 HTTP/2、gRPC 或 SSH 的窗口，或者增加 SFTP 未应答的请求数。多开几个连接也有用。SO_SNDBUF 和 SO_RCVBUF 都不起作用。

fix-resume-tls-sessions-short = 在 { $server } 上启用 TLS 会话复用
fix-resume-tls-sessions-brief = 启用 TLS 会话复用
fix-resume-tls-sessions = 确实要新建连接时，复用会话在 TLS 1.2 下省一个 RTT，在任何版本下都省去证书和大部分计算。
fix-reuse-connection-short = 让 { $client } 保持并复用到 { $server } 的长连接
fix-reuse-connection-brief = 复用长连接
fix-reuse-connection = 新建连接要握手，还要重新慢启动。使用连接池或长连接，整个进程共用一个。

fix-disable-idle-restart-short = 在 { $here } 上把 tcp_slow_start_after_idle 设为 0
fix-disable-idle-restart-brief = 把 tcp_slow_start_after_idle 设为 0
fix-disable-idle-restart = 空闲时间超过 RTO 后，Linux 会收缩拥塞窗口，重新慢启动。在发送端主机上关掉这个行为。

fix-lower-minimum-rto-short = 在 { $here } 上调小最小 RTO
fix-lower-minimum-rto-brief = 调小发送端的最小 RTO
fix-lower-minimum-rto = 让发送端在丢包后更早重传。除非路由或 sysctl 另有设置，Linux 只比 RTT 多等 200 ms。

fix-raise-initcwnd-short = 如果路径扛得住突发，在 { $here } 上调大 initcwnd
fix-raise-initcwnd-brief = 如果路径扛得住突发，调大 initcwnd
fix-raise-initcwnd = 在 RTT 大的路径上传输小数据量时，可以在路由上调大初始窗口。只在确认路径扛得住突发的情况下使用。

fix-use-bbr-short = 在 { $here } 上把拥塞控制改用 BBR
fix-use-bbr-brief = 拥塞控制改用 BBR
fix-use-bbr = 基于丢包的算法（CUBIC、Reno）每次丢包都会降速，哪怕与拥塞无关；BBR 不会。不用重启，新建的连接即可生效。

fix-fix-loss-short = 查找在哪里丢包：在 { $here } 上运行 mtr { $probe }
fix-fix-loss-brief = 用 mtr 查找在哪里丢包
fix-fix-loss = 在发送端主机上运行 mtr：从某一跳开始、之后一直持续的丢包，就是那一跳在丢。查看那里的错误和丢弃计数：双工不匹配、网线或信号差、过载。路径跑满时，没有设备有问题。

fix-find-host-drops-short = 找出 { $here } 上丢包的地方：这些包没有离开过主机
fix-find-host-drops-brief = 找出本机丢包的地方
fix-find-host-drops = 两端在同一台主机上，包不是丢在路上的。检查接收缓冲区是否满了、lo 上的排队规则、防火墙规则，以及内核是否会丢弃窗口之内的报文段。
fix-check-silent-host-short = 检查 { $here } 的防火墙和 VPN：包到了，却没有应答
fix-check-silent-host-brief = 检查不应答的主机的防火墙和 VPN
fix-check-silent-host = 包已经到了这台主机，却没有任何应答。检查它的防火墙、路由和 VPN：有规则丢弃了包或应答，或者应答走了别的路由。主机休眠或过载时，看起来也是这样。

fix-find-restart-short = 查明 { $here } 为什么中断：uptime、journalctl -b -1
fix-find-restart-brief = 查明主机为什么中断
fix-find-restart = 主机或它的程序中断了一段时间，之后又恢复应答。检查它是否重启过。如果是计划内的重启，让客户端更快重连：设置超时或 TCP_USER_TIMEOUT。

fix-fix-ack-loss-short = 发往 { $sender } 的 ACK 丢在哪里：在 { $here } 上运行 mtr { $probe }
fix-fix-ack-loss-brief = 查找发往发送端的 ACK 在哪里丢失
fix-fix-ack-loss = 在接收端主机上向发送端运行 mtr：从某一跳开始、之后一直持续的丢包，就是那一跳在丢。查看那里的错误和丢弃计数；用 Wi-Fi 时检查信号和信道；上行链路占满时，限制或整形上传。

fix-limit-neighbours-short = 限制发往 { $receiver } 的其他流量，或换个时间再跑
fix-limit-neighbours-brief = 限制其他流量，或换个时间再跑
fix-limit-neighbours = 在发送其他流量的程序里限速，或者换个时间再跑。没有拥塞控制的 UDP 不会自己减速。如果必须同时跑，在瓶颈设备上启用 cake 或 fq_codel，让每个流轮流发送。
fix-shape-uploads-short = 限制 { $receiver } 的上传，或者在它的上行链路启用 cake
fix-shape-uploads-brief = 限制上传，或者在上行链路启用 cake
fix-shape-uploads = ACK 在上行链路的队列里排在数据后面，每次往返都变长。暂停或限制接收主机和它所在网络同时在发的数据；或者用 cake 或 fq_codel 把上行整形到略低于线路速率，ACK 就不用再排队。给下载加大窗口或缓冲区没有用。

fix-fix-queue-aqm-short = 在通往 { $receiver } 的瓶颈处启用 fq_codel 或 cake
fix-fix-queue-aqm-brief = 在瓶颈处启用 fq_codel 或 cake
fix-fix-queue-aqm = 两端再加大缓冲区或窗口都没有用，只会让瓶颈处的队列更长。要降低时延，在瓶颈设备上启用 fq_codel 或 cake（队列在光猫里的话，整形速率设得比线路略低一点），或者发送端改用 BBR。

fix-lengthen-queue-short = 加长路径上溢出的队列，或在 { $here } 上改用 BBR
fix-lengthen-queue-brief = 加长溢出的队列，或改用 BBR
fix-lengthen-queue = 丢包发生时，在途数据超过了路径能容纳的量：是队列溢出，没有设备出故障。每次这样丢包之后，窗口会长时间偏小，因为队列里存不下足够的数据。把瓶颈处的队列加长到路径一个 RTT 能容纳的数据量，或在发送端主机上改用 BBR。

fix-raise-capacity-short = 让 { $sender } 少传数据，或加大路径的带宽
fix-raise-capacity-brief = 少传数据，或加大路径的带宽
fix-raise-capacity = 路径能给的带宽已经用满。要么少传（压缩、只取需要的行和列、增量），要么错峰，要么换更快的路径；并确认网卡速率协商正常，没有整形器或运营商限速。

fix-capture-at-receiver-short = 在 { $receiver } 上也抓包
fix-capture-at-receiver-brief = 在接收端也抓包
fix-capture-at-receiver = 在接收端主机上也抓一次包：看到达那里的是这个连接还是代理的连接，以及要多久。

fix-enable-sack-short = 在 { $sender } 和 { $receiver } 上开启 SACK
fix-enable-sack-brief = 两端都开启 SACK
fix-enable-sack = 两端都要支持 SACK（都是默认开启），并查找去掉该选项的设备。

fix-keep-window-open-short = 不要改小 { $here } 上已建立连接的接收缓冲区
fix-keep-window-open-brief = 不要改小已建立连接的接收缓冲区
fix-keep-window-open = 已建立连接的接收缓冲区保持不变或改大。检查接收端是否内存紧张，以及 net.ipv4.tcp_shrink_window 是否不为 0。

fix-find-marking-queue-short = 查找从 { $sender } 到 { $receiver } 的路上打标记的队列
fix-find-marking-queue-brief = 查找打标记的队列
fix-find-marking-queue = 查看两端主机和路由器的标记计数，找出打标记的队列。如果链路还没跑满就打标记，就调大它的门限：应该在出现排队时才打标记。

fix-find-stalls-short = 查找停顿的链路：在 { $here } 上运行 mtr -m 1 { $there }
fix-find-stalls-brief = 用 mtr 查找停顿的链路
fix-find-stalls = 停顿时 ping 第一跳，或在某一跳的两侧同时抓包，看是哪段链路或哪台主机停顿。关掉 Wi-Fi 省电和扫描，改善信号，或者保证虚拟机得到 CPU。

fix-fix-mtu-short = 在 { $sender } 上把 net.ipv4.tcp_mtu_probing 设为 1，或放行 ICMP
fix-fix-mtu-brief = 放行 ICMP，或让发送端探测 MTU
fix-fix-mtu = 大包被悄悄丢掉了。所有防火墙都要放行 ICMP “需要分片”（IPv6 是“包过大”）；隧道、容器和 pod 的 MTU 要按路径来设，或者让发送端自己探测 MTU。

fix-mss-clamp-short = 在 { $sender } 和 { $receiver } 之间的隧道或路由器上钳制 MSS
fix-mss-clamp-brief = 在隧道或路由器上钳制 MSS
fix-mss-clamp = 在窄链路前的路由器上，把经过的 SYN 里的 MSS 改小到能通过的值。

fix-check-listener-short = 看看 { $server } 上谁在监听：ss -ltnp 'sport = :{ $port }'
fix-check-listener-brief = 看看服务器的端口上谁在监听
fix-check-listener = 主机有应答，但这个端口没有进程在监听。看看是谁在监听。如果客户端需要这个服务，就启动它，并让它监听这个地址，而不只是 127.0.0.1。如果已经在监听，就是防火墙用 RST 拒绝了。

fix-let-kernel-choose-port-short = 让内核为 { $client } 选择本地端口
fix-let-kernel-choose-port-brief = 让内核选择本地端口
fix-let-kernel-choose-port = connect() 之前不要绑定固定的本地端口：内核会选一个最近没有连接用过的端口。

fix-check-firewall-short = 看看 { $client } 的 SYN 是否到达 { $host }：tcpdump port { $port }
fix-check-firewall-brief = 看看 SYN 是否到达服务器
fix-check-firewall = 没有任何应答。在服务器上抓包：如果没有收到 SYN，检查主机是否存活，以及沿途的路由、安全组和防火墙；如果收到了 SYN，检查回程路由，服务器很忙时再看全连接队列。

fix-find-syn-ack-short = 看看 { $host } 的 SYN-ACK 是否到达 { $client }：tcpdump port { $port }
fix-find-syn-ack-brief = 看看 SYN-ACK 是否到达客户端
fix-find-syn-ack = 服务器应答了，却没有等到 ACK。在客户端抓包：如果没有收到 SYN-ACK，检查回程路由、防火墙和安全组；如果收到并且客户端确认了，检查去往服务器的路径。

fix-capture-both-directions-short = 在 { $sender } 或 { $receiver } 上抓两个方向
fix-capture-both-directions-brief = 两个方向都要抓
fix-capture-both-directions = 只抓到了一个方向：来回路径不对称，或者镜像口只镜像了一侧。请在其中一台主机上抓包，不要按源或目的过滤。

fix-capture-at-sender-short = 在发送数据的 { $sender } 上抓包
fix-capture-at-sender-brief = 在发送端抓包
fix-capture-at-sender = 请在发送数据的主机上再抓一次：只有在那里才看得出数据什么时候离开应用、被哪个窗口卡住。

fix-capture-from-syn-short = 在连接 { $server } 之前开始抓包
fix-capture-from-syn-brief = 建连之前就开始抓包
fix-capture-from-syn = 请在建连之前开始抓包：窗口缩放因子、MSS、SACK 都在 SYN 里协商，没抓到就不知道。

fix-larger-snaplen-buffer-short = 避免抓包丢包：tcpdump -s 128 -B 65536
fix-larger-snaplen-buffer-brief = 避免抓包丢包
fix-larger-snaplen-buffer = 抓包本身丢包了：只抓包头，加大缓冲，写到快的磁盘上，按主机和端口过滤。

fix-disable-offload-note-short = 不用改，网卡卸载属于正常现象
fix-disable-offload-note = 抓到的是网卡分段之前或合并之后的大包，属于正常现象，分析时已经考虑。想看线路上真实的包，可以换一台设备抓，或者测试时临时关掉卸载。

fix-accept-propagation-short = 减少往返次数，或换近一点的节点
fix-accept-propagation = 剩下的只是信号在路上的时间，调参数没有用。只能减少往返次数（批量、复用连接、TLS 1.3），或者用更近的服务器、加缓存。

fix-profile-application-short = 在 { $here } 上的程序不发数据时取它的调用栈
fix-profile-application-brief = 在应用不发数据时取它的调用栈
fix-profile-application = 时间花在应用内部。在它不发数据时取三次调用栈，每次隔几秒，看它在等什么：上游、SQL、磁盘、锁、GC、队列。让这一步变快，或者放到网络发送的同时去做。

fix-close-connection-short = 对端关闭后，让 { $here } 上的程序关闭套接字
fix-close-connection-brief = 对端关闭后就关闭套接字
fix-close-connection = read 返回 0 就说明对端已经关闭：这时要关闭连接，代码的每条出口都要关，包括出错的路径。也检查一下留着这类套接字的连接池。

fix-enable-loss-probes-short = 在 { $here } 上开启 SACK、时间戳和 TLP
fix-enable-loss-probes-brief = 开启 SACK、时间戳和 TLP
fix-enable-loss-probes = 有了 SACK、时间戳、TLP 和 RACK，发送端大多能在一个 RTT 内修复丢包，还能撤销误判造成的降速。这些默认都是开启的，确认两端没有被人关掉。

fix-stop-reordering-short = 在 { $sender } 和 { $receiver } 之间按流分发，不要逐包分发
fix-stop-reordering-brief = 按流分发，不要逐包分发
fix-stop-reordering = 路上有主机或设备把同一条流的包分到了多条路径或多个队列。检查按包分发的 bonding（balance-rr）、逐包负载均衡、没有按流分发的多队列。改为按流分发。

fix-shape-below-policer-short = 在 { $here } 上整形到略低于限速值
fix-shape-below-policer-brief = 发送速率整形到略低于限速值
fix-shape-below-policer = 在自己这边整形到略低于限速值，就不会丢包，带宽也能用满。或者请运营商把丢弃改成整形，或者提高限速值。

fix-raise-backlog-short = 调大 { $server } 的 listen backlog
fix-raise-backlog-brief = 调大 listen backlog
fix-raise-backlog = 新建连接把服务器的队列撑满了。调大应用里的 backlog，以及它的上限 net.core.somaxconn，两者取小的生效。

fix-find-reset-short = 在 { $sender } 和 { $receiver } 上抓包，看 RST 是谁发的
fix-find-reset-brief = 在两端抓包，看 RST 是谁发的
fix-find-reset = 对比 RST 与其他包的 TTL，并在两端同时抓包：如果对方主机没有发过 RST，那就是中间设备发的。进程崩溃，或者关闭时还有数据没读完，也会发 RST。

fix-keep-alive-every-short = 在空闲超时之前从 { $here } 发送保活探测
fix-keep-alive-every-brief = 在空闲超时之前发送保活探测
fix-keep-alive-every = 开启保活，并让间隔明显短于设备的空闲超时。Linux 默认要等两小时，比大多数设备都久。

fix-outlast-pool-short = 让 { $server } 保留空闲连接的时间长于客户端连接池
fix-outlast-pool-brief = 让服务器保留空闲连接比客户端更久
fix-outlast-pool = 把服务器的 keep-alive 超时设得比客户端连接池的空闲上限更长，让客户端先关闭。可以重复发送的请求，让客户端重试。

fix-retire-idle-connections-short = 在超时之前关闭 { $here } 上的空闲连接
fix-retire-idle-connections-brief = 在超时之前关闭空闲连接
fix-retire-idle-connections = 让连接池在设备或服务器丢弃连接之前关闭空闲连接，或者在使用前先检测。

fix-accept-sooner-short = 让 { $server } 上的程序更快地调用 accept()
fix-accept-sooner-brief = 更快地调用 accept()
fix-accept-sooner = 队列溢出是因为应用在忙别的：用单独的线程或循环来 accept，增加工作进程。在服务器上用 ss 可以看到有多少连接在等待。

fix-look-for-peer-short = 检查到对端的路径：在 { $here } 上运行 mtr { $probe }
fix-look-for-peer-brief = 用 mtr 检查到对端的路径
fix-look-for-peer = 检查对端主机是否在线，并在对端抓包。数据到了、ACK 也发了，就是回程丢的；数据没有到，就是去程丢的。

fix-limit-retries-short = 在 { $here } 上的程序里设置 TCP_USER_TIMEOUT，更早放弃
fix-limit-retries-brief = 设置 TCP_USER_TIMEOUT，更早放弃
fix-limit-retries = Linux 会一直重试约 15 分钟。把 TCP_USER_TIMEOUT 或应用的超时设成用户能等的时间。

fix-move-closer-short = 让 { $client } 靠近 { $server }，或用缓存应答
fix-move-closer-brief = 让客户端靠近服务器
fix-move-closer = 每个来回都要付出距离的代价。把频繁交互的部分放到服务器旁边，用就近的缓存或副本应答，或者把循环移到服务器上。

fix-sample-socket-short = 采样发送端套接字：在 { $sender } 上运行 ss -tmin { $sockets }
fix-sample-socket-brief = 用 ss 采样发送端套接字
fix-sample-socket = 发送端自己的套接字状态能说明抓包看不出的东西：拥塞窗口、未确认的数据、尚未发送的数据和缓冲区。

fix-disable-hystart-short = 在 { $here } 上关闭 HyStart
fix-disable-hystart-brief = 关闭 HyStart
fix-disable-hystart = 在发送端主机上，可以通过模块参数关掉 CUBIC 的 HyStart。只在确认路径有抖动但带宽有余量时才这样做，否则慢启动会一直冲到丢包为止。

fix-profile-receiver-short = 在 { $here } 上的程序不读数据时取它的调用栈
fix-profile-receiver-brief = 在接收进程不读数据时取它的调用栈
fix-profile-receiver = 在零窗口期间取三次接收进程的调用栈，看它为什么不读：GC 停顿、锁、磁盘或数据库慢、被调试器挂住。把这些工作从读数据的线程里移出去。

fix-raise-initrwnd-short = 在 { $here } 上调大初始接收窗口
fix-raise-initrwnd-brief = 调大初始接收窗口
fix-raise-initrwnd = 如果传的数据不多而 RTT 很大，可以在接收端主机的路由上调大初始接收窗口；否则自动调整要好几个 RTT 才能把窗口打开。

fix-capture-at-one-place-short = 只在一个网卡上抓
fix-capture-at-one-place = 指定一个网卡抓，不要用 any；镜像口每个方向只镜像一次。这里已把重复的包去掉。

fix-raise-mss-short = 在 { $sender } 和 { $receiver } 上把 MSS 调到路径允许的大小
fix-raise-mss-brief = 把 MSS 调到路径允许的大小
fix-raise-mss = 检查两端主机和中间隧道的 MTU，路由器上的 MSS 钳制（TCPMSS），以及应用有没有设置 TCP_MAXSEG。

fix-enable-client-timestamps-short = 在 { $client } 上开启 TCP 时间戳
fix-enable-client-timestamps-brief = 客户端开启 TCP 时间戳
fix-enable-client-timestamps = 有时间戳，SYN cookie 才能带上窗口缩放和 SACK：Linux 客户端设置 net.ipv4.tcp_timestamps = 1；Windows 默认是关的。
fix-find-hanging-request-short = 请求卡住时取 { $server } 的调用栈
fix-find-hanging-request-brief = 请求卡住时取服务器的调用栈
fix-find-hanging-request = 服务器内核确认了请求，说明请求到了。请求卡住时取程序的调用栈；Recv-Q 大于 0，说明程序没有读走请求。给它的上游设置超时，让客户端得到错误，而不是一直没有回音。
fix-update-receiver-kernel-short = 升级 { $here } 的内核
fix-update-receiver-kernel-brief = 升级接收端的内核
fix-update-receiver-kernel = 如果没有程序设置缓冲区，而接收端运行 Linux 4.19.86 到 5.9.15，那么使用巨帧时窗口无法增长。把内核升级到 4.19.164、5.4.85、5.10 或更新的版本。
fix-fix-checksums-short = 在 { $sender } 上关闭校验和卸载
fix-fix-checksums-brief = 在发送端关闭校验和卸载
fix-fix-checksums = 路上有主机或设备把 TCP 或隧道的校验和算错了。在发送端和它的隧道、虚拟网卡上关闭发送校验和卸载，再逐跳比较校验和。
fix-track-liberally-short = 在做 NAT 的机器上把 nf_conntrack_tcp_be_liberal 设为 1
fix-track-liberally-brief = 在 NAT 上启用 nf_conntrack_tcp_be_liberal
fix-track-liberally = 连接跟踪把超出它所知窗口的报文段当作无效包，不做地址转换就放过去。打开 nf_conntrack_tcp_be_liberal 之后，只有超出窗口的 RST 算无效。也可以在做 NAT 的机器上丢弃无效包。如果没有 NAT，就去找以该主机名义发 RST 的防火墙或代理。
