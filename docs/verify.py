import decimal, hashlib, json, pathlib, sys  # verify.py DIR: proves contract.json and checksums.json
def number(text):  # RFC 8785: the shortest digits of the double, laid out as ECMAScript does
    sign, digits, exp = decimal.Decimal(repr(float(text))).normalize().as_tuple()
    d, n = "".join(map(str, digits)), len(digits) + exp
    if -6 < n <= 21: s = d + "0" * exp if exp >= 0 else d[:n] + "." + d[n:] if n > 0 else "0." + "0" * -n + d
    else: s = d[0] + ("." + d[1:] if d[1:] else "") + "e%+d" % (n - 1)
    return ("-" if sign and d != "0" else "") + s
class Num(str): pass
def canonical(v):
    if isinstance(v, Num): return number(v)
    if isinstance(v, list): return "[" + ",".join(map(canonical, v)) + "]"
    if not isinstance(v, dict): return json.dumps(v, ensure_ascii=False)
    return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + canonical(v[k]) for k in sorted(v, key=lambda k: k.encode("utf-16-be"))) + "}"
def sha(b): return "sha256:" + hashlib.sha256(b).hexdigest()
def load(p): return json.loads((root / p).read_bytes(), parse_int=Num, parse_float=Num)
root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."); c = load("contract.json"); claimed = c.pop("contractDigest")
bad = [p for p, d in load("checksums.json")["files"].items() if not (root / p).is_file() or sha((root / p).read_bytes()) != d]
bad += [a["path"] for k in c["contracts"] for a in k["artifacts"] if sha(canonical(load(a["path"])).encode()) != a["sha256"]]
bad += ["contractDigest"] * (sha(canonical(c).encode()) != claimed)
sys.exit("broken: " + ", ".join(bad) if bad else print("whole:", claimed))
