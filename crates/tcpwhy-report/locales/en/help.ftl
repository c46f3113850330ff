## Help of the command line: command-NAME for what a command does, -after for the text below its options;
## option-NAME for an option, -in-COMMAND where one command words it differently; value-NAME-VALUE for its
## values.

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
command-buffers = Compute what a socket buffer allows: SO_SNDBUF, SO_RCVBUF, sysctls, windows, rates
command-buffers-after =
    Examples:
      tcpwhy buffers                                      what autotuned connections of this host get
      tcpwhy buffers --sndbuf 256KiB --rtt 20ms --bandwidth 100mbit
      tcpwhy buffers --sndbuf 16KiB --rtt 20ms --bandwidth 100mbit --bytes 22MB
      tcpwhy buffers --window 2MiB --rtt 200ms            the rate of a window, and buffers that give it
      tcpwhy buffers --rcvbuf 4MiB --when after-connect --rtt 26ms --why
      tcpwhy buffers --rcvbuf 128KiB --kernel 6.5         the defaults of another kernel
      tcpwhy buffers --kernel 3.10                        CentOS 7
      tcpwhy buffers --os windows-10 --sndbuf 64KiB --rtt 20ms
      tcpwhy buffers --sysctl-file saved.txt --sysctl net.core.wmem_max=16777216 --sndbuf max
      tcpwhy buffers --sndbuf 64KiB --rtt 10ms --bandwidth 1gbit --svg rate.svg
    Sizes: 16k is 16,000 bytes, as in printed sizes; 16KiB is 16,384 (16k in iperf3 and tc).
    max is the largest number; programs write it as -1.
command-compare = Compare two captures, two connections, or both ends of one connection
command-compare-after =
    Examples:
      tcpwhy compare sender.pcap receiver.pcap      both ends of the same transfers: losses and
                                                    delays between them
      tcpwhy compare before.pcap after.pcap         which transfers differ, and how
      tcpwhy compare a.pcap b.pcap --connections 3:7
      tcpwhy compare a.pcap a.pcap --connections 3:7
    Two connections match if their SYNs have the same sequence number and port (NAT may change the
    addresses), or, without SYNs, the same ends and sequence numbers. Clocks need not agree.
    Exit status: 0 compared, 2 an error, or no matching connections.
command-completions = Print a completion script
command-explain = Explain captures (the default: `tcpwhy FILE` is `tcpwhy explain FILE`)
command-explain-after =
    Examples:
      tcpwhy slow.pcap                              what limited the transfer, and what to change
      tcpwhy big.pcapng --top 20                    the 20 connections with the largest potential saving
      tcpwhy big.pcapng --connection 17             one of them in detail
      tcpwhy big.pcapng --limit send_buffer         connections that the send buffer limited
      tcpwhy big.pcapng --filter 'net 10.0.0.0/8 and not port 22'
      tcpwhy big.pcapng --host 10.0.0.0/8 --port 22 only these connections
      tcpwhy big.pcapng --from 14:03 --to 14:05     connections open in these two minutes
      tcpwhy slow.pcap --why 3.2s                   what limited it at that moment, and why
      tcpwhy -i eth0 port 443                       capture until Ctrl-C, then report; needs root
      tcpdump -i eth0 -s 96 -w - tcp | tcpwhy -     read from a pipe, until Ctrl-C
      tcpwhy slow.pcap --html report.html           write a page with charts, to keep or to send
      tcpwhy serve huge.pcapng                      the same page on a local port, for any size
      tcpwhy --fail-on send_buffer:50% ci.pcap      exit status 1 if that took half of the time
      tcpwhy --json slow.pcap | jq '.connections[].halves[].verdict'
    Exit status: 0 analysed (a damaged file as far as it could be read, with a warning).
    1 a limit at or over --fail-on (even if other files could not be read). 2 nothing readable, a
    read error (packets before it are analysed), nothing that --fail-on could check, or wrong use.
