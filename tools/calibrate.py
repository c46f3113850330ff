#!/usr/bin/env python3
"""Confidence as a measured frequency: how often each hypothesis of the classifier is right, by vantage.

    calibrate.py [--write] [--first N] [--count N] [--tcpwhy EXE] [RECORDINGS…]
    calibrate.py --check [--first N] [--count N]

Draws transfers of the model (crates/tcpwhy-testkit, from number N), whose truth is known at every instant.
Also uses recordings of `tcpwhy lab score --random SEED:COUNT --out DIR`, whose sockets reported the limits.
With --write, stores the table in crates/tcpwhy-analysis/src/infer/calibration/table.rs; otherwise prints it.
--check prints the program's confidence and how often it is right, for transfers of the model.
`tcpwhy lab score` prints the same for recordings. Check with other numbers and seeds than those of --write.

Intervals: the share of the time decided by a hypothesis in which the named limit applied. Every direction
counts by its share of that time. The rate is drawn towards that of all vantages, and this towards the rate of
its limit.

Verdicts: a logistic regression of "right" on the hypotheses that decided the verdict's time. Further features
are the vantage and the verdict family's share of the time. Its ridge draws rare hypotheses towards their
neighbours. Recordings count more than the model, and the level of the odds is between the two.

Where round trips cannot be followed, hypotheses based on timing are right less often. Intervals have a
separate rate for that, verdicts a penalty on the logarithm of the odds.
"""
import argparse, collections, json, math, os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = f"{ROOT}/crates/tcpwhy-analysis/src/infer/calibration/table.rs"
VANTAGES = ("Sender", "Receiver", "Middle")
BINS = ((0, .5), (.5, .6), (.6, .7), (.7, .8), (.8, .9), (.9, 1.01))

# Weight of a direction of the model, relative to a recorded one.
MODEL_WEIGHT = 0.1
# Number of directions whose weight equals that of the rate towards which they are drawn.
SHRINK = 4.0
# Cost in the regression of doubling a hypothesis' odds, in directions.
RIDGE = 1.0
# The lab has few directions whose round trips cannot be followed. Their penalty is also measured on the
# model's directions, whose weight is low, so the cost of a doubling is lower there. Chosen by
# cross-validation over 540 recordings. (For intervals, directions of the model have full weight in this
# case.)
UNTIMED_RIDGE = 0.4
# Bounds of the confidence, because the number of samples does not support more.
LEAST, MOST = 5, 98
# Captures from the field are harder than the lab's transfers, each of which was drawn with a set cause. They
# are easier than the model's, which were drawn to be hard. This is the position of the odds between the two.
BETWEEN = 0.15
# Largest penalty, in hundredths of the logarithm of the odds.
MOST_PENALTY = 400


def built(arguments):
    command = ["cargo", "build", "--profile", "fast", *arguments]
    subprocess.run(command, cwd=ROOT, check=True)
    return os.environ.get("CARGO_TARGET_DIR", f"{ROOT}/target") + "/fast"


def modelled(first, count):
    exe = built(["-p", "tcpwhy-analysis", "--example", "calibration"]) + "/examples/calibration"
    jobs = os.cpu_count() or 1
    each = -(-count // jobs)
    running = [subprocess.Popen([exe, str(first + i * each), str(min(each, count - i * each))], stdout=subprocess.PIPE, text=True)
               for i in range(jobs) if i * each < count]
    for process in running:
        for line in process.communicate()[0].splitlines():
            d = json.loads(line)
            d["weight"], d["is_model"] = MODEL_WEIGHT, True
            yield d
        if process.returncode:
            sys.exit("the model failed")


def recorded(exe, folders):
    """Scored recordings in the format of the model's lines; their truth is known per group of limits."""
    for folder in folders:
        run = subprocess.run([exe, "lab", "score", "--json", folder], stdout=subprocess.PIPE, text=True)
        for r in json.loads(run.stdout)["runs"]:
            groups = ("network", "send_buffer", "receive_window", "application")
            truth, said = dict(zip(groups, r["truth"])), dict(zip(groups, r["answer"]))
            decided = [[d["reason"], d["limit"], d["is_verdict"], d["share"],
                        d["share"] * min(1.0, truth[d["group"]] / max(said[d["group"]], 1e-9))] for d in r["decided"] if d["group"]]
            d = {"at": r["vantage"].capitalize(), "vantage": r["seen_from"], "is_untimed": r["is_untimed"], "weight": 1.0, "is_model": False, "decided": decided}
            if r["is_limit_right"] is not None and r["verdict"] != "none":
                d.update(limit=r["verdict"], said=r["confidence"], share=r["share"], right=r["is_limit_right"])
            yield d


def vantage(d):
    return VANTAGES.index(d["vantage"]) if d["vantage"] in VANTAGES else 2


def intervals(directions):
    """Share of the time in which each hypothesis was right, by (reason, limit). There are three vantages
    where round trips can be followed, and three where they cannot."""
    sums = collections.defaultdict(lambda: [0.0, 0.0])
    for d in directions:
        at, untimed = vantage(d), d["is_untimed"]
        for reason, limit, _, share, right in d["decided"]:
            of = (reason, limit)
            # At the sender, the capture itself shows the order of ACKs and segments.
            keys = ((untimed, of, at), (untimed, of, "away" if at else "sender")) if untimed else ((False, limit), (False, of), (False, of, at))
            weight = 1.0 if untimed else d["weight"]
            for key in keys:
                sums[key][0] += weight * share
                sums[key][1] += weight * right
    drawn = lambda key, towards: (sums[key][1] + SHRINK * towards) / (sums[key][0] + SHRINK)
    rates = {}
    for of in {key[1] for key in sums if isinstance(key[1], tuple)}:
        everywhere = drawn((False, of), drawn((False, of[1]), 0.8))
        followed = [drawn((False, of, v), everywhere) for v in range(3)]
        untimed = [drawn((True, of, v), drawn((True, of, "away" if v else "sender"), followed[v])) for v in range(3)]
        rates[of] = followed, [min(*pair) for pair in zip(untimed, followed)]
    return rates


def logit(p):
    return math.log(p / (1 - p))


def logistic(x):
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))


