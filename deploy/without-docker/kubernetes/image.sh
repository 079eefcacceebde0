#!/usr/bin/env bash
# Builds an image of this repository without Docker and without a registry, with buildah (root, Debian 12):
#   image.sh WORKSPACE FILE.tar     the image local/shelfwise-NAME:1 of deploy/Dockerfile, as an archive in the format of docker save
# Its base, node:20-bookworm-slim, is the one that build.sh makes. RUN steps use this machine's network and are lent its CA
# certificates, so that npm works behind a proxy.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
[ $# = 2 ] || { sed -n '2,5p' "$0" | cut -c3- >&2; exit 2; }
root=$(cd "$here/../../.." && pwd) name=local/shelfwise-$(basename "$1"):1 file=$(realpath -m "$2")
# In a mount namespace, so that its mounts end with it.
run_buildah() { unshare --mount buildah --root "$cache/buildah" --runroot "$cache/buildah/run" "$@"; }
base=docker.io/library/node:20-bookworm-slim
run_buildah inspect --type image "$base" > /dev/null 2>&1 || run_buildah pull -q "docker-archive:$images/base/node.tar" > /dev/null
authorities=/etc/ssl/certs/ca-certificates.crt
echo "cafile=$authorities" > "$cache/buildah/npmrc"
run_buildah bud --isolation chroot --pull-never --layers -v "$authorities:$authorities:ro" -v "$cache/buildah/npmrc:/usr/local/etc/npmrc:ro" \
  --build-arg "WORKSPACE=$1" -f "$root/deploy/Dockerfile" -t "$name" "$root"
mkdir -p "$(dirname "$file")"
rm -f "$file"
run_buildah push -q "$name" "docker-archive:$file:$name"
