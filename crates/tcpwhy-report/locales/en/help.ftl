## Help of the command line: command-NAME for what a command does, -after for what follows its options; option-NAME for an
## option, -in-COMMAND where one command has other words than the rest; value-NAME-VALUE for its values.

command-audit = Check a host: settings, error counters, buffers that applications set
command-audit-after =
    Examples:
      tcpwhy audit                                  check this host (root sees more)
      tcpwhy audit --path 1gbit,20ms                which setting limits that path, and by how much
      tcpwhy audit --interval 10s                   which error counters are moving
      tcpwhy audit --save web1                      save this host as text files, to check elsewhere
      tcpwhy audit web1                             a saved host: any directory with the output of
                                                    sysctl -a, ss -tinmpeO, /proc/net/netstat …
      ss -tinmpeO > ss.txt; tcpwhy audit ss.txt     connections of a host, from one file
      tcpwhy audit --fail-on warning                exit status 1 on a finding of that severity or worse

    Exit status: 0 checked, 1 a finding at or over --fail-on, 2 an error, or --fail-on needs a part
    of the host that was not read.
command-buffers = Compute what socket buffers come to: SO_SNDBUF, SO_RCVBUF, sysctls, windows, rates
command-buffers-after =
    Examples:
      tcpwhy buffers                                      what autotuned connections of this host get
      tcpwhy buffers --sndbuf 256KiB --rtt 20ms --bandwidth 100mbit
      tcpwhy buffers --sndbuf 16KiB --rtt 20ms --bandwidth 100mbit --bytes 22MB
      tcpwhy buffers --window 2MiB --rtt 200ms            a window's rate, and what gives it
      tcpwhy buffers --rcvbuf 4MiB --when after-connect --rtt 26ms --why
      tcpwhy buffers --rcvbuf 128KiB --kernel 6.5         the defaults of another kernel
      tcpwhy buffers --kernel 3.10                        CentOS 7
      tcpwhy buffers --os windows-10 --sndbuf 64KiB --rtt 20ms
      tcpwhy buffers --sysctl-file saved.txt --sysctl net.core.wmem_max=16777216 --sndbuf max
      tcpwhy buffers --sndbuf 64KiB --rtt 10ms --bandwidth 1gbit --svg rate.svg

    Sizes: 16k is 16,000 bytes, as sizes are printed; 16KiB is 16,384 (iperf3 and tc read 16k so).
    max is the largest number; -1 is how programs write it.
command-compare = Compare two captures, two connections, or what the two ends of one connection captured
command-compare-after =
    Examples:
      tcpwhy compare sender.pcap receiver.pcap      the two ends of the same transfers: what was lost
                                                    and delayed between them
      tcpwhy compare before.pcap after.pcap         which transfers differ, and how
      tcpwhy compare a.pcap b.pcap --connections 3:7
      tcpwhy compare a.pcap a.pcap --connections 3:7

    Connections are the same if their SYNs have the same number and port (addresses may be translated
    between the two), or, without SYNs, the same ends and numbers. Clocks need not agree.

    Exit status: 0 compared, 2 an error, or nothing belongs together.
command-completions = Print a completion script
command-explain = Explain captures (the default: `tcpwhy FILE` is `tcpwhy explain FILE`)
command-explain-after =
    Examples:
      tcpwhy slow.pcap                              what held the transfer back, and what to change
      tcpwhy big.pcapng --top 20                    the 20 connections with the largest potential saving
      tcpwhy big.pcapng --connection 17             one of them in detail
      tcpwhy big.pcapng --limit send_buffer         those that the send buffer limited
      tcpwhy big.pcapng --filter 'net 10.0.0.0/8 and not port 22'
      tcpwhy big.pcapng --host 10.0.0.0/8 --port 22 only these connections
      tcpwhy big.pcapng --from 14:03 --to 14:05     those that were open in these two minutes
      tcpwhy slow.pcap --why 3.2s                   what held it back at that moment, and why
      tcpwhy -i eth0 port 443                       captures until Ctrl-C and reports; root
      tcpdump -i eth0 -s 96 -w - tcp | tcpwhy -     from a pipe, until Ctrl-C
      tcpwhy slow.pcap --html report.html           a page with charts, to keep or to send
      tcpwhy serve huge.pcapng                      the same on a local port, for captures of any size
      tcpwhy --fail-on send_buffer:50% ci.pcap      exit status 1 if that took half of the time
      tcpwhy --json slow.pcap | jq '.connections[].halves[].verdict'

    Exit status: 0 analysed (of a damaged file what could be read, with a warning),
    1 a limit at or over --fail-on (whatever else could not be read), 2 nothing readable, a read
    error (what came before it is analysed), nothing that --fail-on could check, or wrong use.
