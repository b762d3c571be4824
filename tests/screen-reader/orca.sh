#!/usr/bin/env bash
# Runs the real Orca screen reader, headless, on one page; presses keys, prints
# what it said after each, and checks it.
#
#   tests/screen-reader/orca.sh URL firefox|chromium zh_TW|zh_CN STEPS-FILE
#
# Exit code 1 when a check failed; the last line is "N passed, N failed".
# The steps are explained in steps/README.md.
set -u
export URL=${1:?url} BROWSER=${2:?browser} TONGUE=${3:?locale} STEPS=${4:?steps file}
here=$(cd "$(dirname "$0")" && pwd)
export HERE=$here
WORK=$(mktemp -d /tmp/orca-XXXXXX)
export WORK

# Role words in the learner's language; the locale is made here, so that
# nothing has to be changed on the machine.
export LOCPATH=$WORK/locale
mkdir -p "$LOCPATH"
localedef -i "$TONGUE" -f UTF-8 "$LOCPATH/$TONGUE.UTF-8" || exit 1
export LANG=$TONGUE.UTF-8 LC_ALL=$TONGUE.UTF-8 LANGUAGE=$TONGUE

# A private home: nothing leaks in or out.
export HOME=$WORK/home XDG_RUNTIME_DIR=$WORK/run
export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_CACHE_HOME=$HOME/.cache
mkdir -p "$XDG_RUNTIME_DIR" "$XDG_CONFIG_HOME/speech-dispatcher/modules" "$XDG_DATA_HOME/orca" "$WORK/profile"
chmod 700 "$XDG_RUNTIME_DIR"
export GNOME_ACCESSIBILITY=1 QT_ACCESSIBILITY=1 ACCESSIBILITY_ENABLED=1
export MOZ_CRASHREPORTER_DISABLE=1 GSETTINGS_BACKEND=memory
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS

# Without a sound card Orca blocks for ever inside speech-dispatcher, unless
# there are both a null device and a module that plays nothing.
printf 'pcm.!default { type null }\nctl.!default { type null }\n' >"$HOME/.asoundrc"
cat >"$XDG_CONFIG_HOME/speech-dispatcher/speechd.conf" <<C
LogLevel 1
LogDir "$WORK"
DefaultLanguage "zh"
AudioOutputMethod "alsa"
AddModule "logger" "sd_generic" "logger.conf"
DefaultModule logger
C
cat >"$XDG_CONFIG_HOME/speech-dispatcher/modules/logger.conf" <<C
GenericExecuteSynth "echo '\$DATA' >> $WORK/spoken.txt"
GenericCmdDependency "echo"
GenericMaxChunkLength 100000
GenericDelimiters "\n"
GenericLanguage "en" "en" "utf-8"
GenericLanguage "zh" "zh" "utf-8"
AddVoice "en" "MALE1" "en"
AddVoice "zh" "MALE1" "zh"
C
cp "$here/orca-settings.json" "$XDG_DATA_HOME/orca/user-settings.conf"
cp "$here/orca_customizations.py" "$XDG_DATA_HOME/orca/orca-customizations.py"
cp "$here/firefox-user.js" "$WORK/profile/user.js"
# Focus needs a window manager, and one with keys of its own would eat some.
printf '<openbox_config xmlns="http://openbox.org/3.4/rc"><keyboard/><mouse/></openbox_config>' >"$WORK/openbox.xml"

# The server picks a free display and says which.
exec 3<>"$WORK/display"
Xvfb -displayfd 3 -screen 0 1280x1000x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
for _ in $(seq 50); do [ -s "$WORK/display" ] && break; sleep 0.1; done
DISPLAY=:$(cat "$WORK/display")
export DISPLAY

dbus-run-session -- bash "$here/session.sh" 2>"$WORK/session.err"
result=$?
kill "$screen"
if [ "$result" -gt 1 ]; then cat "$WORK/session.err" >&2; fi
if [ -z "${KEEP:-}" ]; then rm -rf "$WORK"; else echo "(kept: $WORK)" >&2; fi
exit "$result"
