#!/usr/bin/env python3
"""Compares the output of `tcpwhy live` with situations of a known cause, limit and form.

    tools/live.py [--tcpwhy PATH] [--modes bpf,samples] [--rates 1,2,10] [--situations DIR] [--out DIR]
                  [--json FILE] [--emulated]
                  [SITUATION...]

Runs each SITUATION in the lab, as root: names in tools/situations, without any all of them, or anything that
`tcpwhy lab run` takes. One `tcpwhy live --jsonl` for each mode and rate watches at the same time.

tools/situations/situations.csv has the answers:
- the end that is judged,
- the verdicts that are right (a limit covers its forms) and the least share of time that they have together,
- `none` where no time may be lost: less than 1 %, and no warning,
- how connections of the run fail, and how many; `none`: none may fail. Samples do not see resets and
  refusals, and are not judged there.

The lab samples the sender's socket each millisecond. Shares of four groups are compared with these samples
(TV: half the sum of the differences). Time under retransmission timeouts counts only if the kernel counted
one (TCPTimeouts).
"""
import argparse, csv, glob, json, os, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
SITUATIONS = os.path.join(HERE, "situations")
GROUPS = ["network", "send buffer", "receive window", "application"]
NETWORK, SEND_BUFFER, RECEIVE_WINDOW, APPLICATION = range(4)
# The lab's names of limits.
OF_HELD = {"cwnd": NETWORK, "loss": NETWORK, "pacing": NETWORK, "nic": NETWORK, "sndbuf": SEND_BUFFER,
           "rwnd": RECEIVE_WINDOW, "idle": APPLICATION, "app": APPLICATION, "peer_window": APPLICATION,
           "nagle": APPLICATION}
# Before a FIN all data was sent and no more was to come: the socket attributes that to the application.
OF_LIMIT = {"path": NETWORK, "congestion_window": NETWORK, "slow_start": NETWORK, "loss_recovery": NETWORK,
            "send_buffer": SEND_BUFFER, "receive_window": RECEIVE_WINDOW, "application": APPLICATION,
            "ack_delay": APPLICATION, "tail_rtt": APPLICATION}
# Lateness of the emulated link above which TCP did not cause the result, as in `lab score`.
LATE_P99_NS, LATE_MAX_NS = 1_500_000, 15_000_000
# Seconds until the end of a connection must be reported.
PATIENCE_S = 3.0
# Seconds within which connections of a run must begin.
CLOCKS_S = 0.5
MOST_LOST = 0.01
# Most seconds that the lab takes to create its namespaces.
SETUP_S = 30
# The lab's addresses of its two ends.
SENDER, RECEIVER = ("192.0.2.10", "2001:db8:1::10"), ("198.51.100.20", "2001:db8:2::20")


def shares(parts):
    total = sum(seconds for _, seconds in parts)
    found = [0.0] * 4
    for group, seconds in parts:
        found[group] += seconds / total if total else 0.0
    return found


def distance(a, b):
    return sum(abs(x - y) for x, y in zip(a, b)) / 2


def namespaces():
    """A task in each network namespace of this host's threads, by inode."""
    found = {}
    for path in glob.iglob("/proc/[0-9]*/task/[0-9]*/ns/net"):
        try:
            found.setdefault(os.stat(path).st_ino, path)
        except OSError:
            pass
    return found


class Watch:
    """`tcpwhy live --jsonl`, written to a file: for the whole host if the kernel keeps accounts, otherwise
    for one namespace."""

    def __init__(self, tcpwhy, folder, mode, rate):
        self.mode, self.name = mode, f"{mode} {rate:g} Hz"
        self.path = os.path.join(folder, f"{mode}-{rate:g}.jsonl")
        self.command = [tcpwhy, "live", "--mode", mode, "--jsonl", "--cpu", "20%", "--rate", f"{rate:g}"]
        self.output = open(self.path, "wb")
        self.lines = open(self.path, "rb")
        self.begun = b""
        self.process = None

    def start(self, namespace=None):
        enter = ["nsenter", "--net=" + namespace] if namespace else []
        self.process = subprocess.Popen(enter + self.command, stdout=self.output, stderr=subprocess.DEVNULL)

    def read(self):
        """The connections that ended since the last call."""
        data = self.begun + self.lines.read()
        *lines, self.begun = data.split(b"\n")
        return [json.loads(line)["data"] for line in lines if line.startswith(b'{"type":"connection"')]

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None


def half_of(connection, answer):
    """The half that the judged end sends, or for a slow reader the half that it reads."""
    sender = int("slow_reader" in answer["right"])
    return next((half for half in connection["halves"] if half["sender"] == sender), None)


def id_of(verdict):
    return "/".join(filter(None, [verdict["limit"], verdict["detail"]])) if verdict.get("limit") else "none"


