"""Hosts: what each one is told, so that it agrees with the switches it hangs on."""

from fabric.design.hosts.agreement import Disagreement, disagreements
from fabric.design.hosts.models import HostModels, host_model

__all__ = ["Disagreement", "HostModels", "disagreements", "host_model"]
