"""Sees to it that the installed package is tested.  To be imported before it.

"python3 -m unittest" and "python3 -m pg_bloomfilter" look into the current directory first, and if that is the
sources', they find the package without its library.
"""
import glob
import os
import sys

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# compiled in place, by "pip install --editable", it is the installed one
if not glob.glob(os.path.join(glob.escape(SOURCES), 'pg_bloomfilter', '_core.*so')):
    sys.path[:] = [path for path in sys.path if os.path.realpath(path) != os.path.realpath(SOURCES)]
    # for programs that the tests start
    os.environ['PYTHONSAFEPATH'] = '1'
