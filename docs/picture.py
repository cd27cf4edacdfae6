#!/usr/bin/python3
"""Draws picture.svg: from a value to its block, and to the bits in it.

Nothing in it is made up: the filter holds 'user1' to 'user1000', and hashes,
blocks and bits are those of the reference program, format.py.  Needs the
module xxhash (python3-xxhash on Debian).

usage: docs/picture.py [FILE]
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import format as program

HERE = Path(__file__).resolve().parent
ADDED, COUNT, BLOCKS, HASHES = 'user77', 1000, 20, 7
WIDTH, HEIGHT, LEFT = 880, 316, 20
BLOCK_WIDTH, BLOCK_HEIGHT, BLOCK_TOP = 42, 26, 92
BIT, GRID_TOP = 13, 172

STYLE = """
  .paper { fill: #ffffff; }
  text { font: 14px system-ui, sans-serif; fill: #1f2328; }
  .code { font: 14px ui-monospace, monospace; }
  .faint { fill: #59636e; }
  .block { fill: #eaeef2; stroke: #8c959f; }
  .chosen { fill: #ddf4ff; stroke: #0969da; stroke-width: 2; }
  .unset { fill: #eaeef2; }
  .set { fill: #a9b2bc; }
  .hit { fill: #0969da; }
  .yes { fill: #0969da; }
  .no { fill: #bc4c00; }
  .miss { fill: none; stroke: #bc4c00; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    text { fill: #f0f6fc; }
    .faint { fill: #9198a1; }
    .block, .unset { fill: #262c36; }
    .block { stroke: #656c76; }
    .chosen { fill: #12305c; stroke: #4493f8; }
    .set { fill: #656c76; }
    .hit, .yes { fill: #4493f8; }
    .no { fill: #f0883e; }
    .miss { stroke: #f0883e; }
  }"""


class Drawing:
    def __init__(self):
        self.lines = []

    def add(self, element, css, content='', **attributes):
        names = ''.join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
        css = f' class="{css}"' if css else ''
        self.lines.append(f'<{element}{css}{names}>{content}</{element}>' if content
                          else f'<{element}{css}{names}/>')

    def text(self, x, y, content, css=''):
        self.add('text', css, content, x=x, y=y)

    def svg(self, title):
        return '\n'.join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                          f'width="{WIDTH}" height="{HEIGHT}" role="img">',
                          f'<title>{title}</title>', f'<style>{STYLE}\n</style>', *self.lines, '</svg>\n'])


def positions(bits):
    return [i for i in range(512) if bits >> i & 1]


def corner(i):
    """Where bit i is drawn."""
    return LEFT + i % 64 * BIT, GRID_TOP + i // 64 * BIT


def draw():
    filled = program.Filter(COUNT, 0.01, BLOCKS, HASHES)
    for i in range(1, COUNT + 1):
        filled.add('text', f'user{i}')

    def place(value):
        return program.block_and_bits(filled.hash('text', value), BLOCKS, HASHES)

    block, added = place(ADDED)
    # of those in the same block that were not added, the first that has two bits unset
    absent = next(value for value in (f'user{i}' for i in range(COUNT + 1, COUNT + 10000))
                  if place(value)[0] == block
                  and len(positions(place(value)[1] & ~filled.data[block])) == 2)
    asked = place(absent)[1]

    drawing = Drawing()
    drawing.add('rect', 'paper', width=WIDTH, height=HEIGHT, rx=6)      # whatever the page's own colour
    hash_text = f'{filled.hash("text", ADDED):016x}'
    drawing.text(LEFT, 24, f"'{ADDED}'", 'code yes')
    drawing.text(LEFT + 84, 24, 'is hashed:', 'faint')
    drawing.text(LEFT + 164, 24, hash_text, 'code')
    drawing.text(LEFT, 56, f'The upper half of the hash chooses one of {BLOCKS} blocks of 512 bits, '
                 'a cache line each …', 'faint')
    for i in range(BLOCKS):
        drawing.add('rect', 'chosen' if i == block else 'block', x=LEFT + i * BLOCK_WIDTH, y=BLOCK_TOP - 22,
                    width=BLOCK_WIDTH - 6, height=BLOCK_HEIGHT, rx=4)
        drawing.text(LEFT + i * BLOCK_WIDTH + 10, BLOCK_TOP - 4, f'{i}', 'code' if i == block else 'code faint')
    drawing.text(LEFT, 132, f'… and the rest of it {HASHES} bits in that block, each in another row, a word of 64 '
                 f'bits. All were set when', 'faint')
    drawing.text(LEFT, 152, 'the value was added, and none is ever cleared: so it is always found.', 'faint')

    content = filled.data[block]
    misses = positions(asked & ~content)
    for css, bits in (('unset', ~content), ('set', content & ~added), ('hit', added)):
        drawing.add('path', css, d=''.join('M{} {}h{size}v{size}h-{size}z'.format(*corner(i), size=BIT - 2)
                                           for i in positions(bits)))
    for i in positions(asked):
        x, y = corner(i)
        drawing.add('circle', 'miss', cx=x + BIT / 2 - 1, cy=y + BIT / 2 - 1, r=BIT / 2 + 1)
    bottom = GRID_TOP + 8 * BIT + 22
    drawing.text(LEFT, bottom, f"'{absent}'", 'code no')
    drawing.text(LEFT + 98, bottom, f'was not added. Its bits are circled; {len(misses)} of them are not set: so it is '
                 'certainly not in the filter.', 'faint')
    return drawing.svg(f"A value is hashed; the hash chooses a block of 512 bits and {HASHES} bits in it. "
                       f"For '{ADDED}', which was added, all are set; for '{absent}', which was not, "
                       f"{len(misses)} are not.")


if __name__ == '__main__':
    if len(sys.argv) > 2:
        raise SystemExit(__doc__.strip())
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / 'picture.svg'
    target.write_text(draw(), encoding='utf-8')
