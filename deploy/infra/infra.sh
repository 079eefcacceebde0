#!/usr/bin/env bash
# A MongoDB-compatible server on loopback, for a machine without Docker.
#   infra.sh up|down|status [DIR]     (DIR: program, data, log and pid; default .infra)
# Needs Go 1.24 or later. Port: MONGO_PORT, default 27017.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=$(realpath -m "${2:-.infra}")
mongo=${MONGO_PORT:-27017}

running() { [ -s "$dir/$1.pid" ] && kill -0 "$(cat "$dir/$1.pid")" 2> /dev/null; }
start() { # name command...: starts it in the background and writes its pid to a file
  local name=$1; shift
  if running "$name"; then return; fi
  setsid nohup "$@" > "$dir/$name.log" 2>&1 < /dev/null &
  echo $! > "$dir/$name.pid"
}
await() { # name port: waits until it accepts connections, at most 30 s
  for _ in $(seq 300); do
    sleep .1
    running "$1" || break # another program may use the port
    (echo > "/dev/tcp/127.0.0.1/$2") 2> /dev/null && return
  done
  echo "$1 did not start:" >&2; tail -5 "$dir/$1.log" >&2; exit 1
}
stop() { # name: sends SIGTERM, waits up to 10 s, then kills it
  if running "$1"; then
    kill "$(cat "$dir/$1.pid")"
    for _ in $(seq 100); do running "$1" || break; sleep .1; done
    if running "$1"; then kill -9 "$(cat "$dir/$1.pid")"; fi
  fi
  rm -f "$dir/$1.pid"
}
build() { # only if the program is missing or older than its sources
  if [ -x "$dir/mongo" ] && [ -z "$(find "$here/mongo" -newer "$dir/mongo")" ]; then return; fi
  (cd "$here/mongo" && go build -trimpath -mod=readonly -o "$dir/mongo" .)
}

case ${1:-} in
  up)
    mkdir -p "$dir/mongo-data"
    build
    start mongo "$dir/mongo" -listen "127.0.0.1:$mongo" -data "$dir/mongo-data"
    await mongo "$mongo"
    echo "MONGODB_URI=mongodb://127.0.0.1:$mongo" ;;
  down) stop mongo ;;
  status) if running mongo; then echo "mongo up (pid $(cat "$dir/mongo.pid"))"; else echo "mongo down"; fi ;;
  *) sed -n '2,4p' "$0" | cut -c3-; exit 2 ;;
esac
