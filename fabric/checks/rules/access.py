"""90x ids, raised before and while the devices of a plan are reached."""

from __future__ import annotations

from fabric.checks.rules import entry

_STAGE = "change"
_FIRST = "no device is dialled before everything that reaching all of them takes is there"
_UNTOUCHED = "a device that cannot be reached is left out, and no push leaves one out unasked"

no_address = entry(
    "RCE901",
    title="a device has no management address",
    what="The plan has a device that `management.addresses` does not name.",
    why=_FIRST,
    fix="write its address under management.addresses, or push with --device to the others",
    stage=_STAGE,
    example="management: {addresses: {leaf-0: 192.0.2.10/24}}",
)
one_address = entry(
    "RCE902",
    title="two devices have one management address",
    what="Two devices of the plan would be reached at the same address and port, through the same "
    "jump hosts.",
    why="one of them would get the other's configuration",
    fix="give each its own address or port",
    stage=_STAGE,
)
no_credential = entry(
    "RCE903",
    title="a credential is missing",
    what="What `connection` names gives no key and no password: a variable that is not set, a "
    "command that fails, a keyring without an entry, a key file that is not there or locked, a "
    "password to be typed where there is no terminal. Or nothing is named, and the ssh agent holds "
    "no key.",
    why=_FIRST,
    fix="provide what the message names",
    stage=_STAGE,
    example="connection: {user: admin, key_file: ~/.ssh/id_ed25519}",
)
ssh_config = entry(
    "RCE904",
    title="ssh_config, a jump host or connection.cli cannot be honoured",
    what="The user's ssh_config says ProxyCommand or Match exec of a device, cannot be read, or a "
    "chain of jump hosts leads back to itself. Or `connection.cli` is netmiko, which has no driver "
    "of the name that the system's manifest gives as netmiko_type.",
    why="a device would be reached by another way than the one that was meant",
    fix="write ProxyJump instead, or name another file by connection.ssh_config; write a device "
    "type of netmiko's as netmiko_type, or leave `cli` out",
    stage=_STAGE,
)
host_key_unknown = entry(
    "RCE905",
    title="a host key is not known",
    what="A device, or a jump host, shows a host key that stands in no known_hosts file: not in "
    "`.fabric/<fabric>/known_hosts` and not in the user's own.",
    why="whoever answers at that address would be given the login and the configuration",
    fix="compare the fingerprint with the console of the device, then push with --accept-new",
    stage=_STAGE,
)
host_key_changed = entry(
    "RCE906",
    title="a host key has changed",
    what="A device, or a jump host, shows another host key than the one that is known; the message "
    "has both fingerprints. It is refused with --accept-new as well.",
    why="either the device was replaced or reinstalled, or somebody else answers at its address",
    fix="find out which; if the change is yours, remove the line that the message names",
    stage=_STAGE,
)
unreachable = entry(
    "RCE907",
    title="a device cannot be reached",
    what="A device does not answer, shows no SSH banner, ends the exchange of keys, refuses the "
    "login, or gives no prompt.",
    why=_UNTOUCHED,
    fix="by the cause in the message. No answer: power, management link, filters on the way. "
    "Nothing listens: switch SSH on, or write connection.port. No banner or no terminal: end old "
    "sessions there. Login refused: user, key or password under `connection`, or unlock the "
    "account. No SSH algorithm in common: allow one on the device. No prompt: log in by hand and "
    "answer what it asks. Then push again; --device names the others to push to without it",
    stage=_STAGE,
)