def features(d):
    """Features of the odds of a verdict: the level and the share of the time by vantage, the hypotheses by
    their time."""
    v = vantage(d)
    whole = min(1.0, max(0.0, 2 * d["share"] - 1))
    untimed = float(d["is_untimed"])
    out = {("level", v): 1.0, ("untimed",): untimed, ("untimed", v): untimed, ("model",): float(d["is_model"]), ("model", v): float(d["is_model"]), ("whole",): whole, ("whole", v): whole}
    mine = [(r, l, s) for r, l, is_verdict, s, _ in d["decided"] if is_verdict]
    total = sum(s for *_, s in mine) or 1.0
    for reason, limit, share in mine:
        for key in (("limit", limit), ("limit", limit, v), ("reason", reason, limit), ("reason", reason, limit, v)):
            out[key] = out.get(key, 0.0) + share / total
        for key in (("untimed", limit), ("untimed", reason, limit), ("untimed", reason, limit, v)) if untimed else ():
            out[key] = out.get(key, 0.0) + share / total
    return out


# The ridge does not apply to these features, because no prior is known for them.
FREE = {("model",), ("untimed",), *(("level", v) for v in range(3))}


def regressed(directions):
    """Weights of the features, by gradient descent with a step size for each (Adagrad)."""
    rows = [(features(d), float(d["right"]), d["weight"]) for d in directions if "right" in d]
    weights, squares = collections.defaultdict(float), collections.defaultdict(lambda: 1e-3)
    for _ in range(400):
        gradient = collections.defaultdict(float)
        for row, right, weight in rows:
            error = weight * (logistic(sum(weights[k] * x for k, x in row.items())) - right)
            for key, x in row.items():
                gradient[key] += error * x
        for key, g in gradient.items():
            g += 0.0 if key in FREE else (UNTIMED_RIDGE if key[0] == "untimed" else RIDGE) * weights[key]
            squares[key] += g * g
            weights[key] -= 0.5 * g / math.sqrt(squares[key])
    return weights


def table(directions):
    rates, weights = intervals(directions), regressed(directions)
    percent = lambda p: max(LEAST, min(MOST, round(100 * p)))
    rows = []
    for reason, limit in sorted(rates):
        if reason == "none":
            continue
        keys = [("limit", limit), ("reason", reason, limit)]

        def verdict(v, whole):
            odds = weights["level", v] + BETWEEN * (weights["model",] + weights["model", v])
            odds += whole * (weights["whole",] + weights["whole", v]) + sum(weights[k] + weights[*k, v] for k in keys)
            return percent(logistic(odds))

        half, whole = ([verdict(v, w) for v in range(3)] for w in (0.0, 1.0))
        followed, untimed = ([percent(p) for p in each] for each in rates[reason, limit])
        penalty = [max(0, min(MOST_PENALTY, round(-100 * sum(weights[k] for k in untimed_keys(reason, limit, v))))) for v in range(3)]
        rows.append((reason, limit, followed, untimed, half, [max(*x) for x in zip(half, whole)], penalty))
    return rows


def untimed_keys(reason, limit, v):
    return ("untimed",), ("untimed", v), ("untimed", limit), ("untimed", reason, limit), ("untimed", reason, limit, v)


def source(rows):
    lines = ["//! Made by `tools/calibrate.py --write`: not edited by hand.", "", "use super::row::Row;", "", "#[rustfmt::skip]",
             "pub(super) static TABLE: &[Row] = &["]
    for reason, limit, interval, untimed, half, whole, penalty in rows:
        lines.append(f'    Row {{ key: ("{reason}", "{limit}"), interval: {interval}, untimed: {untimed}, half: {half}, whole: {whole}, penalty: {penalty} }},')
    return "\n".join(lines + ["];", ""])


def reliability(directions):
    for at in VANTAGES:
        mine = [d for d in directions if d["at"] == at and "right" in d]
        error = 0.0
        print(f"{at}: {len(mine)} verdicts, right {sum(d['right'] for d in mine) / max(1, len(mine)):.3f}")
        for low, high in BINS:
            b = [d for d in mine if low <= d["said"] < high]
            if b:
                said, right = (sum(d[k] for d in b) / len(b) for k in ("said", "right"))
                error += len(b) * abs(said - right) / len(mine)
                print(f"  {low:.1f} – {min(high, 1):.1f}: said {said:.3f}, right {right:.3f} of {len(b)}")
        print(f"  expected calibration error {error:.3f}")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("recordings", nargs="*")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--first", type=int, default=0)
    ap.add_argument("--count", type=int, default=9000)
    ap.add_argument("--tcpwhy")
    a = ap.parse_args()
    directions = list(modelled(a.first, a.count))
    if a.check:
        return reliability(directions)
    if a.recordings:
        directions += recorded(a.tcpwhy or built(["-p", "tcpwhy"]) + "/tcpwhy", a.recordings)
    text = source(table(directions))
    if not a.write:
        return print(text, end="")
    with open(TABLE, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
