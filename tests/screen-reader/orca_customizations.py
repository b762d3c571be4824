# Orca loads this by itself.
import os

import orca.debug
from gi.repository import Atspi

# Orca's own debug file lags behind, so each spoken line is written here at once.
_log = open(os.environ['WORK'] + '/speech.log', 'a', buffering=1, encoding='utf-8')
_print = orca.debug.println


def _println(level, text='', *rest, **named):
    if isinstance(text, str) and text.startswith('SPEECH OUTPUT:'):
        _log.write(text.replace('\n', ' ') + '\n')
    return _print(level, text, *rest, **named)


orca.debug.println = _println

# The AT-SPI library believes a parent for ever, and misses it when Chromium shows a table that was hidden: the rows keep
# the parent from before, and Orca is "not in a table" while every other client sees them in it. So Orca asks each time.
_set_cache_mask = Atspi.Accessible.set_cache_mask


def _set_mask(app, mask):
    return _set_cache_mask(app, Atspi.Cache(int(mask) & ~int(Atspi.Cache.PARENT)))


Atspi.Accessible.setCacheMask = _set_mask
