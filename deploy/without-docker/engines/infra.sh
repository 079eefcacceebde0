#!/usr/bin/env bash
# Redis, Apache Kafka and a MongoDB-compatible server on loopback, for a machine without Docker.
#   npm run infra -- up|down|status [--dir DIR] [--brokers N] [redis|kafka|mongo ...]     default: .infra, one broker, all three
# up prints the settings that name the engines. down stops them; without any left it deletes DIR (data, logs, pids).
# With --brokers 3 Kafka is a cluster of three. The number is chosen at the first up and kept with the data.
# Needs redis-server 7; for Kafka java 17 or later and, to be built, mvn; for mongo, to be built, go 1.24 or later.
# Ports: REDIS_PORT (6379), KAFKA_PORT (9092, and the next one; two more for each further broker), MONGO_PORT (27017).
# Built parts stay in SHELFWISE_INFRA_CACHE (default: shelfwise-infra in the user's cache folder).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${SHELFWISE_INFRA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/shelfwise-infra}
redis=${REDIS_PORT:-6379} kafka=${KAFKA_PORT:-9092} mongo=${MONGO_PORT:-27017}

usage() { sed -n '2,8p' "${BASH_SOURCE[0]}" | cut -c3-; exit "$1"; }
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
  local n
  for n in $(seq "$count"); do
    running "$(broker "$n")" && continue
    need_port "$(broker_port "$n")" KAFKA_PORT
    need_port "$(($(broker_port "$n") + 1))" KAFKA_PORT
  done
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
  # What its better compiler costs, a broker that lives for minutes never saves.
  local jvm=(java -XX:TieredStopAtLevel=1 "-Xmx$((count > 1 ? 320 : 512))m" "-Dlog4j2.configurationFile=$here/kafka/log4j2.properties" -cp "$jars/*") n
  [ -f "$dir/kafka-cluster" ] || head -c16 /dev/urandom | base64 | tr '+/' 'AB' | tr -d = > "$dir/kafka-cluster"
  echo "$count" > "$dir/kafka-brokers"
  # A broker of several is ready when a majority of them runs.
  for n in $(seq "$count"); do running "$(broker "$n")" || start_broker "$n"; done
  for n in $(seq "$count"); do await "$(broker "$n")" "$(broker_port "$n")"; done
}
start_broker() { # start_broker N
  local name port data
  name=$(broker "$1") port=$(broker_port "$1") data="$dir/$(broker "$1")-data"
  local file="$dir/$name.properties"
  sed "s|\${id}|$1|g; s|\${voters}|$(voters)|g; s|\${port}|$port|g; s|\${controller_port}|$((port + 1))|g; s|\${data}|$data|g" \
    "$here/kafka/server.properties" > "$file"
  if [ "$count" -gt 1 ]; then sed "s|\${replicas}|$((count < 3 ? count : 3))|g" "$here/kafka/cluster.properties" >> "$file"; fi
  if [ -f "${KAFKA_PROPERTIES:-}" ]; then cat "$KAFKA_PROPERTIES" >> "$file"; fi # a later line wins
  if [ ! -f "$data/meta.properties" ]; then
    "${jvm[@]}" kafka.tools.StorageTool format -c "$file" -t "$(cat "$dir/kafka-cluster")" > "$dir/$name-format.log" 2>&1 ||
      fail "$(cat "$dir/$name-format.log")"
  fi
  start "$name" "${jvm[@]}" kafka.Kafka "$file"
}
# The first broker is `kafka`, the others are `kafka2`, `kafka3`...
broker() { [ "$1" = 1 ] && echo kafka || echo "kafka$1"; }
broker_port() { echo $((kafka + 2 * ($1 - 1))); }
voters() { for n in $(seq "$count"); do echo "$n@127.0.0.1:$(($(broker_port "$n") + 1))"; done | paste -sd,; }
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
    kafka) echo "KAFKA_BROKERS=$(for n in $(seq "$count"); do echo "127.0.0.1:$(broker_port "$n")"; done | paste -sd,)" ;;
    mongo) echo "MONGODB_URI=mongodb://127.0.0.1:$mongo" ;;
  esac
}

command=${1:-}
shift || true
dir=.infra
count=""
engines=()
while [ $# -gt 0 ]; do
  case $1 in
    --dir) dir=${2:?--dir needs a folder}; shift 2 ;;
    --brokers) count=${2:?--brokers needs a number}; shift 2 ;;
    redis | kafka | mongo) engines+=("$1"); shift ;;
    *) usage 2 >&2 ;;
  esac
done
[ ${#engines[@]} -gt 0 ] || engines=(redis mongo kafka)
dir=$(realpath -m "$dir")
kept=$(cat "$dir/kafka-brokers" 2> /dev/null || true)
count=${count:-${kept:-1}}
[[ $count =~ ^[1-9]$ ]] || usage 2 >&2
[ "${kept:-$count}" = "$count" ] || fail "$dir has $kept brokers; run down first."
# Every process of an engine.
parts() { if [ "$1" = kafka ]; then for n in $(seq "$count"); do broker "$n"; done; else echo "$1"; fi; }
runs() { for part in $(parts "$1"); do running "$part" || return 1; done; }

case $command in
  up)
    # All at once, and before any engine starts.
    missing=$(for engine in "${engines[@]}"; do runs "$engine" || "need_$engine"; done)
    [ -z "$missing" ] || fail "$missing"
    mkdir -p "$dir"
    touch "$dir/.shelfwise-infra"
    for engine in "${engines[@]}"; do runs "$engine" || "up_$engine"; done
    for engine in "${engines[@]}"; do setting "$engine"; done ;;
  down)
    for engine in "${engines[@]}"; do for part in $(parts "$engine"); do stop "$part"; done; done
    if [ -f "$dir/.shelfwise-infra" ] && ! compgen -G "$dir/*.pid" > /dev/null; then rm -rf "$dir"; fi ;;
  status)
    for engine in "${engines[@]}"; do
      if runs "$engine"; then echo "$engine up: $(setting "$engine")"; else echo "$engine down"; fi
    done ;;
  --help | -h) usage 0 ;;
  *) usage 2 >&2 ;;
esac
