#!/usr/bin/env python3
"""Hold what `tcpwhy live` says of connections, as the kernel's accounts have it, against transfers of a known cause.

    tools/live.py [--tcpwhy PATH] [--lab PATH] [--out DIR] [--json FILE] SCENARIO...

Runs each SCENARIO (as `tcpwhy lab run` takes them: names, random:SEED/NUMBER) while `tcpwhy live --jsonl` watches the whole
host, as root. The truth is the sender's socket, which the lab samples every millisecond, with what the sending program says of
itself; both come to shares of four groups: network, send buffer, receive window, application. Transfers whose emulated link
was late are left out. `explain` of the sender's capture is held against the same accounts. A recording that is in DIR already is
run again: an account is of the moment.
"""
import argparse, json, os, subprocess, sys, tempfile, time

GROUPS = ["network", "send buffer", "receive window", "application"]
NETWORK, SEND_BUFFER, RECEIVE_WINDOW, APPLICATION = range(4)
# `lab`'s names of what held.
OF_HELD = {"cwnd": NETWORK, "loss": NETWORK, "pacing": NETWORK, "nic": NETWORK, "sndbuf": SEND_BUFFER,
           "rwnd": RECEIVE_WINDOW, "idle": APPLICATION, "app": APPLICATION, "peer_window": APPLICATION,
           "nagle": APPLICATION}
# Before a FIN all was sent and nothing more was to come: to the socket that is the application.
OF_LIMIT = {"path": NETWORK, "congestion_window": NETWORK, "slow_start": NETWORK, "loss_recovery": NETWORK,
            "send_buffer": SEND_BUFFER, "receive_window": RECEIVE_WINDOW, "application": APPLICATION,
            "ack_delay": APPLICATION, "tail_rtt": APPLICATION}
# Lateness of the emulated link from which a run is not TCP's doing any more, as `lab score` has it.
LATE_P99_NS, LATE_MAX_NS = 1_500_000, 15_000_000
# The largest true share is ahead by this much, or nothing is held to it.
CLEAR = 0.15
# How long the end of a connection may take to be told.
PATIENCE_S = 15.0
# A connection is opened within this of when its program says so; a SYN may be lost.
HANDSHAKE_S = 1.5


def shares(parts):
    total = sum(seconds for _, seconds in parts)
    found = [0.0] * 4
    for group, seconds in parts:
        found[group] += seconds / total if total else 0.0
    return found


def distance(a, b):
    return sum(abs(x - y) for x, y in zip(a, b)) / 2


def dominant(found):
    return max(range(4), key=lambda group: found[group])


def is_clear(found):
    first, second = sorted(found, reverse=True)[:2]
    return first - second >= CLEAR


def limits_of(half):
    return [(l["limit"], l["seconds"]) for l in half["limits"]]


def live_shares(connection, all_acked):
    """From connecting to the last acknowledgement, as the truth is: what follows is rest."""
    parts = [(OF_LIMIT[limit], s) for limit, s in limits_of(connection["halves"][0]) if limit in OF_LIMIT]
    end = connection["start_ns"] / 1e9 + connection["duration_s"]
    after = max(end - all_acked, 0.0)
    rest = sum(s for group, s in parts if group == APPLICATION)
    return shares([p for p in parts if p[0] != APPLICATION] + [(APPLICATION, max(rest - after, 0.0))])


class Watch:
    """`tcpwhy live --jsonl` of the whole host, written to a file."""

    def __init__(self, tcpwhy, folder):
        self.path = os.path.join(folder, "live.jsonl")
        self.output = open(self.path, "wb")
        command = [tcpwhy, "live", "--mode", "bpf", "--jsonl", "--cpu", "20%"]
        self.process = subprocess.Popen(command, stdout=self.output)
        self.lines = open(self.path, "rb")
        self.begun = b""
        self.ended = []
        # Its first line comes once it is attached.
        for _ in range(600):
            if self.read() or self.process.poll() is not None:
                break
            time.sleep(0.1)

    def read(self):
        """Takes in what was told since; how many lines."""
        data = self.begun + self.lines.read()
        *lines, self.begun = data.split(b"\n")
        for line in lines:
            if line.startswith(b'{"type":"connection"'):
                self.ended.append(json.loads(line)["data"])
        return len(lines)

    def find(self, truth):
        """The sender's end of that transfer. Several may run on this host: bytes and time tell."""
        opened = truth["times"]["t_open"]["snd"]
        until = time.time() + PATIENCE_S
        while True:
            self.read()
            for connection in reversed(self.ended):
                start = connection["start_ns"] / 1e9
                half = connection["halves"][0]
                # The kernel counts a SYN and a FIN as a byte each.
                is_it = 0 <= half["bytes"] - truth["bytes"] <= 2 and abs(start - opened) < HANDSHAKE_S
                if is_it and start < truth["times"]["t_all_acked"]["snd"]:
                    return connection
            if time.time() > until:
                return None
            time.sleep(0.2)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def explained(tcpwhy, capture, truth):
    out = subprocess.run([tcpwhy, "explain", "--json", capture], capture_output=True, timeout=300)
    halves = [half for c in json.loads(out.stdout)["connections"] for half in c["halves"]]
    return max(halves, key=lambda half: half["bytes"], default=None)


