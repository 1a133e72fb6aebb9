# What bench measures is no matter here; that it measures everything, and how it says so, is.
cat > look.py <<'END'
import json, sys
run = json.load(open("bench.json"))
print(sorted(run))
print(run["kernel"] in ("avx512", "avx2", "neon", "plain"), run["chunk_items"] > 0, len(run["cpu"]) > 0)
figures = run["figures"]
print(sorted({f["part"] for f in figures}), sorted({f["items"] for f in figures}))
print("not positive:", [f["what"] for f in figures if not f["ns"] > 0])
beside = [f for f in figures if "limit" in f and "each extra" not in f["what"]]
print("out of order:", [f["what"] for f in beside if not 0 < f["low"] <= f["ratio"] <= f["high"]])
print("no limit:", sorted({f["what"].split(",")[0] for f in figures if "limit" not in f}))
judged = [f for f in figures if "target" in f]
print(len(judged) > 20, len(judged) == run["ok"] + run["missed"] + run["unproven"])


def verdict(f):
    low = f["target"] if f["sense"] == "at least" else 1 / f["target"] if f["sense"] == "within" else 0
    high = float("inf") if f["sense"] == "at least" else f["target"]
    if low <= f["low"] and f["high"] <= high:
        return "ok"
    return "missed" if f["high"] < low or f["low"] > high else "unproven"


print("wrong verdict:", [f for f in judged if f["verdict"] != verdict(f)])
END
tamis bench --quick --items 20k,100k --json > bench.json
python3 look.py
