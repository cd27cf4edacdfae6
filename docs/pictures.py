#!/usr/bin/python3
"""Draws the pictures of architecture.md and filter-index.md, in the style of picture.py.

life-of-a-value.svg: what becomes of a value, from a literal to stored bytes.  The hash, the block and the bits are
those of the reference program, format.py.
life-of-a-key.svg: what becomes of a key in a join filter and in a filter index.
filter-index.svg: how a lookup finds its pages.

Needs the module xxhash (python3-xxhash on Debian).

usage: docs/pictures.py [DIRECTORY]
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import format as program
import picture

WIDTH, LEFT, GAP = picture.WIDTH, picture.LEFT, 26
VALUE, BLOCKS, HASHES = picture.ADDED, picture.BLOCKS, picture.HASHES


class Drawing(picture.Drawing):
    def __init__(self, height):
        super().__init__()
        self.height = height
        self.add('rect', 'paper', width=WIDTH, height=height, rx=6)

    def box(self, x, y, width, lines, css='block'):
        """A box with a title, its room, and lines."""
        title, room, *rest = lines
        self.add('rect', css, x=x, y=y, width=width, height=34 + 20 * len(lines) - 20, rx=6)
        self.text(x + 10, y + 22, title, 'yes')
        for i, line in enumerate([room, *rest]):
            self.text(x + 10, y + 42 + 20 * i, line, 'faint' if i == 0 else '')

    def arrow(self, x, y):
        self.add('path', 'hit', d=f'M{x} {y - 5}l10 5l-10 5z')

    def chain(self, y, boxes):
        """Boxes side by side, each leading to the next."""
        width = (WIDTH - 2 * LEFT - GAP * (len(boxes) - 1)) // len(boxes)
        for i, lines in enumerate(boxes):
            x = LEFT + i * (width + GAP)
            self.box(x, y, width, lines)
            if i:
                self.arrow(x - GAP + 8, y + 40)

    def svg(self, title):
        return '\n'.join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" '
                          f'width="{WIDTH}" height="{self.height}" role="img">',
                          f'<title>{title}</title>', f'<style>{picture.STYLE}\n</style>', *self.lines, '</svg>\n'])


def life_of_a_value():
    empty = program.Filter(picture.COUNT, 0.01, BLOCKS, HASHES)
    value = empty.hash('text', VALUE)
    block, _ = program.block_and_bits(value, BLOCKS, HASHES)
    drawing = Drawing(268)
    drawing.chain(16, [
        ('literal', 'the server', f"f @> '{VALUE}'", 'without a type: text'),
        ('family', 'type/hashing', 'text: bytes in UTF-8', VALUE.encode().hex(' ')),
        ('hash', 'core/hash.h', 'XXH3 with the seed', f'{value:016x}'),
        ('block', 'core/block.h', f'upper half: block {block} of {BLOCKS}', f'rest: {HASHES} bits in it')])
    drawing.chain(156, [
        ('in memory', 'type/memory', 'hashes collected, then', 'applied in batches'),
        ('list or blocks', 'core/data.c', f'to {BLOCKS} hashes: a list', f'more: {BLOCKS} blocks'),
        ('stored', 'core/format.c', 'header and data,', 'in pieces (TOAST)'),
        ('tested', 'type/stored', 'of a filter of any size,', 'one block is read')])
    return drawing.svg(f"The life of a value: the literal '{VALUE}' is given a family, hashed, and has a block; hashes are "
                       'collected in memory, become a list or blocks, are stored in pieces, and a test reads one of them.')


def life_of_a_key():
    drawing = Drawing(378)
    drawing.text(LEFT, 26, 'in a join: src/joins', 'faint')
    drawing.chain(38, [
        ('planned', 'rules, choice', 'where may rows', 'be tested? does', 'it pay? (hooks)'),
        ('hashed', 'run/build.c', 'below the Hash:', 'into blocks, and', 'into intervals'),
        ('published', 'mailbox, handover', 'once complete;', 'copied to the', 'workers of Gather'),
        ('tested', 'run/probe.c', 'the other side\'s', 'rows, below sorts', 'and groups'),
        ('skipped', 'run/skip.c, ranges', 'pages, partitions', 'in which no', 'interval lies')])
    drawing.text(LEFT, 206, 'in an index: src/index', 'faint')
    drawing.chain(218, [
        ('inserted', 'write/insert.c', 'the hash chooses', 'a page; bits are', 'only ever set'),
        ('slab', 'file/slab.h', 'page j has block j', 'of 126 ranges of', 'the table'),
        ('directory', 'file/directory.c', 'where the slabs', 'of each group', 'are'),
        ('looked up', 'read/match.c', 'a page of each', 'group, then one', 'of each range'),
        ('rechecked', 'the server', 'rows of the pages', 'that are left:', 'exact again')])
    drawing.text(LEFT, 362, 'A page that is not read had no match: every key lies in an interval, every value set its bits.', 'faint')
    return drawing.svg('The life of a key: in a join it is planned, hashed, published, tested, and lets pages be skipped; in an '
                       'index it is inserted into a slab that the directory knows, looked up, and rechecked.')


# Of the picture of a lookup: what is drawn of 126 ranges and some hundreds of pages.
CELL, ROW, GRID_LEFT, COVER_TOP, GROUP_TOP = 50, 26, 110, 66, 200
RANGES = ('range 0', '1', '2', '3', '4', '5', '6', '7', '…', '125')
PAGES = ('page 0', 'page 1', 'page 2', '…', 'page 255')
GROUP_HIT, CHOSEN, HIT, SETS, SET_HIT = 6, 2, 4, 10, 6


def grid(drawing, top, rows, columns, chosen, hit):
    """Blocks side by side, the chosen row blue and in it the one that may have the value."""
    for j in range(rows):
        for i in range(columns):
            css = 'block' if j != chosen else 'chosen'
            drawing.add('rect', css, x=GRID_LEFT + i * CELL, y=top + j * ROW, width=CELL - 6, height=ROW - 6, rx=3)
            if j == chosen and i == hit:
                drawing.add('rect', 'hit', x=GRID_LEFT + i * CELL + 6, y=top + j * ROW + 6, width=CELL - 18, height=ROW - 18)


def names(drawing, y, kind):
    for i, name in enumerate(RANGES):
        drawing.text(GRID_LEFT + i * CELL - (14 if i == 0 else -10), y, name.replace('range', kind), 'code faint')


def arrow_below(drawing, y, column):
    drawing.add('path', 'hit', d=f'M{GRID_LEFT + column * CELL + CELL // 2 - 4} {y}h2v14h4l-5 10l-5 -10h4z')


def filter_index():
    drawing = Drawing(GROUP_TOP + 322)
    right = GRID_LEFT + len(RANGES) * CELL + 12
    drawing.text(LEFT, 26, "A value's hash chooses one page of a cover. It has a block of each of 126 groups, which are 15 GB of "
                 'the table.', 'faint')
    names(drawing, COVER_TOP - 12, 'group')
    grid(drawing, COVER_TOP, 1, len(RANGES), 0, GROUP_HIT)
    drawing.text(LEFT, COVER_TOP + 16, 'page 5', 'code')
    drawing.text(right, COVER_TOP + 16, 'one page read', 'yes')
    arrow_below(drawing, COVER_TOP + ROW, GROUP_HIT)

    drawing.text(LEFT, GROUP_TOP - 66, f'Group {GROUP_HIT} seems to have the value. In it, too, the hash chooses one page, with a '
                 'block of each of 126 ranges: it answers', 'faint')
    drawing.text(LEFT, GROUP_TOP - 46, 'for 126 · 126 = 15,876 pages of the table.', 'faint')
    names(drawing, GROUP_TOP - 12, 'range')
    for j, name in enumerate(PAGES):
        drawing.text(LEFT, GROUP_TOP + j * ROW + 16, name, 'code' if j == CHOSEN else 'code faint')
    grid(drawing, GROUP_TOP, len(PAGES), len(RANGES), CHOSEN, HIT)
    drawing.text(right, GROUP_TOP + CHOSEN * ROW + 16, 'one page read', 'yes')
    below = GROUP_TOP + len(PAGES) * ROW
    arrow_below(drawing, below - 4, HIT)

    drawing.text(LEFT, below + 44, f'In range {HIT} all bits of the value are set. The second level of that range has a block '
                 'for each of its 126 pages.', 'faint')
    second = below + 62
    grid(drawing, second, 2, SETS, 1, SET_HIT)
    drawing.text(LEFT, second + 16, 'page 0', 'code faint')
    drawing.text(LEFT, second + ROW + 16, 'page 1', 'code')
    drawing.text(right, second + ROW + 16, 'one page read', 'yes')
    arrow_below(drawing, second + 2 * ROW - 2, SET_HIT)
    drawing.text(LEFT, second + 2 * ROW + 44, f'Page {GROUP_HIT} · 15,876 + {HIT} · 126 + {SET_HIT} of the table is read, and its rows '
                 'are compared. The other pages cannot have the value.', 'faint')
    return drawing.svg('A filter index: a page of a cover has a block of each of 126 groups; of a group that may have the value, '
                       'the hash chooses a page, which has a block of each of 126 ranges; of a range that may have the value, a '
                       'page of the second level has a block of each of its 126 pages.')


PICTURES = {'life-of-a-value.svg': life_of_a_value, 'life-of-a-key.svg': life_of_a_key, 'filter-index.svg': filter_index}

if __name__ == '__main__':
    if len(sys.argv) > 2:
        raise SystemExit(__doc__.strip())
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else picture.HERE
    for file, draw in PICTURES.items():
        (target / file).write_text(draw(), encoding='utf-8')
