#!/usr/bin/env bash
# Scores contractkit and its peers on the JSON Schema test suite, on whole real
# schemas and on twelve constructs, in one go, and prints Markdown tables. A peer
# whose tool is not on the PATH is left out, with words.
#
#   [SETS="suite constructs store"] bench/compare.sh [PEER…]
#   peers: contractkit go-jsonschema quicktype ogen-jschemagen (quicktype takes an hour for the suite)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
export CONTRACTKIT_SHARED=$(cd "${CONTRACTKIT_SHARED:-$root/../shared}" 2>/dev/null && pwd || true)
if [ ! -d "$CONTRACTKIT_SHARED/tools/jsts" ]; then
	echo "compare: the test data is not here; set CONTRACTKIT_SHARED" >&2
	exit 2
fi
peers=("$@")
[ ${#peers[@]} -gt 0 ] || peers=(contractkit go-jsonschema quicktype ogen-jschemagen)
declare -A tool=([contractkit]=go [go-jsonschema]=go-jsonschema [quicktype]=quicktype [ogen-jschemagen]=jschemagen)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/peers"
for t in jsts schemastore; do
	cp -r "$CONTRACTKIT_SHARED/tools/$t" "$work/$t"
	chmod -R u+w "$work/$t"
	(cd "$work/$t" && GOWORK=off go build -o "$t" .)
done
cp -r "$work/jsts/peers/." "$work/peers" && cp "$here"/peers/contractkit.* "$work/peers"
(cd "$root" && go build -o "$work/contracts" ./cmd/contracts)
export CONTRACTS=$work/contracts

jsts=$work/jsts/jsts
suite=$CONTRACTKIT_SHARED/json-schema-test-suite
"$jsts" cases -suite "$suite" -out "$work/suite" -drafts draft2020-12,draft2019-09,draft7,draft6,draft4 -sets required >"$work/log"
"$jsts" cases -suite "$work/jsts/constructs" -out "$work/constructs" -drafts draft2020-12 -sets required,format >>"$work/log"
"$work/schemastore/schemastore" cases -src "$CONTRACTKIT_SHARED/schemastore/src" -out "$work/store" -set shared >>"$work/log"

for set in ${SETS:-suite constructs store}; do
	case $set in
	suite) echo "## JSON Schema test suite, required tests" ;;
	constructs) echo "## Twelve constructs" ;;
	store) echo "## Whole schemas of SchemaStore" ;;
	esac
	for peer in "${peers[@]}"; do
		if ! command -v "${tool[$peer]}" >/dev/null; then
			echo; echo "### $peer: not measured, ${tool[$peer]} is not on the PATH"
			continue
		fi
		echo "$set $peer" >&2
		options=()
		[ $set = store ] && options=(-j 2 -chunk 60 -gen-timeout 120s)
		"$jsts" gogen -cases "$work/$set" -out "$work/$set-$peer.jsonl" -work "$work/w-$set-$peer" \
			-peer "$work/peers/$peer.json" -remotes "$suite/remotes" "${options[@]}" >>"$work/log" 2>&1
		score=()
		[ $set = store ] && score=(-store)
		echo; echo "### $peer"; echo
		"$jsts" score -cases "$work/$set" -verdicts "$work/$set-$peer.jsonl" "${score[@]}"
	done
	echo
done
