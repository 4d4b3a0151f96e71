"""NVUE as a program: a tree of settings, its revisions, the ``nv`` command."""
