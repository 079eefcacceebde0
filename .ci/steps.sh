# Sourced by .ci/run and .ci/full: a clean checkout to work in, steps that are timed and counted, and the closing line.
#   step NAME COMMAND...    runs it, remembers a failure and goes on
#   tests NAME ARGUMENT...  jest with these arguments; its counts enter the closing line
#   load NAME ARGUMENT...   a load test with these arguments, where Go is there to build k6
#   skipped REASON          names what could not run
#   start FUNCTION          runs its steps in the background
#   await FUNCTION...       waits for those of them that were started, without a name for all, and shows what they printed
#   close_ci                prints what was skipped or not judged, the slowest suites, the time and the counts, and exits: 0 when nothing failed

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
results="$work/results"
mkdir "$results"
: > "$work/failed" # a line for each failed step
declare -A background=() # by function: "pid:log"
replay_pids=()
infra=""

clean_up() {
  local one
  for one in "${background[@]}"; do pkill -P "${one%%:*}"; done 2> /dev/null
  [ -n "$infra" ] && bash "$work/checkout/deploy/without-docker/engines/infra.sh" down --dir "$infra" > /dev/null 2>&1
  [ "${#replay_pids[@]}" -gt 0 ] && kill "${replay_pids[@]}" 2> /dev/null
  rm -rf "$work"
}
trap clean_up EXIT

step() {
  local name=$1 began=$SECONDS
  shift
  echo "=== $name (at $((SECONDS / 60)) min)"
  if "$@" 2>&1 | tee -a "$work/printed"; then echo "--- $name: ok ($((SECONDS - began)) s)"; else
    echo "--- $name: FAILED ($((SECONDS - began)) s)"
    echo "$name" >> "$work/failed"
    return 1
  fi
}

load() {
  local name=$1
  shift
  if go version > /dev/null 2>&1; then step "$name" npm run --silent load-test -- "$@"; else skipped "$name: Go is not installed, which builds k6"; fi
}

tests() {
  local name=$1 suite end=
  shift
  # In band, the connections of suites are jest's own, and Node 20 can turn for ever in closing one when the process ends.
  [[ " $* " = *' --runInBand '* ]] && end=--forceExit
  for suite in "$@"; do [[ $suite = -* ]] || compgen -G "$suite*" > /dev/null || { echo "there is no suite $suite"; return 1; }; done
  npm test -- --ci --json --outputFile="$results/$name.json" $end "$@" || return
  [ -s "$results/$name.json" ] || { echo "jest wrote no results"; return 1; }
}

skipped() {
  echo "--- skipped: $1"
  echo "$1" >> "$work/skipped"
}

start() {
  local log
  log=$(mktemp -p "$work")
  ("$1"; : > "$log.ended") > "$log" 2>&1 &
  background[$1]="$!:$log"
}

await() {
  local name one
  [ $# -gt 0 ] || set -- "${!background[@]}"
  for name in "$@"; do
    one=${background[$name]:-}
    [ -n "$one" ] || continue
    unset "background[$name]"
    wait "${one%%:*}"
    cat "${one#*:}"
    [ -e "${one#*:}.ended" ] || step "$name, to its end" false
  done
}

# Debian packages that the checks need, installed where they are missing: need COMMAND PACKAGE COMMAND PACKAGE...
need() {
  local missing=()
  while [ $# -gt 0 ]; do
    bash -c "$1" > /dev/null 2>&1 || missing+=("$2")
    shift 2
  done
  [ "${#missing[@]}" -eq 0 ] || { apt-get update -qq && apt-get install -y -qq "${missing[@]}"; } || exit 1
}

# The committed state, in a folder of its own, with everything installed from nothing.
open_checkout() {
  git clone -q "$here" "$work/checkout" && cd "$work/checkout" || exit 1
  echo "commit $(git rev-parse --short HEAD), node $(node --version), npm $(npm --version), $(nproc) cores"
  step "install" npm ci --no-audit --no-fund
}

# Ports of their own: a package may have started its engine on the usual one.
export REDIS_PORT=${REDIS_PORT:-16379} KAFKA_PORT=${KAFKA_PORT:-19092} MONGO_PORT=${MONGO_PORT:-27117}
# Real engines on loopback: start_engines redis|kafka|mongo... sets REDIS_URL, KAFKA_BROKERS and `database` for those that run.
start_engines() {
  local engine
  infra="$work/infra"
  for engine in "$@"; do
    if ! can_run "$engine"; then continue; fi
    step "$engine" bash deploy/without-docker/engines/infra.sh up --dir "$infra" "$engine" || continue
    case $engine in
      redis) redis_url=redis://127.0.0.1:$REDIS_PORT ;;
      kafka) kafka_brokers=127.0.0.1:$KAFKA_PORT ;;
      mongo) database=mongodb://127.0.0.1:$MONGO_PORT ;;
    esac
  done
}
redis_url="" kafka_brokers="" database=""
stop_engines() { [ -z "$infra" ] || bash deploy/without-docker/engines/infra.sh down --dir "$infra" > /dev/null; }
# Whether this machine has what an engine needs; says otherwise what is missing.
can_run() {
  local lacks
  case $1 in
    redis) redis-server --version > /dev/null 2>&1 || lacks=redis-server ;;
    kafka) { java -version && mvn -v; } > /dev/null 2>&1 || lacks="Java or Maven" ;;
    mongo) go version > /dev/null 2>&1 || lacks=Go ;;
  esac
  [ -z "${lacks:-}" ] || { skipped "what needs $1: $lacks is not installed"; return 1; }
}

close_ci() {
  await
  [ -f "$work/skipped" ] && sed 's/^/skipped: /' "$work/skipped"
  times > "$work/times"
  node "$here/.ci/close.mjs" "$results" "$(wc -l < "$work/failed")" "$SECONDS" "$(tail -1 "$work/times")" "$work/printed"
  exit $?
}
