# The plot is well-formed and has its curves, axes and words.
cat > look.py <<'END'
import xml.etree.ElementTree as tree
root = tree.parse("plot.svg").getroot()
names = [e.tag.split("}")[1] for e in root.iter()]
print(root.tag, names.count("polyline"), names.count("circle"))
points = [p.split(",") for e in root.iter() if e.tag.endswith("polyline") for p in e.get("points").split()]
print(all(0 <= float(x) <= 760 and 0 <= float(y) <= 460 for x, y in points))
texts = [e.text for e in root.iter() if e.tag.endswith("text")]
print([t for t in texts if "limit" in t or "batch" in t or "calls" in t or "items" in t or t in ("20k", "50k", "100k")])
END
tamis bench --quick --part sizes --items 100k,20k,50k,20k --svg plot.svg --results figures.json > out
python3 look.py
python3 -c 'import json; print(len(json.load(open("figures.json"))["figures"]))'
grep -c '^sizes: ' out
awk 'length > 110' out
tamis bench --quick --part sizes --items 20k --svg missing/plot.svg > out; echo $?
tamis bench --quick --results missing/figures.json > out; echo $?
