## Help of the command line: command-NAME for what a command does, -after for the text below its options;
## option-NAME for an option, -in-COMMAND where one command words it differently; value-NAME-VALUE for its
## values.

command-audit = 检查主机：内核参数、异常计数器、应用设置的缓冲区
command-audit-after =
    示例：
      tcpwhy audit                                  检查本机（root 能看到更多）
      tcpwhy audit --path 1gbit,20ms                哪个参数限制了这条路径，差多少
      tcpwhy audit --interval 10s                   哪些异常计数器在增长
      tcpwhy audit --save web1                      把本机保存为文本，以便在别处检查
      tcpwhy audit web1                             保存下来的主机：任何包含以下输出的目录：
                                                    sysctl -a、ss -tinmpeO、/proc/net/netstat 等
      ss -tinmpeO > ss.txt; tcpwhy audit ss.txt     主机的连接，来自一个文件
      tcpwhy audit --fail-on warning                有达到该严重程度的诊断则退出码为 1

    退出码：0 已检查，1 有达到 --fail-on 的诊断，2 出错，或没有读到 --fail-on 需要的部分。
command-buffers = 计算套接字缓冲区的实际效果：SO_SNDBUF、SO_RCVBUF、内核参数、窗口、速率
command-buffers-after =
    示例：
      tcpwhy buffers                                      本机自动调整的连接能得到多少
      tcpwhy buffers --sndbuf 256KiB --rtt 20ms --bandwidth 100mbit
      tcpwhy buffers --sndbuf 16KiB --rtt 20ms --bandwidth 100mbit --bytes 22MB
      tcpwhy buffers --window 2MiB --rtt 200ms            给定窗口能跑多快，怎样得到它
      tcpwhy buffers --rcvbuf 4MiB --when after-connect --rtt 26ms --why
      tcpwhy buffers --rcvbuf 128KiB --kernel 6.5         另一个内核的默认值
      tcpwhy buffers --kernel 3.10                        CentOS 7
      tcpwhy buffers --os windows-10 --sndbuf 64KiB --rtt 20ms
      tcpwhy buffers --sysctl-file saved.txt --sysctl net.core.wmem_max=16777216 --sndbuf max
      tcpwhy buffers --sndbuf 64KiB --rtt 10ms --bandwidth 1gbit --svg rate.svg

    大小：16k 是 16,000 字节，与输出一致；16KiB 是 16,384 字节（iperf3 和 tc 把 16k 读作这个）。
    max 是最大的数；-1 是程序里的写法。
command-compare = 对比两份抓包、两个连接，或同一连接两端的抓包
command-compare-after =
    示例：
      tcpwhy compare sender.pcap receiver.pcap      同一批传输的两端：两处之间丢了什么、
                                                    时延怎样变化
      tcpwhy compare before.pcap after.pcap         哪些传输不同，差别在哪里
      tcpwhy compare a.pcap b.pcap --connections 3:7
      tcpwhy compare a.pcap a.pcap --connections 3:7

    SYN 的序号和端口相同就是同一连接（中间可以有地址转换）；没有 SYN 时看两端地址和序列号。
    时钟不必一致。

    退出码：0 已对比，2 出错，或没有相互对应的连接。
command-completions = 打印命令补全脚本
command-explain = 分析抓包（默认命令：`tcpwhy FILE` 即 `tcpwhy explain FILE`）
command-explain-after =
    示例：
      tcpwhy slow.pcap                              是什么拖住了传输，该改哪里
      tcpwhy big.pcapng --top 20                    可省时间最多的 20 个连接
      tcpwhy big.pcapng --connection 17             其中一个的详情
      tcpwhy big.pcapng --limit send_buffer         受发送缓冲区限制的连接
      tcpwhy big.pcapng --filter 'net 10.0.0.0/8 and not port 22'
      tcpwhy big.pcapng --host 10.0.0.0/8 --port 22 只看这些连接
      tcpwhy big.pcapng --from 14:03 --to 14:05     这两分钟里打开着的连接
      tcpwhy slow.pcap --why 3.2s                   那一刻受什么限制，依据是什么
      tcpwhy -i eth0 port 443                       抓到 Ctrl-C 为止并给出报告；-w FILE 保存（root）
      tcpdump -i eth0 -s 96 -w - tcp | tcpwhy -     从管道读取；Ctrl-C 停止读取并打印报告
      tcpwhy slow.pcap --html report.html           图表网页，便于保存和发送
      tcpwhy serve huge.pcapng                      同样的网页，在本机端口上，抓包再大也行
      tcpwhy --fail-on send_buffer:50% ci.pcap      有一半时间受此限制则退出码为 1
      tcpwhy --json slow.pcap | jq '.connections[].halves[].verdict'

    退出码：0 已分析（文件损坏时输出能读到的部分并给出警告），
    1 达到 --fail-on（不论其他文件能否读取），2 无法读取、读取出错（之前的内容已分析）、
    没有可供 --fail-on 检查的内容或用法错误。
