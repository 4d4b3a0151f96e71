"""The disk of a fake switch that is reached by a shell: files, folders, who may write where."""

from __future__ import annotations

import posixpath

FOLDER_MODE, FILE_MODE = 0o755, 0o644


class Disk(dict[str, bytes]):
    """File contents by absolute path. ``modes``: of files that do not have the usual one."""

    def __init__(self, folders: tuple[str, ...], open_to_all: tuple[str, ...]) -> None:
        super().__init__()
        self.folders = {"/", *folders}
        self.modes: dict[str, int] = {}
        self.made: dict[str, float] = {}  # folders that somebody made, when
        self._covered: dict[str, bytes] = {}  # what lies below a bind mount
        self._open = open_to_all

    def may_write(self, user: str, path: str) -> bool:
        """Whether a user may make or change what lies at a path."""
        return user == "root" or any(
            path == top or path.startswith(top.rstrip("/") + "/") for top in self._open
        )

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder: made as one, or because something lies in it."""
        top = path.rstrip("/") + "/"
        return path in self.folders or any(each.startswith(top) for each in (*self, *self.folders))

    def listing(self, folder: str) -> list[str]:
        """Names in a folder, sorted."""
        top = folder.rstrip("/") + "/"
        inside = {
            each[len(top) :].split("/")[0]
            for each in (*self, *self.folders)
            if each.startswith(top) and each != top
        }
        return sorted(inside)

    def mode(self, path: str) -> int:
        """Its permission bits."""
        return self.modes.get(path, FILE_MODE if path in self else FOLDER_MODE)

    def move(self, source: str, target: str) -> None:
        """Rename a file; what lay at the target is gone."""
        self[target] = self.pop(source)
        self.modes[target] = self.modes.pop(source, FILE_MODE)

    def cover(self, path: str, source: str) -> None:
        """Lay a file over another, which is there again when it is taken off."""
        self._covered.setdefault(path, self[path])
        self[path] = self[source]

    def uncover(self, path: str) -> bool:
        """Take off what lies over a file; false: nothing does."""
        if path not in self._covered:
            return False
        self[path] = self._covered.pop(path)
        return True

    def is_covered(self, path: str) -> bool:
        """Whether something lies over a file: it can then be neither renamed nor removed."""
        return path in self._covered

    def below(self, path: str) -> bytes:
        """What lies on the disk itself, also below a mount; empty: nothing."""
        return self._covered.get(path, self.get(path, b""))

    def unmount_all(self) -> None:
        """A reboot."""
        for path in tuple(self._covered):
            self.uncover(path)

    def absolute(self, path: str, home: str) -> str:
        """A path as written, seen from a home folder."""
        return posixpath.normpath(posixpath.join(home, path))
