# 规则：`rule-ID-title` 是标题；`rule-ID-sentence` 描述本次发现，参数名即证据名；
# `rule-ID-doc` 分三段：含义、判定方法、处理办法。
# 每个句子还可以使用 $seconds（耗时）、$total（总时长）、$share（占比）。

rule-send-buffer-plateau-title = 发送缓冲区太小
rule-send-buffer-plateau-sentence = 接收端窗口有 { $window_bytes }，在途数据却始终不超过 { $plateau_bytes } 左右：RTT 为 { $rtt_us }，每一轮都要等 ACK 回来腾出缓冲区，应用才能继续写。
rule-send-buffer-plateau-sentence-brief = 在途数据始终不超过 { $plateau_bytes } 左右：要等 ACK 回来腾出缓冲区，应用才能继续写。
rule-send-buffer-plateau-sentence-least = 发送缓冲区限制了发送端：总共 { $total }，其中 { $seconds }。
rule-send-buffer-plateau-doc =
    应用有数据，接收端有空间，网络也还能再发，但发送端的套接字缓冲区被还没确认的数据占满了。一个 RTT 最多发一个缓冲区的数据，所以速率就是“缓冲区 / RTT”。
    判定：在途数据有一个平坦的上限，低于接收窗口和拥塞窗口，而且 ACK 腾出空间之后，后续数据来得偏晚。这里的上限是从包里看到的值，不等于 SO_SNDBUF 的设置值，由于管理开销，两者可能相差一倍。
    处理：不要设置 SO_SNDBUF，让内核自动调整；或者设到“带宽 × RTT”的两倍；如果自动调整已经到顶，就调大 net.ipv4.tcp_wmem。

rule-receive-window-small-buffer-title = 接收缓冲区太小
rule-receive-window-small-buffer-sentence = 应用读得很及时，窗口却没有超过 { $window_bytes }：RTT 为 { $rtt_us }，在途数据最多就这么多。
rule-receive-window-small-buffer-sentence-brief = 应用读得很及时，窗口却没有超过 { $window_bytes }。
rule-receive-window-small-buffer-doc =
    接收端应用读得及时，通告的窗口却一直很小。一个 RTT 最多发一个窗口的数据，所以速率就是“窗口 / RTT”。
    判定：在途数据顶到窗口右沿，窗口右移才有新数据发出；窗口右移的速度跟得上 ACK，但窗口从不增长，而自动调整本该让它变大。窗口放不下两个满长的报文段时，发送端会用更小的：Linux 每次发窗口的一半。
    处理：不要设置 SO_RCVBUF（一设置就关掉了自动调整）；或者在 connect、listen 之前设到“带宽 × RTT”的两倍；检查 net.ipv4.tcp_moderate_rcvbuf。

rule-receive-buffers-both-ends-title = 两端的接收缓冲区都太小
rule-receive-buffers-both-ends-sentence = 两端的接收缓冲区都太小，约为 { $window_bytes }：总共 { $total }，其中 { $seconds }。
rule-receive-buffers-both-ends-doc =
    两端都要接收很多数据，程序读得也及时，通告的窗口却一直小而不变。只改一端，只有发往那一端的方向变快，另一个方向照旧。
    判定：两个方向上的窗口都小而不变，并且都被用满。
    处理：删除两端的 SO_RCVBUF 设置，或者所用软件里的相应配置。

rule-acks-queued-title = ACK 在发往发送端的途中排队
rule-acks-queued-sentence = 一半的 ACK 在发往发送端的途中排队 { $queue_delay_us } 或更久：有别的传输占满了那个方向。
rule-acks-queued-doc =
    这次传输的 ACK 和反方向的数据共用一条已满的链路，比如接收端经调制解调器的上传。每次往返都多出这段排队时间，慢启动打开窗口也慢得多。数据本身的方向还有余量。
    判定：根据两端的 TCP 时间戳，ACK 比最快时晚了半个往返时延以上，数据则没有。
    处理：限制或暂停上传，或者用 cake 或 fq_codel 把上行整形到略低于线路速率。

rule-buffers-alike-title = 发送缓冲区和接收缓冲区一样小
rule-buffers-alike-sentence = 两端的套接字缓冲区都太小，约为 { $window_bytes }：总共 { $total }，其中 { $seconds }。
rule-buffers-alike-doc =
    一端的发送缓冲区和另一端的接收窗口大小相近，各自都有一部分时间被用满。只改其中一个，另一个就接着限制。
    判定：在途数据停在一个平台上，窗口也被用满，两者大小相近。
    处理：都交给内核调整。删除 SO_SNDBUF 和 SO_RCVBUF，或者调大 tcp_wmem 和 tcp_rmem 的第三个值。

rule-receive-window-capped-title = 接收窗口到了上限
rule-receive-window-capped-sentence = 窗口涨到 { $window_bytes } 就不再增长：RTT 为 { $rtt_us }，在途数据最多就这么多。
rule-receive-window-capped-sentence-brief = 窗口涨到 { $window_bytes } 就不再增长。
rule-receive-window-capped-doc =
    接收窗口在自动调整下一路变大，直到碰到上限，之后速率就被限制在“窗口 / RTT”。
    判定：与接收缓冲区太小一样，都是窗口用满，区别是窗口先增长、后停住。
    处理：在接收端主机上把 net.ipv4.tcp_rmem 的第三个值调到“带宽 × RTT”的两倍。

rule-receive-window-no-scaling-title = 没有窗口缩放，接收窗口最大 64 KiB
rule-receive-window-no-scaling-sentence = 没有协商窗口缩放，窗口最大只有 { $window_bytes }：RTT 为 { $rtt_us }，在途数据最多就这么多。
rule-receive-window-no-scaling-sentence-brief = 没有协商窗口缩放，窗口最大只有 64 KiB。
rule-receive-window-no-scaling-doc =
    TCP 头里的窗口字段只有 16 位。两端的 SYN 必须都带窗口缩放选项，否则窗口不超过 65,535 字节，速率不超过“64 KiB / RTT”。
    判定：SYN 中没有该选项，并且在途数据顶到了窗口右沿。
    处理：两端都开启窗口缩放。如果都已开启，说明中间设备去掉了这个选项，或者服务器当时用了 SYN cookie，没法带上它。

rule-slow-reader-title = 接收端应用读得太慢
rule-slow-reader-sentence = 数据已确认但没有被读走：应用只以 { $reader_rate_bits_per_s } 的速度读取，窗口随之变小。
rule-slow-reader-sentence-brief = 接收端应用没有及时读走套接字里的数据，窗口变小：总共 { $total }，其中 { $seconds } 受此限制。
rule-slow-reader-doc =
    接收端内核收下了数据，应用却迟迟不读。缓冲区逐渐占满，通告的窗口越来越小，速度由读的一方决定。
    判定：窗口右沿前移的速度比 ACK 慢。
    处理：用单独的任务收数据，读循环里不做处理；调用栈能看出进程在等什么。单纯加大缓冲区只能推迟卡顿。

rule-zero-window-title = 接收端零窗口
rule-zero-window-sentence = 接收端通告零窗口 { $stall_count } 次，最长持续 { $longest_us }：应用停止了读取。
rule-zero-window-doc =
    接收端缓冲区已满，通告窗口为 0。发送端只能停下来，隔一段时间探测一次（窗口探测）。
    判定：有数据待发时收到窗口为 0 的 ACK，随后出现窗口探测包。
    处理：在应用不读数据时取调用栈，看原因：GC 停顿、锁、后端磁盘或数据库慢、被调试器挂住等。

rule-both-ends-unread-title = 两端都在等对方读取
rule-both-ends-unread-sentence = 两端都在等对方读取，谁也无法继续：总共 { $total }，其中 { $seconds }。
rule-both-ends-unread-doc =
    两端的程序都在写，写的时候都不读。各自先填满对方的接收缓冲区，再填满自己的发送缓冲区，然后阻塞在写操作里。要让对方继续，自己就得先读，所以谁都不动：这是死锁，直到超时或用户中断。
    判定：两个方向的窗口同时关闭，而两端都还有数据要发。
    处理：至少让其中一个程序边写边读。

rule-zero-window-death-title = 零窗口期间连接中断
rule-zero-window-death-sentence = 接收端通告零窗口后，{ $probe_count } 个探测包在 { $silence_us } 内没有应答，发送端放弃了连接；之后接收端再发窗口更新，连接已经不在了。
rule-zero-window-death-sentence-brief = 接收端通告零窗口 { $longest_us }，直到连接被 RST 断开。
rule-zero-window-death-doc =
    接收端通告零窗口之后，它的 ACK 也收不到了。发送端探测的间隔越来越长，达到 net.ipv4.tcp_retries2 规定的次数后放弃；等接收端腾出空间发来窗口更新，得到的只是 RST。
    判定：先有零窗口，探测无应答，长时间静默，最后是 RST 或连接结束。
    处理：这里有两个问题。取接收端的调用栈，看它为什么不读；在两端抓包，看 ACK 丢在哪里（防火墙会话过期、NAT 超时、路由问题）。

