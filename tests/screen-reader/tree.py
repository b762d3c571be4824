"""Walks the accessibility tree of the page in the running browser. Run by
tree.sh."""
import time

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi  # noqa: E402

STATES = ('expanded', 'collapsed', 'expandable', 'checked', 'invalid', 'required', 'pressed')
ATTRIBUTES = ('level', 'live', 'container-live', 'atomic', 'valuetext', 'colindex', 'description-from')


def children(node):
    return filter(None, (node.get_child_at_index(i) for i in range(node.get_child_count())))


def is_page(node):
    if node.get_role_name() not in ('document web', 'document frame'):
        return False
    address = node.get_document_attribute_value('DocURL') or node.get_document_attribute_value('URI') or ''
    return address.startswith(('http', 'file')) and node.get_child_count() > 0


def find(node, depth=0):
    try:
        if is_page(node):
            return node
        for child in children(node) if depth < 25 else ():
            page = find(child, depth + 1)
            if page:
                return page
    except Exception:  # the tree changes while it is read
        pass
    return None


def text_of(node):
    try:
        return Atspi.Text.get_text(node, 0, -1).replace('\ufffc', '▯') if node.get_text_iface() else ''
    except Exception:  # as above
        return ''


def show(node, depth):
    try:
        name, text = node.get_name() or '', text_of(node)
        attributes = node.get_attributes() or {}
        states = [s.value_nick for s in node.get_state_set().get_states()]
        parts = [node.get_role_name(), repr(name)]
        if text and text != name:
            parts.append('text=' + repr(text[:70]))
        parts += [s for s in states if s in STATES]
        parts += ['%s=%s' % (k, attributes[k]) for k in ATTRIBUTES if k in attributes]
        print('  ' * depth + ' '.join(parts))
        for child in children(node):
            show(child, depth + 1)
    except Exception as error:  # as above
        print('  ' * depth + 'lost: %s' % error)


Atspi.init()
page, start = None, time.time()
while not page and time.time() - start < 40:
    time.sleep(2)
    page = next(filter(None, map(find, children(Atspi.get_desktop(0)))), None)
if page:
    show(page, 0)
else:
    print('no page')
