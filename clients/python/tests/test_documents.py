"""Do the examples of the documents give what they show: of Python, and of the shell?"""
import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import server
from server import connect, setUpModule, tearDownModule  # noqa: F401

CLIENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = {'README.md': os.path.join(CLIENT, 'README.md'),
             'docs/cookbook/drivers.md': os.path.join(CLIENT, '..', '..', 'docs', 'cookbook', 'drivers.md')}

# which the examples import
MODULES = 'django', 'numpy', 'pandas', 'psycopg2', 'sqlalchemy'


class Documents(unittest.TestCase):
    def test_documents(self):
        missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
        if missing:
            self.skipTest(f'not there: {", ".join(missing)}')
        database = os.environ.get('PGDATABASE')
        # what a reader's plain connect() finds
        os.environ['PGDATABASE'] = server.DATABASE
        try:
            # a source distribution has no cookbook
            for name, path in ((name, path) for name, path in DOCUMENTS.items() if os.path.exists(path)):
                with open(path, encoding='utf-8') as file:
                    text = file.read()
                with self.subTest(name, language='Python'):
                    self.check_python(name, path, text)
                with self.subTest(name, language='shell'):
                    self.check_shell(text)
        finally:
            del os.environ['PGDATABASE']
            if database is not None:
                os.environ['PGDATABASE'] = database

    def check_shell(self, text):
        """Blocks of sh, which see each other's files, and the text behind each."""
        with tempfile.TemporaryDirectory() as directory:
            # "python3" is the one that runs this; a link to it would not find a virtual environment's packages
            with open(os.path.join(directory, 'python3'), 'w', encoding='utf-8') as file:
                file.write(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
            os.chmod(os.path.join(directory, 'python3'), 0o755)
            environment = {**os.environ, 'PATH': f'{directory}:{os.environ["PATH"]}'}
            for block in re.finditer(r'^```sh\n(.*?)^```\n\n(?:^```text\n(.*?)^```$)?', text, re.MULTILINE | re.DOTALL):
                done = subprocess.run(['sh', '-e', '-c', block[1]], cwd=directory, env=environment, encoding='utf-8',
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual([line.rstrip() for line in done.stdout.rstrip().split('\n')],
                                 [line.rstrip() for line in (block[2] or '').rstrip().split('\n')], block[1])

    def check_python(self, name, path, text):
        blocks = list(re.finditer(r'^```pycon\n(.*?)^```$', text, re.MULTILINE | re.DOTALL))
        self.assertTrue(blocks)
        # all but the examples are blank lines, so that these keep their numbers
        program, end = '', 0
        for block in blocks:
            program += re.sub(r'[^\n]', '', text[end:block.start(1)]) + block[1]
            end = block.end(1)
        examples = doctest.DocTestParser().get_doctest(program, {}, name, path, 0)
        report = []
        runner = doctest.DocTestRunner()
        outcome = runner.run(examples, out=report.append)
        self.assertEqual(outcome.failed, 0, ''.join(report))
        self.assertGreater(outcome.attempted, 0)
