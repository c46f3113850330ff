#!/usr/bin/env python3
"""Compares tcpwhy's predictions with transfers that were repeated without the cause.

    predictions.py [--tcpwhy PATH] [--runs DIR] [--vantage sender|receiver|both] [-v]

Each run folder contains sender.pcap.gz, receiver.pcap.gz, truth.json and counterfactual.json (`duration_s`
and `speedup` by the removed factor). A run counts if the factor that belongs to the verdict made it at least
1.3 times as fast.
"""
import argparse, json, os, subprocess, sys

FACTORS = {"send_buffer": ["sndbuf"], "receive_window": ["rcvbuf", "reader"], "path": ["rate"], "loss_recovery": ["loss"],
           "application": ["writer"], "ack_delay": ["nodelay"], "handshake": ["loss"], "congestion_window": []}
LEAST = 1.3


def largest_half(exe, path):
    out = subprocess.run([exe, "explain", "--json", path], capture_output=True, text=True, timeout=600)
    if out.returncode not in (0, 1):
        raise RuntimeError(out.stderr.strip()[:200])
    halves = [h for c in json.loads(out.stdout)["connections"] for h in c["halves"]]
    return max(halves, key=lambda h: h["bytes"])


def factor_of(verdict, speedup):
    named = [f for f in FACTORS.get(verdict["limit"], []) if f in speedup]
    if verdict.get("detail") == "post_loss":
        named = [f for f in ("loss", "queue") if f in speedup] or named
    return max(named, key=lambda f: speedup[f], default=None)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tcpwhy", default="target/release/tcpwhy")
    ap.add_argument("--runs", required=True)
    ap.add_argument("--vantage", default="both", choices=["sender", "receiver", "both"])
    ap.add_argument("-v", action="store_true", help="also the runs that do not count")
    a = ap.parse_args()
    vantages = ["sender", "receiver"] if a.vantage == "both" else [a.vantage]
    counted = {v: [0, 0, 0] for v in vantages}
    print(f"{'run':28}{'vantage':9}{'removed':8}{'took':>8}{'then':>8}{'said':>8}  {'range':17} error")
    for name in sorted(os.listdir(a.runs)):
        folder = os.path.join(a.runs, name)
        if not os.path.exists(f"{folder}/counterfactual.json"):
            continue
        other = json.load(open(f"{folder}/counterfactual.json"))
        took = json.load(open(f"{folder}/truth.json"))["duration_s"]
        for v in vantages:
            half = largest_half(a.tcpwhy, f"{folder}/{v}.pcap.gz")
            factor = factor_of(half["verdict"], other["speedup"])
            if factor is None or other["speedup"][factor] < LEAST:
                if a.v:
                    print(f"{name:28}{v:9}{factor or '-':8} (verdict {half['verdict']['limit']}, does not count)")
                continue
            then = other["duration_s"][factor]
            said = next((f["prediction"]["seconds"] for f in half["findings"] if f.get("prediction")), None)
            n = counted[v]
            n[0] += 1
            if said is None:
                print(f"{name:28}{v:9}{factor:8}{took:8.2f}{then:8.3f}     none")
                continue
            inside = said["low"] <= then <= said["high"]
            error = said["value"] / then - 1
            n[1] += inside
            n[2] += abs(error) <= 0.25
            print(f"{name:28}{v:9}{factor:8}{took:8.2f}{then:8.3f}{said['value']:8.3f}  {said['low']:7.3f}..{said['high']:7.3f} {error:+6.0%}{'' if inside else '  outside'}")
    for v, (n, inside, close) in counted.items():
        if n:
            print(f"{v}: {n} runs, range holds {inside} ({inside / n:.0%}), within 25 % {close} ({close / n:.0%})")


if __name__ == "__main__":
    sys.exit(main())
