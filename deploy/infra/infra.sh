#!/usr/bin/env bash
# Redis, Apache Kafka and a MongoDB-compatible server on loopback, for a machine without Docker.
#   npm run infra -- up|down|status [--dir DIR] [redis|kafka|mongo ...]     default: .infra, all three
# up prints the settings that name the engines. down stops them; without any left it deletes DIR (data, logs, pids).
# Needs redis-server 7; for Kafka java 17 or later and, to be built, mvn; for mongo, to be built, go 1.24 or later.
# Ports: REDIS_PORT (6379), KAFKA_PORT (9092, and the next one), MONGO_PORT (27017).
# Built parts stay in SHELFWISE_INFRA_CACHE (default: shelfwise-infra in the user's cache folder).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${SHELFWISE_INFRA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/shelfwise-infra}
redis=${REDIS_PORT:-6379} kafka=${KAFKA_PORT:-9092} mongo=${MONGO_PORT:-27017}

usage() { sed -n '2,7p' "${BASH_SOURCE[0]}" | cut -c3-; exit "$1"; }
fail() { echo "$1" >&2; exit 1; }

# The process group of an engine: a launcher and the engine itself stop together.
running() { [ -s "$dir/$1.pid" ] && kill -0 -- "-$(cat "$dir/$1.pid")" 2> /dev/null; }
start() { # start NAME COMMAND...: in the background, in a process group of its own
  local name=$1
  shift
  setsid nohup "$@" > "$dir/$name.log" 2>&1 < /dev/null &
  echo $! > "$dir/$name.pid"
}
await() { # await NAME PORT: until it accepts connections, at most 60 s
  for _ in $(seq 600); do
    sleep .1
    running "$1" || break
    (echo > "/dev/tcp/127.0.0.1/$2") 2> /dev/null && return
  done
  echo "$1 did not start:" >&2
  tail -5 "$dir/$1.log" >&2
  stop "$1"
  exit 1
}
stop() { # stop NAME: SIGTERM, then SIGKILL after 10 s
  if running "$1"; then
    kill -- "-$(cat "$dir/$1.pid")"
    for _ in $(seq 100); do running "$1" || break; sleep .1; done
    if running "$1"; then kill -9 -- "-$(cat "$dir/$1.pid")"; fi
  fi
  rm -f "$dir/$1.pid"
}
# built FOLDER NAME: where the part made of a folder's files is kept; another version of the files is another part.
built() { echo "$cache/$2-$(cat "$here/$1"/* | sha256sum | cut -c1-16)"; }
# One build at a time; a part appears under its name only when it is complete.
build() { # build PATH COMMAND...: the command makes PATH.new
  local path=$1
  shift
  mkdir -p "$cache"
  (
    flock 9
    [ -e "$path" ] || { rm -rf "$path.new" && "$@" && mv "$path.new" "$path"; }
  ) 9> "$cache/lock"
}

# Another program on the port would be taken for the engine.
need_port() { # need_port PORT SETTING
  ! (echo > "/dev/tcp/127.0.0.1/$1") 2> /dev/null || echo "Port $1 is in use; $2 chooses another."
}
# need_NAME: prints what is missing. What is built already needs no compiler.
need_redis() {
  need_port "$redis" REDIS_PORT
  redis-server --version 2> /dev/null | grep -q ' v=[7-9]' || echo "Redis needs redis-server 7 or later (Debian: redis-server)."
}
need_kafka() {
  need_port "$kafka" KAFKA_PORT
  need_port "$((kafka + 1))" KAFKA_PORT
  jars=$(built kafka kafka)
  java -version > /dev/null 2>&1 || echo "Kafka needs java 17 or later (Debian: openjdk-17-jre-headless)."
  [ -e "$jars" ] || mvn -v > /dev/null 2>&1 || echo "Kafka needs mvn once, for its jars (Debian: maven)."
}
need_mongo() {
  need_port "$mongo" MONGO_PORT
  program=$(built mongo mongo)
  [ -e "$program" ] || go version > /dev/null 2>&1 || echo "The MongoDB-compatible server needs go 1.24 or later once, to be built (https://go.dev/dl)."
}

