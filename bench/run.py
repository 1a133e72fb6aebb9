#!/usr/bin/env python3
"""Measures the command beside its limits and its peers, in one run.

Whole commands are run in turn, round after round, and their CPU time (user and
system) and peak memory are taken from the kernel. Every figure stands beside the
limit it is judged by, as a ratio of medians with the quartiles of the ratios of
the rounds. A row says "ok", or "MISSED" where a target is not met, and the run
then ends with status 1.

usage: run.py [--lines N] [--rounds N] [--build DIR] [--data DIR] [--only PART] [--json FILE]
PART: dedup, threads, lost, common, items
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Run:
    """One finished command: CPU and wall seconds, peak memory in bytes, stderr."""

    def __init__(self, argv, stdin=None, stdout=None):
        env = dict(os.environ, LC_ALL="C")
        with open(stdin or os.devnull, "rb") as source, open(stdout or os.devnull, "wb") as sink:
            began = time.monotonic()
            child = subprocess.Popen(argv, stdin=source, stdout=sink, stderr=subprocess.PIPE, env=env)
            self.stderr = child.stderr.read().decode("utf-8", "replace")
            _, status, usage = os.wait4(child.pid, 0)
            self.wall = time.monotonic() - began
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 3):
            sys.exit("%s ended with status %d: %s" % (" ".join(argv), child.returncode, self.stderr))
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024


def quantile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def median(values):
    return quantile(values, 0.5)


class Table:
    """Rows of figure, limit, ratio and target."""

    def __init__(self):
        self.rows = []

    def add(self, what, value, unit, limit_name, ratios, target, at_most=True):
        ratio = median(ratios)
        met = target is None or (ratio <= target if at_most else ratio >= target)
        self.rows.append({
            "what": what, "value": value, "unit": unit, "limit": limit_name, "ratio": ratio,
            "low": quantile(ratios, 0.25), "high": quantile(ratios, 0.75),
            "target": target, "at_most": at_most, "met": met})
        row = self.rows[-1]
        goal = "" if target is None else "%s %.4g" % ("<=" if at_most else ">=", target)
        print("%-46s %10.4g %-10s %7.3f [%.3f, %.3f] x %-22s %-9s %s" % (
            what, value, unit, ratio, row["low"], row["high"], limit_name, goal,
            "" if target is None else "ok" if met else "MISSED"), flush=True)

    def missed(self):
        return [row["what"] for row in self.rows if not row["met"]]


def count_lines(path):
    return int(subprocess.run(["wc", "-l", path], capture_output=True, check=True).stdout.split()[0])


def interleave(rounds, commands):
    """Runs {name: (argv, stdin, stdout, rounds)} in turn; returns {name: [Run]}."""
    runs = {name: [] for name in commands}
    for turn in range(rounds):
        for name, (argv, stdin, stdout, most) in commands.items():
            if turn < most:
                runs[name].append(Run(argv, stdin, stdout))
    return runs


def ratios(runs, name, limit):
    """Ratios of CPU round by round; a limit with fewer rounds is repeated."""
    base = [run.cpu for run in runs[limit]]
    return [run.cpu / base[min(i, len(base) - 1)] for i, run in enumerate(runs[name])]


def cpu(runs, name):
    return median([run.cpu for run in runs[name]])


class Bench:
    def __init__(self, options):
        self.options = options
        self.tamis = os.path.join(options.build, "tamis")
        self.bin = os.path.join(options.build, "bench")
        self.data = options.data or tempfile.mkdtemp(prefix="tamis-bench-")
        self.table = Table()
        os.makedirs(self.data, exist_ok=True)

    def path(self, name):
        return os.path.join(self.data, name)

    def tool(self, name):
        return os.path.join(self.bin, name)

    def urls(self):
        path = self.path("urls")
        if not os.path.exists(path):
            with open(path + ".part", "wb") as out:
                subprocess.run([self.tool("gen_urls"), str(self.options.lines), "30"], stdout=out, check=True)
            os.rename(path + ".part", path)
        return path

    # --- dedup ---------------------------------------------------------------

    def dedup(self):
        urls, rounds = self.urls(), self.options.rounds
        temp = ["-T", self.data]
        commands = {
            "xxh3": ([self.tool("xxh3_lines"), urls], None, None, rounds),
            "wc": (["wc", "-l", urls], None, None, rounds),
            "dedup": ([self.tamis, "dedup", urls], None, self.path("default"), rounds),
            "dedup 0.01": ([self.tamis, "dedup", "-p", "0.01", urls], None, self.path("loose"), rounds),
            "sort": (["sort", "-u", "--parallel=1"] + temp + [urls], None, self.path("sorted"), 1),
        }
        for awk in ("mawk", "gawk"):
            if shutil.which(awk):
                commands[awk] = ([awk, "!seen[$0]++", urls], None, None, 1)
        dcso = self.dcso()
        if dcso:
            commands["dcso"] = ([dcso, "create", "-p", "0.01", "-n", str(self.options.lines), self.path("dcso")],
                                urls, None, 1)
        runs = interleave(rounds, commands)
        distinct = count_lines(self.path("sorted"))
        print("# %d lines, %d distinct, %d bytes" % (self.options.lines, distinct, os.path.getsize(urls)))
        add = self.table.add
        add("wc -l", cpu(runs, "wc"), "s CPU", "XXH3 of each line", ratios(runs, "wc", "xxh3"), None)
        add("dedup", cpu(runs, "dedup"), "s CPU", "XXH3 of each line", ratios(runs, "dedup", "xxh3"), 5)
        add("dedup -p 0.01", cpu(runs, "dedup 0.01"), "s CPU", "XXH3 of each line",
            ratios(runs, "dedup 0.01", "xxh3"), 3)
        for name in ("dedup", "dedup 0.01"):
            add(name + " beside sort -u", cpu(runs, name), "s CPU", "LC_ALL=C sort -u",
                ratios(runs, name, "sort"), 0.125)
        for peer in ("sort", "mawk", "gawk", "dcso"):
            if peer in runs:
                add("peer: " + peer, cpu(runs, peer), "s CPU", "dedup", [cpu(runs, peer) / cpu(runs, "dedup")], None)
                add("peer: %s, memory" % peer, runs[peer][0].memory / 1e6, "MB", "bytes a distinct line",
                    [runs[peer][0].memory / distinct], None)
        for name, target in (("dedup", 10), ("dedup 0.01", 2.2)):
            memory = [run.memory for run in runs[name]]
            add(name + ", peak memory", median(memory) / 1e6, "MB", "bytes a distinct line",
                [m / distinct for m in memory], target)

    @staticmethod
    def dcso():
        path = shutil.which("bloom")
        if not path:
            return None
        text = subprocess.run([path, "--help"], capture_output=True).stdout
        return path if b"Bloom filter" in text or b"Bloom Filter" in text else None

    # --- check, and two threads ----------------------------------------------------

    def threads(self):
        """Wall time. Lines go to /dev/null: a disk takes them no faster from two threads."""
        urls, rounds, list_file = self.urls(), self.options.rounds, self.path("list")
        Run([self.tamis, "build", "-n", str(self.options.lines * 7 // 10), "-o", list_file, urls])
        two = ["--parallel", "2"]
        commands = {"xxh3": ([self.tool("xxh3_lines"), urls], None, None, rounds)}
        for name, argv in (
                ("check", [self.tamis, "check", list_file, urls]),
                ("dedup", [self.tamis, "dedup", urls]),
                ("dedup -p 0.01", [self.tamis, "dedup", "-p", "0.01", urls]),
                ("build", [self.tamis, "build", "-n", str(self.options.lines), "-o", self.path("built"), urls])):
            commands[name] = (argv + ["--parallel", "1"], None, None, rounds)
            commands[name + " --parallel 2"] = (argv + two, None, None, rounds)
        runs = interleave(rounds, commands)
        self.table.add("check: all lines found", cpu(runs, "check"), "s CPU", "XXH3 of each line",
                       ratios(runs, "check", "xxh3"), 2.5)
        for name in ("check", "dedup", "dedup -p 0.01", "build"):
            faster = [a.wall / b.wall for a, b in zip(runs[name], runs[name + " --parallel 2"])]
            self.table.add(name + " --parallel 2", median([run.wall for run in runs[name + " --parallel 2"]]), "s wall",
                           "times faster than 1", faster, 1.5 if name.startswith("dedup") else None, at_most=False)

    # --- lost lines -------------------------------------------------------------

    def lost(self):
        urls = self.urls()
        exact = self.path("exact")
        Run([self.tamis, "dedup", "--exact", urls], None, exact)
        distinct = count_lines(exact)
        for rate in ("1e-2", "1e-3", "1e-4"):
            run = Run([self.tamis, "dedup", "-p", rate, "--stats=json", "-q", urls], None, self.path("lossy"))
            said = json.loads(run.stderr.strip().splitlines()[-1])["lines_dropped_wrongly"]
            lost = distinct - count_lines(self.path("lossy"))
            sigma = max(said, 1.0) ** 0.5
            self.table.add("dedup -p %s: lines lost, said %.0f" % (rate, said), lost, "lines", "sigma away",
                           [abs(lost - said) / sigma], 5)

    # --- common -----------------------------------------------------------------

    def common(self):
        half = self.options.lines // 2
        prefix = self.path("pair")
        if not os.path.exists(prefix + ".b"):
            subprocess.run([self.tool("gen_urls"), "--pair", str(half), str(half // 10), prefix], check=True)
        a, b = prefix + ".a", prefix + ".b"
        script = "sort -T {0} --parallel=1 {1} > {1}.s; sort -T {0} --parallel=1 {2} > {2}.s; comm -12 {1}.s {2}.s"
        rounds = self.options.rounds
        runs = interleave(rounds, {
            "common": ([self.tamis, "common", a, b], None, self.path("common"), rounds),
            "minus": ([self.tamis, "minus", a, b], None, self.path("minus"), rounds),
            "small": ([self.tamis, "common", "-S", "64M", "-T", self.data, a, b], None, self.path("small"), rounds),
            "sort": (["sh", "-c", script.format(self.data, a, b)], None, self.path("comm"), 1),
        })
        subprocess.run(["sort", "-T", self.data, "-o", self.path("common.s"), self.path("common")],
                       env=dict(os.environ, LC_ALL="C"), check=True)
        same = [0.0 if open(self.path("common.s"), "rb").read() == open(self.path("comm"), "rb").read() else 1.0]
        spilled = [0.0 if open(self.path("common"), "rb").read() == open(self.path("small"), "rb").read() else 1.0]
        whole = count_lines(self.path("common")) + count_lines(self.path("minus")) == count_lines(a)
        print("# 2 x %d lines, %d in common" % (half, count_lines(self.path("comm"))))
        add = self.table.add
        add("common: lines differ from sort + comm", same[0], "", "must be 0", same, 0)
        add("common -S 64M: lines differ from common", spilled[0], "", "must be 0", spilled, 0)
        add("common and minus do not make up the file", float(not whole), "", "must be 0", [float(not whole)], 0)
        for name in ("common", "minus", "small"):
            label = "common -S 64M" if name == "small" else name
            add(label, cpu(runs, name), "s CPU", "sort + comm", ratios(runs, name, "sort"),
                None if name == "small" else 0.1)
            memory = [run.memory for run in runs[name]]
            add(label + ", peak memory", median(memory) / 1e6, "MB", "of 80 MB",
                [m / 80e6 for m in memory], 1 if name == "small" else None)

    # --- library against library ---------------------------------------------------

    def items(self):
        if not os.path.exists(self.tool("libbloom_items")):
            print("# libbloom-dev is not installed: no comparison")
            return
        n, rounds = str(self.options.lines // 2), max(self.options.rounds, 5)
        times = {"tamis": [], "libbloom": []}
        for _ in range(rounds):
            for name in times:
                out = subprocess.run([self.tool(name + "_items"), n, "0.01"], capture_output=True, check=True).stdout
                times[name].append([float(x) for x in out.split()[:2]])
        for column, what in ((0, "add"), (1, "contains")):
            mine = [t[column] for t in times["tamis"]]
            theirs = [t[column] for t in times["libbloom"]]
            self.table.add("%s, %s 8-byte items, batch" % (what, n), median(mine), "ns", "times faster than libbloom",
                           [b / a for a, b in zip(mine, theirs)], 8, at_most=False)

    def run(self):
        for part in ("dedup", "threads", "lost", "common", "items"):
            if self.options.only in (None, part):
                getattr(self, part)()
        if self.options.json:
            with open(self.options.json, "w") as out:
                json.dump(self.table.rows, out, indent=1)
        if not self.options.data:
            shutil.rmtree(self.data)
        missed = self.table.missed()
        print("%d figures, %d targets missed%s" % (len(self.table.rows), len(missed),
                                                   ": " + "; ".join(missed) if missed else ""))
        return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=20000000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"))
    parser.add_argument("--data", help="folder for generated data, kept; default: a temporary one")
    parser.add_argument("--only", choices=("dedup", "threads", "lost", "common", "items"))
    parser.add_argument("--json", help="also write the rows to this file")
    sys.exit(Bench(parser.parse_args()).run())


main()