command-mcp = 供 AI 助手询问（标准输入输出上的 Model Context Protocol）
command-mcp-after =
    每个答案不超过 4 kB，带包号。只读取所给目录下的文件，数据不离开本机。
    常用客户端的配置：docs/mcp.zh-CN.md。查看允许什么：tcpwhy mcp --check FOLDER
command-export = 把限制本机各连接的因素作为指标提供给 Prometheus
command-export-after =
    示例：
      tcpwhy export                                       http://127.0.0.1:9817/metrics，直到结束它
      tcpwhy export --listen 0.0.0.0:9817 --cpu 2%        供另一台主机上的 Prometheus 使用；谁都能读
      tcpwhy export --once                                两秒后在标准输出上采集一次
      tcpwhy export -o /var/lib/prometheus/node-exporter/tcpwhy.prom
                                                          供 node_exporter 读取的文件，不断更新
      tcpwhy export --dashboard > tcpwhy.json             Grafana 面板
      tcpwhy export --alerts > tcpwhy.rules.yml           Prometheus 规则

    退出码：0 被信号结束，或已输出所要的内容，2 出错。
command-lab = 在本机内核上运行原因已知的传输，并加以分析
command-lab-after =
    示例：
      tcpwhy lab list                               有哪些场景
      tcpwhy lab show sndbuf-16k                    其中一个，以及怎样手工重现
      tcpwhy lab run sndbuf-16k                     在此运行并分析
      tcpwhy lab run all                            全部运行：预期与结果
      tcpwhy lab run random:7:20                    以种子 7 抽取的 20 次传输
      tcpwhy lab new mine.toml                      新场景；lab schema 解释每个参数
      tcpwhy lab run mine.toml --out /tmp/mine      自己写的场景（root 见 --allow-programs）
      tcpwhy lab compare sndbuf-16k sndbuf-auto     修复前后，并排显示
      tcpwhy lab shell sndbuf-16k                   在它的链路一端打开 shell

    退出码：0 符合预期，1 与预期不符，2 出错。
command-lab-book = 写出案例集：运行每个自带场景，各成一页，含来龙去脉、图和结论
command-lab-cell = 运行所在之处；由其他子命令启动
command-lab-compare = 运行两个场景或取两次录制，并排显示：修复前后
command-lab-guardian = 运行被杀死时恢复本机参数；由其他子命令启动
command-lab-list = 列出场景
command-lab-new = 写出一个新的场景文件
command-lab-prove = 验证对抓包的结论：重建这次传输和竞争解释，分别在修复前后运行
command-lab-run = 在此运行场景，分析两端的抓包，并与预期对照
command-lab-schema = 打印场景文件能写什么：供编辑器使用的 JSON schema，或参考手册
command-lab-score = 运行原因已知的随机传输，统计 explain 说对了多少
command-lab-shell = 在场景链路的一端打开 shell，或运行一条命令
command-lab-show = 显示一个场景：来龙去脉、施加的条件，以及怎样手工重现
command-sim = 模拟传输：套接字、内核、主机以及它们之间的路径
command-sim-after =
    示例：
      tcpwhy sim run sndbuf-16k                     需要多久，受什么限制
      tcpwhy sim run sndbuf-16k --set sender.sndbuf=auto --set path.rtt=100ms
      tcpwhy sim run sndbuf-16k --set kernel=6.1    换一个内核
      tcpwhy sim run mine.toml --seeds 20           换用其他丢包和主机：给出范围
      tcpwhy sim run mine.toml --pcapng mine.pcapng 在发送端抓包会得到什么
      tcpwhy sim compare sndbuf-16k                 与本机内核并排：用时、原因、计数
      tcpwhy sim score recordings                   与真实内核相比误差多大

    场景与 `tcpwhy lab` 相同，后者在本机内核上真正运行它们。
    sim compare 也要真正运行：在 Linux 上，需要与 `tcpwhy lab run` 相同的权限。
    退出状态：0 已模拟，2 出错，或传输没有结束。
command-predict = 用模拟重建抓到的传输，给出各种改动之后会有多快
command-predict-after =
    示例：
      tcpwhy predict slow.pcapng                           各项发现的改法分别带来什么
      tcpwhy predict slow.pcapng --fix remove-so-sndbuf    按 id 指定一个改法
      tcpwhy predict slow.pcapng --set path.rtt=200ms      换到新加坡呢？
      tcpwhy predict slow.pcapng --set path.rate=1gbit     线路更快呢？
      tcpwhy predict slow.pcapng --set kernel=6.1 -c 3     3 号连接，换一个内核

    先按数据包重建传输，与真实的比较，再带上改动模拟一次。--set 用场景的键，与 `tcpwhy sim run` 相同。

    退出状态：0 已预测，2 出错，或传输无法重建。
