# What leaf-0 is told beyond its config; containerlab runs it when the cables are there.
set -e
# The way out of containerlab's network is none of the plan's.
ip -4 route del default dev eth0 2>/dev/null || true
ip -6 route del default dev eth0 2>/dev/null || true
set_to() { if [ -e "/proc/sys/$1" ]; then echo "$2" >"/proc/sys/$1" 2>/dev/null || true; fi; }
set_to net/ipv4/conf/all/rp_filter 0
set_to net/ipv4/conf/default/rp_filter 0
set_to net/ipv6/conf/all/accept_dad 0
set_to net/ipv6/conf/default/accept_dad 0
set_to net/ipv6/conf/swp1/accept_dad 0
set_to net/ipv4/conf/swp1/rp_filter 0
set_to net/ipv6/conf/swp33/accept_dad 0
set_to net/ipv4/conf/swp33/rp_filter 0
set_to net/ipv4/ip_forward 1
set_to net/ipv6/conf/all/forwarding 1
set_to net/ipv4/fib_multipath_hash_policy 1
set_to net/ipv6/fib_multipath_hash_policy 1
set_to net/ipv4/fib_multipath_use_neigh 1
set_to net/ipv4/conf/all/ignore_routes_with_linkdown 1
set_to net/ipv4/fib_multipath_hash_seed 11
ip link set dev swp1 mtu 9216
ip link set dev swp33 mtu 9216
ip -4 -batch - <<'END'
link set dev lo up
link set dev swp1 up
link set dev swp33 up
END