rule-nagle-delayed-ack-title = Nagle 算法压住小包写入
rule-nagle-delayed-ack-sentence = 有 { $turn_count } 次小包写入要等前面数据的 ACK，每次约 { $delay_us }。
rule-nagle-delayed-ack-sentence-brief = Nagle 算法把小的写入留在套接字里，直到先前的数据得到确认：总共 { $total }，其中 { $seconds }。
rule-nagle-delayed-ack-doc =
    应用把一条消息分两次写，第一次写的可能很大。末尾的小段被 Nagle 算法压住，要等前面的数据被确认，这需要一个 RTT。接收端暂时没有东西可回，还可能把这个 ACK 推迟 40 ms 以上。
    判定：末尾的小段在 ACK 到达时才发出，随后对端才应答。
    处理：设置 TCP_NODELAY，或者一条消息一次写完（writev，或带缓冲的流写完再 flush 一次）。

rule-nagle-both-ends-title = 两端的 Nagle 算法都压住小包写入
rule-nagle-both-ends-sentence = 两端的小包写入都在等延迟的 ACK：总共 { $total }，其中 { $seconds }。
rule-nagle-both-ends-doc =
    两端的程序都把一条消息分两次或更多次写，Nagle 算法都开着。每一端都把末尾的小段压住，等对端确认前面的数据，而对端又推迟这个 ACK。只改一端，只能去掉那一端的等待。
    判定：两个方向上末尾的小段都在 ACK 到达时才发出。
    处理：两端都设置 TCP_NODELAY，或者两端都一条消息一次写完。

rule-delayed-ack-title = 延迟确认拖慢发送端
rule-delayed-ack-sentence = 发送端要等 ACK 才能继续，而接收端把 ACK 推迟了约 { $delay_us }。
rule-delayed-ack-sentence-brief = 发送端在等接收端推迟的 ACK：总共 { $total }，其中 { $seconds }。
rule-delayed-ack-doc =
    接收端会等第二个包，或者等自己有数据要发，才回 ACK。如果发送端没有这个 ACK 就发不了后面的数据（比如窗口只装得下一个包），这段等待就白白浪费了。
    判定：发送端被卡住时，单个包的 ACK 比 RTT 晚得多。
    处理：让连接能容纳两个以上的包（缓冲区、窗口），一次写大一点，或者接收端设置 TCP_QUICKACK。

rule-application-idle-title = 发送端应用有停顿
rule-application-idle-sentence = 发送端累计有 { $seconds } 没有数据可发，最长一次 { $longest_us }。
rule-application-idle-sentence-brief = 发送端累计有 { $seconds } 没有数据可发。
rule-application-idle-doc =
    数据全部发完并已确认，之后又是同一方先开口：连接等的是应用，不是网络。
    判定：没有在途数据，且这段时间之后仍由同一方发出新数据。
    处理：如果停顿不是有意的，就看发送端应用在等什么：它的上游、磁盘、锁、定时器。

rule-application-close-wait-title = 应用不关闭连接
rule-application-close-wait-sentence = 对端已经关闭，数据也都收到了，本端却又让连接空挂了 { $seconds }。
rule-application-close-wait-doc =
    对端已发 FIN，数据也已全部收到，本端应用却没有关闭自己这一侧（套接字停在 CLOSE-WAIT）。它不占网络时间，但占着套接字、内存和连接池的位置；积多了会耗尽文件描述符。
    判定：从对端的 FIN 到本端自己的 FIN（或抓包结束）之间的时间，期间没有再发数据。
    处理：对端关闭后就关闭，read 返回 0 就是信号。

rule-application-think-title = 应用应答慢
rule-application-think-sentence-together = { $request_count ->
        [one] 服务器用了 { $server_us } 应答 1 个请求
       *[other] 服务器用了 { $server_us } 应答 { $request_count } 个请求：中位数 { $think_us }，p95 { $think_p95_us }，最慢 { $longest_us }
    }。时间花在应答方的应用里。
rule-application-think-sentence = 每个请求大约要等 { $think_us } 才有应答，累计 { $seconds }：时间花在应答方的应用里。
rule-application-think-sentence-shared = 收到对端数据后，大约要过 { $pause_us } 本端才再发送，累计 { $seconds }：时间花在本端应用里，或是使用它的人在停顿。
rule-application-think-sentence-brief = 请求累计等了 { $seconds } 才有应答：时间花在应答方的应用里。
rule-application-think-doc =
    对端已经发完请求，轮到这一方应答，却隔了一段时间才有数据：这就是服务端处理时间。
    判定：从请求到达服务器到发出应答的第一个字节，减去网络本身的时间。按整条连接的所有请求一起报告：服务器占了有人等待的时间的 15% 以上，并且有一个应答迟到（超过 100 ms 和三个 RTT），或者累计达到一秒。推送、心跳等没有人等待的应答不算。
    请求和应答无法对应时，改为按一个方向报告。
    处理：去分析应答方的应用：SQL、上游调用、前面的排队。调 TCP 参数没有用。

rule-application-paced-title = 速度由发送端应用决定
rule-application-paced-sentence = 应用的写入速度是 { $rate_bits_per_s }，没有看到窗口或缓冲区用满。剩下的可能在程序里：限速、直播流、数据源太慢，或者在等别的事情。
rule-application-paced-sentence-brief = 应用写出的数据比能发的少：总共 { $total }，其中 { $seconds }。
rule-application-paced-doc =
    应用写多少就发多少，窗口和缓冲区都没有用满；不管在途数据是什么形状，再加大也不会发得更快。
    判定：发送不是由 ACK 触发的，而是按自己固定的速率或周期。
    处理：如果本来就是限速或直播流，那就没有问题。否则应提前读好数据、加大每次写入的块，两次写入之间不要等别的事情。

rule-request-response-turns-title = 一问一答次数太多
rule-request-response-turns-sentence-together = 每块 { $block_bytes } 都要等到应答才有下一块：共 { $request_count } 块，每块等一个 RTT（{ $rtt_us }）：{ $total } 中有 { $seconds } 花在 RTT 上。
rule-request-response-turns-sentence-shared = { $turn_count } 个请求逐个进行，每个都要等一个 RTT（{ $rtt_us }）：{ $total } 中有 { $seconds } 花在 RTT 上。
rule-request-response-turns-sentence = { $request_count } 个请求逐个进行，每个都要等一个 RTT（{ $rtt_us }）：{ $total } 中有 { $seconds } 花在 RTT 上。
rule-request-response-turns-sentence-brief = { $turn_count } 个请求逐个进行，每个都要等一个 RTT。
rule-request-response-turns-doc =
    双方轮流发送，每次数据很少，或者每次一块，时间都花在来回路上，而不是传数据上。
    判定：十个以上的请求，RTT 合计占这些请求及其间隔时间的三分之一以上；每个请求超过十个报文段（即一块）时，要占一半以上。请求和应答无法对应时，改为统计方向切换的次数。
    预测的是这段时间：最差按每批两个请求算，最好按一个 RTT 加上以路径速率传输算。
    处理：一次发多个请求（批量、流水线、调大 fetch size），用更大的块，或者让两端离得更近。

rule-client-pauses-title = 客户端在请求之间停顿
rule-client-pauses-sentence = 客户端在 { $request_count } 个请求之间共停顿 { $client_us }；服务器 { $server_us }，网络 { $network_us }。
rule-client-pauses-doc =
    收到应答之后到发出下一个请求之前，连接在等客户端：程序有别的工作，按自己的节奏轮询，或者有人在阅读。这时没有人在等服务器或网络。
    判定：从应答结束到下一个请求的时间，减去 RTT：占所有请求时间的三分之二以上，平均每次停顿超过三个 RTT 且超过 100 ms。
    处理：如果客户端没有请求要发，不用处理；如果它的工作本应更快完成，给客户端做性能分析。

rule-connection-setup-title = 建连只为少量数据
rule-connection-setup-sentence = 建立连接用了 { $setup_us }，占其时间的 { $setup_share }，总共只传了 { $data_bytes }。
rule-connection-setup-sentence-brief = 建立连接用了 { $setup_us }，占了其时间的很大一部分。
rule-connection-setup-doc =
    发出第一个请求之前，握手要花一个 RTT；一个请求就关闭的连接，每个请求都要付一次。TLS 还要再加一到两个 RTT，这里没有算进去：不看数据内容，它们和别的请求没有区别。
    判定：握手在 100 ms 以上，超过从开始到最后一个数据的时间的 30%，随后连接关闭，并且两个方向的数据都不超过一个初始窗口。
    处理：保持连接并复用（连接池、HTTP keep-alive）。使用 TLS 时，复用会话并使用 1.3 版本。

