"""Do the interactive examples of the documents give what they show?"""
import doctest
import os
import re
import unittest

import server
from server import connect, setUpModule, tearDownModule  # noqa: F401

CLIENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = {'README.md': os.path.join(CLIENT, 'README.md'),
             'docs/cookbook.md': os.path.join(CLIENT, '..', '..', 'docs', 'cookbook.md')}


class Documents(unittest.TestCase):
    def test_documents(self):
        database = os.environ.get('PGDATABASE')
        # what a reader's plain connect() finds
        os.environ['PGDATABASE'] = server.DATABASE
        try:
            for name, path in DOCUMENTS.items():
                with self.subTest(name):
                    self.check(name, path)
        finally:
            del os.environ['PGDATABASE']
            if database is not None:
                os.environ['PGDATABASE'] = database

    def check(self, name, path):
        with open(path, encoding='utf-8') as file:
            text = file.read()
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