command-mcp = Let an AI assistant ask questions (Model Context Protocol)
command-mcp-after =
    Answers have at most 4 kB, with packet numbers. The server reads only files below the folders.
    Nothing leaves the machine. Configuration for the usual clients: docs/mcp.md
    To see what clients may do: tcpwhy mcp --check FOLDER
command-export = Export metrics for Prometheus: what limits the connections of this host
command-export-after =
    Examples:
      tcpwhy export                                       http://127.0.0.1:9817/metrics, until Ctrl-C
      tcpwhy export --listen 0.0.0.0:9817 --cpu 2%        for a Prometheus elsewhere; keeps nobody out
      tcpwhy export --once                                one scrape as text, after two seconds
      tcpwhy export -o /var/lib/prometheus/node-exporter/tcpwhy.prom
                                                          a file for node_exporter, rewritten every 15 s
      tcpwhy export --dashboard > tcpwhy.json             a dashboard for Grafana
      tcpwhy export --alerts > tcpwhy.rules.yml           alert rules for Prometheus
    Exit status: 0 ended by a signal, or printed, 2 an error.
command-lab = Run transfers with a known cause on this kernel, and explain them
command-lab-after =
    Examples:
      tcpwhy lab list                               list the scenarios
      tcpwhy lab show sndbuf-16k                    show one, and how to do the same by hand
      tcpwhy lab run sndbuf-16k                     run it here, and explain it
      tcpwhy lab run all                            run all: expected and found
      tcpwhy lab run random:7:20                    run 20 transfers drawn with seed 7
      tcpwhy lab new mine.toml                      write a new scenario; lab schema explains every key
      tcpwhy lab run mine.toml --out /tmp/mine      run your own (as root: see --allow-programs)
      tcpwhy lab compare sndbuf-16k sndbuf-auto     before and after a fix, side by side
      tcpwhy lab shell sndbuf-16k                   a shell at one end of its link
    Exit status: 0 as expected, 1 not as expected, 2 an error.
command-lab-book = Write the case book: run every bundled scenario, a page each with story, picture and verdict
command-lab-cell = Run one end of a scenario; started by the other subcommands
command-lab-compare = Run two scenarios, or read two recordings, and show them side by side: before and after a fix
command-lab-guardian = Restore the machine's settings when a run is killed; started by the other subcommands
command-lab-list = List the scenarios
command-lab-new = Write a new scenario file
command-lab-prove = Test the verdict on a capture: rebuild the transfer and its rival causes, run each with and without the fix
command-lab-run = Run scenarios here, explain the captures of both ends, and compare with the expected limit
command-lab-schema = Print what a scenario file may contain: a JSON schema for editors, or a reference
command-lab-score = Run random transfers with a known cause, and count how often explain is right
command-lab-shell = Open a shell, or run a command, at an end of a scenario's link
command-lab-show = Show a scenario: its story, its settings, and how to do the same by hand
command-sim = Simulate transfers: sockets, kernels, hosts and the path between them
command-sim-after =
    Examples:
      tcpwhy sim run sndbuf-16k                     how long it takes, and what limits it
      tcpwhy sim run sndbuf-16k --set sender.sndbuf=auto --set path.rtt=100ms
      tcpwhy sim run sndbuf-16k --set kernel=6.1    the same on another kernel
      tcpwhy sim run mine.toml --seeds 20           with other losses and hosts: a range
      tcpwhy sim run mine.toml --pcapng mine.pcapng also write the packets at the sender
      tcpwhy sim compare sndbuf-16k                 compare with this kernel: times, causes, counters
      tcpwhy sim score recordings                   compare with what the kernel did
    The scenarios are those of `tcpwhy lab`, which runs them on the kernel of this machine.
    sim compare runs there too: on Linux, with the permissions that `tcpwhy lab run` needs.
    Exit status: 0 simulated, 2 an error, or a transfer that does not end.