rule-connection-per-request-title = 每个请求都新建连接
rule-connection-per-request-sentence = { $client } 到 { $server } 新建了 { $connection_count } 个连接，平均每 { $opened_every_us } 一个，每个只传 { $bytes_each_bytes }。建立这些连接至少用了 { $setups_us }，占其时间的 { $setups_share }。
rule-connection-per-request-sentence-brief = { $client } 对 { $server } 的每个请求都新建连接。
rule-connection-per-request-doc =
    一个请求就关闭的连接，每次都要付握手的一个 RTT，还要重新慢启动。TLS 至少再加一个 RTT（1.2 版本不复用会话时是两个），两端还要计算密钥。关闭后的连接会让本地端口停在 TIME-WAIT。
    判定：在整个抓包里按客户端和服务器逐对统计：同一时刻每打开一个连接，就至少有十个这样的连接，且占两者之间全部连接的三分之二：每个方向的数据都不超过一个初始窗口，随后关闭，平均间歇不超过 5 s；建立连接总共用了 100 ms 以上，超过从开始到最后一个数据的时间的 30%。TCP 算一个 RTT；服务器端口登记为 TLS 的，再算一个。像浏览器那样同时打开的连接不算。
    处理：保持连接并复用：连接池、HTTP keep-alive、HTTP/2。使用 TLS 时，复用会话并使用 1.3 版本。

rule-nat-bypassed-title = 有报文段绕过了 NAT
rule-nat-bypassed-sentence = { $client } 连接的是 { $server }，同一端口却收到了来自 { $stray_from } 的报文段，并回了 RST：它们绕过了中间的 NAT，这个 RST 又断开了服务器上的 { $connection_count } 个连接。
rule-nat-bypassed-doc =
    连接跟踪把它认为无效的报文段不做地址转换就放过去。客户端收到的包来自服务器的真实地址，它没有这样的连接，就回 RST，这个 RST 断开了服务器上的连接。之后客户端再发数据，得到的是服务器的 RST。
    判定：一个有 SYN 的连接以 RST 结束；在它存续期间，客户端的同一端口收到来自另一个地址、没有 SYN 的报文段，客户端没有确认，直接回了 RST。
    处理：在做 NAT 的机器上把 net.netfilter.nf_conntrack_tcp_be_liberal 设为 1，或者在那里丢弃无效包。

rule-cut-alike-title = 多个连接在同样的字节数之后失败
rule-cut-alike-sentence = { $client } 到 { $server } 的 { $connection_count } 个连接以同样的方式失败，都在传输 { $cut_least_bytes } 到 { $cut_most_bytes } 之后：{ $cut }。
rule-cut-alike-doc =
    同一客户端到同一服务器的几个连接，传输了差不多的数据之后，以同样的方式失败。这不是巧合：代理的大小上限、让工作进程崩溃的请求、每次都被路径丢掉的包。
    判定：有两个或更多连接由同一条规则判为失败，传输的数据相差不超过 10%。
    处理：看传输到这个位置时是什么内容，并在代理和应用里找这个大小的限制。

rule-path-busy-title = 路径已跑满
rule-path-busy-sentence = 数据以 { $rate_bits_per_s } 连续到达，中间没有空隙：路径能给的就这么多。
rule-path-busy-sentence-brief = 路径已跑满：总共 { $total }，其中 { $seconds }。
rule-path-busy-doc =
    路径的瓶颈一直没有闲着。再加大窗口或缓冲区，只会让瓶颈处的队列更长。
    判定：RTT 持续高于最小值，数据到达没有空隙且速率平稳。
    处理：想更快，只能加带宽或少传数据。

rule-bufferbloat-title = 瓶颈处排队严重
rule-bufferbloat-sentence = 传输期间 RTT 从 { $rtt_min_us } 涨到 { $rtt_us }：瓶颈处排了长队，这条路径上的所有流量都跟着变慢。
rule-bufferbloat-sentence-brief = 瓶颈处的队列推迟了这条路径上的所有流量：总共 { $total }，其中 { $seconds }。
rule-bufferbloat-doc =
    瓶颈设备的缓冲区过大，又被发送端填满（bufferbloat）。这次传输本身损失不大，但共用这条路径的其他流量都要在队列里等。
    判定：有负载时的 RTT 是最小 RTT 的好几倍。
    处理：在瓶颈设备上启用 AQM（fq_codel、cake），或者发送端使用 BBR。

rule-neighbours-on-path-title = 同一路径上还有其他流量
rule-neighbours-on-path-sentence = 传输受路径限制期间，同样两台主机之间还有 { $sibling_count } 个连接，占{ $shared_end }的数据的 { $sibling_percent }，速率 { $sibling_bits_per_s }；这次传输得到 { $own_bits_per_s }。仅凭速率看不出它们是否经过同一个瓶颈。
rule-neighbours-on-path-sentence-together = 传输受路径限制期间，同样两台主机之间还有 { $sibling_count } 个连接，占{ $shared_end }的数据的 { $sibling_percent }，速率 { $sibling_bits_per_s }；这次传输得到 { $own_bits_per_s }，合计 { $together_bits_per_s }。从速率看，它们共用同一个瓶颈。
rule-neighbours-on-path-sentence-shared = 传输受路径限制期间，{ $shared_end }的数据有 { $others_percent } 属于其他流量，其中最大的是 { $neighbour }：{ $neighbour_bits_per_s }（{ $neighbour_percent }）；这次传输得到 { $own_bits_per_s }，合计 { $together_bits_per_s }。从速率看，它们共用同一个瓶颈。
rule-neighbours-on-path-sentence-brief = 传输受路径限制期间，{ $shared_end }的数据有 { $others_percent } 属于其他流量，其中最大的是 { $neighbour }：{ $neighbour_bits_per_s }（{ $neighbour_percent }）；这次传输得到 { $own_bits_per_s }。仅凭速率看不出它们是否经过同一个瓶颈。
rule-neighbours-on-path-doc =
    丢包或排队拖慢了传输，而同一份抓包里同时还有其他流量走同一方向。如果都经过同一个瓶颈，就各占一份带宽。两台主机之间的并行下载、备份，以及从不减速的 UDP 发送端都会这样。
    判定：只比较传输受路径限制期间的 IP 包字节数；发往同一接收主机的其他连接、UDP 和其他协议合计达到一成、这次传输也有 100 kB 才报告。只有两种情况才说它们共用瓶颈：速率合起来正好是背靠背报文段（packet train）显示的路径速率；或者别的流量发得越多，这次传输就越慢。同一主机发往其他主机的流量，有这样的证据才报告。合计不到路径速率一成的不报告。不经过抓包点的流量看不到。
    处理：限制其他流量，或者换个时间再跑；也可以在瓶颈设备上启用 fq_codel 或 cake。

rule-policer-title = 限速设备超速丢包
rule-policer-sentence = 超过 { $burst_bytes } 的数据一旦快于 { $rate_bits_per_s } 就丢包，丢包之前时延也没有上升：路径上有限速设备（policer）。
rule-policer-sentence-shared = 刚丢包之后数据都过得慢，其他时候成串的包却过得很快，丢包之前时延也没有上升：路径上有限速设备（policer）。这条连接从中得到 { $rate_low_bits_per_s } 到 { $rate_high_bits_per_s }，因为还有别的流量共用它，或者它的令牌桶很小。
rule-policer-sentence-together = 刚丢包之后数据都过得慢，其他时候成串的包却过得很快，丢包之前时延也没有上升：路径上有速率为 { $rate_bits_per_s } 的限速设备（policer）。这份抓包中有 { $sharing_count } 条连接共用它，这条连接从中得到 { $share_bits_per_s }。
rule-policer-sentence-brief = 速率一超过某个值就丢包，丢包之前时延也没有上升：路径上有限速设备（policer）。
rule-policer-doc =
    路径上某台设备只放行一定的速率，允许不超过令牌桶深度的突发，其余直接丢弃，不排队。TCP 只能靠丢包摸到这个速率。
    判定：看丢包之后发生什么。丢包时桶是空的，随后的数据不会快于这个速率；而在其他包之后，成串的包可以按线路速度通过。随机丢包和队列溢出没有这种差别。如果桶比在途数据还大，发送端继续发之前桶又会装满；这时看的是：丢包都落在同一条直线上，即令牌耗尽之时，而其他包通过时还有令牌。各次丢包连成的直线给出速率，直线的高度给出突发量；应用停顿时令牌桶会重新装满。令牌桶由多条流共用时，只知道这条连接得到了多少；除非它们在同一份抓包中、在同样两台主机之间：所有连接合起来得到的就是速率。速率按 IP 包计算，含包头。
    处理：自己这边整形到略低于该速率，或使用 BBR，或者请运营商把丢弃（policing）改成整形（shaping）。

