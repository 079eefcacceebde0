# Sourced by the scripts here: where things are, and the addresses of the node. Each may be set from outside.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${SHELFWISE_CLUSTER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/shelfwise-cluster}
bin=$cache/bin                            # what build.sh makes: kube (multi-call), coredns, metrics-server, helm, kubeconform, grpcurl
images=$cache/images                      # *.tar: loaded into containerd when the node starts
node=${CLUSTER_NODE:-node1}               # its name; also that of its cgroup and its link
host_ip=${CLUSTER_HOST_IP:-10.200.0.1}    # this machine, as pods see it: host.internal
node_ip=${CLUSTER_NODE_IP:-10.200.0.2}
pod_cidr=${CLUSTER_POD_CIDR:-10.244.0.0/24}
service_cidr=${CLUSTER_SERVICE_CIDR:-10.96.0.0/16}
api_service_ip=${CLUSTER_API_SERVICE_IP:-10.96.0.1}
dns_ip=${CLUSTER_DNS_IP:-10.96.0.10}
cni_bin=${CNI_BIN:-/usr/lib/cni}
PATH=$bin:/usr/sbin:/sbin:$PATH

fail() { echo "$1" >&2; exit 1; }

# The pid of the node's first process, if that very process still runs: its start time tells it from a later one with its pid.
node_pid() { # node_pid DIR
  local pid start
  read -r pid start 2> /dev/null < "$1/run/node.pid" || return 1
  [ "$(awk '{print $22}' "/proc/$pid/stat" 2> /dev/null)" = "$start" ] && echo "$pid"
}
