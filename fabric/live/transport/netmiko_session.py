"""netmiko's driver of a system at the prompt, on a connection that is ours.

The driver gets through what comes after a login, switches paging off, makes the terminal wide,
finds the prompt, and cleans what it reads; all by code that many devices have met. What it is not
asked for: logins, host keys, time (its waits end with our deadlines), and whether a line was
refused, since it accepts refused lines silently.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from fabric.live.transport.drivers import driver_named, no_driver
from fabric.live.transport.netmiko_terminal import DriverTerminal, Wire
from fabric.live.transport.prompts import NAME, Prompt
from fabric.live.transport.screen import plain
from fabric.live.transport.telling import last_lines
from fabric.live.transport.terminal import LostError, WaitedError

if TYPE_CHECKING:
    from netmiko import BaseConnection
    from paramiko import Channel

    from fabric.live.transport.talk import Talk
    from fabric.live.transport.terminal import Terminal
    from fabric.live.transport.times import Deadline

_REST = r"[^\n]*[>#$%\]] ?"  # of a prompt: the mode, and what netmiko's drivers know it to end with
_SHOWN = ("{}#", "{}>", "{}$", "<{}>", "[{}]")  # drivers strip such ends from the base prompt


def driven(
    channel: Channel, names: tuple[str, ...], talk: Talk, wait: Deadline
) -> tuple[Terminal, Prompt]:
    """A terminal that the system's driver has prepared, and the prompt that it found.

    ``names``: hostnames that the prompt may begin with.

    Raises:
        DeviceError: ``SILENT``: there is no such driver, or it does not get along with the device.
    """
    wire = Wire(channel, wait)
    driver = _driver(channel, wire, talk, wait)
    why = _prepared(driver, wait)
    if why:
        msg = f"logged in, but {why}; {last_lines(wire.shown)}"
        raise talk.teller.silent(msg)
    # From here on a carriage return moves the cursor; netmiko makes a line end of it.
    driver.disable_lf_normalization = True
    prompt = _prompt(talk, names, plain(driver.base_prompt))
    return DriverTerminal(channel, talk.spec.pager, driver, wire), prompt


def _driver(channel: Channel, wire: Wire, talk: Talk, wait: Deadline) -> BaseConnection:
    import netmiko  # noqa: PLC0415 - slow

    kind, device = talk.spec.netmiko_type, talk.teller.device
    made = driver_named(kind)
    if made is None:
        raise talk.teller.silent(no_driver(kind, talk.spec.name))
    logging.getLogger("netmiko").setLevel(logging.CRITICAL)  # it logs all that it reads
    driver: BaseConnection = made(host=device, device_type=kind, auto_connect=False)
    netmiko.log.removeFilter(driver._secrets_filter)  # noqa: SLF001 - one a driver, never removed
    driver.remote_conn, driver.remote_conn_pre = channel, None
    driver.channel = wire  # type: ignore[assignment]
    # In place of its fixed 10 to 20 s; sooner than our deadline, since it knows what it waits for.
    driver.read_timeout_override = max(0.001, 0.9 * wait.left_s)
    return driver


def _prepared(driver: BaseConnection, wait: Deadline) -> str:
    """As netmiko does it after a login; empty, or what went wrong."""
    try:
        driver.special_login_handler()
        driver.write_channel(driver.RETURN)
        driver.session_preparation()
        driver.write_channel(driver.RETURN)  # some leave a prompt unread and some none: once more
    except LostError:
        return "the device ended the session before a prompt came"
    except WaitedError:
        return f"no prompt came within {wait.seconds:.3g} s; it may ask something, or be busy"
    except Exception as error:  # noqa: BLE001 - drivers are not ours, and each has its own
        said = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        return f"netmiko's driver {driver.device_type} does not get along with it: {said}"
    return ""


def _prompt(talk: Talk, names: tuple[str, ...], base: str) -> Prompt:
    """By the system's own rule; by what the driver has found where that rule does not fit it."""
    prompt = Prompt(talk.spec.prompt, names)
    if not base or any(prompt.name_in(shown.format(base)) is not None for shown in _SHOWN):
        return prompt
    head, name, tail = base.partition(talk.teller.device)
    begin = f"{re.escape(head)}{NAME}{re.escape(tail)}" if name else re.escape(base)
    return Prompt(rf"[^\w\n]*{begin}{_REST}", names)