command-sim-run = 模拟场景：需要多久，发送端受什么限制，套接字的计数
command-sim-compare = 在本机内核上和模拟器里各运行一次场景，并排显示
command-sim-score = 模拟真实内核做过的传输，给出模拟器的误差
command-live = 显示本机每个连接当前和一段时间内受什么限制
command-live-after =
    示例：
      tcpwhy live                                   本机每个连接受什么限制
      tcpwhy live process:nginx !port:22            只看这些连接
      tcpwhy live --once                            两秒之后输出文本列表
      tcpwhy live --for 10s --json                  时间到了输出一个文档
      tcpwhy live --for 10s --jsonl                 区间和连接，结束即输出
      tcpwhy live --once --fail-on send_buffer:50%  某个连接有一半时间受此限制则退出码为 1
      tcpwhy live --check                           此处哪些可用，缺少什么

    退出码：0 已观察，1 达到 --fail-on，2 出错，或没有可供 --fail-on 检查的内容。
command-man = 打印手册页（troff），或写出所有命令的手册页
command-record = 把包和内核对其套接字的说法录在一起
command-record-after =
    示例：
      tcpwhy record -o slow.pcapng                  所有网卡，直到 Ctrl-C
      tcpwhy record port 443 -i eth0 --for 30s -o slow.pcapng
      tcpwhy record --ring 1GB -o night.pcapng      最后 1 GB，分成十个文件 night-00001.pcapng …
      tcpwhy record --ring 1GB --when 'limit=send_buffer for 5s' -o night.pcapng
                                                    直到某条连接被拖住这么久，再录十秒
      tcpwhy record --no-packets -o slow.pcapng     只录内核对其套接字的说法：不需要权限
      ssh host tcpwhy record --for 30s -o - | tcpwhy -
      tcpwhy slow.pcapng                            每条连接受什么限制：包和内核各怎么说
      tcpwhy live slow.pcapng                       当时观察会看到什么

    需要 CAP_NET_RAW（root 就有）；网卡打开之后随即放弃。

    退出码：0 已录制，2 出错（之前的内容在文件里）。
command-rules = 列出诊断所依据的规则，或解释其中一条
command-schema = 打印 --json 的 JSON Schema（--jsonl 的一行是其中的 `Record`），或数据表的列
command-serve = 在本机端口上显示 --html 的网页，大抓包也能看到每个细节
command-tcpwhy = 指出是什么拖住了 TCP 连接、拖了多久、依据是什么、该改哪里
command-tcpwhy-long =
    指出是什么拖住了 TCP 连接、拖了多久、依据是什么、该改哪里。

    tcpwhy 读取抓包（pcap、pcapng；未压缩、gzip 或 zstd）。凡是传输过数据的连接，每一时刻都恰好属于一种限制：发送缓冲区、接收窗口、拥塞窗口、慢启动、丢包重传、路径、应用、延迟确认……结论指出首先该解决的限制、它花了多少时间、该改什么、改了能省多少。
