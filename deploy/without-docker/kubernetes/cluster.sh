#!/usr/bin/env bash
# A real Kubernetes of one node, with containers, for a machine without Docker:
#   cluster.sh up DIR              starts it, with all state under DIR; builds what is missing first (12 minutes, once)
#   cluster.sh down DIR [--purge]  ends it and leaves nothing running; --purge deletes DIR, too
#   cluster.sh status DIR          what runs, with memory
#   cluster.sh load DIR IMAGE.tar  gives it an image that image.sh made
#   cluster.sh exec DIR COMMAND... runs a command inside the node
# up prints the KUBECONFIG and the folder of kubectl and helm. One cluster per machine; needs root and Debian 12.
#
# etcd, control plane, containerd, kubelet and pods run in a PID, mount and network namespace of their own, as a kind node runs in
# a container: their rules, bridges, mounts and processes are invisible to the machine and end with the namespace's first process.
# A veth pair and two routes let this machine reach pods and Services.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
usage() { sed -n '2,8p' "${BASH_SOURCE[0]}" | cut -c3-; exit "$1"; }

ca() { # ca NAME
  [ -s "$1.crt" ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
    -keyout "$1.key" -out "$1.crt" -subj "/CN=$1" 2> /dev/null
}
certificate() { # certificate NAME AUTHORITY SUBJECT [ALTERNATIVE-NAMES]
  [ -s "$1.crt" ] && return
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -subj "$3" 2> /dev/null |
    openssl x509 -req -days 3650 -CA "$2.crt" -CAkey "$2.key" -CAcreateserial -out "$1.crt" 2> /dev/null \
      -extfile <(
        echo "keyUsage=digitalSignature,keyEncipherment"
        echo "extendedKeyUsage=clientAuth,serverAuth"
        [ -z "${4:-}" ] || echo "subjectAltName=$4"
      )
}
# One authority for the cluster, one for the aggregation layer.
write_certificates() {
  cd "$dir/pki"
  ca ca
  ca front-proxy-ca
  certificate apiserver ca /CN=kube-apiserver "IP:127.0.0.1,IP:$node_ip,IP:$api_service_ip,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local"
  certificate apiserver-kubelet ca /O=system:masters/CN=kube-apiserver-kubelet-client
  certificate front-proxy front-proxy-ca /CN=front-proxy
  certificate admin ca /O=system:masters/CN=admin
  certificate controller-manager ca /CN=system:kube-controller-manager
  certificate scheduler ca /CN=system:kube-scheduler
  certificate proxy ca /CN=system:kube-proxy
  certificate kubelet ca "/O=system:nodes/CN=system:node:$node" "IP:$node_ip,DNS:$node"
  certificate addons ca /O=system:masters/CN=addons # CoreDNS, metrics-server
  [ -s sa.key ] || { openssl genrsa -out sa.key 2048 && openssl rsa -in sa.key -pubout -out sa.pub; } 2> /dev/null
  for user in controller-manager scheduler proxy kubelet addons; do write_kubeconfig "$user" "$dir/conf/$user.kubeconfig"; done > /dev/null
  write_kubeconfig admin "$KUBECONFIG" > /dev/null
}
write_kubeconfig() { # write_kubeconfig USER FILE
  kubectl config --kubeconfig "$2" set-cluster c --server "https://$node_ip:6443" --certificate-authority ca.crt --embed-certs
  kubectl config --kubeconfig "$2" set-credentials "$1" --client-certificate "$1.crt" --client-key "$1.key" --embed-certs
  kubectl config --kubeconfig "$2" set-context c --cluster c --user "$1"
  kubectl config --kubeconfig "$2" use-context c
}

write_settings() {
  cd "$dir/conf"
  echo "# pods of dnsPolicy Default: no upstream names" > resolv.conf
  cat > containerd.toml << TOML
version = 2
root = "$dir/containerd"
state = "/run/containerd"
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "local/pause:1"
  enable_unprivileged_ports = true
  restrict_oom_score_adj = true # without CAP_SYS_RESOURCE a score cannot be lowered
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$cni_bin"
    conf_dir = "$dir/conf/cni"
TOML
  mkdir -p cni
  cat > cni/10-bridge.conflist << JSON
{ "cniVersion": "1.0.0", "name": "pods", "plugins": [
  { "type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": true, "hairpinMode": true,
    "ipam": { "type": "host-local", "dataDir": "/var/lib/cni/ipam",
              "ranges": [[{ "subnet": "$pod_cidr" }]], "routes": [{ "dst": "0.0.0.0/0" }] } },
  { "type": "portmap", "capabilities": { "portMappings": true } } ] }
JSON
  cat > kubelet.yaml << YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: cgroupfs
cgroupRoot: /$node
failCgroupV1: false                # 1.34 still takes cgroup v1
failSwapOn: false
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
clusterDNS: [$dns_ip]
clusterDomain: cluster.local
resolvConf: $dir/conf/resolv.conf
authentication: { x509: { clientCAFile: $dir/pki/ca.crt }, anonymous: { enabled: false } }
authorization: { mode: Webhook }
tlsCertFile: $dir/pki/kubelet.crt
tlsPrivateKeyFile: $dir/pki/kubelet.key
enforceNodeAllocatable: []
evictionHard: { memory.available: 100Mi, nodefs.available: 1% }
imageGCHighThresholdPercent: 100   # images are local only: a dropped one could not be pulled again
nodeStatusUpdateFrequency: 5s
YAML
  cat > proxy.yaml << YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: { kubeconfig: $dir/conf/proxy.kubeconfig }
mode: iptables
iptables: { minSyncPeriod: 50ms }  # with the usual 1 s a new Service loses its first packets for so long
clusterCIDR: $pod_cidr
hostnameOverride: $node
conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s } # machine-wide: leave alone
YAML
}

