#!/bin/sh
# fabric sample · device gpu-2 · templates linux/1 · sha256 016d19bf72530c723746481e1ef3dc4ee75f9fe00da12598488610841bbf0b79
# RoCE settings of host gpu-2: they must agree with those of its switches.
#
#   fabric-host.sh --check   read everything back, print what differs; exit 1 if anything does
#   fabric-host.sh --apply   set what differs and read it back; exit 1 if anything still does
#   (exit 2: cannot be done on this machine, and why)
#
# None of these settings outlives a reboot or a re-plug of the adapter: fabric-roce.service and its
# udev rule run this again. Addresses, routes and rules are only checked here; the network
# configuration sets them.
#
# DCBX: nobody negotiates. The switches are configured statically and this host decides for
# itself; lldpad must not run. LLDP and DCBX of the adapter's firmware must be off as well: the
# parameters differ by adapter and firmware, so list and set them with the vendor's tool.
set -eu
LC_ALL=C
export LC_ALL

roce_tos=104 # the whole byte: DSCP 26 * 4
lossless_priorities='3' # what the switches mark
cnp_dscp=48
cnp_priority=6
mtu=9000
# DSCP:priority as the switches have it: of RoCE, CNP and every class but the default one.
# And of what the adapter, which takes DSCP / 8, would wrongly make lossless.
dscp_priorities='24:0 25:0 26:3 27:0 28:0 29:0 30:0 31:0 48:6 56:7'

root=${FABRIC_ROOT:-} # tests put another /sys and /proc here
mode=check
different=0

stop() {
    printf 'fabric-host.sh: %s\n' "$1" >&2
    exit 2
}

# differs WHAT WANTED FOUND: prints the difference; true if it is to be set now.
differs() {
    if [ "$2" = "$3" ]; then
        return 1
    fi
    printf '%s: is "%s", should be "%s"\n' "$1" "${3:-not set}" "$2"
    different=$((different + 1))
    [ "$mode" = apply ]
}

# reports WHAT WANTED FOUND: a difference that something else has to mend.
reports() {
    if differs "$1" "$2" "$3"; then
        return 0
    fi
}

not_checked() {
    if [ "$mode" = check ]; then
        printf '%s: not checked: %s\n' "$1" "$2"
    fi
}

# run COMMAND...: quiet unless it fails; mlnx_qos prints its errors on stdout.
run() {
    if ! said=$("$@" 2>&1); then
        printf '%s: %s\n' "$*" "$said" >&2
        exit 1
    fi
}

needs() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || stop "$tool is not installed"
    done
}

# file_is WHAT FILE WANTED: a file of the kernel that reads back what is written to it.
file_is() {
    if [ ! -e "$root$2" ]; then
        not_checked "$1" "this driver has no $2"
        return 0
    fi
    found=$(cat "$root$2")
    if differs "$1" "$3" "${found#Global tclass=}"; then
        printf '%s\n' "$3" >"$root$2"
    fi
}

# ethernet IF: what every adapter has.
ethernet() {
    found=$(cat "$root/sys/class/net/$1/mtu")
    if differs "$1 MTU" "$mtu" "$found"; then
        run ip link set dev "$1" mtu "$mtu"
    fi
    # Global pause would stop every class, and excludes PFC.
    if pause=$(ethtool -a "$1" 2>&1); then
        found=$(printf '%s\n' "$pause" | awk '$1 == "RX:" || $1 == "TX:" { printf "%s%s", $1, $2 }')
        if differs "$1 global pause" RX:offTX:off "$found"; then
            run ethtool -A "$1" rx off tx off autoneg off
        fi
    else
        not_checked "$1 global pause" "$pause"
    fi
    # Each NIC answers and asks for its own address alone; the way back is looked up over all NICs;
    # nothing is forwarded: a host that forwards is a valley in the fabric.
    file_is "$1 arp_ignore" "/proc/sys/net/ipv4/conf/$1/arp_ignore" 1
    file_is "$1 arp_announce" "/proc/sys/net/ipv4/conf/$1/arp_announce" 2
    file_is "$1 rp_filter" "/proc/sys/net/ipv4/conf/$1/rp_filter" 2
    file_is "$1 IPv4 forwarding" "/proc/sys/net/ipv4/conf/$1/forwarding" 0
    file_is "$1 accept_ra" "/proc/sys/net/ipv6/conf/$1/accept_ra" 0
    file_is "$1 autoconf" "/proc/sys/net/ipv6/conf/$1/autoconf" 0
    file_is "$1 IPv6 forwarding" "/proc/sys/net/ipv6/conf/$1/forwarding" 0
}

# rdma_of IF: the RDMA device of an interface.
rdma_of() {
    for path in "$root"/sys/class/infiniband/*; do
        if [ -e "$path/device/net/$1" ]; then
            printf '%s\n' "${path##*/}"
            return
        fi
    done
}

# Fields of what mlnx_qos prints.
field() {
    printf '%s\n' "$state" | sed -n "s/^$1: *//p"
}
pfc_row() {
    printf '%s\n' "$state" | awk '$1 == "enabled" { $1 = ""; $0 = $0; $1 = $1; gsub(" ", ","); print }'
}
# Long lists go on over several lines, each with its own "prio:N dscp:".
priority_of() {
    dscp=$(printf '%02d' "$1")
    printf '%s\n' "$state" | sed -n "s/^[[:space:]]*prio:\([0-7]\) dscp:\(.*,\)*$dscp,.*/\1/p"
}

