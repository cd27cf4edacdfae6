#!/usr/bin/python3
"""Runs the tests beside, and reports each in a line, as script/test counts them.

usage: run.py [NAME ...]    only test_NAME.py
"""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


class Result(unittest.TestResult):
    def report(self, outcome, test, note='', why=''):
        print(f'{outcome} - {test.id()}{note}', flush=True)
        for line in why.splitlines():
            print('#   ' + line, flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.report('ok', test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.report('ok', test, f' # SKIP {reason}')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.report('not ok', test, why=self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.report('not ok', test, why=self.errors[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.report('not ok', subtest, why=(self.failures + self.errors)[-1][1])


names = [f'test_{name}' for name in sys.argv[1:]] or sorted(
    name[:-3] for name in os.listdir(HERE) if name.startswith('test_') and name.endswith('.py'))
sys.path.insert(0, HERE)
result = Result()
suite = unittest.TestSuite()
for name in names:
    try:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromName(name))
    except unittest.SkipTest as skip:
        print(f'ok - {name} # SKIP {skip}', flush=True)
suite.run(result)
sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
