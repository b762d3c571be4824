#!/usr/bin/env bash
# Prints the accessibility tree that a browser really gives to a screen reader:
#
#   tests/screen-reader/tree.sh URL firefox|chromium
set -u
export URL=${1:?url} BROWSER=${2:-firefox}
here=$(cd "$(dirname "$0")" && pwd)
export HERE=$here
WORK=$(mktemp -d /tmp/tree-XXXXXX)
export WORK HOME=$WORK/home XDG_RUNTIME_DIR=$WORK/run
export GNOME_ACCESSIBILITY=1 GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8
mkdir -p "$HOME" "$XDG_RUNTIME_DIR" "$WORK/profile"
chmod 700 "$XDG_RUNTIME_DIR"
cp "$here/firefox-user.js" "$WORK/profile/user.js"
cat >"$WORK/session.sh" <<'C'
/usr/libexec/at-spi-bus-launcher --launch-immediately >/dev/null 2>&1 & bus=$!
sleep 1
if [ "$BROWSER" = chromium ]; then
  chromium --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --disable-features=Translate --force-renderer-accessibility \
    --user-data-dir="$WORK/profile" "$URL" >/dev/null 2>&1 & browser=$!
else
  firefox-esr --no-remote --profile "$WORK/profile" "$URL" >/dev/null 2>&1 & browser=$!
fi
timeout 60 /usr/bin/python3 "$HERE/tree.py"
kill "$browser" "$bus"
C
xvfb-run -a -s '-screen 0 1280x1000x24 -nolisten tcp' dbus-run-session -- bash "$WORK/session.sh" 2>/dev/null
sleep 0.5
rm -rf "$WORK"
