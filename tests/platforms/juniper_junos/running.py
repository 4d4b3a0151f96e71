"""A running configuration of nobody's plan, for the tests of reading."""

from __future__ import annotations

# DSCP 26 → queue 4, paused as priority 3; CNP DSCP 48 → queue 3: names of nobody's plan.
LINES = """\
set version 23.4R2-S1.4-EVO
set system host-name tor9
set interfaces et-0/0/4 number-of-sub-ports 2
set interfaces et-0/0/4 speed 400g
set interfaces et-0/0/4:1 description "GPU; node {7}"
set interfaces et-0/0/4:1 mtu 9216
set interfaces et-0/0/4:1 unit 0 family inet address 192.0.2.8/31
set interfaces et-0/0/9 mtu 9000
set interfaces et-0/0/9 mtu 1500
set interfaces et-0/0/9 mtu 9000
set interfaces re0:mgmt-0 unit 0 family inet address 192.0.2.1/24
set class-of-service classifiers dscp in forwarding-class FEEDBACK loss-priority low code-points 110000
set class-of-service classifiers dscp in forwarding-class GPU loss-priority low code-points af31
set class-of-service drop-profiles slope interpolate fill-level 30
set class-of-service drop-profiles slope interpolate fill-level 70
set class-of-service drop-profiles slope interpolate drop-probability 0
set class-of-service drop-profiles slope interpolate drop-probability 80
set class-of-service forwarding-classes class FEEDBACK queue-num 3
set class-of-service forwarding-classes class GPU queue-num 4
set class-of-service forwarding-classes class GPU no-loss
set class-of-service forwarding-classes class GPU pfc-priority 3
set class-of-service congestion-notification-profile pause pfc-watchdog
set class-of-service congestion-notification-profile pause input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile pause output ieee-802.1 code-point 011 flow-control-queue 4
set class-of-service interfaces et-* congestion-notification-profile pause
set class-of-service interfaces et-* scheduler-map out
set class-of-service interfaces et-* unit * classifiers dscp in
set class-of-service scheduler-maps out forwarding-class GPU scheduler gpu
set class-of-service scheduler-maps out forwarding-class FEEDBACK scheduler feedback
set class-of-service schedulers gpu drop-profile-map loss-priority any protocol any drop-profile slope
set class-of-service schedulers gpu explicit-congestion-notification
set class-of-service schedulers feedback transmit-rate percent 5
set class-of-service schedulers feedback shaping-rate 2500m
set class-of-service schedulers feedback priority strict-high
set policy-options policy-statement lb then load-balance per-packet
set routing-options forwarding-table export lb
"""  # noqa: E501 — as the switch prints it


def without(words: str) -> str:
    kept = [line for line in LINES.splitlines() if words not in line]
    assert len(kept) < len(LINES.splitlines())
    return "\n".join(kept)
