"""Raw output as it comes from a session or a file → plain lines without what is not output."""

from __future__ import annotations

import re
import textwrap

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x1b\][^\x07]*\x07")
# Pagers: "--More--", " ---- More ----", "<--- More --->", "---(more 45%)---", "lines 1-22".
_PAGER = re.compile(r"\s*[<(\[-]+\s*\(?[Mm](?:ore|ORE)\b[^\n]{0,40}?[->)\]]+\s*")
_PAGER_ALONE = re.compile(r"lines \d+-\d+(?:/\d+)?(?: \(END\))?|\(END\)")
_LEFT = re.compile(r"\x1b\[(\d{1,3})D")  # the cursor goes left: VRP and Comware wipe their pager so
_BACKSPACE = re.compile(r"[^\x08\n]\x08")
# root@host:~#  user@host:vrf:~$  host#  host(config)#  <host>  [~host]  user@host>  A:host#
_PROMPT = re.compile(
    r"(?:[<\[][~*]?[\w.-]+(?:-[\w./-]+)?[>\]]|[\w.@-]+(?:\([\w-]+\))?(?::[~\w/.-]*){0,2}[>#$%])\s?"
)
_PORT = "{port}"
# No counter has so many digits; Python refuses to read numbers of thousands of them.
_ENDLESS = re.compile(r"\d{100,}")
_VERBS = ("show", "display", "nv", "vtysh", "sudo", "cat", "ethtool", "dcb", "lldpc", "ip", "info")


def decoded(raw: bytes) -> str:
    """UTF-8 where it is, else byte by byte: odd bytes of a banner must not cost the rest."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text.replace("\x00", "")


def cleaned(text: str, sent: str = "") -> str:
    """Without carriage returns, escapes, pager lines and the echoed command and prompts.

    ``sent``: the command as typed, so that its echo without a prompt is known too.
    """
    text = _LEFT.sub(lambda left: "\x08" * int(left[1]), text.replace("\r\n", "\n"))
    text = _ENDLESS.sub("", _ESCAPES.sub("", text))
    while _BACKSPACE.search(text):
        text = _BACKSPACE.sub("", text)
    lines = [_last_written(line) for line in text.replace("\x08", "").split("\n")]
    lines = [line for line in map(_unpaged, lines) if line is not None]
    return "\n".join(line for line in _without_prompts(lines, sent)).strip("\n")


def echoed_port(text: str, sent: str) -> str | None:
    """The port of the command, where its echo stands in the raw output; else ``None``."""
    if _PORT not in sent:
        return None
    echo = re.compile(rf"(?:^|[>#$%] ?){_echo(sent)}\s*$", re.MULTILINE)
    found = echo.search(_ESCAPES.sub("", text))
    return found["port"] if found and found["port"] != _PORT else None


def _echo(sent: str) -> str:
    """The command as a pattern; a port is any word."""
    return re.escape(sent).replace(re.escape(_PORT), r"(?P<port>\S+)")


def outdented(text: str) -> str:
    """Without the blanks that stand before every line, as in a document or a ticket."""
    return textwrap.dedent(text)


def _last_written(line: str) -> str:
    """What a terminal would show: a carriage return writes the line again."""
    parts = [part for part in line.split("\r") if part.strip()]
    return parts[-1] if parts else ""


def _unpaged(line: str) -> str | None:
    if _PAGER_ALONE.fullmatch(line.strip()):
        return None
    found = _PAGER.match(line)
    if found is None:
        return line
    rest = line[found.end() :]
    return rest or None


def _without_prompts(lines: list[str], sent: str) -> list[str]:
    kept = []
    echo = re.compile(_echo(sent)) if sent else None
    for line in lines:
        bare = line.strip()
        if echo and echo.fullmatch(bare):
            continue
        prompt = _PROMPT.match(bare)
        if prompt:
            rest = bare[prompt.end() :]
            if not rest and not line.startswith(" ") and not _is_tag(bare, lines):
                continue
            if rest.startswith(_VERBS) and not line.startswith(" "):
                continue
        kept.append(line)
    return kept


def _is_tag(line: str, lines: list[str]) -> bool:
    """Whether ``<name>`` is XML and no prompt: somewhere it is closed."""
    closing = f"</{line.strip('<>')}>"
    return line.startswith("<") and any(closing in other for other in lines)
