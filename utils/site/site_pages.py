# SPDX-License-Identifier: GPL-2.0-only
"""The pages of the site: the Markdown of the project, with tables of commands, pictures and links to the API."""

import os
import re
import shutil
from pathlib import Path

#: Where the pages are, relative to the project.
PATTERNS = (
    'README.md', 'CHANGES.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/**/*.md', 'traces/README.md', 'scratch/README.md',
    'validation/README.md', 'src/*/examples/README.md', 'utils/rocelab/third-party/README.md')

#: The page of the project is the first page of the site.
FIRST, INDEX = Path('README.md'), Path('index.md')
CONTENTS = Path('docs/README.md')

LINK = re.compile(r'(?<!\!)\[((?:[^\]\n]|\n(?!\n))*)\]\(([^)\s#]*)(#[^)\s]*)?\)')
IMAGE = re.compile(r'!\[([^\]\n]*)\]\(([^)\s:]*)\)')
CODE_BLOCK = re.compile(r'((?:^```.*?^```$)|(?:^    [^\n]*\n)+)', re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r'\n\n    build/rocelab ((?:list attributes|list columns|list keys|facts) [^\n#]*?) *(?:#[^\n]*)?\n(?=\n|\Z)')
NAME = re.compile(r'(?<![\[\w`])`([A-Z][A-Za-z]+)`(?![\]`])')
SECTION = re.compile(r'^## (.*)$', re.MULTILINE)
MARKDOWN, PICTURES = '.md', ('.png', '.svg')


class SiteError(Exception):
    """One line about a page that is wrong."""


def find_pages(top):
    """Returns the paths of all pages, relative to top."""
    return sorted({path.relative_to(top) for pattern in PATTERNS for path in top.glob(pattern)})


def find_contents(text):
    """Returns [(section, [link])] of the page of contents: its headings of level 2, and their links to pages."""
    parts = SECTION.split(text)
    sections = []
    for title, body in zip(parts[1::2], parts[2::2]):
        links = [found.group(2) for found in LINK.finditer(body) if found.group(2).endswith(MARKDOWN)]
        sections.append((title, list(dict.fromkeys(links))))
    return sections


def make_toctree(caption, entries):
    lines = ['```{toctree}', ':hidden:'] + ([':caption: ' + caption] if caption else []) + ['']
    return '\n'.join(lines + entries + ['```', ''])