command-mcp = Let an AI assistant ask (Model Context Protocol on standard input and output)
command-mcp-after =
    Answers have at most 4 kB, with packet numbers. Only files below the folders are read.
    Nothing leaves the machine. Configuration for the usual clients: docs/mcp.md
    See what is allowed: tcpwhy mcp --check FOLDER
command-export = Tell Prometheus what limits the connections of this host
command-export-after =
    Examples:
      tcpwhy export                                       http://127.0.0.1:9817/metrics, until Ctrl-C
      tcpwhy export --listen 0.0.0.0:9817 --cpu 2%        for a Prometheus elsewhere; keeps nobody out
      tcpwhy export --once                                one scrape as text, after two seconds
      tcpwhy export -o /var/lib/prometheus/node-exporter/tcpwhy.prom
                                                          a file for node_exporter, again and again
      tcpwhy export --dashboard > tcpwhy.json             a dashboard for Grafana
      tcpwhy export --alerts > tcpwhy.rules.yml           rules for Prometheus

    Exit status: 0 ended by a signal, or told what was asked for, 2 an error.
command-lab = Run transfers with a known cause on this kernel, and explain them
command-lab-after =
    Examples:
      tcpwhy lab list                               the scenarios there are
      tcpwhy lab show sndbuf-16k                    one of them, and how to do the same by hand
      tcpwhy lab run sndbuf-16k                     run it here, and explain it
      tcpwhy lab run all                            all of them: expected and found
      tcpwhy lab run random:7:20                    20 transfers drawn with seed 7
      tcpwhy lab new mine.toml                      a new scenario; lab schema explains every key
      tcpwhy lab run mine.toml --out /tmp/mine      one of your own (root: see --allow-programs)
      tcpwhy lab compare sndbuf-16k sndbuf-auto     before and after a fix, side by side
      tcpwhy lab shell sndbuf-16k                   a shell at one end of its link

    Exit status: 0 as expected, 1 something else than expected, 2 an error.
command-lab-book = Write the case book: run every bundled scenario, a page each with story, picture and verdict
command-lab-cell = Where a run happens; started by the other subcommands
command-lab-compare = Run two scenarios, or take two recordings, and show them side by side: before and after a fix
command-lab-guardian = Sets the machine's settings back when a run is killed; started by the other subcommands
command-lab-list = List the scenarios
command-lab-new = Write a new scenario file
command-lab-prove = Put the verdict on a capture to the proof: rebuild the transfer and its rivals, run them with and without the fix
command-lab-run = Run scenarios here, explain both ends' captures, and compare with what was expected
command-lab-schema = Print what a scenario file may contain: a JSON schema for editors, or a reference
command-lab-score = Run random transfers with a known cause and count how often explain is right
command-lab-shell = Open a shell, or run a command, at an end of a scenario's link
command-lab-show = Show a scenario: its story, what is imposed, and how to do the same by hand
command-sim = Simulate transfers: sockets, kernels, hosts and the path between them
command-sim-after =
    Examples:
      tcpwhy sim run sndbuf-16k                     how long it takes, and what holds it back
      tcpwhy sim run sndbuf-16k --set sender.sndbuf=auto --set path.rtt=100ms
      tcpwhy sim run sndbuf-16k --set kernel=6.1    the same on another kernel
      tcpwhy sim run mine.toml --seeds 20           with other losses and hosts: a range
      tcpwhy sim run mine.toml --pcapng mine.pcapng what a capture at the sender would have
      tcpwhy sim compare sndbuf-16k                 beside this kernel: times, causes, counters
      tcpwhy sim score recordings                   how far it is from what the kernel did

    Scenarios are those of `tcpwhy lab`, which runs them on the kernel of this machine.
    sim compare runs there too: on Linux, with the permissions that `tcpwhy lab run` needs.
    Exit status: 0 simulated, 2 an error, or a transfer that does not end.
command-predict = Rebuild a captured transfer by simulation, and show how fast changes would make it
command-predict-after =
    Examples:
      tcpwhy predict slow.pcapng                           what each fix of its findings would bring
      tcpwhy predict slow.pcapng --fix remove-so-sndbuf    one fix by its id
      tcpwhy predict slow.pcapng --set path.rtt=200ms      and from Singapore?
      tcpwhy predict slow.pcapng --set path.rate=1gbit     and over a faster line?
      tcpwhy predict slow.pcapng --set kernel=6.1 -c 3     connection 3, on another kernel

    The transfer is rebuilt from what the packets show, compared with the real one,
    and simulated again with the change. --set takes the keys of scenarios, as in `tcpwhy sim run`.

    Exit status: 0 predicted, 2 an error, or a transfer that cannot be rebuilt.
