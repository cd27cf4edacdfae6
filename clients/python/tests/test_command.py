"""python3 -m pg_bloomfilter"""
import codecs
import os
import subprocess
import sys
import tempfile
import unittest
import uuid

import installed  # noqa: F401
from pg_bloomfilter import Filter


def run(*arguments, lines=(), data=None, **environment):
    if data is None:
        data = ''.join(line + '\n' for line in lines).encode()
    done = subprocess.run([sys.executable, '-m', 'pg_bloomfilter', *arguments], capture_output=True, input=data,
                          env={**os.environ, 'PYTHONUTF8': '1', **environment})
    # as bytes: text would lose the difference between the ends of lines
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


class Command(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = os.path.join(self.directory.name, 'filter')

    def build(self, *arguments, lines):
        done = run('build', *arguments, lines=lines)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        with open(self.path, 'w') as file:
            file.write(done.stdout)
        return Filter.from_text(done.stdout)

    def test_build_and_test(self):
        for family, members, others, value in (
                ('text', ['Zoë', '', ' a '], ['zoë', 'a'], str), ('integer', ['1', '-2', '007'], ['3', '4'], int),
                ('float', ['0.5', '-0', 'nan'], ['0.25'], float)):
            expected = Filter(3)
            expected.update(map(value, members))
            self.assertEqual(self.build('-f', family, lines=members), expected)
            for arguments, lines in (((), members), (('-v',), others)):
                done = run('test', *arguments, self.path, lines=members + others)
                self.assertEqual((done.returncode, done.stdout.split('\n')[:-1]), (0, lines))

    def test_parameters(self):
        f = self.build('-n', '1e5', '-p', '0.001', '-s', '-7', '-f', 'date', lines=['2024-02-29'])
        self.assertEqual(f.info()[:5], ('date', 'sparse', 100000, 0.001, -7))
        done = run('info', self.path)
        self.assertIn('expected_items                100000\n', done.stdout)

    def test_families(self):
        for family, line in (('uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), ('time', '12:34:56.789'), ('oid', '1259'),
                             ('timestamp', '2024-02-29 12:34:56'), ('timestamptz', '2024-02-29 12:34:56+02:00'),
                             ('boolean', 't'), ('bpchar', 'ab  '), ('bytea', '\\x00fF'), ('bytea', '\\x')):
            self.assertEqual(self.build('-f', family, lines=[line]).info().element_type, family)
            self.assertEqual(run('test', self.path, lines=[line]).stdout, line + '\n')

    def test_line_ends(self):
        """Lines end with a newline or, as in files from Windows, with a carriage return and a newline."""
        unix, windows = b'a\n\nb c\n', b'a\r\n\r\nb c\r\n'
        filters = []
        for built in unix, windows, windows.removesuffix(b'\n'):
            with open(self.path, 'wb') as file:
                file.write(run('build', data=built).stdout.encode())
            filters.append(open(self.path).read())
            for tested in unix, windows, windows.removesuffix(b'\n'):
                self.assertEqual(run('test', self.path, data=tested).stdout, 'a\n\nb c\n')
                self.assertEqual(run('test', '-v', self.path, data=tested).stdout, '')
        self.assertEqual(set(filters), {self.build(lines=['a', '', 'b c']).to_text() + '\n'})
        self.assertEqual(self.build('-f', 'integer', lines=['1\r', '2']), self.build('-f', 'integer', lines=['1', '2']))
        # elsewhere in a line it belongs to the value
        self.build(lines=['a\rb'])
        self.assertEqual(run('test', self.path, data=b'a\rb\na\nb\n').stdout, 'a\rb\n')

    def test_equal_values(self):
        """Other spellings of a value are that value, and the same to the server's types."""
        for family, lines, value in (('bytea', ['\\xdead', '\\xDEAD'], b'\xde\xad'), ('float', ['1e3', '1000.', ' 1E+3'], 1000.0),
                                     ('uuid', ['{A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11}', 'a0eebc999c0b4ef8bb6d6bb9bd380a11'],
                                      uuid.UUID('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')),
                                     ('float', ['-Infinity', '-inf'], float('-inf')), ('float', ['5e-324'], 5e-324)):
            expected = Filter(1)
            expected.add(value)
            self.assertEqual(self.build('-f', family, lines=lines), expected)

    def test_encoding(self):
        """UTF-8, with or without a byte order mark, and whatever the locale says."""
        expected = self.build(lines=['Zoë', '\ufeffb'])
        marked = '\ufeffZoë\n\ufeffb\n'.encode()
        for environment in {}, {'PYTHONUTF8': '0', 'PYTHONIOENCODING': 'latin-1'}:
            self.assertEqual(run('build', data=marked, **environment).stdout, expected.to_text() + '\n')
            self.assertEqual(run('test', self.path, data=marked + b'Zoe\n', **environment).stdout, 'Zoë\n\ufeffb\n')
        done = run('build', data='a\nZoë\n'.encode('latin-1'))
        self.assertEqual((done.returncode, done.stderr), (1, "pg_bloomfilter: line 2 is not UTF-8: b'Zo\\xeb'\n"))
        # and of a filter that an editor has saved
        with open(self.path, 'rb+') as file:
            text = file.read()
            file.seek(0)
            file.write(codecs.BOM_UTF8 + text)
        self.assertEqual(run('test', self.path, lines=['Zoë']).stdout, 'Zoë\n')
        self.assertIn('UTF-8', run('--help').stdout)

    def test_filter_from_standard_input(self):
        self.build(lines=['a', 'b'])
        with open(self.path) as file:
            done = run('info', '-', lines=[file.read()])
        self.assertEqual((done.returncode, done.stdout), (0, run('info', self.path).stdout))
        # where the values come from
        done = run('test', '-', lines=['a'])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, '', 'pg_bloomfilter: the values come from standard input, so the filter must be a file\n'))

    def test_errors(self):
        for arguments, lines in ((('build', '-f', 'integer'), ['1', 'x']), (('build', '-n', '0'), ['1']),
                                 (('build', '-f', 'timestamptz'), ['2024-02-29 12:34:56']), (('test', '/nowhere'), []),
                                 (('build', '-f', 'integer'), ['9223372036854775808']), (('info', '/'), []),
                                 # what Python's own constructors take, or make of a number that is out of range
                                 (('build', '-f', 'integer'), ['1_000']), (('build', '-f', 'integer'), ['\u0661']),
                                 (('build', '-f', 'oid'), ['1_0']), (('build', '-f', 'float'), ['1_0.5']),
                                 (('build', '-f', 'float'), ['1e400']), (('build', '-f', 'float'), ['1e-400']),
                                 (('build', '-f', 'uuid'), ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd_80a11']),
                                 (('build', '-f', 'uuid'), ['{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']),
                                 (('build', '-f', 'bytea'), ['dead']), (('build', '-f', 'bytea'), ['\\xabc']),
                                 # what PostgreSQL rounds, and a time that Python has not, or has as another
                                 (('build', '-f', 'time'), ['24:00:00']), (('build', '-f', 'time'), ['12:34:56.1234567']),
                                 (('build', '-f', 'timestamp'), ['2024-02-29 12:34:56.1234567']),
                                 (('build', '-f', 'timestamptz'), ['2024-02-29 12:34:56.1234567+00:00']),
                                 (('build', '-f', 'timestamp'), ['2024-02-29x12:34:56']),
                                 (('build', '-f', 'timestamp'), ['2024-02-29 12:34:56-02']),
                                 (('build', '-f', 'time'), ['12:34:56+02']),
                                 (('info', '-'), ['x'])):
            done = run(*arguments, lines=lines)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertNotIn('Traceback', done.stderr)
            self.assertRegex(done.stderr, '^pg_bloomfilter: .', arguments)
        self.assertEqual(run('test', '/nowhere').stderr, 'pg_bloomfilter: /nowhere: No such file or directory\n')
