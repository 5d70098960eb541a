#!/bin/sh
# contractkit as a subject of the jsts tool: one schema, one package. The tool makes
# its go.mod after generating; the import path of the runtime is needed before.
set -eu
schema=$1 dir=$2 pkg=$3 draft=$4
module=$(dirname "$dir")
[ -f "$module/go.mod" ] || printf 'module jstsgen\n\ngo 1.26\n' > "$module/go.mod"
set -- --schema "$schema" --out "$dir" --package "$pkg" --root Root --runtime "$module/rt/contract"
case $draft in draft*) set -- "$@" --draft "$draft" ;; esac
case $schema in */required/*) ;; *) set -- "$@" --assert-format --assert-content ;; esac
if [ -n "${CONTRACTKIT_SHARED:-}" ]; then
	set -- "$@" --map "http://localhost:1234/=$CONTRACTKIT_SHARED/json-schema-test-suite/remotes"
fi
exec "${CONTRACTS:-contracts}" generate "$@"
