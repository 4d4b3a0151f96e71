# What h1 is told beyond its config; containerlab runs it when the cables are there.
set -e
# The way out of containerlab's network is none of the plan's.
ip -4 route del default dev eth0 2>/dev/null || true
ip -6 route del default dev eth0 2>/dev/null || true
set_to() { if [ -e "/proc/sys/$1" ]; then echo "$2" >"/proc/sys/$1" 2>/dev/null || true; fi; }
set_to net/ipv4/conf/all/rp_filter 0
set_to net/ipv4/conf/default/rp_filter 0
set_to net/ipv6/conf/all/accept_dad 0
set_to net/ipv6/conf/default/accept_dad 0
set_to net/ipv6/conf/eth1/accept_dad 0
set_to net/ipv4/conf/eth1/rp_filter 0
set_to net/ipv4/ip_forward 0
set_to net/ipv4/conf/eth1/arp_ignore 1
set_to net/ipv4/conf/eth1/arp_announce 2
set_to net/ipv4/conf/eth1/rp_filter 2
set_to net/ipv4/conf/eth1/forwarding 0
ip link set dev eth1 mtu 9000
ip -4 -batch - <<'END'
link set dev lo up
link set dev eth1 up
address add 10.0.0.1/31 dev eth1
rule add from 10.0.0.1 lookup 1000 priority 1000
route add 10.0.0.0/12 via 10.0.0.0 dev eth1 table 1000
END
