"""Presses the keys of a steps file, prints what Orca said after each, and
checks it. Run by session.sh."""
import os
import re
import subprocess
import sys
import time

LOG = os.environ['WORK'] + '/speech.log'
SPOKEN = re.compile(r"SPEECH OUTPUT: '(.*?) *'\s*(?:\{'established'.*)?$")
position = 0


def speech(quiet=1.2, limit=20.0, first=3.0):
    """The lines spoken until none came for `quiet` seconds; the first one is
    waited for longer."""
    global position
    lines = []
    start = last = time.time()
    while time.time() - start < limit:
        with open(LOG, 'rb') as log:
            log.seek(position)
            new = log.read()
        complete = new.rfind(b'\n') + 1
        position += complete
        for line in new[:complete].decode('utf-8', 'replace').splitlines():
            match = SPOKEN.search(line)
            if match and match.group(1).strip():
                lines.append(match.group(1).strip())
                last = time.time()
        if time.time() - last > (quiet if lines else first):
            break
        time.sleep(0.1)
    return lines


def show(head, lines):
    print('==', head)
    for line in lines:
        print('   ', line)
    sys.stdout.flush()


def press(step):
    if step.startswith('type '):
        command = ['type', '--delay', '60', step[5:]]
    else:
        command = ['key', '--clearmodifiers', step]
    subprocess.run(['xdotool', *command], check=True)


def listen(step):
    """Presses one key, or types, and gives back what was said."""
    press(step)
    lines = speech()
    show(step, lines)
    return lines


def until(key, text, limit=60):
    """Presses a key again and again until TEXT is said. What only passes by
    is not listened to for long."""
    for _ in range(limit):
        press(key)
        lines = speech(quiet=0.5)
        if text in ' '.join(lines):
            lines += speech(first=0.7)
            break
    show('%s until %s' % (key, text), lines)
    return lines


def load(title, limit=90):
    """Listens until the page has said its title, and all that follows."""
    lines = []
    start = time.time()
    while title not in ' '.join(lines) and time.time() - start < limit:
        lines += speech(first=10)
    lines += speech(quiet=4, first=4)
    show('load', lines)
    return lines


def verdict(holds, step):
    print('    %s %s' % ('PASS' if holds else 'FAIL', step))
    return holds


def main():
    checks = []
    with open(os.environ['STEPS'], encoding='utf-8') as file:
        steps = [line.strip() for line in file]
    last = load(next(step[2:] for step in steps if step.startswith('? ')))
    for step in filter(None, steps):
        kind, _, rest = step.partition(' ')
        if kind == '#':
            print('\n' + step)
        elif kind in '?!':
            checks.append(verdict((rest in ' '.join(last)) == (kind == '?'), step))
        elif kind == 'until':
            key, _, text = rest.partition(' ')
            last = until(key, text)
            checks.append(verdict(text in ' '.join(last), step))
        else:
            last = listen(step)
    print('\n%d passed, %d failed' % (sum(checks), len(checks) - sum(checks)))
    return 0 if checks and all(checks) else 1


sys.exit(main())