command-sim-run = Simulate scenarios: how long they take, what holds the sender back, what the sockets count
command-sim-compare = Run a scenario on this kernel and in the simulator, and show both side by side
command-sim-score = Simulate transfers that a real kernel did, and show how far off the simulator is
command-live = Show what limits every connection of this host, currently and over time
command-live-after =
    Examples:
      tcpwhy live                                   what limits every connection of this host
      tcpwhy live process:nginx !port:22            only these connections
      tcpwhy live --once                            the list as text, after two seconds
      tcpwhy live --for 10s --json                  one document when the time is over
      tcpwhy live --for 10s --jsonl                 intervals and connections as they end
      tcpwhy live --once --fail-on send_buffer:50%  exit status 1 if that took half of the time
      tcpwhy live --check                           what works here, and what is missing
      tcpwhy live night.pcapng process:mysqld       what watching gave while it was recorded

    Exit status: 0 watched, 1 a limit at or over --fail-on, 2 an error, or nothing that --fail-on
    could check.
command-man = Print the manual page (troff), or write those of all commands
command-record = Record packets together with what the kernel says of its sockets
command-record-after =
    Examples:
      tcpwhy record -o slow.pcapng                  all interfaces, until Ctrl-C
      tcpwhy record port 443 -i eth0 --for 30s -o slow.pcapng
      tcpwhy record --ring 1GB -o night.pcapng      the last 1 GB, in ten files night-00001.pcapng …
      tcpwhy record --ring 1GB --when 'limit=send_buffer for 5s' -o night.pcapng
                                                    until a limit has held a connection so long
      tcpwhy record --no-packets -o slow.pcapng     what the kernel says alone: needs no rights
      ssh host tcpwhy record --for 30s -o - | tcpwhy -
      tcpwhy slow.pcapng                            what packets and kernel say held it back
      tcpwhy live slow.pcapng                       what watching would have shown

    It needs CAP_NET_RAW, which root has; it is given up once the interface is open.

    Exit status: 0 recorded, 2 an error (what came before it is in the file).
command-rules = List the rules that findings come from, or explain one
command-schema = Print the JSON Schema of --json (a line of --jsonl is its definition `Record`), or the columns of tables
command-serve = Show the page of --html on a local port, with every detail of large captures
command-tcpwhy = Says what held a TCP connection back, for how long, on what evidence, and what to change
command-tcpwhy-long =
    Says what held a TCP connection back, for how long, on what evidence, and what to change.

    tcpwhy reads packet captures (pcap, pcapng; plain, gzip or zstd). Every instant of every connection that carried data has one limit: send buffer, receive window, congestion window, slow start, loss recovery, path, application, delayed ACKs … The answer names the limit to act on first, what it cost, what to change and what that would save.
