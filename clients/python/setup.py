"""Builds the C extension, from the client's sources and the server's own ones.

These are src/core and clients/core of the repository.  They are taken from there when this is built in
it, and travel in a directory "shared" within a source distribution, which is otherwise built alike.
"""
import os
import shutil

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
    return [os.path.join(REPOSITORY, place) for place, _ in DIRECTORIES]


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
        for directory in HERE, REPOSITORY:
            if os.path.exists(os.path.join(directory, 'LICENSE')):
                shutil.copy(os.path.join(directory, 'LICENSE'), base_dir)
                break


setup(
    ext_modules=[Extension(
        'pg_bloomfilter._core',
        sources=[os.path.join('src', name) for name in
                 ('batch.c', 'column.c', 'kind.c', 'lock.c', 'module.c', 'object.c', 'raise.c', 'value.c')],
        depends=[os.path.join('src', name) for name in
                 ('batch.h', 'column.h', 'kind.h', 'lock.h', 'object.h', 'python.h', 'value.h')],
        extra_compile_args=['-std=gnu11', '-O2', '-fvisibility=hidden'],
        libraries=['m'],
        py_limited_api=True,
    )],
    cmdclass={'build_ext': BuildExtension, 'sdist': SourceDistribution},
    options={'bdist_wheel': {'py_limited_api': 'cp311'}},
)
