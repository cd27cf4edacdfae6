"""The source as C tokens: where a piece of it stands, whatever its layout."""
import bisect
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

TOKEN = re.compile(r'''
    (?P<space> \s+ | \\\n | /\*.*?\*/ | //[^\n]*)
  | (?P<token> [A-Za-z_]\w*                                 # name
        | \.?\d(?:[eEpP][+-]|[\w.])*                        # number
        | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
        | \#\# | \.\.\. | -> | \+\+ | -- | <<= | >>= | << | >> | && | \|\|
        | [-+*/%&|^=!<>]= | [][(){}.,;:?~!<>=+*/%&|^\#\\-])
''', re.VERBOSE | re.DOTALL)

SEPARATOR = '\0'


def tokenize(text):
    """[(token, start, end)]"""
    result = []
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ValueError(f'no C: {text[position:position + 40]!r}')
        if match.lastgroup == 'token':
            result.append((match.group(), match.start(), match.end()))
        position = match.end()
    return result


def words_of(text):
    return [word for word, _, _ in tokenize(text)]


def joined(words):
    return SEPARATOR + ''.join(word + SEPARATOR for word in words)


@dataclass
class Place:
    """A piece of a file."""
    file: 'File'
    first: int                  # token
    count: int

    @property
    def span(self):
        """Where it starts and ends in the text."""
        return self.file.tokens[self.first][1], self.file.tokens[self.first + self.count - 1][2]

    def replaced(self, new):
        """The text of the file with this piece replaced."""
        start, end = self.span
        return self.file.text[:start] + new + self.file.text[end:]

    def __str__(self):
        start, end = self.span
        line = self.file.text.count('\n', 0, start) + 1
        return f'{self.file.name}:{line}: {" ".join(self.file.text[start:end].split())}'


@dataclass
class File:
    name: str
    text: str

    @cached_property
    def tokens(self):
        return tokenize(self.text)

    @cached_property
    def words(self):
        """Without where they are."""
        return [word for word, _, _ in self.tokens]

    @cached_property
    def joined(self):
        return joined(self.words)

    @cached_property
    def starts(self):
        """Where each token starts in what is joined."""
        result = []
        position = len(SEPARATOR)
        for word in self.words:
            result.append(position)
            position += len(word) + len(SEPARATOR)
        return result

    @cached_property
    def functions(self):
        """{name: (first, end) of its tokens, from its name on}"""
        result = {}
        depth = 0
        for i, word in enumerate(self.words):
            if word == '{':
                if depth == 0:
                    first = self.before_parentheses(i - 1) if self.words[i - 1] == ')' else None
                depth += 1
            elif word == '}':
                depth -= 1
                if depth == 0 and first is not None:
                    result[self.words[first]] = (first, i + 1)
        return result

    def before_parentheses(self, closing):
        """The token before the parenthesis that this one closes."""
        depth = 0
        for i in range(closing, -1, -1):
            depth += {')': 1, '(': -1}.get(self.words[i], 0)
            if depth == 0:
                return i - 1
        raise ValueError(f'{self.name}: parentheses')

    def find(self, words, in_function=None):
        """Places of these tokens, in the function of that name if one is given."""
        first, end = 0, len(self.words)
        if in_function is not None:
            if in_function not in self.functions:
                return
            first, end = self.functions[in_function]
        piece = joined(words)
        position = self.joined.find(piece)
        while position >= 0:
            token = bisect.bisect_left(self.starts, position + len(SEPARATOR))
            if first <= token and token + len(words) <= end:
                yield Place(self, token, len(words))
            position = self.joined.find(piece, position + 1)

    def nearest(self, words, weights):
        """(weight of the tokens in common, place): of the pieces of this length."""
        count = min(len(words), len(self.words))
        missing = Counter(words)
        common = best = 0
        place = Place(self, 0, count)
        for i, word in enumerate(self.words):
            if missing[word] > 0:
                common += weights[word]
            missing[word] -= 1
            if i >= count:
                gone = self.words[i - count]
                missing[gone] += 1
                if missing[gone] > 0:
                    common -= weights[gone]
            if common > best:
                best, place = common, Place(self, max(i - count + 1, 0), count)
        return best, place


class Tree:
    """What is in src/."""

    def __init__(self, root):
        self.files = [File(str(path.relative_to(root)), path.read_text(encoding='utf-8'))
                      for path in sorted((root / 'src').rglob('*.[ch]'))]

    def find(self, old, in_function=None):
        words = words_of(old)
        return [place for file in self.files for place in file.find(words, in_function)]

    @cached_property
    def weights(self):
        """Rare tokens tell more."""
        return {word: 1 / count for word, count in Counter(word for file in self.files for word in file.words).items()}

    def nearest(self, old):
        words = words_of(old)
        return max((file.nearest(words, self.weights) for file in self.files), key=lambda found: found[0])[1]
