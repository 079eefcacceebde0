#!/usr/bin/env bash
# Creates what GRPC_TLS_DIR needs: a folder per process with its key, its certificate, and the certificate of an authority of your
# own, which signs all of them.
#
#   create-certificates.sh FOLDER NAME=HOST[,HOST...] ...
#
# creates FOLDER/NAME/{ca.crt,tls.crt,tls.key} for every NAME. A HOST is what callers put into the address of the service: a
# name, *.name for the copies below it, or an IP address. A gateway and an operator call and are not called: any HOST will do.
# The authority's key stays in FOLDER/ca.key: keep it off the machines. Run it again with the same FOLDER to renew certificates;
# processes use renewed ones without a restart.
#
# DAYS: how long certificates are valid (default 365); the authority is valid for ten years.
set -euo pipefail

if [ $# -lt 2 ]; then
  sed -n '2,13s/^# \{0,1\}//p' "$0"
  exit 2
fi
folder=$1
shift
days=${DAYS:-365}
umask 077
mkdir -p "$folder"

# A process that reads the folder while the files are replaced keeps its previous ones until all three fit together.
issue() {
  local name=$1 hosts=$2 into=$folder/$1 work
  work=$(mktemp -d "$folder/.new.XXXXXX")
  mkdir -p "$into"
  openssl ecparam -name prime256v1 -genkey -noout -out "$work/tls.key"
  openssl req -new -key "$work/tls.key" -subj "/CN=$name" -out "$work/tls.csr"
  printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=%s\n' \
    "$(alternative_names "$hosts")" > "$work/extensions"
  openssl x509 -req -in "$work/tls.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -set_serial "0x$(openssl rand -hex 16)" \
    -days "$days" -sha256 -extfile "$work/extensions" -out "$work/tls.crt" 2> /dev/null
  cp "$folder/ca.crt" "$work/ca.crt"
  mv "$work/tls.key" "$work/tls.crt" "$work/ca.crt" "$into/"
  rm -r "$work"
}

alternative_names() {
  local host names=
  for host in ${1//,/ }; do
    if [[ $host =~ ^[0-9.]+$ || $host == *:* ]]; then names+=",IP:$host"; else names+=",DNS:$host"; fi
  done
  echo "${names#,}"
}

if [ ! -e "$folder/ca.key" ]; then
  openssl ecparam -name prime256v1 -genkey -noout -out "$folder/ca.key"
  openssl req -x509 -new -key "$folder/ca.key" -days 3650 -sha256 -subj '/CN=Shelfwise services' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -out "$folder/ca.crt"
fi
for process in "$@"; do
  [[ $process == *=?* ]] || { echo "$process: must be NAME=HOST[,HOST...]" >&2; exit 2; }
  issue "${process%%=*}" "${process#*=}"
  echo "$folder/${process%%=*}"
done