heading-option-host = 主机
heading-option-input = 输入
heading-option-labels = 标签
heading-option-options-set = 设置的选项
heading-option-output = 输出
heading-option-packets = 抓包
heading-option-path = 路径
heading-option-recording = 录制
heading-option-run = 运行
heading-option-selection = 筛选
heading-option-tables = 数据表
heading-option-watching = 观察
option-after = 与之对比的另一个
option-alerts = 输出针对这些指标的 Prometheus 告警规则（YAML）后结束
option-all-namespaces = 查看所有进程（容器）的网络命名空间；需要 root
option-allow-host = 也应答写着这个主机名的请求。不写时，请求里的主机必须是 --listen 的地址（监听 0.0.0.0 或 :: 时可以是任何地址），这样浏览器里的网页就不能借自己的域名读到指标；可重复
option-allow-programs = 以 root 运行时：允许场景文件运行其中的程序并修改整台机器的参数（tcpwhy 自带的场景本来就可以）
option-annotate = 把抓包重写为 pcapng，在包上加注释供 Wireshark 查看：连接的第一个包上写明受什么限制，每段限制在其开始处注明。只接受一个抓包；筛选选项决定注释哪些连接；`-` 表示标准输出
option-allow-live = 也允许客户端观察和检查本机（只读）
option-at = 在哪一端抓包
option-check-in-mcp = 输出客户端可以做什么，以及可粘贴的配置
option-dirs-in-sim-score = 运行记录，或包含它们的目录：`tcpwhy lab run` 的录制、带 scenario.json 和 truth.json 的目录，以及虚拟时间内核写出的 NAME.truth.json
option-folders = 客户端可以询问的文件所在目录
option-json-in-sim-compare = 输出一个 JSON 文档
option-json-in-sim-run = 输出一个 JSON 文档（见 `tcpwhy schema sim`）
option-json-in-sim-score = 输出一个 JSON 文档
option-max-size = 可读取的最大文件
option-pcapng = 把一端的包写成抓包文件（只有包头），其中注明是模拟的
option-seeds = 模拟这么多次，每次换用其他丢包和主机，给出时间的范围
option-set = 替换场景中的一个值，可以多次使用：sender.sndbuf=auto、path.rtt=100ms、sender.sysctl.net.ipv4.tcp_wmem=…、kernel=6.1。`tcpwhy lab schema --reference` 列出所有的键。auto 表示用默认值
option-set-in-sim-compare = 替换场景中的一个值，可以多次使用：sender.sndbuf=auto、path.rtt=100ms。`tcpwhy lab schema --reference` 列出所有的键。auto 表示用默认值
option-target-in-sim-compare = 场景：名称、random:SEED/NUMBER、以 .toml 结尾的文件；或 `tcpwhy lab run` 的录制目录，这时不再运行
option-targets-in-sim-run = 场景名、以 .toml 结尾的文件、random:SEED:COUNT，或 all
option-timeout = 一个答案最多用多久
option-anonymize = 处处替换地址以及文件和网卡的名称；共用前缀的地址替换后仍共用前缀
option-anonymize-key = 同 --anonymize，但密钥会被本机所有人看到
option-anonymize-key-file = 同 --anonymize，密钥放在文件里（口令或 64 位十六进制数字）：同一密钥每次运行的替换结果相同
option-arrow = 把一个数据表以 Arrow IPC 流写到标准输出
option-autotuning-level = Windows 的自动调整级别（netsh interface tcp show global）
option-bandwidth = 路径的带宽（100mbit、1gbit、12.5MB/s）
option-before = 场景，或录制所在的目录
option-by = 按此分组
option-bytes = 要传输的字节数：需要多长时间，含慢启动
option-cgroup = 加上进程控制组的标签
option-check = 说明此处哪些可用、哪些不可用以及需要什么，然后退出
option-code = 改法只列出这种语言或服务器的写法，all 为全部 [默认：按服务器端口推断，否则为 c]
option-color = 颜色；auto：在终端上使用，除非设置了 NO_COLOR
option-command = `--` 之后的命令及其参数 [默认：shell]
option-connection = 只看第 N 号连接的详情
option-connection-in-lab-prove = 其中的这个连接，编号同 explain [默认：数据最多的那个]
option-connection-in-predict = 这个连接，编号与 explain 相同 [默认：数据用时最长的]
option-connections = A 的第 N 号连接和 B 的第 M 号连接
option-cpu = 采样最多占用单个处理器的多少；超出时降低采样频率
option-cpu-in-record = 采样套接字最多占用单个处理器的多少；抓包另算
option-dashboard = 输出这些指标的 Grafana 面板（JSON）后结束
option-device = 报文段从哪里来：网卡，或 veth 和回环
option-dirs = `tcpwhy lab run` 的录制，或存放它们的目录
option-dry-run = 只重建，不运行
option-duration = 观察多久 [默认：与 --once、--json 同用时 2s，否则直到中断]
option-duration-in-export = --once 采集之前观察多久
option-duration-in-record = 录多久：30s、10m、8h [默认：直到中断]
option-end = 在哪一端运行；$SERVER 是发送端的地址
option-fix = 这个 id 的改法；给出多个时逐个预测，再预测全部一起
option-no-sim = 只用公式预测，不模拟传输：更快，但更多时候只给出上限
option-exchanges = 每个请求连同其响应各占一行
option-fail-on = 如果某个方向受 LIMIT 限制的时间占比达到 SHARE（0.5、50%），或不写 SHARE 时其结论就是 LIMIT，则以状态 1 退出；可重复。`send_buffer`、`receive_window/slow_reader`……
option-fail-on-in-audit = 如果有达到该严重程度（info、warning、critical）或属于该规则的诊断，则以状态 1 退出；可重复
option-fail-on-in-live = 与 --once、--json、--jsonl 同用：如果某个方向受 LIMIT 限制的时间占观察时间的比例达到 SHARE（0.5、50%），或不写 SHARE 时其结论就是 LIMIT，则以状态 1 退出；可重复
option-file = 文件；除非给出 --overwrite，否则不能已经存在；去掉 .toml 的文件名就是场景名
option-file-in-predict = 一份抓包：pcap 或 pcapng，可以压缩；- 是标准输入
option-file-in-lab-prove = 要验证其分析结论的抓包
option-files = 要读取的抓包：文件、文件夹、归档（tar、tgz、zip）、带引号的通配符如 '*.pcap'；`-` 表示标准输入：第一次 Ctrl-C 停止读取并打印报告。有 --interface 时写过滤条件，同 --filter
option-files-in-serve = 要读取的抓包；`-` 表示标准输入
option-filter = 只看符合该筛选条件的连接，写法同 tcpdump；任意一端符合即可：`host 10.0.0.1 and not port 22`
option-filter-in-explain = 只看符合该筛选条件的连接，写法同 tcpdump：host、net、port、portrange、ip、ip6、and、or、not、括号。任意一端符合即可：`host 10.0.0.1 and not port 22`
option-filter-in-live = 只看全部符合的连接：行中的词、process:NAME、port:N、peer:ADDR、local:ADDR、limit:ID、cgroup:PATH；前面加 ! 表示否定。FILE.pcapng（.gz、.zst）是 `tcpwhy record` 的录制：给出当时观察到的结果
option-first = 第一份抓包，A
option-folder = 存放页面的目录
option-folder-in-man = 写到哪个目录：tcpwhy.1、tcpwhy-explain.1……
option-force = 用 SO_SNDBUFFORCE 和 SO_RCVBUFFORCE 设置（CAP_NET_ADMIN）
option-format = --once 和 --output 的格式；HTTP 上由客户端选择
option-format-in-explain = 输出格式：终端文本、JSON（同 --json、--jsonl）或供工单和聊天使用的 Markdown。Markdown 最多 60 行：结论、一张表、改法
option-from = 只看在此时刻或之后仍打开着的连接：从抓包第一个包算起的秒数（3.2、150ms）、时刻（14:03:05）或日期加时刻（2026-11-22 14:03:05）。不论显示什么，所有包都参与分析：窗口的含义要看 SYN。单个连接的报告只显示 --from 与 --to 之间时间花在哪里
option-group = 同一服务器、同一服务器端口或同一原因的连接合成一行
option-host = 只看该主机的连接：地址、CIDR 前缀或地址的开头；可重复
option-html = 一个自包含的交互图表网页；`-` 表示标准输出
option-html-in-lab-compare = 另外写出可以发布的文件夹：同一坐标轴上的两张图，公布、计算和实测的秒数，以及设置；有中文和英文
option-html-in-lab-run = 另外为两份抓包写出图表网页：放在旁边的 sender.html 和 receiver.html
option-id = 要解释的规则
option-idle = 与 --once、--json、--jsonl 同用时，也列出没有动静的连接
option-interface = 抓取经过这块网卡的包（`any`：所有网卡），只抓包头，直到 Ctrl-C，然后给出报告。需要 Linux 和 CAP_NET_RAW
option-interface-in-record = 录哪块网卡的包；`any` 是所有网卡
option-interval = 观察本机的计数器这么久（10s），说明哪些在增长
option-ipv6 = IPv6：每个报文段少 20 字节
option-jobs = 同时分析的小抓包（4 MiB 以下）的数量 [默认：处理器数]
option-json = 输出一个 JSON 文档（见 `tcpwhy schema lab`）
option-json-in-audit = 输出一个 JSON 文档（见 `tcpwhy schema audit`）
option-json-in-buffers = 输出一个 JSON 文档（见 `tcpwhy schema buffers`）
option-json-in-compare = 输出一个 JSON 文档（见 `tcpwhy schema compare`）
option-json-in-explain = 输出一个 JSON 文档（见 `tcpwhy schema`）
option-json-in-lab-prove = 输出一个 JSON 文档
option-json-in-lab-score = 输出一个 JSON 文档
option-json-in-predict = 输出一个 JSON 文档（见 `tcpwhy schema predict`）
option-json-in-live = --for 的时间到了之后输出一个 JSON 文档（见 `tcpwhy schema live`）
option-jsonl = 每行一个 JSON 对象，连接结束即输出；适合内存放不下的抓包
option-jsonl-in-live = 每行一个 JSON 对象：区间结束即输出，连接在其结束时输出
option-kernel = 内核，3.10 及以上（6.18、5.15.0-91-generic），或 windows、windows-server-2022、macos、freebsd [默认：正在运行的内核]
option-kernel-in-audit = 按哪个内核版本的规则 [默认：该主机的]
option-lang = 文字的语言 [默认：随 locale]
option-like = 以该场景为起点，而不是空场景：名称、random:SEED/NUMBER 或文件
option-limit = 只看结论是该限制的连接；可重复：`send_buffer`、`receive_window/slow_reader`……
option-listen = 监听的地址；端口 0 表示任意空闲端口。只有地址不是回环地址时，其他主机才能访问。打印出来的地址就是钥匙：有它才能看到抓包
option-listen-in-export = 监听的地址；端口 0：任意空闲端口。能连上的人可以看到本机进程的名称、端口和传输量：如果不是环回地址，就是防火墙没有挡住的所有人
option-markdown = 把 accuracy.md 和 accuracy.zh-CN.md 写入该目录
option-max-series = 连接的时间序列最多这么多。更多的进程和端口合并为 `other`，直到别的进程或端口一小时没有连接为止
option-merge = 按时间把多个文件合并成一份抓包（同一台主机的滚动抓包）
option-min-bytes = 只看数据量不少于此值的连接（1500、64k、10MB、1GiB）
option-mode = 怎样询问内核：bpf 在每个 ACK 和每次写入时累计各连接的时间（需要 CAP_BPF 和 CAP_PERFMON），samples 不时采样；auto 用本机可行的方式
option-mtu = 链路的 MTU，字节
option-names = 在地址旁边写出名字，两种都写或只写一种
option-netem = 用内核的 netem 和 tbf 模拟链路，而不是 tcpwhy 自己的模拟器
option-no-packets = 不录包，只录内核对其套接字的说法
option-no-setsockopt = 不观察应用设置了哪些缓冲区：在不允许挂接内核函数的内核上，这项观察让本机每次系统调用多花约 0.1 µs
option-nodelay = 设置了 TCP_NODELAY
option-notsent-lowat = TCP_NOTSENT_LOWAT [默认：net.ipv4.tcp_notsent_lowat]
option-of = 哪个命令的
option-once = 输出一次文本列表
option-once-in-export = 观察 --for 的时间后采集一次就结束
option-out = 存放录制的目录：每个场景一个子目录，以场景命名
option-out-in-lab-prove = 把各次录制保存在该目录：rebuilt、fixed、shown、rival 等
option-out-in-lab-score = 与 --random 同用：把录制保存在这里；已有的不再运行
option-output = 要写的文件；`-` 是标准输出，设备和 FIFO 直接写入。文件已存在时保留原样，什么也不录
option-output-in-export = 不监听，每 15 秒把指标写进 FILE（`-` 是标准输出），Prometheus 文本格式：供 node_exporter 的 textfile 采集器使用，其文件名以 .prom 结尾
option-overwrite = 已有的文件即使不是 tcpwhy 写的也予以替换。正在读取的文件绝不会被替换
option-overwrite-in-record = 已有的文件予以替换，录制文件也不例外；如果是环，同名旧环的文件全部删除
option-parquet = 把所有数据表以 Parquet 文件写到 DIR 之下，供 DuckDB、Polars、pandas 和 Spark 使用：DIR/TABLE/PART-0000.parquet。再次运行会替换相同的文件
option-part = 文件名以 NAME 开头 [默认：所输入内容的哈希]
option-path = 主机需要跑满的路径：100mbit,20ms 或 10gbit,100ms,9000（带 MTU）；可重复
option-payload = TCP 头之后的内容也录，以 --snap 为限；不写则不保存任何载荷
option-peer = 加上对端网络的标签：IPv4 前缀位数，逗号后是 IPv6 的（24 即 24,48）。0 表示全部合并
option-poll = 应用每次写入前先 poll
option-port = 只看该端口的连接；可重复
option-problem = 只看第 N 个问题的连接，编号同报告
option-quiet = 不显示进度和警告
option-quiet-in-audit = 只输出开头三行；不显示警告
option-quiet-in-buffers = 只输出开头三行；不显示警告
option-quiet-in-compare = 不显示进度
option-quiet-in-explain = 只输出开头三行；不显示进度和警告
option-quiet-in-export = 不提示写入了什么
option-quiet-in-man = 不提示写入了什么
option-quiet-in-record = 结束时只显示警告
option-random = 先运行以 SEED 抽取的 COUNT 次传输，再评分
option-rate = 活跃连接每秒采样多少次，以 --cpu 允许为限
option-rcvbuf = 应用设置的 SO_RCVBUF [默认：不设，自动调整]
option-recordings = 使用该目录里的录制；缺少的会运行并保存在那里
option-recursive = 文件夹之下的文件夹也读取
option-reference = 改为输出 Markdown 参考手册：每个参数及其单位、默认值和范围
option-repeat = 每个场景运行这么多次
option-resume = 跳过 DIR 中已有数据行的抓包，添加其余的
option-ring = 只保留最后 SIZE 这么多，分成十个以 FILE 加编号命名的文件（64MB、1GB）
option-rtt = 路径的往返时延（20ms、350us、0.2s）
option-save = 把从本机读到的内容写入新目录，以便在别处检查；只有你能读取
option-saved = 保存下来的主机，目录或单个文件；不写则检查本机
option-scenario = 把重建的场景写到这里，以便修改后再次运行
option-script = 只输出手工重现的脚本
option-second = 第二份抓包，B
option-seed = 丢包、抖动和乱序的随机种子 [默认：场景自己的]
option-severity = 只看诊断达到该严重程度或更严重的连接
option-max-unpacked = 压缩文件和归档即使超过自身大小的 1000 倍，也读到解压后 SIZE 为止（默认 256MiB）
option-shard = 只读取 N 份中的第 I 份抓包，按名称的哈希划分：用于 N 台机器分担工作
option-shell = 用于哪种 shell
option-skb-overhead = skb 除数据之外占用的内存，如果你测过 [默认：按内核版本]
option-snap = 每个包最多保存的字节数
option-sndbuf = 应用设置的 SO_SNDBUF（16k、4MiB、max、-1）[默认：不设，自动调整]
option-sort = 表格里哪些连接排在前面
option-suppose = 不验证结论，改为验证这个原因（send_buffer、receive_window/small_buffer、path 等；写法同 --filter）
option-svg = --top 个连接的静态图，每个连接一个 SVG 文件
option-svg-in-buffers = 另外把图表写成图片
option-svg-theme = 静态图的底色；auto：随读者的系统
option-svg-time = 静态图的时间范围，从连接的第一个包算起的秒数：1.2-1.4。不在连接之内则报错
option-sysctl = 单独指定一个参数的值；可重复
option-sysctl-file = 参数取自保存的 `sysctl -a`，而不是本机
option-sysctl-file-in-audit = 来自保存的 `sysctl -a` 的参数：代替 SAVED 中的，或单独使用
option-sysctl-in-audit = 假设该参数是这个值来检查；可重复
option-table = 哪个数据表：connections、halves、limits、findings、evidence、intervals、exchanges、services、problems、fixes 或 captures [默认：connections]
option-target = 场景：名称、random:SEED/NUMBER，或以 .toml 结尾的文件
option-targets = 场景：名称、`all`、`random:[talk:]SEED[:COUNT]`，或以 .toml 结尾的文件
option-targets-in-lab-book = 只含这些场景；目录页也只列这些
option-theme = 屏幕的配色
option-timeline = 列出每一段时间及其限制
option-to = 只看在此时刻之前打开着的连接；写法同 --from
option-top = 连接很多时表格的行数
option-top-in-audit = 套接字表格的行数
option-top-in-compare = 显示多少对
option-top-in-live = 与 --once 同用时列表的行数
option-units = 输出大小所用的单位；输入的大小自带单位（64k、64KiB）
option-user = 以该用户的身份运行。root 要换成其他用户或保持 root 时必须指定 [root 默认：调用 sudo 的用户，没有则为 nobody]
option-utc = 时钟时间用 UTC [默认：本地时区，可用 TZ 指定]。JSON 一律用 UTC
option-utc-in-compare = 时钟时间用 UTC [默认：本地时区]
option-flips = 同时把每个人为选定的数值逐一改变三分之一，看结论是否改变；每个抓包的耗时约为平时的五十倍
option-vantage = 只看在这些位置的抓包，多个用逗号分开；录制里没有的，由两端的抓包生成 [默认：sender,receiver,middle]
option-verbose = 每份抓包另外给出一行
option-verbose-in-sim-score = 每次传输一行，而不只是误差大的
option-when = 什么时候设置
option-when-in-record = 某种限制占到一条连接 TIME 时间的九成之后再录十秒就结束：`limit=send_buffer for 5s`。之前的内容按 --ring 的大小保留
option-why = 连接在这一时刻受什么限制，依据是什么：从连接的第一个包算起的时间（3.2s、3.2、150ms）。与 --json 和 --jsonl 同用时，`timeline` 只含这一时刻所在的一段
option-why-in-buffers = 每一步的规则和出处
option-width = 输出的列数 [默认：终端的列数，否则 80]；正文最宽 100 列
option-window = 给定窗口而不是缓冲区（如抓包所示）：速率是多少，怎样的缓冲区能得到它
option-window-clamp = TCP_WINDOW_CLAMP，在 connect() 之前或监听套接字上设置
option-words = JSON 和数据表含哪些文字 [默认：JSON 为 all，数据表为 none]
option-write = 把 --interface 抓到的包存进这个文件；已有的文件保留原样，除非给出 --overwrite
option-write-size = 每次写入的字节数 [默认：大小不限，给出范围]
value-autotuning-level-disabled = 64 KiB
value-autotuning-level-experimental = 1 GiB
value-autotuning-level-highlyrestricted = 256 KiB
value-autotuning-level-normal = 16 MiB
value-autotuning-level-restricted = 1 MiB
value-by-cgroup = 控制组
value-by-none = 每个连接单独列出
value-by-peer = 对端地址
value-by-port = 监听端口，否则对端的端口
value-by-process = 进程名
value-color-always = 总是
value-color-auto = 标准输出是终端时
value-color-never = 从不
value-device-local = veth 或回环，启用卸载
value-device-local-single = veth，关闭卸载
value-device-nic = 网卡
value-format-openmetrics = OpenMetrics 1.0
value-format-prometheus = Prometheus 文本格式 0.0.4
value-group-cause = 按受限的原因
value-group-host = 按服务器地址
value-group-port = 按服务器端口
value-mode-auto = 有内核统计就用，否则采样
value-mode-bpf = 内核统计；不可用则报错
value-mode-samples = 采样
value-names-all = 两种都写
value-names-dns = 取自本机的解析器：它可能会去问别人
value-names-sni = 抓包里客户端对服务器的称呼：TLS 的服务器名称（SNI）、HTTP 的 Host
value-of-audit = `tcpwhy audit --json` 的
value-of-buffers = `tcpwhy buffers --json` 的
value-of-compare = `tcpwhy compare --json` 的
value-of-explain = `tcpwhy explain --json` 的
value-of-lab = `tcpwhy lab run --json` 和 `tcpwhy lab compare --json` 的
value-of-live = `tcpwhy live --json` 的（--jsonl 的一行是其中的 `LiveRecord`）
value-of-predict = `tcpwhy predict --json` 的输出
value-of-sim = `tcpwhy sim run --json` 的输出
value-of-tables = `tcpwhy explain --parquet` 和 `--arrow` 的列
value-severity-critical = 传输慢或失败的主要原因
value-severity-info = 任何限制了连接的因素
value-severity-warning = 造成耗时的问题
value-sort-bytes = 数据量最大的在前
value-sort-retransmissions = 重传最多的在前
value-sort-saving = 可省时间最多的在前
value-sort-time = 时间最长的在前
value-svg-theme-auto = 随读者的系统
value-svg-theme-dark = 深底浅字
value-svg-theme-light = 浅底深字
value-theme-auto = 设置了 NO_COLOR 时无色，否则按 COLORFGBG，再否则用深浅背景都适用的颜色
value-theme-dark = 用于深色背景
value-theme-light = 用于浅色背景
value-theme-none = 用字母和粗体代替颜色
value-units-iec = KiB、MiB：1024 的幂
value-units-si = kB、MB：1000 的幂
value-vantage-all = 所有位置
value-vantage-begun-late = 在发送端，传输进行 30% 之后才开始
value-vantage-clock-steps = 在发送端，时钟先拨快后拨慢
value-vantage-copies = 在发送端，每个包两份，第二份的 TTL 少一
value-vantage-ended-early = 在发送端，传输进行 70% 时结束
value-vantage-middle = 在路径中间
value-vantage-near-receiver = 离接收端 3 ms
value-vantage-near-sender = 离发送端 3 ms
value-vantage-receiver = 在接收端
value-vantage-sender = 在数据的发送端
value-when-after-connect = connect() 之后或刚 accept() 之后，还没有数据
value-when-after-data = 数据传输期间
value-when-before-connect = 在发起连接的套接字上，connect() 之前
value-when-on-listener = 在监听套接字上；accept 得到的套接字会继承
value-words-all = 句子、改法文字、可复制的行
value-words-none = 只有数值和 id