up_redis() {
  mkdir -p "$dir/redis-data"
  start redis redis-server --port "$redis" --bind 127.0.0.1 --dir "$dir/redis-data" --appendonly yes
  await redis "$redis"
}
copy_jars() {
  mvn -q -B -Dstyle.color=never -f "$here/kafka/pom.xml" dependency:copy-dependencies -DoutputDirectory="$jars.new" -DincludeScope=runtime
}
up_kafka() {
  jars=$(built kafka kafka)
  build "$jars" copy_jars
  local jvm=(java -Xmx512m "-Dlog4j2.configurationFile=$here/kafka/log4j2.properties" -cp "$jars/*")
  sed "s|\${port}|$kafka|g; s|\${controller_port}|$((kafka + 1))|g; s|\${data}|$dir/kafka-data|g" "$here/kafka/server.properties" > "$dir/kafka.properties"
  if [ -f "${KAFKA_PROPERTIES:-}" ]; then cat "$KAFKA_PROPERTIES" >> "$dir/kafka.properties"; fi # a later line wins
  if [ ! -f "$dir/kafka-data/meta.properties" ]; then
    "${jvm[@]}" kafka.tools.StorageTool format -c "$dir/kafka.properties" \
      -t "$(head -c16 /dev/urandom | base64 | tr '+/' 'AB' | tr -d =)" > "$dir/kafka-format.log" 2>&1 || fail "$(cat "$dir/kafka-format.log")"
  fi
  start kafka "${jvm[@]}" kafka.Kafka "$dir/kafka.properties"
  await kafka "$kafka"
}
compile_mongo() { (cd "$here/mongo" && go build -trimpath -mod=readonly -o "$program.new" .); }
up_mongo() {
  program=$(built mongo mongo)
  build "$program" compile_mongo
  mkdir -p "$dir/mongo-data"
  start mongo "$program" -listen "127.0.0.1:$mongo" -data "$dir/mongo-data"
  await mongo "$mongo"
}
setting() {
  case $1 in
    redis) echo "REDIS_URL=redis://127.0.0.1:$redis" ;;
    kafka) echo "KAFKA_BROKERS=127.0.0.1:$kafka" ;;
    mongo) echo "MONGODB_URI=mongodb://127.0.0.1:$mongo" ;;
  esac
}

command=${1:-}
shift || true
dir=.infra
engines=()
while [ $# -gt 0 ]; do
  case $1 in
    --dir) dir=${2:?--dir needs a folder}; shift 2 ;;
    redis | kafka | mongo) engines+=("$1"); shift ;;
    *) usage 2 >&2 ;;
  esac
done
[ ${#engines[@]} -gt 0 ] || engines=(redis mongo kafka)
dir=$(realpath -m "$dir")

case $command in
  up)
    # All at once, and before any engine starts.
    missing=$(for engine in "${engines[@]}"; do running "$engine" || "need_$engine"; done)
    [ -z "$missing" ] || fail "$missing"
    mkdir -p "$dir"
    touch "$dir/.shelfwise-infra"
    for engine in "${engines[@]}"; do running "$engine" || "up_$engine"; done
    for engine in "${engines[@]}"; do setting "$engine"; done ;;
  down)
    for engine in "${engines[@]}"; do stop "$engine"; done
    if [ -f "$dir/.shelfwise-infra" ] && ! compgen -G "$dir/*.pid" > /dev/null; then rm -rf "$dir"; fi ;;
  status)
    for engine in "${engines[@]}"; do
      if running "$engine"; then echo "$engine up: $(setting "$engine")"; else echo "$engine down"; fi
    done ;;
  --help | -h) usage 0 ;;
  *) usage 2 >&2 ;;
esac
