#!/usr/bin/env bash
# Makes the images that the cluster itself needs, and the base of Dockerfiles (node:20-bookworm-slim), from local files.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
mkdir -p "$images/base"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Packs a folder as an image of one layer, in the format of docker save, which containerd and buildah take.
pack() { # pack FOLDER NAME:TAG FILE COMMAND-AS-JSON [USER]
  local into=$work/pack sum
  rm -rf "$into" && mkdir -p "$into/layer"
  tar -C "$1" --numeric-owner --sort=name --mtime=@0 -cf "$into/layer/layer.tar" .
  sum=$(sha256sum "$into/layer/layer.tar" | cut -d' ' -f1)
  cat > "$into/config.json" << JSON
{"architecture":"amd64","os":"linux","created":"1970-01-01T00:00:00Z",
 "config":{"Cmd":$4,"User":"${5:-0}","WorkingDir":"/","Env":["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]},
 "rootfs":{"type":"layers","diff_ids":["sha256:$sum"]},"history":[{"created":"1970-01-01T00:00:00Z"}]}
JSON
  echo "[{\"Config\":\"config.json\",\"RepoTags\":[\"$2\"],\"Layers\":[\"layer/layer.tar\"]}]" > "$into/manifest.json"
  tar -C "$into" -cf "$3.new" manifest.json config.json layer/layer.tar
  mv "$3.new" "$3"
}

if [ ! -e "$images/pause.tar" ]; then
  mkdir "$work/pause"
  gcc -Os -static -s -o "$work/pause/pause" "$here/pause.c"
  pack "$work/pause" local/pause:1 "$images/pause.tar" '["/pause"]' 65535
fi
for program in coredns metrics-server; do
  [ -e "$images/$program.tar" ] && continue
  mkdir -p "$work/$program/tmp"
  chmod 1777 "$work/$program/tmp"
  cp "$bin/$program" "$work/$program/"
  pack "$work/$program" "local/$program:1" "$images/$program.tar" "[\"/$program\"]"
done

# Debian's minimal system with this machine's Node.js and npm: no registry of images is needed.
[ -e "$images/base/node.tar" ] && exit
root=$work/node
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" > /dev/null
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale,info}/* "$root"/var/log/*
npm=$(dirname "$(dirname "$(readlink -f "$(which npm)")")")
mkdir -p "$root/usr/local/lib/node_modules" "$root/home/node"
cp "$(readlink -f "$(which node)")" "$root/usr/local/bin/node"
cp -a "$npm" "$root/usr/local/lib/node_modules/"
for command in npm npx; do ln -s "../lib/node_modules/npm/bin/$command-cli.js" "$root/usr/local/bin/$command"; done
for library in $(ldd "$root/usr/local/bin/node" | grep -oE '/[^ ]+'); do [ -e "$root$library" ] || cp -aL --parents "$library" "$root"; done
echo 'node:x:1000:1000::/home/node:/bin/bash' >> "$root/etc/passwd"
echo 'node:x:1000:' >> "$root/etc/group"
chown 1000:1000 "$root/home/node"
pack "$root" docker.io/library/node:20-bookworm-slim "$images/base/node.tar" '["node"]'