## Where there is no Linux.

command-live-after-elsewhere = 需要 Linux，由它的内核说明套接字的状态。在这里可以分析抓包：`tcpwhy FILE`。
command-lab-after-elsewhere =
    需要 Linux：命名空间、TAP 设备和内核计数器。在虚拟机里也可以。
    结果在哪里都能看：案例集，https://github.com/tcpwhy/tcpwhy/tree/main/docs/cases
command-record-after-elsewhere = 需要 Linux，由它的内核说明套接字的状态。在那里录下的内容可以在这里分析：`tcpwhy FILE`。
command-export-after-elsewhere = 需要 Linux，由它的内核说明套接字的状态。

## In place of the argument parser's own words, which are English.

help-usage = 用法：{ $usage }
help-commands = 命令
help-arguments = 参数
help-options = 选项
help-help = 显示帮助
help-version = 显示版本
help-default = [默认：{ $values }]
help-values = [可选值：{ $values }]
help-values-heading = 可选值：
help-value = - { $name }：{ $meaning }
help-separator = 、
manual-heading-name = 名称
manual-heading-synopsis = 概要
manual-heading-description = 描述
manual-heading-options = 选项
manual-heading-subcommands = 命令
manual-heading-extra = 其他
manual-heading-version = 版本
usage-error = 错误：{ $what }
usage-error-hint = 提示：{ $hint }
usage-error-more = 更多信息见 '--help'。
usage-error-invalid-value = '{ $argument }' 的值 '{ $value }' 无效
usage-error-invalid-value-why = '{ $argument }' 的值 '{ $value }' 无效：{ $why }
usage-error-no-value = '{ $argument }' 需要一个值，但没有给出
usage-error-unknown-argument = 不认识的参数 '{ $argument }'
usage-error-unknown-subcommand = 不认识的子命令 '{ $command }'
usage-error-missing-subcommand = '{ $command }' 需要一个子命令
usage-error-subcommands = [子命令：{ $names }]
usage-error-no-equals = '{ $argument }' 的值要用等号连接：{ $argument }=值
usage-error-too-many-values = '{ $argument }' 多了一个值 '{ $value }'
usage-error-too-few-values = '{ $argument }' 至少需要 { $least } 个值，只给出了 { $given } 个
usage-error-wrong-number-of-values = '{ $argument }' 需要 { $expected } 个值，给出了 { $given } 个
usage-error-conflict-with-others = '{ $argument }' 不能与其他参数同用
usage-error-twice = '{ $argument }' 只能用一次
usage-error-conflict = '{ $argument }' 不能与 '{ $others }' 同用
usage-error-missing-arguments = 缺少必需的参数：
usage-error-not-utf-8 = 参数不是有效的 UTF-8
usage-error-similar-subcommand = 有相近的子命令 '{ $names }'
usage-error-similar-argument = 有相近的参数 '{ $names }'
usage-error-similar-value = 有相近的值 '{ $names }'