def why_not(truth):
    """Why a transfer proves nothing."""
    lateness = truth["quality"]["emulator"]["lateness"]
    if truth["quality"]["doubts"]:
        return truth["quality"]["doubts"][0]
    if lateness["p99_ns"] > LATE_P99_NS or lateness["max_ns"] > LATE_MAX_NS:
        return "late-link"
    if truth["outcome"] != "complete" or not truth["sampled_pct"]:
        return "broken"
    return None if (truth["times"].get("t_all_acked") or {}).get("snd") else "open"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tcpwhy", default="target/release/tcpwhy")
    ap.add_argument("--lab", help="another binary that runs the transfers and explains them")
    ap.add_argument("--out", help="keep the recordings here")
    ap.add_argument("--json", help="write each transfer's shares here")
    ap.add_argument("scenarios", nargs="+")
    a = ap.parse_args()
    lab = a.lab or a.tcpwhy
    runs, left_out = [], []
    with tempfile.TemporaryDirectory() as scratch:
        out = a.out or scratch
        watch = Watch(a.tcpwhy, scratch)
        try:
            for scenario in a.scenarios:
                ran = subprocess.run([lab, "lab", "run", scenario, "--out", out, "--quiet"], capture_output=True, timeout=300)
                name = scenario.replace("/", "-").replace(":", "-")
                folder = next((f for f in (os.path.join(out, scenario), os.path.join(out, name)) if os.path.isdir(f)), None)
                if ran.returncode not in (0, 1) or folder is None:
                    left_out.append((scenario, ran.stderr.decode(errors="replace").strip()[-100:] or "not run"))
                    continue
                truth = json.load(open(os.path.join(folder, "truth.json")))
                doubt = why_not(truth)
                if doubt:
                    left_out.append((scenario, doubt))
                    continue
                connection = watch.find(truth)
                if connection is None:
                    left_out.append((scenario, "not told by live"))
                    continue
                half = explained(lab, os.path.join(folder, "sender.pcapng"), truth)
                said = shares([(OF_LIMIT[limit], s) for limit, s in limits_of(half) if limit in OF_LIMIT])
                true = shares([(OF_HELD[held], percent) for held, percent in truth["sampled_pct"].items()])
                live = live_shares(connection, truth["times"]["t_all_acked"]["snd"])
                blocked = truth["app_ms"]["send_blocked"] / 1000
                runs.append({
                    "name": scenario, "truth": true, "live": live, "explain": said, "tv": distance(true, live),
                    "is_clear": is_clear(true), "is_right": dominant(true) == dominant(live),
                    "agrees": dominant(live) == dominant(said) or not is_clear(live),
                    "same_limit": limits_of(connection["halves"][0])[0][0] == limits_of(half)[0][0],
                    "limits": {"live": limits_of(connection["halves"][0]), "explain": limits_of(half)},
                    "blocked_s": connection.get("blocked_s"), "send_s": blocked, "seconds": truth["duration_s"],
                })
                run = runs[-1]
                print(f"{scenario:32} TV {run['tv']:.3f}  truth {GROUPS[dominant(true)]:14} live {GROUPS[dominant(live)]:14} "
                      f"explain {GROUPS[dominant(said)]}", flush=True)
        finally:
            watch.stop()
    for scenario, why in left_out:
        print(f"{scenario:32} left out: {why}")
    if a.json:
        json.dump({"runs": runs, "left_out": left_out}, open(a.json, "w"), indent=1)
    if not runs:
        sys.exit("nothing could be judged")
    clear = [run for run in runs if run["is_clear"]]
    worst = max(runs, key=lambda run: run["tv"])
    print(f"{len(runs)} transfers: TV mean {sum(r['tv'] for r in runs) / len(runs):.3f}, worst {worst['tv']:.3f} ({worst['name']}); "
          f"largest share right {sum(r['is_right'] for r in clear)}/{len(clear)}; "
          f"explain names the same group in {sum(r['agrees'] for r in runs)}/{len(runs)}, "
          f"the same limit in {sum(r['same_limit'] for r in runs)}/{len(runs)}; {len(left_out)} left out")


if __name__ == "__main__":
    main()
