# Run by orca.sh inside a D-Bus session of its own: starts what a desktop
# would have, then drives the browser.
set -u
started=""
finish() {
  kill $started 2>/dev/null
  sleep 0.5
  kill -9 $started 2>/dev/null
}
trap finish EXIT

/usr/libexec/at-spi-bus-launcher --launch-immediately >/dev/null 2>&1 & started="$started $!"
speech-dispatcher --run-single --timeout 0 -C "$XDG_CONFIG_HOME/speech-dispatcher" >/dev/null 2>&1 & started="$started $!"
openbox --config-file "$WORK/openbox.xml" >/dev/null 2>&1 & started="$started $!"
sleep 1
orca --replace --debug-file="$WORK/orca.log" >"$WORK/orca.out" 2>&1 & started="$started $!"
for _ in $(seq 60); do [ -s "$WORK/speech.log" ] && break; sleep 0.5; done

if [ "$BROWSER" = chromium ]; then
  chromium --no-sandbox --disable-gpu --disable-quic --no-first-run --no-default-browser-check \
    --disable-background-networking --disable-component-update --disable-sync --disable-features=Translate \
    --force-renderer-accessibility --user-data-dir="$WORK/profile" --lang="${TONGUE/_/-}" "$URL" \
    >"$WORK/browser.log" 2>&1 & started="$started $!"
else
  firefox-esr --no-remote --profile "$WORK/profile" "$URL" >"$WORK/browser.log" 2>&1 & started="$started $!"
fi
for _ in $(seq 60); do
  xdotool search --onlyvisible --name 'Mozilla Firefox|Chromium' >/dev/null 2>&1 && break
  sleep 0.5
done
/usr/bin/python3 "$HERE/drive.py"