class Site:
    """
    The pages of a project, rewritten for Sphinx into a folder.

    tables: a function that returns the Markdown table of a command line, or None if it prints none.
    api: {class: path of its page, relative to the top of the site}.
    """

    def __init__(self, top, folder, tables, api):
        self.top, self.folder, self.tables, self.api = top, folder, tables, api
        self.pages = find_pages(top)
        self.used = set()

    def write(self):
        """Writes all pages; raises SiteError if a page has no place in the contents."""
        trees = self.make_trees()
        for page in self.pages:
            text = (self.top / page).read_text(encoding='utf-8')
            place = self.folder / self.get_place(page)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self.rewrite(page, text) + '\n\n' + trees.get(page, ''), encoding='utf-8')

    @staticmethod
    def get_place(page):
        return INDEX if page == FIRST else page

    def make_trees(self):
        """Returns {page: toctrees}: sections for the first page, figures for the page of their group."""
        listed, trees = {FIRST}, []
        for title, links in find_contents((self.top / CONTENTS).read_text(encoding='utf-8')):
            entries = []
            for link in links:
                page = Path(os.path.normpath(CONTENTS.parent / link))
                if page not in listed:
                    listed.add(page)
                    entries.append(page.as_posix())
            trees.append(make_toctree(title, entries))
        groups = {}
        for page in self.pages:
            group = page.parent.parent / 'README.md'
            if page not in listed and page.parts[0] == 'examples' and group in self.pages:
                listed.add(page)
                groups.setdefault(group, []).append(page.relative_to(group.parent).as_posix())
            elif page not in listed and page.parts[0] == 'examples' and page.name != 'README.md':
                listed.add(page)
                groups.setdefault(page.with_name('README.md'), []).append(page.name)
        missing = [page for page in self.pages if page not in listed | {CONTENTS}]
        if missing:
            raise SiteError('%s: expected a link to each page, got none to %s' % (
                CONTENTS, ', '.join(path.as_posix() for path in missing)))
        found = {group: make_toctree('', entries) for group, entries in groups.items()}
        return {**found, FIRST: make_toctree('', [CONTENTS.as_posix()]) + '\n' + '\n'.join(trees)}

    def rewrite(self, page, text):
        """Returns the text of a page as Sphinx takes it."""
        text = COMMAND.sub(lambda found: found.group(0) + self.make_table(page, found.group(1)), text)
        parts = CODE_BLOCK.split(text)
        seen = set()
        for number in range(0, len(parts), 2):
            parts[number] = IMAGE.sub(lambda found: self.copy_image(page, found), parts[number])
            parts[number] = LINK.sub(lambda found: self.relink(page, found), parts[number])
            parts[number] = NAME.sub(lambda found: self.link_class(page, found, seen), parts[number])
        return ''.join(parts) + self.make_pictures(page)

    def make_table(self, page, command):
        table = self.tables(command.split())
        if table is None:
            raise SiteError('%s: expected a command that prints a table, got: %s' % (page, command))
        return '\n' + table

    def relink(self, page, found):
        """Returns a link with its target in the site: a page, or a copy of a file of the project."""
        label, path, anchor = found.group(1), found.group(2), found.group(3) or ''
        if not path or ':' in path:
            return found.group(0)
        target = Path(os.path.normpath(page.parent / path))
        if (self.top / target).is_dir() and target / 'README.md' in self.pages:
            target = target / 'README.md'
        if target in self.pages:
            return '[%s](%s%s)' % (label, self.get_relative(page, self.get_place(target)), anchor)
        if not (self.top / target).exists():
            raise SiteError('%s: expected a file or folder of the project as the target of a link, got %s' % (page, path))
        if (self.top / target).is_dir():
            return label if label.startswith('`') else '`%s`' % label
        copy = self.folder / 'static' / 'files' / target
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.top / target, copy)
        place = self.get_relative(page, Path('_static/files') / target)
        return '<a href="%s">%s</a>' % (place, label.replace('`', ''))

    def copy_image(self, page, found):
        """Copies a picture of a page to its place in the site; returns the text that shows it."""
        target = Path(os.path.normpath(page.parent / found.group(2)))
        if not (self.top / target).is_file():
            raise SiteError('%s: expected a picture, got %s' % (page, found.group(2)))
        (self.folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.top / target, self.folder / target)
        return '![%s](%s)' % (found.group(1), self.get_relative(page, target))

    def link_class(self, page, found, seen):
        """Returns the first name of a class in a page as a link to its page of the API."""
        name = found.group(1)
        if name in seen or name not in self.api or page.parts[0] not in ('docs', 'README.md'):
            return found.group(0)
        seen.add(name)
        return '<a href="%s"><code>%s</code></a>' % (self.get_relative(page, Path(self.api[name])), name)

    def get_relative(self, page, target):
        return os.path.relpath(target, self.get_place(page).parent or '.')

    def make_pictures(self, page):
        """Returns the pictures of a figure, if it was run here: those of results/<figure>."""
        if page.parts[0] != 'examples' or page.name != 'README.md':
            return ''
        name = page.parent.relative_to('examples')
        if not (self.top / page.parent / 'figure.py').exists():
            return ''
        found = sorted(path for path in (self.top / 'results' / name).glob('*') if path.suffix in PICTURES)
        lines = ['', '', '## Pictures', '']
        if not found:
            return '\n'.join(lines + ['    ./waf figure %s' % name.as_posix(), '', 'draws them.', ''])
        for path in found:
            copy = self.folder / page.parent / path.name
            shutil.copyfile(path, copy)
            lines += ['![%s](%s)' % (path.stem.replace('-', ' '), path.name), '']
        return '\n'.join(lines)