command-predict = Rebuild a captured transfer by simulation, and show how fast changes would make it
command-predict-after =
    Examples:
      tcpwhy predict slow.pcapng                           how much each suggested fix would save
      tcpwhy predict slow.pcapng --fix remove-so-sndbuf    one fix by its id
      tcpwhy predict slow.pcapng --set path.rtt=200ms      and from Singapore?
      tcpwhy predict slow.pcapng --set path.rate=1gbit     and over a faster line?
      tcpwhy predict slow.pcapng --set kernel=6.1 -c 3     connection 3, on another kernel
    tcpwhy rebuilds the transfer from its packets, compares it with the real one, and simulates it
    again with the change. --set takes the keys of scenarios, as in `tcpwhy sim run`.
    Exit status: 0 predicted, 2 an error, or a transfer that cannot be rebuilt.
command-sim-run = Simulate scenarios: how long they take, what limits the sender, what the sockets count
command-sim-compare = Run a scenario on this kernel and in the simulator, and show both side by side
command-sim-score = Simulate transfers of a real kernel, and show how far off the simulator is
command-live = Show what limits every connection of this host, now and over time
command-live-after =
    Examples:
      tcpwhy live                                   what limits every connection of this host
      tcpwhy live process:nginx !port:22            only these connections
      tcpwhy live --once                            the list as text, after two seconds
      tcpwhy live --for 10s --json                  one document after 10 seconds
      tcpwhy live --for 10s --jsonl                 intervals and connections as they end
      tcpwhy live --once --fail-on send_buffer:50%  exit status 1 if that took half of the time
      tcpwhy live --check                           what works here, and what is missing
      tcpwhy live night.pcapng process:mysqld       the same from a recording
    Exit status: 0 watched, 1 a limit at or over --fail-on, 2 an error, or nothing that --fail-on
    could check.
command-man = Print the manual page (troff), or write the pages of all commands
command-record = Record packets together with the kernel's data about its sockets
command-record-after =
    Examples:
      tcpwhy record -o slow.pcapng                  all interfaces, until Ctrl-C
      tcpwhy record port 443 -i eth0 --for 30s -o slow.pcapng
      tcpwhy record --ring 1GB -o night.pcapng      the last 1 GB, in ten files night-00001.pcapng …
      tcpwhy record --ring 1GB --when 'limit=send_buffer for 5s' -o night.pcapng
                                                    until a limit has lasted that long
      tcpwhy record --no-packets -o slow.pcapng     only the kernel's data: needs no rights
      ssh host tcpwhy record --for 30s -o - | tcpwhy -
      tcpwhy slow.pcapng                            explain packets and kernel data together
      tcpwhy live slow.pcapng                       show what live would have shown
    It needs the CAP_NET_RAW capability, which root has, and gives it up once the interface is open.
    Exit status: 0 recorded, 2 an error (the file has everything before it).