def covers(wanted, limit, detail):
    return any(w == limit or w == f"{limit}/{detail}" for w in wanted)


# Outcomes that only the kernel knows: samples cannot see them.
ENDS = {"refused", "reset_by_peer", "reset_by_this_end", "closed_under_way"}


def judge_outcomes(answer, connections, mode, is_emulated):
    """How connections failed, and whether that is right."""
    kinds = [outcome["kind"] for outcome in (c.get("outcome") for c in connections) if outcome]
    kind, count = (answer["outcome"].split() + ["1"])[:2] if answer["outcome"] != "none" else (None, "0")
    if mode == "samples" and kind in ENDS:
        return None
    said = ", ".join(f"{kinds.count(k)} {k}" for k in sorted(set(kinds))) or "none failed"
    wanted = kind.split("|") if kind else []
    # If the link was late, the run is repeated.
    times = max(1, len(kinds) // int(count)) if is_emulated and wanted else 1
    right = all(k in wanted for k in kinds) and len(kinds) == times * int(count)
    return {"said": said, "right": right, "why": "" if right else f"{answer['outcome']} is right", "connections": len(connections)}


def judge(answer, connections, truth):
    """The limits reported for the connections of one end, and whether that is right."""
    halves = [half for half in (half_of(c, answer) for c in connections) if half]
    if not halves:
        return {"said": "nothing", "right": False, "why": "not seen"}
    limits, lost, all_seconds = {}, 0.0, 0.0
    for half in halves:
        for part in half["limits"]:
            key = (part["limit"], part["detail"])
            limits[key] = limits.get(key, 0.0) + part["seconds"]
            all_seconds += part["seconds"]
    main = max(halves, key=lambda half: sum(part["seconds"] for part in half["limits"]))
    lost = sum(connection.get("lost_s") or 0.0 for connection in connections)
    wanted = answer["right"].split("|")
    share = sum(s for (limit, detail), s in limits.items() if covers(wanted, limit, detail)) / (all_seconds or 1.0)
    said = main["verdict"]
    why = []
    is_nothing = not said["limit"] or said["limit"] == "none"
    is_healthy = answer["lost"] == "none" and said["severity"] in ("none", "info", None)
    if not covers(wanted, said["limit"], said["detail"]) and not (is_healthy and (is_nothing or share >= float(answer["share"]))):
        why.append(f"says {id_of(said)}")
    if share < float(answer["share"]) and not (answer["lost"] == "none" and is_nothing):
        why.append(f"share {share:.2f}")
    warned = [half["verdict"] for half in halves if half["verdict"]["severity"] in ("warning", "critical")]
    if answer["lost"] == "none" and (warned or lost > MOST_LOST * all_seconds):
        why.append(f"{(warned or [said])[0]['severity']}, {lost:.2f} s lost")
    timeouts = sum(s for (limit, detail), s in limits.items() if detail == "rto")
    counted = ((truth.get("counted") or {}).get("sender") or {}).get("TcpExtTCPTimeouts", 0)
    if timeouts > 0 and not counted and truth.get("counted"):
        why.append(f"{timeouts:.2f} s of timeouts, none counted")
    result = {"said": id_of(said), "severity": said["severity"], "right": not why, "why": "; ".join(why), "share": round(share, 3),
              "lost_s": round(lost, 3), "seconds": round(all_seconds, 3), "connections": len(halves),
              "limits": {"/".join(filter(None, key)): round(s, 3) for key, s in sorted(limits.items(), key=lambda kv: -kv[1])}}
    if truth.get("sampled_pct") and len(halves) == 1:
        true = shares([(OF_HELD[held], percent) for held, percent in truth["sampled_pct"].items()])
        live = shares([(OF_LIMIT[limit], s) for (limit, _), s in limits.items() if limit in OF_LIMIT])
        result["tv"] = round(distance(true, live), 3)
    return result


def why_not(truth, is_emulated):
    """The reason why a transfer proves nothing. An emulated processor makes links late, which is ignored."""
    if is_emulated:
        return None
    quality = truth["quality"]
    lateness = quality["emulator"]["lateness"]
    if quality["doubts"]:
        return quality["doubts"][0]
    if lateness["p99_ns"] > LATE_P99_NS or lateness["max_ns"] > LATE_MAX_NS:
        return "late-link"
    return None


def answers(folder):
    with open(os.path.join(folder, "situations.csv"), newline="") as file:
        return {row["situation"]: row for row in csv.DictReader(file)}


def namespace_of(addresses, known, lab):
    """The namespace that the lab created for the end with one of these addresses."""
    until = time.time() + SETUP_S
    while time.time() < until and lab.poll() is None:
        for inode, path in namespaces().items():
            if inode in known:
                continue
            shown = subprocess.run(["nsenter", "--net=" + path, "ip", "-o", "address"], capture_output=True, text=True)
            if any(f" {address}/" in shown.stdout for address in addresses):
                try:
                    # The process in it may end before the namespace is entered; an open descriptor stays
                    # valid.
                    return f"/proc/{os.getpid()}/fd/{os.open(path, os.O_RDONLY)}"
                except OSError:
                    continue
        time.sleep(0.02)
    return None


def run_one(a, scratch, name, watches, end):
    """The recording's truth, or the reason why there is none, and the connections that each watch
    reported."""
    path = os.path.join(a.folder, name + ".toml")
    out = os.path.join(a.out or scratch, name)
    for watch in watches:
        watch.read()
    begun = time.time()
    command = [a.tcpwhy, "lab", "run", path if os.path.exists(path) else name, "--out", out, "--overwrite", "--quiet",
               "--allow-programs"]
    known = namespaces()
    lab = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    inside = namespace_of(SENDER if end == "sender" else RECEIVER, known, lab)
    for watch in watches:
        if watch.mode == "samples" and inside:
            watch.start(inside)
    _, errors = lab.communicate(timeout=300)
    found = [os.path.join(folder, "truth.json") for folder, _, files in os.walk(out) if "truth.json" in files]
    if lab.returncode not in (0, 1) or not found:
        return None, errors.decode(errors="replace").strip()[-300:] or "not run", begun
    time.sleep(PATIENCE_S)
    for watch in watches:
        if watch.mode == "samples":
            watch.stop()
    return json.load(open(found[0])), None, begun


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tcpwhy", default="target/release/tcpwhy")
    ap.add_argument("--modes", default="bpf,samples")
    ap.add_argument("--rates", default="1,2,10")
    ap.add_argument("--situations", dest="folder", metavar="DIR", default=SITUATIONS, help="folder of the situations and of situations.csv")
    ap.add_argument("--out", help="keep the recordings here")
    ap.add_argument("--json", help="write each judgement here")
    ap.add_argument("--emulated", action="store_true", help="the processor is emulated: judge runs whose link is late, too")
    ap.add_argument("situations", nargs="*")
    a = ap.parse_args()
    a.tcpwhy = os.path.abspath(a.tcpwhy)
    known = answers(a.folder)
    judged, left_out = [], []
    with tempfile.TemporaryDirectory() as scratch:
        watches = [Watch(a.tcpwhy, scratch, mode, float(rate)) for mode in a.modes.split(",") for rate in a.rates.split(",")]
        for watch in watches:
            if watch.mode == "bpf":
                watch.start()
        time.sleep(PATIENCE_S)
        try:
            for name in a.situations or known:
                truth, why, begun = run_one(a, scratch, name, watches, known[name]["end"])
                doubt = why or why_not(truth, a.emulated)
                if doubt:
                    left_out.append((name, doubt))
                    print(f"{name:18} left out: {doubt}", flush=True)
                    continue
                answer = known[name]
                for watch in watches:
                    told = [c for c in watch.read() if c["start_ns"] / 1e9 > begun - CLOCKS_S]
                    address = lambda end: end["address"].removeprefix("::ffff:")
                    own = SENDER if answer["end"] == "sender" else RECEIVER
                    ends = [c for c in told if address(c["endpoints"][0]) in own]
                    judgement = judge_outcomes(answer, ends, watch.mode, a.emulated) if answer["outcome"] else judge(answer, ends, truth)
                    if judgement is None:
                        continue
                    result = {"situation": name, "watch": watch.name, **judgement}
                    judged.append(result)
                    verdict = "right" if result["right"] else "WRONG"
                    print(f"{name:18} {watch.name:14} {verdict}  {result['said']:32} {result.get('share', 0):.2f} "
                          f"lost {result.get('lost_s', 0):.2f}  {'TV %.3f  ' % result['tv'] if 'tv' in result else ''}{result['why']}", flush=True)
        finally:
            for watch in watches:
                watch.stop()
    if a.json:
        json.dump({"judged": judged, "left_out": left_out}, open(a.json, "w"), indent=1)
    if not judged:
        sys.exit("nothing could be judged")
    for watch in dict.fromkeys(result["watch"] for result in judged):
        mine = [result for result in judged if result["watch"] == watch]
        tvs = [result["tv"] for result in mine if "tv" in result]
        print(f"{watch:14} {sum(r['right'] for r in mine)} of {len(mine)} right"
              + (f", TV mean {sum(tvs) / len(tvs):.3f}, worst {max(tvs):.3f}" if tvs else ""))
    print(f"{len(left_out)} left out")


if __name__ == "__main__":
    main()