rule-ecn-congestion-title = ECN 标记的拥塞
rule-ecn-congestion-sentence = 路径上的队列给包打了拥塞标记而没有丢弃，发送端 { $reduction_count } 次减小拥塞窗口：没有丢包的拥塞。
rule-ecn-congestion-sentence-brief = 路径上的队列给 { $mark_count } 个包（{ $mark_percent }）打了拥塞标记而没有丢弃：没有丢包的拥塞。
rule-ecn-congestion-doc =
    两端都用显式拥塞通知（RFC 3168）：队列变长时给包打标记（CE），接收端把它回显（ECE），发送端像丢包后一样减小拥塞窗口（CWR）。没有丢包，传输也会变慢。
    缩小的窗口恢复期间，时间记在拥塞窗口名下（ECN 标记后）。
    判定：握手协商了 ECN，并且有 ECE、CWR 标志或 IP 头里的 CE 标记；AccECN 只看 CE 标记。
    处理：链路跑满时这是正常的。如果没有跑满，就找出打标记的队列：门限远低于带宽时延积会损失吞吐。

rule-path-stalls-title = 路径时不时停顿
rule-path-stalls-sentence = 路径停顿了 { $path_stall_count } 次，最长 { $longest_us }，共 { $stalled_us }，但没有丢包：Wi-Fi、蜂窝链路或者没有得到调度的主机常常这样。
rule-path-stalls-doc =
    已经在途的数据晚到了 0.1 秒以上，之后 RTT 又恢复原样。终端省电、扫描其他信道或重发帧时，无线链路会这样；CPU 被别的虚拟机占用时，虚拟机也会这样。
    判定：在途至少四个包，ACK 停顿比 RTT 多出 75 ms 以上且至少多出一倍（在接收端看：数据的时间戳表明发送并未停顿），没有重传，之后 RTT 马上恢复。
    处理：关闭省电，检查信号和信道，或者改用有线；虚拟机查看 steal 时间。

rule-loss-recovery-title = 丢包
rule-loss-recovery-sentence = { $retransmitted_percent } 的数据发生重传，共 { $recovery_count } 次恢复，花了 { $seconds }。
rule-loss-recovery-sentence-brief = 有包丢失，重传花了 { $seconds }（总共 { $total }）。
rule-loss-recovery-doc =
    路上丢了包。补洞期间几乎发不了新数据，之后拥塞窗口也变小了。
    判定：由 SACK、重复 ACK 或超时引起的重传；已经送达的数据被重发不算，只是抓包漏掉的也不算。
    处理：找出丢包点。如果没法消除（无线、长途），BBR 比 CUBIC 更能承受随机丢包。

rule-retransmission-timeouts-title = 超时重传
rule-retransmission-timeouts-sentence = 发生 { $timeout_count } 次超时重传，重传之前最长静默 { $longest_us }。
rule-retransmission-timeouts-sentence-brief = 发送端在等超时重传：总共 { $total }，其中 { $seconds }。
rule-retransmission-timeouts-doc =
    丢包没能立即修复：后面跟的包太少，或者重传的包也丢了。发送端只能等 RTO，Linux 上最短 200 ms，每次翻倍。
    判定：一段没有 ACK 的静默之后才重传。
    处理：先解决丢包。如果是消息末尾丢包，TLP 和 RACK（net.ipv4.tcp_early_retrans = 3、tcp_recovery = 1，均为默认值）以及两端开启 SACK，可以缩短等待。

rule-lost-acks-title = ACK 丢失
rule-lost-acks-sentence = 有 { $lost_ack_count } 次重传的数据其实已经到达：发往发送端的 ACK 丢了，发送端等超时最长等了 { $longest_us }。
rule-lost-acks-sentence-brief = 发往发送端的 ACK 丢失，等超时用了 { $seconds }（总共 { $total }）。
rule-lost-acks-doc =
    从接收端到发送端的方向丢了包。数据已经到达，但发送端不知道：它等 RTO（Linux 上最短 200 ms），重传并减小窗口。接收端发出的请求和 SYN 走同一方向，也会丢。
    判定：抓包点不在发送端时，重传的数据早在 150 ms 和两个 RTT 之前就被确认过；在发送端抓包时，超时后的第一个 ACK 就用 D-SACK 报告重传是重复的，而之前没有任何 ACK。如果重传在一个 RTT 之内，原因是乱序。
    处理：查找从接收端到发送端方向的丢包点：Wi-Fi 信号差、上行链路占满、丢包的设备。

rule-spurious-retransmissions-title = 不必要的重传
rule-spurious-retransmissions-sentence = 有 { $spurious_count } 次重传是不必要的：数据已经到了，只是晚到或乱序。
rule-spurious-retransmissions-doc =
    发送端把乱序或时延突增当成了丢包，重发了已经送达的数据，还白白降了速。
    判定：D-SACK；或者看重传后的第一个 ACK：它的时间戳对应的是原始包，或者它来得比一个 RTT 所允许的还早。靠近接收端的抓包还能看到重传的数据早已被确认。
    处理：查找乱序或时延的来源：逐包负载均衡、多队列或多链路、无线。时间戳、SACK、RACK 要开启，发送端才能撤销误判。

rule-minimum-rto-title = 发送端的最小 RTO 太长
rule-minimum-rto-sentence = 发送端的最小 RTO 是 { $minimum_rto_us }，因此多等了 { $seconds }（共 { $total }）。有 { $timeout_count } 次超时都等了这么久，而 RTT 只有 { $rtt_us }；Linux 只比 RTT 多等 200 ms。
rule-minimum-rto-doc =
    无论往返时延多短，发送端至少要等到最小重传超时（RTO）。RFC 6298 要求 1 秒，Linux 是 200 ms，Windows 是 300 ms。没有后续包来暴露的丢包，每次都要等这么久。
    判定：几次超时的时长相同，并且至少是 RTT 及其抖动所能解释的两倍；被前一次超时加倍的不算。如果时长正好是 RFC 6298 要求的 1 秒，一次就够。
    处理：在发送端主机上调小最小 RTO。丢包本身还在，也要查。

rule-sack-not-offered-title = 没有 SACK，丢包修复慢
rule-sack-not-offered-sentence = 没有协商 SACK，每个 RTT 只能补一个包：{ $slow_recovery_count } 次恢复重传 { $slow_repair_count } 个包，用了 { $slow_repair_us }。
rule-sack-not-offered-sentence-brief = 没有协商 SACK，丢包只能靠超时来修复。
rule-sack-not-offered-doc =
    没有选择确认，发送端一次只知道丢了一个包，每个 RTT 补一个（RFC 6582）；有 SACK 时，大约一个 RTT 就能全部补上。Linux 没有 SACK 就没有 TLP 和 RACK，更多丢包要等重传定时器。
    判定：SYN 或 SYN-ACK 没带该选项，并且恢复过程中三个以上的包每个都花了一个 RTT，或者多次超时。
    处理：没有带该选项的一端设置 net.ipv4.tcp_sack = 1。如果已经设置，就是防火墙去掉了该选项，或者它改写了序列号却没有改 SACK 块。

rule-data-beyond-window-title = 数据超出接收窗口
rule-data-beyond-window-sentence = 有 { $beyond_count } 个包超出了最近通告的窗口，其中重传 { $beyond_repeated_count } 次；接收端收回已通告窗口 { $shrink_count } 次。
rule-data-beyond-window-doc =
    接收端会丢弃窗口之外的数据，发送端要等超时才知道。原因是接收端收回了已经通告的窗口（RFC 9293 强烈建议不要这样做），或者中间设备、发送端把窗口弄错了。
    判定：数据超出最新窗口的右沿（缩放取整之外），并且后来又重传。
    处理：连接建立后不要再改小接收缓冲区，net.ipv4.tcp_shrink_window 保持 0，并检查接收端是否内存紧张。

rule-reordering-without-loss-title = 包在路上乱序
rule-reordering-without-loss-sentence = 接收端报告的空洞有 { $filled_hole_count } 个没有重传就补上了，最多晚到 { $late_us }：是乱序，不是丢包。
rule-reordering-without-loss-doc =
    同一个连接的包走了多条路径或多个队列，到达时乱了顺序，接收端报告的空洞自己就补上了。会学习的发送端（RACK、Linux）能承受，其他的会误重传并降速。
    判定：SACK 报告的空洞后来得到确认，其间没有任何重传。
    处理：按流分发，不要逐包分发：链路聚合、多路径路由、接收队列。

