#!/usr/bin/env bash
# Runs the shared comparison of validators (tools/perf) with packages that this
# checkout generates for all its schemas, and prints the rows that matter.
#
#   bench/perf.sh [flags of "perf run"]      for example: -rounds 3 -only own-
#
# CONTRACTKIT_SHARED is the folder that holds tools/perf and schemastore; default:
# shared, beside the repository. The whole report goes to bench/perf.md.
set -euo pipefail
cd "$(dirname "$0")/.."
shared=${CONTRACTKIT_SHARED:-../shared}
if [ ! -d "$shared/tools/perf" ]; then
	echo "perf is left out: there is no $shared/tools/perf; set CONTRACTKIT_SHARED"
	exit 0
fi
shared=$(cd "$shared" && pwd)
repo=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -o "$work/contracts" ./cmd/contracts
cp -R "$shared/tools/perf" "$work/perf"
chmod -R u+w "$work/perf"
cd "$work/perf"
export GOFLAGS=-mod=mod
go build -o perf .
./perf cases -src "$shared/schemastore/src" -cases CASES

# One package for each case; they share a runtime.
imports="" verdicts="" decodes=""
for dir in CASES/*/; do
	name=$(basename "$dir")
	package=p$(tr -cd 'a-z0-9' <<<"$name")
	if ! "$work/contracts" generate --schema "$dir/schema.json" --out "gen/$package" --package "$package" --root Root --assert-format --runtime gen/contract >&2 ||
		! go build "./gen/$package"; then
		echo "$name is not generated" >&2
		rm -rf "gen/$package"
		continue
	fi
	imports+="\"perf/gen/$package\""$'\n'
	verdicts+="case \"$name\": return func(doc []byte) bool { return $package.ValidateRoot(doc) == nil }"$'\n'
	decodes+="case \"$name\": return func(doc []byte) bool { _, err := $package.DecodeRoot(doc); return err == nil }"$'\n'
done
cat >ways_contractkit.go <<EOF
package main

import (
$imports)

func init() {
	Register("contractkit", Verdict, func(schema string) func(doc []byte) bool {
		switch CaseOf(schema) {
		$verdicts}
		return nil
	})
	Register("contractkit→struct", Decode, func(schema string) func(doc []byte) bool {
		switch CaseOf(schema) {
		$decodes}
		return nil
	})
}
EOF
go build -o perf .
external=()
if command -v npm >/dev/null; then
	(cd node && npm ci --no-audit --no-fund --silent)
	external=(-ext "node node/ajv.mjs")
else
	echo "ajv is left out: npm is not installed"
fi
./perf run -cases CASES "${external[@]}" "$@" >report.md
cp report.md "$repo/bench/perf.md"
echo "## tools/perf: $(find gen -mindepth 1 -maxdepth 1 -name 'p*' | wc -l) of $(find CASES -mindepth 1 -maxdepth 1 | wc -l) schemas generated"
echo
awk '/^#/ { head = $0 }
	head !~ /Speed against/ { next }
	/^\| *(contractkit|contractkit→struct|santhosh-v5|ajv bytes|plain Go scan|encoding\/json→struct) *\|/ || /^\| *(way|---)/ {
		if (head != shown) { if (shown != "") print ""; print head; print ""; shown = head }
		print
	}' report.md