# qos IF CABLE_METRES
qos() {
    state=$(mlnx_qos -i "$1") || stop "mlnx_qos -i $1: $state"
    if differs "$1 DCBX mode" "OS controlled" "$(field 'DCBX mode')"; then
        run mlnx_qos -i "$1" -d os
    fi
    # Untagged RoCE has no PCP, and the driver's default is to trust just that.
    if differs "$1 trust" dscp "$(field 'Priority trust state')"; then
        run mlnx_qos -i "$1" --trust dscp
        state=$(mlnx_qos -i "$1")
    fi
    # By itself the adapter takes DSCP / 8. In a call of its own: not together with --trust.
    # While the adapter trusts PCP it has no such map.
    if [ "$(field 'Priority trust state')" = dscp ]; then
        for pair in $dscp_priorities; do
            if differs "$1 priority of DSCP ${pair%:*}" "${pair#*:}" "$(priority_of "${pair%:*}")"; then
                run mlnx_qos -i "$1" --dscp2prio "set,${pair%:*},${pair#*:}"
            fi
        done
    fi
    if differs "$1 PFC by priority" 0,0,0,1,0,0,0,0 "$(pfc_row)"; then
        run mlnx_qos -i "$1" --pfc 0,0,0,1,0,0,0,0
    fi
    # Sizes the receive headroom: what arrives after the pause was sent.
    if differs "$1 cable length" "$2" "$(field 'Cable len')"; then
        run mlnx_qos -i "$1" --cable_len "$2"
    fi
    # Both ends of the control loop: the receiver notifies (np), the sender slows down (rp).
    for priority in $lossless_priorities; do
        ecn_is "$1" roce_np "enable/$priority" 1
        ecn_is "$1" roce_rp "enable/$priority" 1
    done
    ecn_is "$1" roce_np cnp_dscp "$cnp_dscp"
    ecn_is "$1" roce_np cnp_802p_prio "$cnp_priority"
}

# ecn_is IF PROTOCOL ATTRIBUTE WANTED: drivers have attributes with or without params/.
ecn_is() {
    file=/sys/class/net/$1/ecn/$2/$3
    if [ ! -e "$root$file" ]; then
        file=/sys/class/net/$1/ecn/$2/params/$3
    fi
    file_is "$1 $2 $3" "$file" "$4"
}

# rdma IF DEVICE
rdma() {
    # Marks every queue pair of the device, whatever the application asked for (MLNX_OFED and DOCA).
    file_is "$2 traffic class" "/sys/class/infiniband/$2/tc/1/traffic_class" "$roce_tos"
    # RDMA-CM alone; verbs applications such as NCCL bring their own.
    if differs "$2 RDMA-CM mode" "RoCE v2" "$(cma_roce_mode -d "$2" -p 1)"; then
        run cma_roce_mode -d "$2" -p 1 -m 2
    fi
    if differs "$2 RDMA-CM ToS" "$roce_tos" "$(cma_roce_tos -d "$2")"; then
        run cma_roce_tos -d "$2" -t "$roce_tos"
    fi
}

# nic IF DEVICE CABLE_METRES NUMA_NODE; "-": not stated in the inventory.
nic() {
    if [ ! -e "$root/sys/class/net/$1" ]; then
        reports "$1" present absent
        return 0
    fi
    ethernet "$1"
    qos "$1" "$3"
    device=$(rdma_of "$1")
    if [ "$2" != - ]; then
        reports "$1 RDMA device" "$2" "$device"
    fi
    if [ -z "$device" ]; then
        not_checked "$1 RDMA settings" "it has no RDMA device (driver not loaded?)"
        return 0
    fi
    rdma "$1" "$device"
    if [ "$4" != - ]; then
        reports "$1 NUMA node" "$4" "$(cat "$root/sys/class/infiniband/$device/device/numa_node")"
    fi
}

settings() {
    if pgrep -x lldpad >/dev/null; then
        reports lldpad stopped running
        if [ "$mode" = apply ]; then
            stop "lldpad would overwrite these settings: systemctl disable --now lldpad.service lldpad.socket"
        fi
    fi
    nic rdma0 mlx5_0 5 -
}

# contains WHAT WANTED TEXT: TEXT, lines of words, has WANTED as whole words.
contains() {
    case " $3 " in
    *[[:space:]]"$2"[[:space:]]*) ;;
    *) reports "$1" "$2" "" ;;
    esac
}

# Which NIC leads to which leaf, and that answers leave through the NIC that was asked.
network() {
    contains "rdma0 address" 10.0.0.5/31 "$(ip -o addr show dev rdma0 2>&1)"
    contains "rdma0 address" fd00::15/127 "$(ip -o addr show dev rdma0 2>&1)"
    # One that the leaf has too is never used (duplicate address detection).
    reports "rdma0 duplicate addresses" "" "$(ip -6 -o addr show dev rdma0 dadfailed 2>&1)"
    contains "rule of 10.0.0.5" "from 10.0.0.5 lookup 1000" "$(ip -4 rule show 2>&1)"
    contains "rule of fd00::15" "from fd00::15 lookup 1000" "$(ip -6 rule show 2>&1)"
    contains "table 1000" "10.0.0.0/25 via 10.0.0.4 dev rdma0" "$(ip -4 route show table 1000 2>&1)"
    contains "table 1000" "fd00::/64 via fd00::14 dev rdma0" "$(ip -6 route show table 1000 2>&1)"
}

[ "$(id -u)" -eq 0 ] || stop "must run as root"
needs ip ethtool pgrep mlnx_qos cma_roce_mode cma_roce_tos
case ${1-} in
--check)
    settings
    network
    ;;
--apply)
    mode=apply
    settings
    mode=check
    different=0
    settings
    ;;
*) stop "usage: fabric-host.sh --check | --apply" ;;
esac
if [ "$different" -gt 0 ]; then
    printf '%s\n' "$different setting(s) differ"
    exit 1
fi
printf 'everything agrees with the switches\n'
