# Orca loads this by itself. Its own debug file lags behind, so each spoken
# line is written here at once.
import os

import orca.debug

_log = open(os.environ['WORK'] + '/speech.log', 'a', buffering=1, encoding='utf-8')
_print = orca.debug.println


def _println(level, text='', *rest, **named):
    if isinstance(text, str) and text.startswith('SPEECH OUTPUT:'):
        _log.write(text.replace('\n', ' ') + '\n')
    return _print(level, text, *rest, **named)


orca.debug.println = _println