rule-slow-start-dominates-title = 数据量小，慢启动还没结束
rule-slow-start-dominates-sentence = { $transfer_bytes } 传完时窗口还在增长：共 { $round_count } 轮往返，每轮 { $rtt_us }。
rule-slow-start-dominates-sentence-brief = { $transfer_bytes } 传完时窗口还在增长。
rule-slow-start-dominates-sentence-least = 拥塞窗口还在增长：总共 { $total }，其中 { $seconds }。
rule-slow-start-dominates-doc =
    新连接从大约 10 个包开始，每个 RTT 翻一倍。RTT 大、数据量小的传输，还没达到路径能承受的速率就结束了。
    判定：大部分时间里，每个 RTT 的在途数据还在增长 50% 以上。
    处理：复用连接，让窗口一直是打开的；把数据放近一点；确认路径扛得住时，可以调大 initcwnd。

rule-idle-restart-title = 空闲后重新慢启动
rule-idle-restart-sentence = { $restart_count } 次停顿之后重新慢启动，共多花了 { $seconds }（总共 { $total }）。每次用了 { $ramp_us }，如果保留停顿前的窗口，只要 { $kept_ramp_us }。
rule-idle-restart-doc =
    连接空闲超过 RTO 之后，Linux 会收缩拥塞窗口，每次突发都重新慢启动。
    判定：停顿之后在途数据从小开始增长，而之前的窗口要大得多。
    处理：在发送端主机设置 net.ipv4.tcp_slow_start_after_idle = 0。

rule-congestion-window-post-loss-title = 丢包后拥塞窗口偏小
rule-congestion-window-post-loss-sentence = 丢包之后，拥塞窗口把在途数据限制在 { $flight_bytes } 左右；RTT 为 { $rtt_us }，恢复很慢。
rule-congestion-window-post-loss-sentence-brief = 丢包之后拥塞窗口偏小，恢复很慢：总共 { $total }，其中 { $seconds } 受它限制。
rule-congestion-window-post-loss-sentence-least = 丢包之后拥塞窗口偏小，恢复很慢。
rule-congestion-window-post-loss-doc =
    每次丢包，基于丢包的拥塞控制都会大幅减小窗口（Reno 减半，CUBIC 减 30%），要很多个 RTT 才能恢复。在 RTT 大又有丢包的路径上，窗口大部分时间都很小。
    判定：恢复之后发送受窗口限制，不是慢启动，也不是接收窗口、发送缓冲区或排队造成的。
    处理：解决丢包，或者使用 BBR，它不会把每次丢包都当成拥塞。

rule-congestion-window-delay-exit-title = 过早退出慢启动
rule-congestion-window-delay-exit-sentence = 没有丢包，慢启动在 { $flight_bytes } 左右就结束了，之后窗口增长很慢。
rule-congestion-window-delay-exit-sentence-brief = 没有丢包，慢启动就提前结束了，之后窗口增长很慢：总共 { $total }，其中 { $seconds } 受它限制。
rule-congestion-window-delay-exit-sentence-least = 没有丢包，慢启动就提前结束了，之后窗口增长很慢。
rule-congestion-window-delay-exit-doc =
    没有丢包时，有两样东西会结束慢启动。一是 CUBIC 的 HyStart：时延看起来上升、或者 ACK 均匀到达就退出，抖动等因素可能造成误判。二是 Linux 按对端记住的慢启动阈值（tcp_metrics，5.6 之前默认会记）。此后路径明明空闲，窗口却只能慢慢增长。在途不到 16 个段就结束，说明是阈值；时延上升了八分之一，说明是 HyStart。
    判定：慢启动之后每个 RTT 只增长一两个包，没有丢包，也没有排队。
    处理：一般不用管。RTT 大且确实有影响时，可以用 BBR，在发送端主机关闭 tcp_cubic 的 hystart 模块参数，或者 `ip tcp_metrics flush all`。

rule-congestion-window-paced-title = 发送端按估计带宽匀速发送
rule-congestion-window-paced-sentence = 发送端以 { $rate_bits_per_s } 发送，这是它自己估计的路径带宽。
rule-congestion-window-paced-sentence-brief = 发送端按自己估计的路径带宽匀速发送：总共 { $total }，其中 { $seconds }。
rule-congestion-window-paced-doc =
    BBR 一类算法按测得的路径速率匀速发送，而不是一口气发满窗口。限制来自这个估计值，正常情况下它就是路径带宽。
    判定：两次 ACK 之间的包分成均匀间隔的小组，并能看到 BBR 的增益周期。
    处理：如果估计正确，只有加带宽才有用。如果明显偏低，检查套接字上是否设置了限速（SO_MAX_PACING_RATE），或者沿途是否有限速。

rule-congestion-window-unknown-title = 拥塞窗口或发送缓冲区（无法确定）
rule-congestion-window-unknown-sentence = 每个 RTT（{ $rtt_us }）在途数据约 { $flight_bytes }；仅凭抓包分不清是拥塞窗口还是发送缓冲区造成的。
rule-congestion-window-unknown-sentence-brief = 仅凭抓包分不清是拥塞窗口还是发送缓冲区限制了在途数据。
rule-congestion-window-unknown-doc =
    限制来自发送端的某个窗口，但拥塞窗口、对它的上限限制，以及随 ACK 逐个补充的发送缓冲区，从外面看都一样。
    判定：排除接收端、路径、应用、丢包和慢启动之后剩下的情况。
    处理：传输时在发送端看套接字状态：ss -tmin 会显示 cwnd、notsent 和缓冲区，一看便知。

rule-syn-retries-title = SYN 重传
rule-syn-retries-sentence = 建连花了 { $setup_us }，因为 SYN 或 SYN-ACK 重传了 { $retry_count } 次。
rule-syn-retries-sentence-brief = SYN 或 SYN-ACK 发生重传，建连花了 { $seconds }（总共 { $total }）。
rule-syn-retries-doc =
    第一个 SYN 或它的应答丢了，或者没有被理会。客户端 1 秒后重试，然后是 2 秒、4 秒，每重试一次，建连就多等一段时间。
    判定：出现序列号相同的 SYN 或 SYN-ACK。
    处理：检查丢包、服务器全连接队列溢出（nstat TcpExtListenOverflows，调大 listen backlog 和 net.core.somaxconn），以及防火墙的新建连接限速。

rule-syn-unanswered-title = SYN 没有应答
rule-syn-unanswered-sentence = { $syn_count } 个 SYN 都没有任何应答。
rule-syn-unanswered-doc =
    客户端发起连接，对端既不接受也不拒绝，毫无反应。
    判定：SYN 之后看不到对端的任何包；引用这些 SYN 的 ICMP 错误会计数。
    处理：多半是防火墙或安全组直接丢弃、主机宕机，或者某个方向没有路由。在服务器上抓包，可以看出 SYN 到没到。

rule-handshake-incomplete-title = 客户端始终没有完成握手
rule-handshake-incomplete-sentence = { $syn_count ->
        [1] 服务器发了 { $syn_ack_count } 次 SYN-ACK，都没有等到 ACK。客户端只发了一个 SYN，之后再没有包，看不出有谁在等：这是探测，或者它之后的包全丢了。
       *[other] 服务器发了 { $syn_ack_count } 次 SYN-ACK，都没有等到 ACK。客户端也在重发 SYN（共 { $syn_count } 个）：SYN-ACK 没有到达客户端。
    }
rule-handshake-incomplete-doc =
    服务器应答了 SYN，客户端却始终没有确认这个应答，连接没有建立。
    判定：SYN-ACK 重发了两次或更多，客户端没有任何 ACK。如果客户端也在重发 SYN，它就没有收到 SYN-ACK：回程上有过滤或者路由错误。如果客户端只发了一个 SYN，看不出有谁在等：扫描、用 SYN 探活，或者洪泛。这只是提示，不算失败。ACK 到了却还重发 SYN-ACK，则是全连接队列满。
    处理：在客户端抓包，看 SYN-ACK 是否到达。检查只看到单向流量的防火墙，以及反向路径过滤。