start_node() {
  ip link show "$node" > /dev/null 2>&1 && fail "The link $node exists: is another cluster up?"
  mkdir -p "$dir"/{pki,conf,run,logs,etcd,containerd,kubelet,cni,varlog}
  (write_certificates)
  (write_settings)
  rm -f "$dir/run/"*
  export dir bin images node node_ip host_ip pod_cidr service_cidr
  setsid unshare --net --mount --pid --fork --kill-child --propagation slave \
    "$here/node.sh" < /dev/null >> "$dir/logs/node.log" 2>&1 &
  for _ in $(seq 50); do
    pid=$(pgrep -P $! || true)
    [ -n "$pid" ] && break
    sleep 0.1
  done
  [ -n "$pid" ] || fail "$(tail "$dir/logs/node.log")"
  echo "$pid $(awk '{print $22}' "/proc/$pid/stat")" > "$dir/run/node.pid"
  ip link add "$node" type veth peer name eth0 netns "$pid"
  ip addr add "$host_ip/30" dev "$node"
  ip link set "$node" up
  nsenter -t "$pid" -n sh -c "ip link set lo up; ip addr add $node_ip/30 dev eth0; ip link set eth0 up; ip route add default via $host_ip"
  ip route add "$pod_cidr" via "$node_ip"
  ip route add "$service_cidr" via "$node_ip"
  touch "$dir/run/linked" # node.sh waits for it
}
is_ready() {
  kubectl get --raw /readyz && kubectl wait --for=condition=Ready "node/$node" --timeout=1s &&
    kubectl -n default get serviceaccount default
} > /dev/null 2>&1
up() {
  export KUBECONFIG=$dir/kubeconfig
  mkdir -p "$dir"
  pid=$(node_pid "$dir") || start_node
  for _ in $(seq 120); do
    is_ready && break
    kill -0 "$pid" 2> /dev/null || fail "The node ended; its logs are in $dir/logs."
    sleep 1
  done
  is_ready || fail "The node is not ready after two minutes; its logs are in $dir/logs."
  sed "s/@HOST_IP@/$host_ip/; s/@DNS_IP@/$dns_ip/" "$here/addons.yaml" | kubectl apply -f - > /dev/null
  kubectl -n kube-system rollout status deployment/coredns --timeout=60s > /dev/null
  echo "export KUBECONFIG=$KUBECONFIG PATH=$bin:\$PATH"
}
down() {
  if pid=$(node_pid "$dir"); then
    kill -KILL "$pid" # the kernel ends the whole PID namespace with it
    while [ -e "/proc/$pid" ]; do sleep 0.1; done
    ip link del "$node" 2> /dev/null || true # and its routes
    for _ in 1 2 3 4 5; do
      find /sys/fs/cgroup/*/"$node" -depth -type d -exec rmdir {} + 2> /dev/null && break
      sleep 0.3
    done || true
  fi
  rm -f "$dir/run/"*
  [ "${1:-}" != --purge ] || rm -rf "$dir"
}
enter() { nsenter -t "$(node_pid "$dir" || fail "It does not run.")" -m -n -p -- "$@"; }
status() {
  local namespace name inside state process
  pid=$(node_pid "$dir") || fail "It does not run."
  namespace=$(readlink "/proc/$pid/ns/pid")
  for file in "$dir"/run/*.pid; do
    name=$(basename "$file" .pid)
    [ "$name" = node ] && continue
    inside=$(cat "$file") state=ended
    # The pid in the file is the one inside the namespace.
    for process in $(pgrep -x --nslist pid --ns "$pid" '.*' 2> /dev/null); do
      [ "$(awk '/^NSpid/{print $NF}' "/proc/$process/status" 2> /dev/null)" = "$inside" ] &&
        state="pid $process, $(awk '/^VmRSS/{printf "%d MiB", $2/1024}' "/proc/$process/status")" && break
    done
    printf '%-20s %s\n' "$name" "$state"
  done
  echo "$namespace, $(du -sh "$dir" 2> /dev/null | cut -f1) on disk"
  KUBECONFIG=$dir/kubeconfig kubectl get nodes,pods -A -o wide
}

command=${1:-}
case $command in
  --help | -h) usage 0 ;;
  up | down | status | load | exec) [ $# -ge 2 ] || usage 2 >&2 ;;
  *) usage 2 >&2 ;;
esac
dir=$(realpath -m "$2")
shift 2
case $command in
  up)
    [ "$(id -u)" = 0 ] || fail "A cluster needs root."
    "$here/build.sh" > /dev/null
    up ;;
  down) down "$@" ;;
  status) status ;;
  load) enter ctr -n k8s.io images import --all-platforms "$(realpath "$1")" ;;
  exec) enter "$@" ;;
esac
