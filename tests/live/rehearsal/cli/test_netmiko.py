"""Each fake behind the SSH server, as netmiko's driver for its system finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import netmiko
import pytest

from fabric.live.rehearsal.box import Setup
from tests.live.rehearsal.cli.driver import MODELS, PORTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.rehearsal.control import Rehearsal

CASES = {  # driver, a command, what it tells, the running configuration, its last line
    "arista_eos": ("arista_eos", "show version", "Software image version", "show running-config"),
    "juniper_junos": ("juniper_junos", "show version", "Junos:", "show configuration"),
    "cisco_nxos": ("cisco_nxos", "show version", "NXOS: version", "show running-config"),
    "huawei_vrp": ("huawei_vrpv8", "display version", "VRP (R)", "display current-configuration"),
    "nokia_srl": ("nokia_srl", "show version", "Software Version", "info flat"),
    "dell_sonic": ("dell_sonic", "show version", "Enterprise SONiC", "show running-configuration"),
    "hp_comware": ("hp_comware", "display version", "Comware", "display current-configuration"),
    "dell_os10": ("dell_os10", "show version", "OS10", "show running-configuration"),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_driver_logs_in_and_reads_without_pages(
    name: str, start: Callable[..., Rehearsal]
) -> None:
    driver, command, told, configuration = CASES[name]
    model, version = MODELS[name]
    setup = Setup("leaf-0", name, model, version, ports=PORTS[name])
    connection = start(setup).connections["leaf-0"]
    session = netmiko.ConnectHandler(
        device_type=driver,
        host=connection.address,
        port=connection.port,
        username=connection.user,
        use_keys=True,
        key_file=connection.key_file,
        ssh_strict=True,
        system_host_keys=False,
        alt_host_keys=True,
        alt_key_file=connection.known_hosts,
        allow_agent=False,
    )
    session.enable() if name == "arista_eos" else None
    assert told in session.send_command(command)
    text = session.send_command(configuration)
    assert "More" not in text
    assert "192.0.2.61" in text
    session.disconnect()