heading-option-host = Host
heading-option-input = Input
heading-option-labels = Labels
heading-option-options-set = Options set
heading-option-output = Output
heading-option-packets = Packets
heading-option-path = Path
heading-option-recording = Recording
heading-option-run = Run
heading-option-selection = Selection
heading-option-tables = Tables
heading-option-watching = Watching
option-after = What it is compared with
option-alerts = Print alert rules on these metrics for Prometheus, as YAML, then exit
option-all-namespaces = Look into the network namespaces of all processes (containers); needs root
option-allow-host = Also answer requests for this host name. Without it, requests have to name the address of --listen (any address where that is 0.0.0.0 or ::), so that no page in a browser reaches the metrics under a name of its own; repeatable
option-allow-programs = As root: let scenario files run their programs and change settings of the whole machine (those that come with tcpwhy may)
option-annotate = Write the capture again as pcapng, with comments on its packets for Wireshark: what held a connection back on its first packet, and each limit where it begins. One capture; filters choose connections; `-` is standard output
option-allow-live = Also let clients watch this host and audit it, read-only
option-at = The end where the capture is taken
option-check-in-mcp = Print what clients may do, and a configuration to paste
option-dirs-in-sim-score = Runs, or folders that hold them: recordings of `tcpwhy lab run`, folders with scenario.json and truth.json, and what a kernel in virtual time wrote (NAME.truth.json)
option-folders = Folders whose files clients may ask about
option-json-in-sim-compare = One JSON document
option-json-in-sim-run = One JSON document (see `tcpwhy schema sim`)
option-json-in-sim-score = One JSON document
option-max-size = Largest file that is read
option-pcapng = Write the packets of one end as a capture (headers only), which says that it is simulated
option-seeds = Simulate it so often, each time with other losses and other hosts: the range of the times
option-set = Replace a value of the scenario, as often as needed: sender.sndbuf=auto, path.rtt=100ms, sender.sysctl.net.ipv4.tcp_wmem=…, kernel=6.1. `tcpwhy lab schema --reference` lists the keys. auto leaves it to the default
option-set-in-sim-compare = Replace a value of the scenario, as often as needed: sender.sndbuf=auto, path.rtt=100ms. `tcpwhy lab schema --reference` lists the keys. auto leaves it to the default
option-target-in-sim-compare = The scenario: a name, random:SEED/NUMBER, a file ending in .toml; or the folder of a recording of `tcpwhy lab run`, which is not run again
option-targets-in-sim-run = Names of scenarios, files that end in .toml, random:SEED:COUNT, or all
option-timeout = Longest time for one answer
option-anonymize = Replace addresses and the names of files and interfaces everywhere; addresses that share a prefix still do
option-anonymize-key = As --anonymize, with a key that everybody on this machine can read
option-anonymize-key-file = As --anonymize, with the key in a file (a passphrase or 64 hexadecimal digits): the same key gives the same replacements in every run
option-arrow = Write one table to standard output, as an Arrow IPC stream
option-autotuning-level = Autotuning level of Windows (netsh interface tcp show global)
option-bandwidth = Bandwidth of the path (100mbit, 1gbit, 12.5MB/s)
option-before = A scenario, or the folder of a recording
option-by = Group connections by this
option-bytes = Bytes of a transfer: how long it takes, slow start included
option-cgroup = A label with the control group of the process
option-check = Say what works here, what does not and what that needs, then exit
option-code = Lines of fixes for this language or server, or all [default: what the port of the server suggests, else c]
option-color = Colours; auto: on a terminal, unless NO_COLOR is set
option-command = The command and its arguments, after `--` [default: a shell]
option-connection = Only connection number N, in detail
option-connection-in-lab-prove = This connection of it, as explain numbers them [default: the one with the most payload]
option-connection-in-predict = This connection, as explain numbers them [default: the one whose data took longest]
option-connections = Connection N of A and connection M of B
option-cpu = How much of one processor sampling may take; what does not fit is sampled less often
option-cpu-in-record = How much of one processor sampling sockets may take; capturing packets comes on top
option-dashboard = Print a dashboard of these metrics for Grafana, as JSON, then exit
option-device = What delivers segments: a network interface, or veth and loopback
option-dirs = Recordings of `tcpwhy lab run`, or folders that hold them
option-dry-run = Only rebuild: nothing is run
option-duration = How long to watch [default: 2s with --once and --json, otherwise until interrupted]
option-duration-in-export = How long to watch before the scrape of --once
option-duration-in-record = How long to record: 30s, 10m, 8h [default: until interrupted]
option-end = The end at which it runs; $SERVER is the sender's address
option-fix = The fix with this id; several are predicted one by one and all together
option-no-sim = Predict by formulas, without simulating the transfer: faster, and more often only a bound
option-exchanges = Each request with its answer as a line of its own
option-fail-on = Exit with status 1 if a direction spent at least SHARE of its time (0.5, 50%) under LIMIT, or without SHARE if LIMIT is its verdict; repeatable. `send_buffer`, `receive_window/slow_reader` …
option-fail-on-in-audit = Exit with status 1 if there is a finding of this severity or worse (info, warning, critical), or of this rule; repeatable
option-fail-on-in-live = With --once, --json and --jsonl: exit with status 1 if a direction spent at least SHARE of the time watched (0.5, 50%) under LIMIT, or without SHARE if LIMIT is its verdict; repeatable
option-file = The file, a new one unless --overwrite is given; its name without .toml is the scenario's
option-file-in-predict = A capture: pcap or pcapng, also compressed; - is standard input
option-file-in-lab-prove = The capture whose explanation is put to the proof
option-files = Captures to read: files, folders, archives (tar, tgz, zip), quoted patterns such as '*.pcap'; `-` is standard input: the first Ctrl-C stops reading and prints the report. With --interface a filter as that of --filter
option-files-in-serve = Captures to read; `-` is standard input
option-filter = Only connections that match this filter, in the syntax of tcpdump; either end counts: `host 10.0.0.1 and not port 22`
option-filter-in-explain = Only connections that match this filter, in the syntax of tcpdump: host, net, port, portrange, ip, ip6, and, or, not, parentheses. Either end counts: `host 10.0.0.1 and not port 22`
option-filter-in-live = Only connections that match all of these: words in their line, process:NAME, port:N, peer:ADDR, local:ADDR, limit:ID, cgroup:PATH; ! before one negates it. FILE.pcapng (.gz, .zst) is a recording of `tcpwhy record`: what watching gave then
option-first = The first capture, A
option-folder = Folder of the pages
option-folder-in-man = Where to write them: tcpwhy.1, tcpwhy-explain.1 …
option-force = Set with SO_SNDBUFFORCE and SO_RCVBUFFORCE (CAP_NET_ADMIN)
option-format = Form of --once and --output; over HTTP the client chooses
option-format-in-explain = Form of the output: text for the terminal, JSON (as --json and --jsonl), or Markdown for tickets and chats. Markdown has at most 60 lines: the answer, one table, the fix
option-from = Only connections that were open at or after this time: seconds from the first packet of the capture (3.2, 150ms), a time of day (14:03:05) or a date and time (2026-11-22 14:03:05). All packets are analysed, whatever is shown: the SYN says what a window means. The report of one connection shows where its time went between --from and --to
option-group = One row for all connections of a server, of a port of the server, or of a cause
option-host = Only connections of this host: an address, a CIDR prefix or the start of an address; repeatable
option-html = One self-contained page with interactive charts; `-` is standard output
option-html-in-lab-compare = Write a folder to publish too: both pictures on equal axes, published, computed and measured seconds, what was set; English and Chinese
option-html-in-lab-run = Write the page with charts of both captures too: sender.html and receiver.html beside them
option-id = The rule to explain
option-idle = With --once, --json and --jsonl also connections on which nothing moved
option-interface = Capture what passes this interface (`any`: all of them), headers only, until Ctrl-C, and report. Linux, CAP_NET_RAW
option-interface-in-record = The interface whose packets are recorded; `any` is all of them
option-interval = Watch the counters of this host for this long (10s) and say which are moving
option-ipv6 = IPv6: segments carry 20 bytes less
option-jobs = Small captures (under 4 MiB) that are analysed at the same time [default: the processors]
option-json = One JSON document (see `tcpwhy schema lab`)
option-json-in-audit = One JSON document (see `tcpwhy schema audit`)
option-json-in-buffers = One JSON document (see `tcpwhy schema buffers`)
option-json-in-compare = One JSON document (see `tcpwhy schema compare`)
option-json-in-explain = One JSON document (see `tcpwhy schema`)
option-json-in-lab-prove = One JSON document
option-json-in-lab-score = One JSON document
option-json-in-predict = One JSON document (see `tcpwhy schema predict`)
option-json-in-live = One JSON document when the time of --for is over (see `tcpwhy schema live`)
option-jsonl = One JSON object per line, connections as they finish; for captures too large for memory
option-jsonl-in-live = One JSON object per line: intervals as they end, connections at their end
option-kernel = Kernel, 3.10 or later (6.18, 5.15.0-91-generic), or windows, windows-server-2022, macos, freebsd [default: the running one]
option-kernel-in-audit = The kernel version whose rules apply [default: the host's]
option-lang = Language of the words [default: from the locale]
option-like = Start from this scenario instead of an empty one: a name, random:SEED/NUMBER, a file
option-limit = Only connections whose verdict is this limit; repeatable: `send_buffer`, `receive_window/slow_reader` …
option-listen = Where to listen; port 0: any free port. Other hosts can reach it only if the address is not loopback. The printed address is the key: only who has it sees the captures
option-listen-in-export = Where to listen; port 0: any free port. Whoever can reach it sees the names of this host's processes, their ports and how much they transfer: if the address is not loopback, everybody whom no firewall keeps out
option-markdown = Write accuracy.md and accuracy.zh-CN.md into this folder
option-max-series = Series of connections at most. Further processes and ports are counted together as `other`, until others have had no connection for an hour
option-merge = Merge the files by time into one capture (rotated files of one host)
option-min-bytes = Only connections that carried at least this much (1500, 64k, 10MB, 1GiB)
option-mode = How the kernel is asked: bpf adds up each connection's time at every ACK and write (CAP_BPF and CAP_PERFMON), samples looks now and then; auto takes what works here
option-mtu = MTU of the link in bytes
option-names = Names beside addresses, of both kinds or of one
option-netem = Emulate the link with the kernel's netem and tbf instead of tcpwhy's own emulator
option-no-packets = Record no packets, only what the kernel says of its sockets
option-no-setsockopt = Do not watch which buffers applications set: where the kernel lets nothing hook into its functions, watching costs each system call of the host some 0.1 µs
option-nodelay = TCP_NODELAY is set
option-notsent-lowat = TCP_NOTSENT_LOWAT [default: net.ipv4.tcp_notsent_lowat]
option-of = Of which command
option-once = The list as text, once
option-once-in-export = One scrape after the time of --for, then exit
option-out = Folder of the recordings: one folder each, named after the scenario
option-out-in-lab-prove = Keep the recordings in this folder: rebuilt, fixed, shown, rival and so on
option-out-in-lab-score = With --random: keep the recordings here; those that are there already are not run again
option-output = The file to write; `-` is standard output, and a device or a FIFO is written to as it is. A file that is there stays, and nothing is recorded
option-output-in-export = Write the metrics to FILE (`-` is standard output) instead of listening, every 15 s, in the Prometheus text format. The textfile collector of node_exporter reads files that end in .prom
option-overwrite = Replace files that are there even if tcpwhy did not write them. Files that are read are never replaced
option-overwrite-in-record = Replace files that are there, recordings too; of a ring, all files of an earlier one of that name
option-parquet = Write all tables below DIR as Parquet files, for DuckDB, Polars, pandas and Spark: DIR/TABLE/PART-0000.parquet. Running again replaces the same files
option-part = Begin the names of the files with NAME [default: a hash of what was typed]
option-path = A path that the host has to fill: 100mbit,20ms or 10gbit,100ms,9000 (with its MTU); repeatable
option-payload = Record what follows the TCP headers too, as far as --snap goes; without this no payload is stored
option-peer = A label with the network of the peer: bits of its IPv4 and, after a comma, IPv6 addresses (24 is 24,48). 0 is all
option-poll = The application polls before every write
option-port = Only connections of this port; repeatable
option-problem = Only the connections of problem N, as the report numbers them
option-quiet = No progress, no warnings
option-quiet-in-audit = Only the first three lines; no warnings
option-quiet-in-buffers = Only the first three lines; no warnings
option-quiet-in-compare = No progress
option-quiet-in-explain = Only the first three lines; no progress, no warnings
option-quiet-in-export = Do not say what was written
option-quiet-in-man = Do not say what was written
option-quiet-in-record = Print nothing at the end but warnings
option-random = First run COUNT transfers drawn with SEED, then score them
option-rate = How many times per second active connections are sampled, as far as --cpu allows
option-rcvbuf = SO_RCVBUF that the application sets [default: none, autotuning]
option-recordings = Use recordings from this folder; those that are missing are run and kept there
option-recursive = Read the folders below a folder too
option-reference = A reference in Markdown instead: every key with its unit, default and range
option-repeat = Run each scenario this many times
option-resume = Leave out captures whose rows are in DIR already, and add the others
option-ring = Keep the last SIZE only, in ten files that are named after FILE and numbered (64MB, 1GB)
option-rtt = Round-trip time of the path (20ms, 350us, 0.2s)
option-save = Write what was read of this host into a new directory, to check it elsewhere; only you may read it
option-saved = A saved host, a directory or one file; without it this host is checked
option-scenario = Write the rebuilt scenario here, for changing it and running it again
option-script = Only the script that does the same by hand
option-second = The second capture, B
option-seed = Seed of losses, jitter and reordering [default: the scenario's own]
option-severity = Only connections with a finding of this severity or worse
option-max-unpacked = Read compressed files and archives until SIZE uncompressed, even beyond 1000 times their length (default: 256MiB)
option-shard = Only part I of N of the captures, by a hash of their names: for N machines that share the work
option-shell = The shell it is for
option-skb-overhead = Memory that an skb takes besides its payload, if you measured it [default: by kernel version]
option-snap = Bytes of each packet at most
option-sndbuf = SO_SNDBUF that the application sets (16k, 4MiB, max, -1) [default: none, autotuning]
option-sort = Which connections come first in the table
option-suppose = Put this cause to the proof instead of the verdict (send_buffer, receive_window/small_buffer, path …; ids as in --filter)
option-svg = Static charts of the --top connections, one SVG file each
option-svg-in-buffers = Write the charts as a picture too
option-svg-theme = Background of the static charts; auto: as the reader's system prefers
option-svg-time = Time range of the static charts, seconds from the connection's first packet: 1.2-1.4. An error if it lies outside
option-sysctl = One setting instead of the others' value; repeatable
option-sysctl-file = Settings from a saved `sysctl -a` instead of this host
option-sysctl-file-in-audit = Settings from a saved `sysctl -a`: instead of those of SAVED, or alone
option-sysctl-in-audit = Check as if this setting had that value; repeatable
option-table = Which table: connections, halves, limits, findings, evidence, intervals, exchanges, services, problems, fixes or captures [default: connections]
option-target = The scenario: a name, random:SEED/NUMBER, a file ending in .toml
option-targets = Scenarios: names, `all`, `random:[talk:]SEED[:COUNT]`, files ending in .toml
option-targets-in-lab-book = Only these scenarios; the index keeps to them too
option-theme = Colours of the screen
option-timeline = Every interval of time with its limit
option-to = Only connections that were open before this time; written as --from
option-top = Rows of the table when there are many connections
option-top-in-audit = Rows of the table of sockets
option-top-in-compare = Pairs to show
option-top-in-live = Rows of the list with --once
option-units = Units of printed sizes; typed sizes name theirs (64k, 64KiB)
option-user = As this user. Root needs it for each other user, and to stay root [default for root: the user who called sudo, else nobody]
option-utc = Clock times in UTC [default: the local zone; TZ sets another one]. JSON is always in UTC
option-utc-in-compare = Clock times in UTC [default: the local zone]
option-flips = Also move each chosen number by a third, one at a time: does the verdict change? Each capture takes some fifty times as long
option-vantage = Only the captures taken there, several with commas; the lab makes those that a recording lacks out of the captures of its ends [default: sender,receiver,middle]
option-verbose = A line for each capture too
option-verbose-in-sim-score = A line for each transfer, not only for those that are far off
option-when = When it is set
option-when-in-record = End ten seconds after a limit has held a connection for nine tenths of TIME: `limit=send_buffer for 5s`. What came before is kept as far as --ring goes
option-why = What limited the connection at this moment, and why: a time from the connection's first packet (3.2s, 3.2, 150ms). With --json and --jsonl, `timeline` has the interval of that moment alone
option-why-in-buffers = Every step with its rule and source
option-width = Columns of the output [default: those of the terminal, else 80]; prose takes at most 100
option-window = A window instead of a buffer, as a capture shows it: its rate, and which buffers give it
option-window-clamp = TCP_WINDOW_CLAMP, set before connect() or on the listening socket
option-words = Which words JSON and tables have [default: all in JSON, none in tables]
option-write = Keep what --interface captures in this file; one that is there stays unless --overwrite is given
option-write-size = Bytes per write [default: any, a range]
value-autotuning-level-disabled = 64 KiB
value-autotuning-level-experimental = 1 GiB
value-autotuning-level-highlyrestricted = 256 KiB
value-autotuning-level-normal = 16 MiB
value-autotuning-level-restricted = 1 MiB
value-by-cgroup = Control group
value-by-none = Each connection by itself
value-by-peer = The peer's address
value-by-port = The listening port, else the peer's
value-by-process = Name of the process
value-color-always = Always
value-color-auto = When standard output is a terminal
value-color-never = Never
value-device-local = veth or loopback, with offloads
value-device-local-single = veth with offloads off
value-device-nic = A network interface
value-format-openmetrics = OpenMetrics 1.0
value-format-prometheus = The Prometheus text format 0.0.4
value-group-cause = By what held them back
value-group-host = By the server's address
value-group-port = By the server's port
value-mode-auto = Accounts where they are to be had
value-mode-bpf = Accounts, or an error
value-mode-samples = Samples
value-names-all = Both
value-names-dns = As this machine's resolver has them: it may ask others for them
value-names-sni = What clients called their servers in the capture: the server name of TLS, the host of HTTP
value-of-audit = Of `tcpwhy audit --json`
value-of-buffers = Of `tcpwhy buffers --json`
value-of-compare = Of `tcpwhy compare --json`
value-of-explain = Of `tcpwhy explain --json`
value-of-lab = Of `tcpwhy lab run --json` and `tcpwhy lab compare --json`
value-of-live = Of `tcpwhy live --json` (a line of --jsonl is its definition `LiveRecord`)
value-of-predict = The document of `tcpwhy predict --json`
value-of-sim = The document of `tcpwhy sim run --json`
value-of-tables = The columns of `tcpwhy explain --parquet` and `--arrow`
value-severity-critical = The main reason why a transfer is slow, or failed
value-severity-info = Anything that held the connection back
value-severity-warning = Something that costs time
value-sort-bytes = Most bytes first
value-sort-retransmissions = Most retransmissions first
value-sort-saving = Largest potential saving first
value-sort-time = Longest first
value-svg-theme-auto = As the reader's system prefers
value-svg-theme-dark = Light on dark
value-svg-theme-light = Dark on light
value-theme-auto = None where NO_COLOR is set, else by COLORFGBG, else those for dark and light ground alike
value-theme-dark = For dark ground
value-theme-light = For light ground
value-theme-none = Letters and bold text instead of colours
value-units-iec = KiB, MiB: powers of 1024
value-units-si = kB, MB: powers of 1000
value-vantage-all = Everywhere
value-vantage-begun-late = At the sender, begun after 30 % of the transfer
value-vantage-clock-steps = At the sender, whose clock is set forward and back
value-vantage-copies = At the sender, each packet twice, the second with a TTL of one less
value-vantage-ended-early = At the sender, ended after 70 % of the transfer
value-vantage-middle = Half way
value-vantage-near-receiver = 3 ms from the receiver
value-vantage-near-sender = 3 ms from the sender
value-vantage-receiver = At their receiver
value-vantage-sender = At the sender of the data
value-when-after-connect = After connect() or right after accept(), before any data
value-when-after-data = While data flows
value-when-before-connect = On the connecting socket, before connect()
value-when-on-listener = On the listening socket; accepted sockets inherit it
value-words-all = Sentences, texts of fixes, lines to copy
value-words-none = Numbers and ids only

## Where there is no Linux.

command-live-after-elsewhere = It needs Linux, whose kernel tells of its sockets. Here a capture tells the same: `tcpwhy FILE`.
command-lab-after-elsewhere =
    It needs Linux: namespaces, TAP devices and the counters of its kernel. In a virtual machine it works as well.
    What it found out can be read everywhere: the case book, https://github.com/tcpwhy/tcpwhy/tree/main/docs/cases
command-record-after-elsewhere = It needs Linux, whose kernel tells of its sockets. What was recorded there is explained here: `tcpwhy FILE`.
command-export-after-elsewhere = It needs Linux, whose kernel tells of its sockets.

## In place of the argument parser's own words, which are English.

help-usage = Usage: { $usage }
help-commands = Commands
help-arguments = Arguments
help-options = Options
help-help = Print help
help-version = Print version
help-default = [default: { $values }]
help-values = [possible values: { $values }]
help-values-heading = Possible values:
help-value = - { $name }: { $meaning }
help-separator = { ", " }
manual-heading-name = NAME
manual-heading-synopsis = SYNOPSIS
manual-heading-description = DESCRIPTION
manual-heading-options = OPTIONS
manual-heading-subcommands = SUBCOMMANDS
manual-heading-extra = EXTRA
manual-heading-version = VERSION
usage-error = error: { $what }
usage-error-hint = tip: { $hint }
usage-error-more = For more information, try '--help'.
usage-error-invalid-value = invalid value '{ $value }' for '{ $argument }'
usage-error-invalid-value-why = invalid value '{ $value }' for '{ $argument }': { $why }
usage-error-no-value = a value is required for '{ $argument }' but none was supplied
usage-error-unknown-argument = unexpected argument '{ $argument }' found
usage-error-unknown-subcommand = unrecognized subcommand '{ $command }'
usage-error-missing-subcommand = '{ $command }' requires a subcommand but one was not provided
usage-error-subcommands = [subcommands: { $names }]
usage-error-no-equals = equal sign is needed when assigning values to '{ $argument }'
usage-error-too-many-values = unexpected value '{ $value }' for '{ $argument }' found; no more were expected
usage-error-too-few-values = { $least } values required by '{ $argument }'; only { $given } were provided
usage-error-wrong-number-of-values = { $expected } values required for '{ $argument }' but { $given } were provided
usage-error-conflict-with-others = the argument '{ $argument }' cannot be used with one or more of the other specified arguments
usage-error-twice = the argument '{ $argument }' cannot be used multiple times
usage-error-conflict = the argument '{ $argument }' cannot be used with '{ $others }'
usage-error-missing-arguments = the following required arguments were not provided:
usage-error-not-utf-8 = invalid UTF-8 was detected in one or more arguments
usage-error-similar-subcommand = a similar subcommand exists: '{ $names }'
usage-error-similar-argument = a similar argument exists: '{ $names }'
usage-error-similar-value = a similar value exists: '{ $names }'
