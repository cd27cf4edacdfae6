"""Builds the C extension, from the client's sources and the server's own ones.

These are src/core and clients/core of the repository.  They are taken from there when this is built in
it, and travel in a directory "shared" within a source distribution, which is otherwise built alike.
"""
import os
import re
import shutil
import sys

import setuptools
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.join(HERE, 'shared')
REPOSITORY = os.path.dirname(os.path.dirname(HERE))

# where they are in the repository, and below SHARED
DIRECTORIES = (('src/core', 'core'), ('clients/core', 'clients'))


def shared_directories():
    """The absolute directories of shared sources, of which the first is found as core/NAME.h."""
    if os.path.isdir(SHARED):
        return [os.path.join(SHARED, name) for _, name in DIRECTORIES]
    directories = [os.path.join(REPOSITORY, place) for place, _ in DIRECTORIES]
    for directory, (place, _) in zip(directories, DIRECTORIES):
        if not os.path.isdir(directory):
            sys.exit(f'pg-bloomfilter: {directory} is missing.\n'
                     f'This folder is built within a checkout of the repository, whose {place} it compiles. Install it '
                     'from there, or from a source distribution, which contains these files: '
                     '"python3 -m build --sdist clients/python" in the checkout makes one.')
    return directories


def description():
    """The README without its links to other files of the repository, which lead nowhere from elsewhere."""
    with open(os.path.join(HERE, 'README.md'), encoding='utf-8') as file:
        return re.sub(r'\[([^\]]+)\]\((?!https?:)[^)]*\)', r'\1', file.read())


def license_field():
    """The SPDX identifier, where this version of setuptools takes it: 77 is the first to have a field for it."""
    version = int(setuptools.__version__.split('.')[0])
    return {'license_expression' if version >= 77 else 'license': 'PostgreSQL'}


class BuildExtension(build_ext):
    def build_extension(self, extension):
        # not in the list of sources: these are to be relative, and within the package
        core, clients = shared_directories()
        for directory in core, clients:
            names = sorted(os.listdir(directory))
            extension.sources += [os.path.join(directory, name) for name in names if name.endswith('.c')]
            extension.depends += [os.path.join(directory, name) for name in names]
        extension.include_dirs += [os.path.dirname(core), clients]
        super().build_extension(extension)


class SourceDistribution(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for directory, (_, name) in zip(shared_directories(), DIRECTORIES):
            shutil.copytree(directory, os.path.join(base_dir, 'shared', name),
                            ignore=lambda _, names: [n for n in names if not n.endswith(('.c', '.h'))])


shared_directories()
setup(
    ext_modules=[Extension(
        'pg_bloomfilter._core',
        sources=[os.path.join('src', name) for name in
                 ('batch.c', 'column.c', 'form.c', 'kind.c', 'lock.c', 'methods.c', 'module.c', 'moment.c', 'object.c', 'raise.c',
                  'value.c', 'whole.c')],
        depends=[os.path.join('src', name) for name in
                 ('batch.h', 'column.h', 'form.h', 'kind.h', 'lock.h', 'methods.h', 'moment.h', 'object.h', 'python.h', 'value.h',
                  'whole.h')],
        # Python's own flags may ask for debugging information, which is four times as large as the library
        extra_compile_args=['-std=gnu11', '-O2', '-g0', '-fvisibility=hidden'],
        extra_link_args=['-s'] if sys.platform == 'linux' else [],
        libraries=['m'],
        py_limited_api=True,
    )],
    long_description=description(),
    long_description_content_type='text/markdown',
    **license_field(),
    cmdclass={'build_ext': BuildExtension, 'sdist': SourceDistribution},
    options={'bdist_wheel': {'py_limited_api': 'cp311'}},
)
