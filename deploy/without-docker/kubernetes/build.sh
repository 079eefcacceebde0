#!/usr/bin/env bash
# Builds what the other scripts here use, from Debian's packages and the Go module proxy, into ~/.cache/shelfwise-cluster:
#   build.sh           everything: Kubernetes with etcd, CoreDNS, metrics-server, helm, kubeconform, grpcurl, base images
#   build.sh tools     only helm and kubeconform, which need neither root nor packages
# What is there is kept. Needs Go 1.26; for everything also root, Debian 12, gcc, Node.js and npm (the node image is made of this
# machine's own). About 12 minutes on two cores when cold, and 8 GB of caches (go/ and gocache/), which may be deleted.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
export GOPATH=$cache/go GOCACHE=$cache/gocache CGO_ENABLED=0 GOFLAGS="-buildvcs=false -modcacherw"
mkdir -p "$bin"
timed() { local began=$SECONDS; "$@"; echo "$((SECONDS - began)) s: ${*:1:4}"; }
compile() { (cd "$1" && go build -trimpath -ldflags "-s -w $3" -o "$bin/$2.new" . && mv "$bin/$2.new" "$bin/$2"); } # FOLDER NAME LDFLAGS
# The program of a module, by the name of its last folder.
install_module() { # install_module PACKAGE VERSION [LDFLAGS]
  [ -x "$bin/$(basename "$1")" ] || timed env GOBIN="$bin" go install -trimpath -ldflags "-s -w ${3:-}" "$1@$2"
}

build_tools() {
  install_module helm.sh/helm/v3/cmd/helm v3.21.4 "-X helm.sh/helm/v3/internal/version.version=v3.21.4 -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=34 -X helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor=34"
  install_module github.com/yannh/kubeconform/cmd/kubeconform v0.7.0
}
# Kubernetes and etcd as one program: kube/go.mod names the version.
build_kubernetes() {
  local version minor flags="" package
  version=$(cd "$here/kube" && go list -m -f '{{.Version}}' k8s.io/kubernetes)
  minor=${version#v1.}
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags="$flags -X $package.gitVersion=$version -X $package.gitMajor=1 -X $package.gitMinor=${minor%%.*} -X $package.gitTreeState=clean"
  done
  timed compile "$here/kube" kube "$flags"
}
link_kubernetes() {
  for program in etcd kubectl kubelet kube-apiserver kube-controller-manager kube-proxy kube-scheduler; do ln -sf kube "$bin/$program"; done
}
install_packages() {
  local packages=(containerd runc containernetworking-plugins iptables nftables ipset conntrack ethtool buildah debootstrap openssl iproute2 procps)
  dpkg -s "${packages[@]}" > /dev/null 2>&1 && return
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends "${packages[@]}" > /dev/null
}

build_tools
[ "${1:-}" = tools ] && exit
[ "$(id -u)" = 0 ] || fail "A cluster needs root."
timed install_packages
[ -x "$bin/kube" ] || build_kubernetes
link_kubernetes
[ -x "$bin/coredns" ] || timed compile "$here/coredns" coredns ""
install_module sigs.k8s.io/metrics-server/cmd/metrics-server v0.9.0
install_module github.com/fullstorydev/grpcurl/cmd/grpcurl v1.9.3
timed "$here/base-images.sh"
