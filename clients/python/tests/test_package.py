"""What is installed: its description, its licences, its library, and what tools read of it."""
import importlib.metadata
import inspect
import os
import re
import subprocess
import sys
import tempfile
import unittest

import installed
import pg_bloomfilter
from pg_bloomfilter import Filter, _core

METADATA = importlib.metadata.metadata('pg-bloomfilter')


def read(name):
    """The text of an installed file of that name."""
    found = [path for path in importlib.metadata.files('pg-bloomfilter') if path.name == name]
    return found[0].read_text()


class Description(unittest.TestCase):
    def test_version(self):
        self.assertEqual(pg_bloomfilter.__version__, METADATA['Version'])

    def test_licences(self):
        # the field that is filled depends on the version of setuptools
        self.assertEqual(METADATA.get('License-Expression') or METADATA.get('License'), 'PostgreSQL')
        self.assertEqual(METADATA.get_all('License-File'), ['LICENSE', 'LICENSE.xxHash'])
        self.assertIn('THE BLOOMFILTER AUTHORS SPECIFICALLY DISCLAIM ANY WARRANTIES', read('LICENSE'))
        notice = read('LICENSE.xxHash')
        for part in 'Copyright (C) 2012-2023 Yann Collet', 'this list of conditions', 'POSSIBILITY OF SUCH DAMAGE':
            self.assertIn(part, notice)

    def test_the_notice_is_that_of_xxhash(self):
        """But for the years, which each version has its own of."""
        header = '/usr/include/xxhash.h'
        if not os.path.exists(header):
            self.skipTest('there is no xxhash.h')
        with open(header, encoding='utf-8') as file:
            comment = re.search(r'/\*(.*?)\*/', file.read(), re.DOTALL)[1]
        theirs, ours = (re.sub(r'\d{4}-\d{4}', '', text).split() for text in (
            re.sub(r'^ \*', '', comment, flags=re.MULTILINE), read('LICENSE.xxHash')))
        self.assertEqual(ours[-len(theirs):], theirs)

    def test_readme_leads_nowhere_else(self):
        """Links to other files of the repository are broken where the package is shown."""
        text = METADATA.get_payload()
        self.assertIn('# pg-bloomfilter: filters of PostgreSQL in Python\n', text)
        self.assertEqual(re.findall(r'\]\((?!https:)[^)]*\)', text), [])

    def test_no_invented_addresses(self):
        self.assertEqual([METADATA.get(name) for name in ('Home-page', 'Author-email', 'Project-URL')], [None] * 3)


class Files(unittest.TestCase):
    @unittest.skipUnless(sys.platform == 'linux', 'stripped on Linux only')
    def test_library_is_stripped(self):
        with open(_core.__file__, 'rb') as file:
            library = file.read()
        self.assertIn(b'.dynsym\0', library)
        for section in b'.symtab\0', b'.debug_info\0':
            self.assertNotIn(section, library)

    def test_stable_abi(self):
        self.assertTrue(_core.__file__.endswith('.abi3.so'))

    def test_typed(self):
        """PEP 561."""
        self.assertEqual(read('py.typed'), '')
        self.assertIn('class Filter:', read('_core.pyi'))

    def test_command(self):
        scripts = importlib.metadata.entry_points(group='console_scripts', name='pg_bloomfilter')
        self.assertEqual([script.value for script in scripts], ['pg_bloomfilter.__main__:main'])
        self.assertTrue(callable(scripts['pg_bloomfilter'].load()))

    def test_what_is_not_compiled_says_so(self):
        with tempfile.TemporaryDirectory() as directory:
            copy = os.path.join(directory, 'pg_bloomfilter')
            os.mkdir(copy)
            for name in '__init__.py', 'errors.py', 'filter.py':
                with open(os.path.join(copy, name), 'w', encoding='utf-8') as file:
                    file.write(read(name))
            environment = {name: value for name, value in os.environ.items() if name != 'PYTHONSAFEPATH'}
            done = subprocess.run([sys.executable, '-c', 'import pg_bloomfilter'], cwd=directory, env=environment,
                                  capture_output=True, encoding='utf-8')
        self.assertEqual(done.returncode, 1)
        self.assertIn(f'{copy} is not compiled. If it is the source: install it with pip', done.stderr)

    def test_installed_is_what_is_tested(self):
        self.assertNotEqual(os.path.realpath(os.path.dirname(pg_bloomfilter.__file__)),
                            os.path.join(os.path.realpath(installed.SOURCES), 'pg_bloomfilter')
                            if 'PYTHONSAFEPATH' in os.environ else None)


class Signatures(unittest.TestCase):
    def test_signatures(self):
        """As editors and help() show them."""
        f = Filter(10)
        for thing, signature in ((Filter, '(n, p=0.01, seed=0)'), (Filter.from_bytes, '(data, /)'),
                                 (Filter.from_text, '(text, /)'), (Filter.parse, '(data, /)'),
                                 (f.to_bytes, '()'), (f.to_text, '()'), (f.copy, '()'), (f.shrink, '(factor, /)'),
                                 (f.has, '(value, /, family=None)'), (f.hash, '(value, /, family=None)'),
                                 (f.has_hash, '(hash, /)'), (f.add, '(value, /, family=None)'),
                                 (Filter.add, '(self, value, /, family=None)')):
            self.assertEqual(str(inspect.signature(thing)), signature)

    def test_everything_is_documented(self):
        for name, value in inspect.getmembers(Filter):
            if not name.startswith('_'):
                self.assertTrue(inspect.getdoc(value), name)
