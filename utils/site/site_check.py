# SPDX-License-Identifier: GPL-2.0-only
"""Checks the HTML of the site: each link has a target, and nothing is loaded from another host."""

import os
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

#: Attributes that make a browser load something as soon as it shows the page.
LOADED = {('img', 'src'), ('script', 'src'), ('link', 'href'), ('iframe', 'src'), ('source', 'src')}


class Page(HTMLParser):
    """Collects the ids and links of a page: links are (target, whether it is loaded)."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.update(value for name, value in attributes if name in ('id', 'name') and value)
        for name in ('href', 'src'):
            is_loaded = (tag, name) in LOADED and values.get('rel') not in ('canonical', 'search', 'index', 'next', 'prev')
            if values.get(name):
                self.links.append((values[name], is_loaded))


def read_pages(top, folders_left_out=('api',)):
    """Returns {path relative to top: Page}; the API reference is Doxygen's and only a target."""
    pages = {}
    for folder, names, files in os.walk(top):
        names[:] = [name for name in names if os.path.relpath(os.path.join(folder, name), top) not in folders_left_out]
        for name in files:
            if name.endswith('.html'):
                path = os.path.join(folder, name)
                with open(path, encoding='utf-8') as file:
                    pages[os.path.relpath(path, top)] = Page(file.read())
    return pages


def find_faults(top):
    """Returns a line per broken link and per thing that is loaded from another host."""
    pages = read_pages(top)
    faults = []
    for path, page in sorted(pages.items()):
        for link, is_loaded in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if is_loaded and parts.scheme != 'data':
                    faults.append('%s: loads %s' % (path, link))
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            if not os.path.isfile(os.path.join(top, target)):
                faults.append('%s: no target of the link %s' % (path, link))
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                faults.append('%s: no anchor of the link %s' % (path, link))
    return faults