command-rules = List the rules behind the findings, or explain one
command-schema = Print the JSON Schema of --json and --jsonl, or the columns of tables
command-serve = Serve the page of --html on a local port, with every detail of large captures
command-tcpwhy = Show what limited a TCP connection, for how long, on what evidence, and what to change
command-tcpwhy-long =
    Show what limited a TCP connection, for how long, on what evidence, and what to change.
    tcpwhy reads packet captures (pcap, pcapng; plain, gzip or zstd). Every moment of every connection that carried data has one limit: send buffer, receive window, congestion window, slow start, loss recovery, path, application, delayed ACKs … The answer names the limit to act on first, its cost in seconds, the fix, and how much time the fix would save.
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
option-after = The scenario or recording to compare with
option-alerts = Print alert rules on these metrics for Prometheus, as YAML, then exit
option-all-namespaces = Also read the network namespaces of all processes (containers); needs root
option-allow-host = Also answer requests for this host name; repeatable. Otherwise requests must name the address of --listen (any address for 0.0.0.0 or ::). So no web page can read the metrics under its own name
option-allow-programs = As root: let scenario files run their programs and change settings of the whole machine (bundled scenarios always may)
option-annotate = Write the capture again as pcapng, with packet comments for Wireshark: a connection's limit on its first packet, and each limit where it begins. One capture; filters choose connections; `-` is standard output
option-allow-live = Also let clients watch this host and audit it, read-only
option-at = The end at which the capture is taken
option-check-in-mcp = Print what clients may do, and a configuration to paste, then exit
option-dirs-in-sim-score = Recordings of `tcpwhy lab run`, folders with scenario.json and truth.json, runs of a kernel in virtual time (NAME.truth.json), or folders of these
option-folders = Folders whose files clients may ask about
option-json-in-sim-compare = Print one JSON document
option-json-in-sim-run = Print one JSON document (see `tcpwhy schema sim`)
option-json-in-sim-score = Print one JSON document
option-max-size = Size of the largest file to read
option-pcapng = Write the packets of one end as a capture (headers only), marked as simulated
option-seeds = Simulate it this many times, each with other losses and other hosts, for a range of times
option-set = Replace a value of the scenario: sender.sndbuf=auto, path.rtt=100ms, sender.sysctl.net.ipv4.tcp_wmem=…, kernel=6.1; auto is the default. `tcpwhy lab schema --reference` lists the keys; repeatable
option-set-in-sim-compare = Replace a value of the scenario: sender.sndbuf=auto, path.rtt=100ms; auto is the default. `tcpwhy lab schema --reference` lists the keys; repeatable
option-target-in-sim-compare = The scenario: a name, random:SEED/NUMBER or a file ending in .toml. Or the folder of a recording of `tcpwhy lab run`, which is not run again
option-targets-in-sim-run = Names of scenarios, files that end in .toml, random:SEED:COUNT, or all
option-timeout = Longest time for one answer
option-anonymize = Replace addresses and the names of files and interfaces everywhere; addresses with a common prefix keep one
option-anonymize-key = Like --anonymize, with this key. Everybody on this machine can read it
option-anonymize-key-file = Like --anonymize, with the key in a file (a passphrase or 64 hexadecimal digits): the same key gives the same replacements in every run
option-arrow = Write one table to standard output as an Arrow IPC stream
option-autotuning-level = Autotuning level of Windows (netsh interface tcp show global)
option-bandwidth = Bandwidth of the path (100mbit, 1gbit, 12.5MB/s)
option-before = A scenario, or the folder of a recording
option-by = How to group connections
option-bytes = Size of a transfer: print how long it takes, slow start included
option-cgroup = Add a label with the control group of the process
option-check = Print what works here, what does not and what that needs, then exit
option-code = Print code of fixes for this language or server, or for all [default: by the server's port, else c]
option-color = Colours; auto: on a terminal, unless NO_COLOR is set
option-command = The command and its arguments, after `--` [default: a shell]
option-connection = Only connection number N, in detail
option-connection-in-lab-prove = This connection of it, as explain numbers them [default: the one with the most payload]
option-connection-in-predict = This connection, as explain numbers them [default: the one whose data took longest]
option-connections = Connection N of A and connection M of B
option-cpu = Share of one processor that sampling may use; tcpwhy samples less often if that is too little
option-cpu-in-record = Share of one processor that sampling sockets may use; capturing packets comes on top
option-dashboard = Print a dashboard of these metrics for Grafana, as JSON, then exit
option-device = Device that delivers segments: a network interface, or veth and loopback
option-dirs = Recordings of `tcpwhy lab run`, or folders that hold them
option-dry-run = Rebuild only, run nothing
option-duration = How long to watch [default: 2s with --once and --json, otherwise until interrupted]
option-duration-in-export = How long to watch before the scrape of --once
option-duration-in-record = How long to record: 30s, 10m, 8h [default: until interrupted]
option-end = The end at which it runs; $SERVER is the sender's address
option-fix = The fix with this id; several are predicted one by one and all together
option-no-sim = Predict by formulas, without simulation: faster, but more often only a bound
option-exchanges = Print each request with its answer on a line of its own
option-fail-on = Exit with status 1 if a direction spent at least SHARE of its time (0.5, 50%) under LIMIT, or without SHARE if LIMIT is its verdict; repeatable. `send_buffer`, `receive_window/slow_reader` …
option-fail-on-in-audit = Exit with status 1 on a finding of this severity or worse (info, warning, critical), or of this rule; repeatable
option-fail-on-in-live = Exit with status 1 if a direction spent at least SHARE of the watched time (0.5, 50%) under LIMIT, or without SHARE if LIMIT is its verdict. With --once, --json or --jsonl; repeatable
option-file = The file to write, a new one unless --overwrite is given; its name without .toml names the scenario
option-file-in-predict = A capture: pcap or pcapng, also compressed; `-` is standard input
option-file-in-lab-prove = The capture whose verdict to test
option-files = Captures to read: files, folders, archives (tar, tgz, zip), quoted patterns such as '*.pcap'. `-` is standard input: the first Ctrl-C stops reading and prints the report. With --interface: a filter like that of --filter
option-files-in-serve = Captures to read; `-` is standard input
option-filter = Only connections that match this filter, in the syntax of tcpdump; either end counts: `host 10.0.0.1 and not port 22`
option-filter-in-explain = Only connections that match this filter, in the syntax of tcpdump: host, net, port, portrange, ip, ip6, and, or, not, parentheses. Either end counts: `host 10.0.0.1 and not port 22`
option-filter-in-live = Only connections that match all of these: words in their line, process:NAME, port:N, peer:ADDR, local:ADDR, limit:ID, cgroup:PATH; `!` in front negates. FILE.pcapng (.gz, .zst) is a recording of `tcpwhy record` to show instead of this host
option-first = The first capture, A
option-folder = Folder of the pages
option-folder-in-man = Folder for the pages: tcpwhy.1, tcpwhy-explain.1 …
option-force = Set with SO_SNDBUFFORCE and SO_RCVBUFFORCE (CAP_NET_ADMIN)
option-format = Format of --once and --output; over HTTP the client chooses
option-format-in-explain = Format of the output: text for the terminal, JSON (like --json and --jsonl), or Markdown for tickets and chats. Markdown has at most 60 lines: the answer, one table, the fix
option-from = Only connections that were open at or after this time. All packets are analysed, because windows need the SYN; the report of one connection covers its time between --from and --to. The time is seconds from the first packet of the capture (3.2, 150ms), a time of day (14:03:05) or a date and time (2026-11-22 14:03:05)
option-group = One row per server, per server port, or per cause
option-host = Only connections of this host: an address, a CIDR prefix or the start of an address; repeatable
option-html = Write one self-contained page with interactive charts; `-` is standard output
option-html-in-lab-compare = Also write a folder to publish: both pictures on equal axes, published, computed and measured seconds, and the settings; English and Chinese
option-html-in-lab-run = Also write a page with charts for each capture: sender.html and receiver.html beside them
option-id = The rule to explain
option-idle = With --once, --json and --jsonl: also connections without traffic
option-interface = Capture on this interface (`any`: all of them), headers only, until Ctrl-C, then report. Linux, CAP_NET_RAW
option-interface-in-record = The interface to capture on; `any` is all of them
option-interval = Watch the counters of this host for this long (10s) and print the moving ones
option-ipv6 = Use IPv6: each segment carries 20 bytes less
option-jobs = Number of small captures (under 4 MiB) to analyse at the same time [default: the number of processors]
option-json = Print one JSON document (see `tcpwhy schema lab`)
option-json-in-audit = Print one JSON document (see `tcpwhy schema audit`)
option-json-in-buffers = Print one JSON document (see `tcpwhy schema buffers`)
option-json-in-compare = Print one JSON document (see `tcpwhy schema compare`)
option-json-in-explain = Print one JSON document (see `tcpwhy schema`)
option-json-in-lab-prove = Print one JSON document
option-json-in-lab-score = Print one JSON document
option-json-in-predict = Print one JSON document (see `tcpwhy schema predict`)
option-json-in-live = Print one JSON document after --for (see `tcpwhy schema live`)
option-jsonl = Print one JSON object per line, connections as they finish; for captures too large for memory
option-jsonl-in-live = Print one JSON object per line: intervals and connections as they end
option-kernel = Kernel, 3.10 or later (6.18, 5.15.0-91-generic), or windows, windows-server-2022, macos, freebsd [default: the running one]
option-kernel-in-audit = The kernel version whose rules apply [default: the host's]
option-lang = Language of the words [default: from the locale]
option-like = Start from this scenario instead of an empty one: a name, random:SEED/NUMBER, a file
option-limit = Only connections whose verdict is this limit; repeatable: `send_buffer`, `receive_window/slow_reader` …
option-listen = Address to listen on; port 0: any free port. Other hosts can reach it only if the address is not loopback. The printed address contains a key: only its owner sees the captures
option-listen-in-export = Address to listen on; port 0: any free port. Everybody who can reach it sees the names of this host's processes, their ports and how much they transfer. An address other than loopback needs a firewall
option-markdown = Write accuracy.md and accuracy.zh-CN.md into this folder
option-max-series = Largest number of time series. Further processes and ports are counted together as `other`, until others have had no connection for an hour
option-merge = Merge the files by time into one capture (rotated files of one host)
option-min-bytes = Only connections that carried at least this much (1500, 64k, 10MB, 1GiB)
option-mode = How to ask the kernel. With bpf, it adds up each connection's time at every ACK and write (CAP_BPF and CAP_PERFMON). With samples, tcpwhy reads the sockets several times per second. Auto uses what works here
option-mtu = MTU of the link in bytes
option-names = Print names beside addresses, of both kinds or of one
option-netem = Emulate the link with the kernel's netem and tbf instead of tcpwhy's own emulator
option-no-packets = Record no packets, only the kernel's data about its sockets
option-no-setsockopt = Do not watch which buffers applications set. On kernels that cannot hook into functions, watching costs about 0.1 µs per system call of the host
option-nodelay = TCP_NODELAY is set
option-notsent-lowat = TCP_NOTSENT_LOWAT [default: net.ipv4.tcp_notsent_lowat]
option-of = The command whose document to describe
option-once = Print the list as text, once
option-once-in-export = Print one scrape after the time of --for, then exit
option-out = Folder of the recordings: one folder each, named after the scenario
option-out-in-lab-prove = Keep the recordings in this folder
option-out-in-lab-score = With --random: keep the recordings here; existing ones are not run again
option-output = The file to write; `-` is standard output, and devices and FIFOs work too. An existing file is kept, and tcpwhy stops
option-output-in-export = Write the metrics to FILE (`-` is standard output) every 15 s instead of listening, in the Prometheus text format. The textfile collector of node_exporter reads files that end in .prom
option-overwrite = Replace existing files even if tcpwhy did not write them. Input files are never replaced
option-overwrite-in-record = Replace existing files, recordings too; for a ring, all files of an earlier one of that name
option-parquet = Write all tables below DIR as Parquet files, for DuckDB, Polars, pandas and Spark: DIR/TABLE/PART-0000.parquet. Running again replaces the same files
option-part = Start the names of the files with NAME [default: a hash of the command line]
option-path = A path that the host should fill: 100mbit,20ms or 10gbit,100ms,9000 (with its MTU); repeatable
option-payload = Also record payload, as far as --snap allows; otherwise no payload is stored
option-peer = Add a label with the peer's network: prefix bits for IPv4 and, after a comma, IPv6 (24 is 24,48). 0 is all
option-poll = The application polls before every write
option-port = Only connections with this port; repeatable
option-problem = Only the connections of problem N in the report
option-quiet = Print no progress, no warnings
option-quiet-in-audit = Print only the first three lines; no warnings
option-quiet-in-buffers = Print only the first three lines; no warnings
option-quiet-in-compare = Print no progress
option-quiet-in-explain = Print only the first three lines; no progress, no warnings
option-quiet-in-export = Do not report what was written
option-quiet-in-man = Do not report what was written
option-quiet-in-record = Print only warnings at the end
option-random = First run COUNT transfers drawn with SEED, then score them
option-rate = Samples per second of active connections, as far as --cpu allows
option-rcvbuf = SO_RCVBUF that the application sets [default: none, autotuning]
option-recordings = Use recordings from this folder; missing ones are run and kept there
option-recursive = Also read subfolders
option-reference = Print a reference in Markdown instead: every key with its unit, default and range
option-repeat = Run each scenario this many times
option-resume = Skip captures whose rows are in DIR already, and add the others
option-ring = Keep only the last SIZE, in ten numbered files named after FILE (64MB, 1GB)
option-rtt = Round-trip time of the path (20ms, 350us, 0.2s)
option-save = Save the data read from this host in a new directory, to check it elsewhere; only you may read it
option-saved = A saved host, a directory or one file [default: this host]
option-scenario = Write the rebuilt scenario to this file, to change it and run it again
option-script = Print only the script that does the same by hand
option-second = The second capture, B
option-seed = Seed of losses, jitter and reordering [default: the scenario's own]
option-severity = Only connections with a finding of this severity or worse
option-max-unpacked = Read compressed files and archives up to this uncompressed size, even beyond 1000 times their length [default: 256MiB]
option-shard = Only part I of N of the captures, by a hash of their names: for N machines that share the work
option-shell = The shell to print it for
option-skb-overhead = Memory that an skb needs besides its payload, if you measured it [default: by kernel version]
option-snap = Bytes to keep of each packet
option-sndbuf = SO_SNDBUF that the application sets (16k, 4MiB, max, -1) [default: none, autotuning]
option-sort = Order of the connections in the table
option-suppose = Test this cause instead of the verdict (send_buffer, receive_window/small_buffer, path …; ids as in --filter)
option-svg = Write static charts of the --top connections, one SVG file each
option-svg-in-buffers = Also write the charts as a picture
option-svg-theme = Background of the static charts; auto follows the reader's system
option-svg-time = Time range of the static charts, in seconds from the connection's first packet: 1.2-1.4
option-sysctl = Replace one of the settings; repeatable
option-sysctl-file = Read settings from a saved `sysctl -a` instead of this host
option-sysctl-file-in-audit = Read settings from a saved `sysctl -a`, instead of those of SAVED
option-sysctl-in-audit = Check as if this setting had that value; repeatable
option-table = The table: connections, halves, limits, findings, evidence, intervals, exchanges, services, problems, fixes or captures [default: connections]
option-target = The scenario: a name, random:SEED/NUMBER, a file ending in .toml
option-targets = Scenarios: names, `all`, `random:[talk:]SEED[:COUNT]`, files ending in .toml
option-targets-in-lab-book = Only these scenarios; the index has no others
option-theme = Colours of the screen
option-timeline = Print every interval of time with its limit
option-to = Only connections that were open before this time; formats as for --from
option-top = Rows of the table when there are many connections
option-top-in-audit = Rows of the table of sockets
option-top-in-compare = Pairs to show
option-top-in-live = Rows of the list with --once
option-units = Units of printed sizes; sizes on the command line name theirs (64k, 64KiB)
option-user = Run as this user. Root needs it for each other user, and to stay root [default for root: the user who called sudo, else nobody]
option-utc = Print clock times in UTC [default: the local zone, or that of TZ]. JSON is always in UTC
option-utc-in-compare = Print clock times in UTC [default: the local zone]
option-flips = Also change each chosen threshold by a third, one at a time, and count changed verdicts. Each capture takes about fifty times as long
option-vantage = Only the captures taken there, several with commas; missing ones are made from the captures of the ends [default: sender,receiver,middle]
option-verbose = Also print a line per capture
option-verbose-in-sim-score = Print a line per transfer, not only for those that are far off
option-when = When the application sets it
option-when-in-record = Stop ten seconds after a limit has lasted for 90 % of TIME: `limit=send_buffer for 5s`. Earlier data is kept as far as --ring allows
option-why = Explain what limited the connection at this moment: a time from the connection's first packet (3.2s, 3.2, 150ms). With --json and --jsonl, `timeline` has only the interval of that moment
option-why-in-buffers = Print every step with its rule and source
option-width = Columns of the output [default: those of the terminal, else 80]; prose is at most 100 wide
option-window = Start from a window, as seen in a capture: print its rate and the buffers that give it
option-window-clamp = TCP_WINDOW_CLAMP, set before connect() or on the listening socket
option-words = Which words to write in JSON and tables [default: all in JSON, none in tables]
option-write = Keep the capture of --interface in this file; an existing file is kept unless --overwrite is given
option-write-size = Bytes per write [default: any, a range]
value-autotuning-level-disabled = 64 KiB
value-autotuning-level-experimental = 1 GiB
value-autotuning-level-highlyrestricted = 256 KiB
value-autotuning-level-normal = 16 MiB
value-autotuning-level-restricted = 1 MiB
value-by-cgroup = Control group
value-by-none = Each connection on its own
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
value-group-cause = By cause
value-group-host = By the server's address
value-group-port = By the server's port
value-mode-auto = Kernel statistics if available, else samples
value-mode-bpf = Kernel statistics, or an error
value-mode-samples = Samples
value-names-all = Both
value-names-dns = From this machine's resolver, which may ask other servers
value-names-sni = From the capture: the server name of TLS, the host of HTTP
value-of-audit = The document of `tcpwhy audit --json`
value-of-buffers = The document of `tcpwhy buffers --json`
value-of-compare = The document of `tcpwhy compare --json`
value-of-explain = The document of `tcpwhy explain --json`
value-of-lab = The document of `tcpwhy lab run --json` and `tcpwhy lab compare --json`
value-of-live = The document of `tcpwhy live --json` (a line of --jsonl is its definition `LiveRecord`)
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
value-svg-theme-auto = Follow the reader's system
value-svg-theme-dark = Light on dark
value-svg-theme-light = Dark on light
value-theme-auto = None if NO_COLOR is set, else by COLORFGBG, else colours for dark and light backgrounds alike
value-theme-dark = For a dark background
value-theme-light = For a light background
value-theme-none = Letters and bold text instead of colours
value-units-iec = KiB, MiB: powers of 1024
value-units-si = kB, MB: powers of 1000
value-vantage-all = Everywhere
value-vantage-begun-late = At the sender, started after 30 % of the transfer
value-vantage-clock-steps = At the sender, with a clock that is set forward and back
value-vantage-copies = At the sender, each packet twice, the second with a TTL lower by one
value-vantage-ended-early = At the sender, stopped after 70 % of the transfer
value-vantage-middle = Halfway
value-vantage-near-receiver = 3 ms from the receiver
value-vantage-near-sender = 3 ms from the sender
value-vantage-receiver = At the receiver of the data
value-vantage-sender = At the sender of the data
value-when-after-connect = After connect() or right after accept(), before any data
value-when-after-data = While data flows
value-when-before-connect = On the connecting socket, before connect()
value-when-on-listener = On the listening socket; accepted sockets inherit it
value-words-all = Sentences, texts of fixes, lines to copy
value-words-none = Only numbers and ids

## Where there is no Linux.

command-live-after-elsewhere = live needs Linux, whose kernel reports on its sockets. Here, explain a capture instead: `tcpwhy FILE`.
command-lab-after-elsewhere =
    lab needs Linux: namespaces, TAP devices and the counters of its kernel. A virtual machine works as well.
    Its results can be read everywhere: the case book, https://github.com/tcpwhy/tcpwhy/tree/main/docs/cases
command-record-after-elsewhere = record needs Linux, whose kernel reports on its sockets. Recordings from there are explained here: `tcpwhy FILE`.
command-export-after-elsewhere = export needs Linux, whose kernel reports on its sockets.

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