rule-wrong-checksum-title = SYN 的校验和错误
rule-wrong-checksum-sentence = 有 { $wrong_checksum_count } 个 SYN 的 TCP 校验和是错的，没有应答（到最后一个 SYN 用了 { $seconds }）：是接收端丢弃的，不是路上丢包。
rule-wrong-checksum-doc =
    TCP 校验和错误的报文段，接收端内核会默默丢弃，有些防火墙也一样。多半是本该补全校验和的网卡没有补：隧道（VXLAN）、虚拟网卡的校验和卸载，或者驱动有问题。
    判定：完整抓到的 SYN，检查它的 TCP 校验和以及外层 UDP 隧道的校验和；只要其中有一个得到应答就不算。抓包主机自己发的包常由网卡在之后补全校验和，常见的写法都能认出，不计在内。如果抓到之前没有经过路由器，置信度就低。
    处理：在发送端及其隧道网卡上关闭校验和卸载，并在接收端查看 TcpInCsumErrors。

rule-syn-meets-old-connection-title = SYN 撞上旧连接
rule-syn-meets-old-connection-sentence = SYN 撞上了对端仍然记得的、地址和端口都相同的旧连接，只好重发：损失 { $retry_us }。
rule-syn-meets-old-connection-doc =
    客户端用的端口，服务器上还记着它的上一个连接（处于 TIME-WAIT 或半开状态）。服务器用旧连接的确认号应答 SYN（challenge ACK，RFC 5961），客户端回 RST，一秒后重发的 SYN 才建立新连接。
    判定：应答 SYN 的 ACK 不带 SYN，确认的也不是这个 SYN；后面通常跟着一个序列号正好等于该确认号的 RST。
    处理：让内核选择端口，两端都开启时间戳，并在两端都关闭旧连接。

rule-connection-refused-title = 连接被拒绝
rule-connection-refused-sentence = SYN 得到的应答是 RST：那里没有进程接受连接。
rule-connection-refused-doc =
    主机在线，但这个地址和端口上没有进程监听，或者防火墙用 RST 拒绝。
    判定：SYN 唯一的应答是 RST。
    处理：在服务器上用 ss -ltn 检查服务是否在监听、监听在哪个地址上。

rule-accept-queue-overflow-title = 服务器的全连接队列溢出
rule-accept-queue-overflow-sentence = { $syn_ack_repeat_count ->
        [0] 握手之后的 { $accept_wait_us } 内，服务器没有理会客户端
       *[other] 客户端已经确认了 SYN-ACK，服务器却还在重发它，直到 { $accept_wait_us } 之后
    }，客户端的 { $unanswered_count } 个包都没有被接受：全连接队列满了。
rule-accept-queue-overflow-doc =
    等待服务器 accept() 的连接把队列占满了，服务器丢弃握手的最后一步，并在 1、2、4 秒后重发 SYN-ACK。客户端以为连接已经建立，第一个请求却得不到应答。
    判定：客户端的 ACK（通常还有第一批数据）已经过了抓包点，SYN-ACK 仍然重发。如果不到一秒队列就有了空位，看到的则是客户端第一个小报文段及其两次以上的重发无人理会。如果去服务器的包一再丢失，看上去也一样：以服务器上的 nstat TcpExtListenOverflows 为准。
    处理：调大 backlog（listen、net.core.somaxconn，两者取小的生效），并让服务器更快地 accept：队列溢出是因为应用在忙别的。

rule-syn-cookies-without-scaling-title = SYN cookie 导致没有窗口缩放
rule-syn-cookies-without-scaling-sentence = SYN 带了窗口缩放，SYN-ACK 却没有，MSS 为 { $mss_bytes }：看起来是 SYN cookie，窗口因此最大只有 64 KiB。
rule-syn-cookies-without-scaling-doc =
    服务器半连接队列溢出时会用 SYN cookie 应答。如果客户端没有开启时间戳，cookie 里存不下窗口缩放因子，这个连接的窗口从头到尾都不超过 64 KiB。
    判定：SYN 带了窗口缩放和 SACK、没带时间戳，SYN-ACK 里却只有 MSS。服务器关掉了这些选项，或者中间设备把选项去掉了，看上去也一样；可在服务器上看 nstat TcpExtSyncookiesSent。
    处理：调大队列（listen backlog、net.core.somaxconn、net.ipv4.tcp_max_syn_backlog），避免触发 cookie；客户端保持 net.ipv4.tcp_timestamps = 1。

rule-missing-window-scale-title = 没有协商窗口缩放
rule-missing-window-scale-sentence = 有一端的 SYN 没带窗口缩放选项，这个连接的窗口最大只有 64 KiB。
rule-missing-window-scale-doc =
    两端的 SYN 都带该选项，窗口缩放才生效。RTT 小时没有影响；RTT 到了 50 ms，64 KiB 的窗口最多只能跑 10 Mbit/s。
    判定：看 SYN 和 SYN-ACK。
    处理：两端都设置 net.ipv4.tcp_window_scaling = 1；如果已经设置，就是中间设备去掉了这个选项。

rule-tiny-mss-title = 报文段太小
rule-tiny-mss-sentence = 每个包最多只带 { $mss_bytes } 数据，包头和逐包处理的开销占比过高。
rule-tiny-mss-doc =
    MSS 远小于以太网所允许的大小。每个包的处理开销都一样，吞吐量会下降；按包计数的窗口也跟着变小。
    判定：看 SYN 里的 MSS 选项，或实际发出的最大包。
    处理：检查隧道 MTU 是否设错、MSS 钳制是否过小、应用是否设置了 TCP_MAXSEG。

rule-mss-clamped-title = 报文段比以太网的小
rule-mss-clamped-sentence = 一端的 SYN 允许的报文段为 { $smaller_mss_bytes }，另一端为 { $larger_mss_bytes }：路上有隧道，或有路由器改写了该选项（MSS 钳制），要么就是那一端自己的链路 MTU 较小。
rule-mss-clamped-sentence-brief = 满的报文段相当于 MSS 为 { $carried_mss_bytes }，而这里抓到的两个 SYN 都允许 { $allowed_mss_bytes }：选项在到达发送端的路上被改小（MSS 钳制），或者发送端得知了更小的 MTU。
rule-mss-clamped-doc =
    隧道、VPN 和 PPPoE 留给每个包的空间小于以太网的 1,500 字节。它们前面的路由器常常把经过的 SYN 里的 MSS 选项改小，使包不会过大。只要数值合适就没有害处；过小会多发包，过大会丢大包。
    判定：两端 SYN 的数值不同，且较小的低于以太网所能承载；或者不在发送端抓包时，发送端一直有数据要发，满的报文段却比两个 SYN 允许的都小。窗口放不下两个满长的报文段时不算：那是窗口使它们变小。
    处理：在 SYN 数值较小的那一端抓包；若它发出的数值更大，就是路上有设备改写。

rule-pmtu-black-hole-title = 大包被丢弃（PMTU 黑洞）
rule-pmtu-black-hole-sentence = 满长的报文段（{ $lost_bytes }）全部消失，小的能通过。{ $retransmitted_count } 次重传都没有应答（{ $seconds }）：路径悄悄丢掉了大包。
rule-pmtu-black-hole-sentence-brief = 满长的报文段（{ $lost_bytes }）一个都没有到，小的却能到。路径悄悄丢掉了大包。
rule-pmtu-black-hole-doc =
    路径上某处 MTU 较小，而本该通知发送端的 ICMP 消息又被过滤了。小包能过，所以握手正常；第一个满长的包就卡住了。
    判定：满长的包反复重传不成功，小包却得到确认；或者对端仍在发送，却什么也没有确认。后一种情况下，如果某台设备在握手之后丢弃一切数据，看上去也一样，因此置信度较低。如果在第一个满长的报文段之前一秒内还收到过对端的包，此后再也没有，置信度居中。
    处理：放行 ICMP “需要分片”，把隧道 MTU 设对，钳制 MSS，或者设置 net.ipv4.tcp_mtu_probing = 1。

rule-hole-left-open-title = 数据始终没有到
rule-hole-left-open-sentence = 有 { $hole_bytes } 始终没有到，后面的数据却到了：缺口一直没有补上，持续 { $hole_open_us }，直到{ $ended_by }。
rule-hole-left-open-doc =
    接收端缺了数据，后面的数据已经到了，却没有重传来补上：缺的包每次都被丢掉，或者发送端已经不在了。接收端的程序再也得不到数据，只能等。
    判定：接收端自己用重复 ACK 或 SACK 报告了缺口，三秒或更久都没有补上，直到连接或抓包结束。如果只是抓包漏了，接收端会照常确认。
    处理：如果满长的报文段一个都没有到，就是路径丢大包（pmtu-black-hole）；否则到发送端抓包，看它有没有重传。

