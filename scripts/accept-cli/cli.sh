#!/usr/bin/env bash
# The CLI for a program that starts it once a case: scripts/accept-cli/serve.mjs runs the command line in its process.
#
#   scripts/accept-cli/cli.sh ARG…      below serve.mjs, which sets ACCEPT_PORT and ACCEPT_ROOM
set -euo pipefail
job=$(mktemp -d "${ACCEPT_ROOM:?run it below scripts/accept-cli/serve.mjs}/job-XXXXXX")
printf '%s\0' "$PWD" "$@" >"$job/command"
env -0 >"$job/environment"
exec 3<>"/dev/tcp/127.0.0.1/$ACCEPT_PORT"
echo "$job" >&3
read -r status <&3
cat "$job/out"
cat "$job/err" >&2
rm -r "$job"
exit "$status"
