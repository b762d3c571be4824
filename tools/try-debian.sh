#!/usr/bin/env bash
# Follows the README in a Debian that has nothing but git and Node: makes one
# with debootstrap, clones HEAD into it, runs `npm start` until it answers, and
# `npm test`; prints how long each took.
#
#   sudo tools/try-debian.sh bookworm|trixie [start|test|all|ci]
#
# `start` and `test` run that command alone, `all` adds `npm run test:all`, `ci` is `start` and then .ci/run.
# Needs root, debootstrap and git. DEBIAN_MIRROR and FOLDER can be set.
set -euo pipefail

suite=${1:?usage: tools/try-debian.sh bookworm|trixie [start|test|all|ci]}
what=${2:-both}
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${FOLDER:-/var/tmp/attn-$suite}

# The mounts live in a namespace of their own and vanish with it.
if [ "${IN_NAMESPACE:-}" != "$$" ]; then
  export IN_NAMESPACE=$$
  exec unshare --mount --propagation private -- "$0" "$@"
fi

# The mirror that this machine itself uses.
mirror_of_this_machine() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' |
    grep '/debian/\?$' | head -n 1 || true
}
mirror=${DEBIAN_MIRROR:-$(mirror_of_this_machine)}
[ -n "$mirror" ] || { echo "No Debian mirror in this machine's sources; set DEBIAN_MIRROR." >&2; exit 1; }

inside() {
  chroot "$folder" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_EXTRA_CA_CERTS=/root/authorities.crt \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

timed() {
  local name=$1 start=$SECONDS
  shift
  if "$@"; then
    echo "== $suite: $name took $((SECONDS - start)) s"
  else
    echo "== $suite: $name FAILED after $((SECONDS - start)) s"
    exit 1
  fi
}

bare_debian() {
  rm -rf --one-file-system "$folder"
  debootstrap --variant=minbase --include=git "$suite" "$folder" "$mirror" >"/tmp/debootstrap-$suite.log"
  # Services are not for a chroot.
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod +x "$folder/usr/sbin/policy-rc.d"
  cp --remove-destination /etc/resolv.conf /etc/hosts "$folder/etc/"
  cp /etc/ssl/certs/ca-certificates.crt "$folder/root/authorities.crt"
  mount -t proc proc "$folder/proc"
  mount --rbind /dev "$folder/dev"
  mount --rbind /sys "$folder/sys"
}

# Debian 13 has Node 20. Debian 12 has 18, which its emscripten brings along to
# /usr/bin; so it gets a copy of this machine's where a download would go.
node_in_it() {
  if [ "$suite" = bookworm ]; then
    local to=$folder/usr/local
    mkdir -p "$to/bin" "$to/lib/node_modules"
    cp -L "$(command -v node)" "$to/bin/node"
    cp -a "$(npm root -g)/npm" "$to/lib/node_modules/"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$to/bin/npm"
    ln -s ../lib/node_modules/npm/bin/npx-cli.js "$to/bin/npx"
  else
    inside apt-get update -qq
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends nodejs npm >"/tmp/node-$suite.log" 2>&1
  fi
  inside node --version
  inside npm --version
}

clone() {
  git clone --quiet --no-hardlinks "file://$root" "$folder/root/course"
  git -C "$folder/root/course" log -1 --format='commit %h %s'
}

# Runs `npm start` until its address answers, then ends it as Ctrl+C would.
start_and_stop() {
  local log=$folder/root/start.log pid address='' status=1
  # A process group of its own, which does not ignore the interrupt.
  set -m
  inside sh -c 'cd /root/course && exec npm start' >"$log" 2>&1 </dev/null &
  pid=$!
  set +m
  while kill -0 "$pid" 2>/dev/null && [ -z "$address" ]; do
    sleep 1
    address=$(sed -n 's/^ *\(http:[^ ]*\)$/\1/p' "$log")
  done
  cat "$log"
  if [ -n "$address" ]; then
    inside node -e "fetch('$address').then(async (r) => { console.log(r.status, (await r.text()).length + ' characters'); process.exit(r.ok ? 0 : 1); })" && status=0
    kill -INT -- "-$pid"
  fi
  wait "$pid" || true
  return "$status"
}

npm_run() {
  inside sh -c "cd /root/course && npm run $1" </dev/null
}

timed "debootstrap" bare_debian
timed "git and Node" node_in_it
timed "clone" clone
case $what in both | start | all | ci) timed "the first npm start" start_and_stop ;; esac
case $what in both | start | all | ci) timed "the second npm start" start_and_stop ;; esac
case $what in both | test | all) timed "npm test" npm_run test ;; esac
case $what in all) timed "npm run test:all" npm_run test:all ;; esac
case $what in ci) timed ".ci/run" inside sh -c 'cd /root/course && .ci/run' </dev/null ;; esac
