#!/usr/bin/env bash
# The node's first process, pid 1 of its PID namespace, which cluster.sh starts. Starts every program, and starts it again when it
# ends. When this process is killed, the kernel ends all the others.
set -u
PATH=$bin:/usr/sbin:/sbin:$PATH

# Mounts of its own: nothing of the following is seen outside.
mount -t proc proc /proc
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /var/lib/kubelet /var/lib/cni
mount --bind "$dir/cni" /var/lib/cni
mount --bind "$dir/varlog" /var/log
mount --bind "$dir/kubelet" /var/lib/kubelet
mount --make-rshared / # volumes may ask for mount propagation

# The kubelet insists on three machine-wide sysctls: it is shown the values it wants, and the machine's own stay.
for setting in vm/overcommit_memory=1 kernel/panic=10 kernel/panic_on_oops=1; do
  file=/run/sysctl-$(basename "${setting%=*}")
  echo "${setting#*=}" > "$file"
  mount --bind "$file" "/proc/sys/${setting%=*}"
done

# A cgroup of the node's own in every hierarchy.
for hierarchy in /sys/fs/cgroup/*/; do mkdir -p "$hierarchy$node"; done
for file in cpus mems; do cat /sys/fs/cgroup/cpuset/cpuset.$file > "/sys/fs/cgroup/cpuset/$node/cpuset.$file"; done
# All pods together count as one against each single process of this machine: engines and the control plane would starve them.
echo 16384 > "/sys/fs/cgroup/cpu/$node/cpu.shares"

until [ -e "$dir/run/linked" ]; do sleep 0.1; done
sysctl -qw net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1 # of this network namespace only
# The pods' bridge, with an address of its own: else it takes the lowest of its ports', and pods lose packets whenever that changes.
ip link add cni0 address 02:00:00:00:00:01 type bridge

keep() { # keep NAME COMMAND...: keeps it running; its log and its pid, as seen in here, are under DIR
  local name=$1
  shift
  (while :; do
    "$@" >> "$dir/logs/$name.log" 2>&1 &
    echo $! > "$dir/run/$name.pid"
    wait $!
    sleep 2
  done) &
}
pki=$dir/pki conf=$dir/conf

keep etcd etcd --data-dir "$dir/etcd" --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync --log-level warn
keep containerd containerd --config "$conf/containerd.toml"
keep apiserver kube-apiserver --etcd-servers http://127.0.0.1:2379 --advertise-address "$node_ip" \
  --service-cluster-ip-range "$service_cidr" --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction --allow-privileged \
  --client-ca-file "$pki/ca.crt" --tls-cert-file "$pki/apiserver.crt" --tls-private-key-file "$pki/apiserver.key" \
  --kubelet-certificate-authority "$pki/ca.crt" --kubelet-client-certificate "$pki/apiserver-kubelet.crt" --kubelet-client-key "$pki/apiserver-kubelet.key" \
  --kubelet-preferred-address-types InternalIP \
  --service-account-issuer https://kubernetes.default.svc.cluster.local --service-account-key-file "$pki/sa.pub" --service-account-signing-key-file "$pki/sa.key" \
  --requestheader-client-ca-file "$pki/front-proxy-ca.crt" --requestheader-allowed-names front-proxy --requestheader-username-headers X-Remote-User \
  --requestheader-group-headers X-Remote-Group --requestheader-extra-headers-prefix X-Remote-Extra- \
  --proxy-client-cert-file "$pki/front-proxy.crt" --proxy-client-key-file "$pki/front-proxy.key" --enable-aggregator-routing
until kubectl --kubeconfig "$conf/addons.kubeconfig" get --raw /readyz > /dev/null 2>&1; do sleep 0.3; done

keep controller-manager kube-controller-manager --kubeconfig "$conf/controller-manager.kubeconfig" --leader-elect=false \
  --use-service-account-credentials --service-account-private-key-file "$pki/sa.key" --root-ca-file "$pki/ca.crt" \
  --cluster-signing-cert-file "$pki/ca.crt" --cluster-signing-key-file "$pki/ca.key" \
  --allocate-node-cidrs --cluster-cidr "$pod_cidr" --node-cidr-mask-size "${pod_cidr#*/}"
keep scheduler kube-scheduler --kubeconfig "$conf/scheduler.kubeconfig" --leader-elect=false

for image in "$images"/*.tar; do [ -e "$image" ] && ctr -n k8s.io images import --all-platforms "$image"; done
keep kubelet kubelet --config "$conf/kubelet.yaml" --kubeconfig "$conf/kubelet.kubeconfig" --hostname-override "$node" --node-ip "$node_ip"
until kubectl --kubeconfig "$conf/addons.kubeconfig" get node "$node" > /dev/null 2>&1; do sleep 0.3; done
keep proxy kube-proxy --config "$conf/proxy.yaml"

while :; do wait -n || sleep 1; done # reap