rule-peer-silent-title = 对端没有回音
rule-peer-silent-sentence = 最后的数据在 { $silence_us } 内重传了 { $repeat_count } 次，间隔逐次翻倍，此后再也没有抓到对端的包。
rule-peer-silent-sentence-brief = 最后的数据一再重传，间隔逐次翻倍，此后再也没有抓到对端的包。
rule-peer-silent-doc =
    对端主机宕机，去程或回程不通，或者有设备丢弃这个连接的包。发送端以翻倍的间隔一直重传，直到达到 net.ipv4.tcp_retries2（默认约 15 分钟）或者应用放弃。
    判定：以翻倍的间隔重传三次以上，此后没有对端的包，而之前抓到过对端。不会是抓包漏了 ACK：那样发送端不会继续重传。
    处理：检查对端主机是否有响应，在对端抓包。如果 15 分钟太久，设置 TCP_USER_TIMEOUT 或应用自己的超时。

rule-transfer-stopped-title = 传输中断
rule-transfer-stopped-sentence = 收到{ $silent_end }的 { $delivered_bytes } 之后，{ $silence_us } 内没有任何数据到达，直到{ $ended_by }。
rule-transfer-stopped-doc =
    传输只到了一部分，之后再也没有数据：发送端不再发包，也没有关闭连接。可能是它的主机不在了，程序卡住了，或者路径丢弃了剩下的包，例如太大的包。
    判定：不在发送端抓包；最后五秒或更久没有数据，数据已全部确认，窗口是开的，发送端也没有发保活包；并且最后一个报文段是满长的而没有 PSH，说明后面还有数据；或者接收端没有应答可能只是请求开头的消息就关闭了连接。静默时间是此前最长应答时间的四倍以上。
    处理：到发送端抓包。如果它在重传，就是路径丢弃了剩下的数据：检查路径 MTU；如果没有重传，检查它的程序。

rule-packet-too-big-title = 路由器要求发小一点的包
rule-packet-too-big-sentence = 路径上有路由器只能通过不超过 { $mtu_bytes } 的包，并用 ICMP 通知了 { $too_big_count } 次。
rule-packet-too-big-sentence-brief = 路径上有路由器用 ICMP 通知说包太大。
rule-packet-too-big-doc =
    路径上有一段链路（多半是隧道）的 MTU 比两端知道的小，路由器发出了通知（“需要分片”，IPv6 是“包过大”）。发送端经过一个 RTT 和一次重传之后改发小包。
    判定：抓到了引用本连接数据包的 ICMP 错误。如果满长的包还在反复重传，说明通知没有送到发送端。
    处理：在隧道处钳制 MSS，让每个连接不必自己去发现。

rule-closed-during-request-title = 请求还没收完，服务器就关闭了连接
rule-closed-during-request-sentence = 客户端还有 { $unacknowledged_bytes } 在途，服务器就关闭了连接，并在 { $reset_after_us } 时用 RST 拒绝了余下的数据；之前已确认 { $delivered_bytes }。客户端可能因此收不到应答。
rule-closed-during-request-doc =
    服务器没有把请求收完：请求太大、需要登录，或程序退出了。关闭时还有未读数据、或关闭后又收到数据的主机会发 RST。客户端的系统随即丢掉还没读的内容，包括说明原因的应答。
    判定：客户端还有没见到 FIN 的数据在途时，服务器发了 FIN 和 RST。
    处理：放宽请求大小的上限，或在关闭之前把请求读完。

rule-reset-mid-transfer-title = 传输中途被 RST
rule-reset-mid-transfer-sentence = { $reset_by }在 { $reset_after_us } 时发 RST 断开：已确认 { $delivered_bytes }，还有 { $unacknowledged_bytes } 未确认。
rule-reset-mid-transfer-doc =
    数据还没收完，连接就被一端或中间设备用 RST 断开，有数据丢失。
    判定：有在途数据时出现 RST；如果在途的只是发给已关闭一端的道别消息，则不算。
    处理：可能是进程崩溃、关闭时还有未读数据、负载均衡或 NAT 超时、防火墙。对比 RST 与其他包的 TTL，并在两端同时抓包，看是谁发的。

rule-reset-not-own-title = RST 不是这台主机发的
rule-reset-not-own-sentence = { $reset_after_us }、{ $delivered_bytes } 之后，有以{ $reset_by }名义发的 RST，但不是那台主机发的：之后 { $outlived_us } 里它又发了 { $outlived_count } 个包。
rule-reset-not-own-sentence-brief = { $reset_after_us }、{ $delivered_bytes } 之后，有以{ $reset_by }名义发的 RST，多半来自中间设备：它经过的路由器与那台主机的其他包相差 { $hops_apart_count } 个。
rule-reset-not-own-doc =
    主机发 RST 之后就不再认得这个连接，再来的包一律回 RST。这里那台主机却照常继续，或者 RST 走的是另一条路：是防火墙或代理以它的名义发的，或者有包绕过了 NAT。连接跟踪把它认为无效的报文段不做地址转换就放过去，客户端收到来自陌生地址的包，回了 RST，这个 RST 又断开了服务器上的连接。
    判定：RST 之后 10 毫秒或更久，同一地址还发出不是 RST 的包，或者有三个包确认了更多数据；或者 RST 的 TTL 与该主机其他所有包相差两个路由器以上，而当时还有数据或请求没有完成。
    处理：在做 NAT 的机器上把 net.netfilter.nf_conntrack_tcp_be_liberal 设为 1，或者在那里丢弃无效包。在两端同时抓包：只有一端看到的 RST 来自中间。

rule-idle-close-race-title = 空闲连接被关闭时正有请求到来
rule-idle-close-race-sentence = 空闲 { $rest_us } 之后，{ $reset_by }关闭了连接，而 { $request_bytes } 的请求正在路上：请求丢失。
rule-idle-close-race-doc =
    服务器关闭了空闲连接，而客户端正好用它发下一个请求，请求到达时套接字已经关闭。客户端偶尔看到 RST，或者没有响应就结束，而且只发生在空闲过的连接上。
    判定：一秒或更久没有数据之后的 FIN，它没有确认的一个请求，以及代替响应的 RST。道别（例如 TLS 关闭警告）不算请求。请求是在 FIN 到达客户端之前还是之后发出，都一样。
    处理：让服务器的 keep-alive 超时长于客户端连接池的空闲上限，让客户端先关闭；或者让客户端在新连接上重试可以重复发送的请求。

rule-request-unanswered-title = 请求始终没有应答
rule-request-unanswered-sentence = { $request_bytes } 的请求已被确认，却始终没有应答：等了 { $answer_wait_us }，直到{ $ended_by }。
rule-request-unanswered-doc =
    对端内核确认了请求，说明请求到了，但后面的程序一直没有应答：工作线程卡住、锁、SQL、代理的上游断了。问题不在网络。
    判定：客户端的数据已全部确认，之后服务器没有发过数据，直到一秒或更久之后客户端关闭（在客户端抓包时服务器关闭也算，别处看不出请求是否完整）、或者服务器发 RST，或者五秒或更久之后抓包结束，并且是此前最长应答时间的四倍以上。小消息（道别、窗口更新）只在之前的小消息都有应答时才算；没有应答也照样继续发的消息不算。如果协议本来就不应答这种消息，就没有问题。
    处理：请求卡住时看服务器的程序：有没有读走（ss -tn 的 Recv-Q），线程在等什么。两端都设置超时。

rule-idle-timeout-title = 空闲之后连接被遗忘
rule-idle-timeout-sentence = 空闲 { $rest_us } 之后再发数据，已经没有谁认得这个连接。可能的原因：NAT、防火墙或负载均衡的空闲超时，或者对端重启过。
rule-idle-timeout-sentence-brief = 长时间空闲之后再发数据，已经没有谁认得这个连接。可能的原因：NAT、防火墙或负载均衡的空闲超时，或者对端重启过。
rule-idle-timeout-doc =
    中间设备会忘掉空闲的连接：负载均衡在 60 到 350 秒之后，防火墙常常是一小时，NAT 最晚大约两小时零四分（RFC 5382）。两端都以为连接还在，先发数据的一方得到的是 RST，或者没有任何回音。
    判定：空闲一分钟以上，期间数据都已确认，也没有哪一端关闭；之后的数据或保活探测得到的是不确认这些数据的 RST，或者完全没有应答；并且此前没有更长的空闲平安度过。对端中途崩溃重启，看上去也一样。
    处理：让保活探测的间隔短于超时，让连接池在超时之前关闭空闲连接，或者调大设备上的超时。

rule-one-sided-capture-title = 只抓到一个方向
rule-one-sided-capture-sentence = 抓包里只有一个方向：只能看出大小和速率，看不出原因。
rule-one-sided-capture-doc =
    抓包里只有一端发的包。RTT、窗口、丢包都要看双方的交互，单看一个方向无法判断。
    判定：只有一端的包，而它确认的数据从未出现过。
    处理：在其中一台主机上抓包，不要按源或目的过滤；镜像口要同时镜像两个方向。

rule-capture-drops-title = 抓包丢包
rule-capture-drops-sentence = 有 { $missing_bytes } 数据已被确认却没有抓到：是抓包漏了，不是网络丢包。
rule-capture-drops-doc =
    有些包经过了却没有记录下来。这段时间标为“未抓到”，不算作丢包。
    判定：ACK 确认了从未抓到、也从未重传的数据。
    处理：只抓包头，加大抓包缓冲，写到更快的磁盘（tcpdump -s 128 -B 65536）。

rule-mid-stream-join-title = 中途开始抓包
rule-mid-stream-join-sentence = 抓包开始时连接已经建立：窗口缩放因子和选项未知，推断的结论把握较小。
rule-mid-stream-join-doc =
    开始抓包时连接已经建立。窗口缩放因子、MSS、SACK 都在 SYN 里协商，这里只能推测。
    判定：连接没有 SYN。
    处理：如果结论取决于窗口大小，请在建连之前开始抓包。

rule-offload-super-packets-title = 网卡卸载的大包
rule-offload-super-packets-sentence = 抓到的包最大有 { $largest_bytes }，是网卡分段之前或合并之后的大包。
rule-offload-super-packets-doc =
    开启 TSO、GRO 后，内核与网卡之间传递的是远大于 MTU 的大包，在主机上抓包看到的就是这种包。
    判定：载荷大于 MSS。
    处理：不用管，分析时会拆开计算，只是包内部的时间间隔未知。

rule-clock-contradicted-title = 抓包的时钟不可信
rule-clock-contradicted-sentence = { $contradicted_count ->
        [0] { $stamped_back_count ->
            [0] 时钟在一段静默中向前跳变，使静默看起来有 { $silence_us }：这个连接的时间和原因都不可靠。
           *[other] 有 { $stamped_back_count } 个包的时间早于它前面的包：这个连接的时间和原因都不可靠。
        }
       *[other] { $compared_count } 次往返中有 { $contradicted_count } 次，按两端的 TCP 时间戳要比按抓包时钟长 8 倍以上：这个连接的时间和原因都不可靠。
    }
rule-clock-contradicted-sentence-brief = 抓包里有 1951 年之前或 2225 年之后的时间：这个连接的时间和原因都不可靠。
rule-clock-contradicted-doc =
    抓包主机成批地打时间戳（例如读缓冲区时才打），或者时钟跳变。包的顺序、字节数和丢包是对的；时间、速率和原因不可信，因此不给出原因。
    判定：包的时间比前面的包早 0.1 秒以上；或者按某一端的 TCP 时间戳（RFC 7323），往返用时是抓包时钟所示的 8 倍以上；或者静默一天以上而某一端的时间戳没有前进，没有时间戳时静默超过 30 天；或者时间在 1951 年之前或 2225 年之后。
    处理：换用内核或网卡的时间戳重新抓包，例如在两端之一上用 tcpdump。

rule-duplicated-packets-title = 包被重复抓取
rule-duplicated-packets-sentence = 有 { $duplicate_count } 个包抓了两遍，重复的已忽略。
rule-duplicated-packets-doc =
    同一个包被记录了两次，通常是因为镜像口在进、出时各抓一次，或者抓的是 any 接口。不去掉的话，看起来就像重传。
    判定：1 ms 之内 IP ID、序列号、时间戳都相同。
    处理：分析时已去重，不用管；只抓一个接口可以避免。

rule-proxy-suspected-title = 中间可能有代理
rule-proxy-suspected-sentence = 握手应答用了 { $handshake_rtt_us }，数据应答用了 { $data_rtt_us }：中间设备似乎在代答握手。
rule-proxy-suspected-sentence-brief = SYN 的 TTL 是 { $syn_hop_limit }，之后的包都是 { $hop_limit }：中间设备似乎在代答握手。
rule-proxy-suspected-doc =
    握手与数据的 RTT 对不上。可能有负载均衡、加速设备或防火墙在中间终结了连接，看到的只是前后两段连接中的一段。
    判定：比较握手的 RTT 与数据的 RTT，以及 SYN 的 TTL 与之后所有包的 TTL。
    处理：在该设备后面也抓一次包，瓶颈可能在另一段。

rule-acknowledged-nearby-title = 附近有代理在代答
rule-acknowledged-nearby-sentence = 握手用了 { $handshake_rtt_us }，数据却在 { $data_rtt_us } 之内就被确认；按握手的距离，{ $window_max_bytes } 的窗口跑不了这么快：发送端附近似乎有代理在代为确认。
rule-acknowledged-nearby-sentence-brief = 握手用了 { $handshake_rtt_us }，数据却在 ACK 放行后 { $ack_to_data_us } 之内就到；按握手的距离，{ $window_max_bytes } 的窗口跑不了这么快：接收端附近似乎有代理在代为发送。
rule-acknowledged-nearby-doc =
    数据得到确认或发来的时间，远早于应答握手的那一端能做到的时间。本地代理、加速设备（PEP，RFC 3135）或安全软件在附近终结了连接，再用自己的连接传送数据；那一段的瓶颈在这里看不到。
    判定：数据的 RTT 不到握手的四分之一，并且一个握手 RTT 内传了两个窗口以上的数据；在发送端看从数据到 ACK，在接收端看从 ACK 到应答它的数据。握手偶然被耽搁（地址解析、无线唤醒）看起来也一样。
    处理：在对端或代理后面抓包。

rule-keep-alive-only-title = 只有保活探测
rule-keep-alive-only-sentence = 这个连接上只有 { $probe_count } 个保活探测包，没有数据。
rule-keep-alive-only-doc =
    连接一直保持着，定期探测，但没有被使用。
    判定：只有序列号为“下一个序列号减 1”的探测包及其应答，没有数据。
    处理：不用管。

rule-keep-alives-title = 保活探测
rule-keep-alives-sentence = 连接空闲期间有 { $probe_count } 个保活探测，间隔 { $keep_alive_period_us }：既不是数据，也不是丢包。
rule-keep-alives-sentence-brief = 连接空闲期间有保活探测：既不是数据，也不是丢包。
rule-keep-alives-doc =
    一端不时地询问另一端是否还在，说明这个连接是留着以后用的。别的工具可能把这些探测显示成重传。
    判定：窗口没有关闭，距上一个包一秒以上，探测包的序列号比下一个序列号小 1。
    处理：不用处理。

rule-receive-window-ramp-title = 接收窗口还在增长
rule-receive-window-ramp-sentence = 窗口一路涨到 { $window_max_bytes }，但总比发送端慢一步，发送端为此一共等了 { $seconds }。
rule-receive-window-ramp-doc =
    接收端内核看到数据到达并被读走，才会把窗口调大，大约比发送端慢一个 RTT，所以传输刚开始时窗口可能会成为瓶颈。
    判定：在途数据顶到窗口右沿，而窗口还在增长。
    处理：一般没有问题。如果经常在 RTT 大的路径上传小数据，可以复用长连接，或者在接收端主机的路由上调大初始窗口（initrwnd）。

rule-application-peer-window-title = TCP 之上的协议窗口太小
rule-application-peer-window-sentence = 在途数据大约 { $plateau_bytes }，TCP 窗口却允许 { $window_bytes }。之后发送端在等对端的小消息，一共等了 { $seconds }：协议一次只允许这么多。
rule-application-peer-window-sentence-brief = 发送端在等对端的小消息，一共等了 { $seconds }：协议一次只允许这么多。
rule-application-peer-window-doc =
    HTTP/2、gRPC、SSH、SFTP 在 TCP 之上另外计数（字节数或请求数）。额度用完，发送端就停下，等对端程序放行后再继续。所以无论 TCP 允许多少，每个 RTT 最多只有一个这样的窗口在途。
    判定：数据紧跟在对端的小消息之后；纯 ACK 腾出了余量，却没有触发发送。
    处理：在接收程序上调大窗口，或者增加未应答的请求数。套接字缓冲区对此不起作用。

rule-application-peer-turn-title = 在等对端
rule-application-peer-turn-sentence = 该发的都已发完，一共等了对端 { $seconds }，最长一次 { $longest_us }：时间花在哪里，要看另一个方向。
rule-application-peer-turn-doc =
    数据都已发出并得到确认，接下来轮到对端说话。从这个方向看只是在等，在等什么要看另一个方向的结论。
    判定：没有在途数据的时段，以对端发来数据结束；或者仍有在途数据，ACK 腾出了余量却什么也没发，直到对端的下一条消息才立即继续发送。
    处理：看另一个方向的诊断结果。如果当时有在途数据，说明协议自己还有一层窗口或确认，例如 SSH 通道、HTTP/2 流、SMB 的 credit：调大它，或者用多条连接。
