#!/bin/sh
# fabric sample · device gpu-2 · templates linux/1 · sha256 20b652bde5f5435a1ed0589d3b235278e272bf6713abfb662e66373527027240
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
mtu=9000
# DSCP:priority as the switches have it: of RoCE, CNP and every class but the default one.
dscp_priorities='26:3 48:6 56:7'

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

# dcb_is WHAT WANTED SHOW SET...: SHOW and SET are arguments of dcb, split at blanks.
dcb_is() {
    what=$1
    wanted=$2
    show=$3
    shift 3
    # shellcheck disable=SC2086 # words on purpose
    if ! found=$(dcb -N $show 2>&1); then
        not_checked "$what" "dcb $show: $found"
        return 0
    fi
    found=$(printf '%s\n' "$found" | sed 's/[[:space:]]*$//')
    if differs "$what" "$wanted" "$found"; then
        run dcb "$@"
    fi
}

# priority_of DSCP: from lines "dscp-prio 26:3 48:6"; several entries for one DSCP show as such.
priority_of() {
    printf '%s\n' "$state" | tr ' ' '\n' | sed -n "s/^$1://p" | tr '\n' ' ' | sed 's/ $//'
}

# qos IF
qos() {
    # Without these two there is no lossless class; what else the driver lacks is only reported.
    state=$(dcb pfc show dev "$1" 2>&1) || stop "$1 cannot do PFC through the kernel's DCB: $state"
    state=$(dcb -N app show dev "$1" dscp-prio 2>&1) || stop "$1 cannot map DSCPs: $state"
    dcb_is "$1 DCBX mode" "host ieee" "dcbx show dev $1" dcbx set dev "$1" host ieee
    for pair in $dscp_priorities; do
        if differs "$1 priority of DSCP ${pair%:*}" "${pair#*:}" "$(priority_of "${pair%:*}")"; then
            run dcb app replace dev "$1" dscp-prio "$pair"
        fi
    done
    # Where kernel and iproute2 have it; elsewhere DSCP entries alone switch the driver to DSCP.
    dcb_is "$1 trust" "order: dscp pcp" "apptrust show dev $1" apptrust set dev "$1" order dscp pcp
    dcb_is "$1 PFC by priority" "prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off" "pfc show dev $1 prio-pfc" \
        pfc set dev "$1" prio-pfc all:off 3:on
    dcb_is "$1 traffic classes" "prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:7" "ets show dev $1 prio-tc" \
        ets set dev "$1" prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:7 \
        tc-tsa 0:ets 1:strict 2:strict 3:ets 4:strict 5:strict 6:strict 7:strict tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0
    dcb_is "$1 schedulers" "tc-tsa 0:ets 1:strict 2:strict 3:ets 4:strict 5:strict 6:strict 7:strict" "ets show dev $1 tc-tsa" \
        ets set dev "$1" tc-tsa 0:ets 1:strict 2:strict 3:ets 4:strict 5:strict 6:strict 7:strict tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0
    dcb_is "$1 shares" "tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0" "ets show dev $1 tc-bw" \
        ets set dev "$1" tc-tsa 0:ets 1:strict 2:strict 3:ets 4:strict 5:strict 6:strict 7:strict tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0
    dcb_is "$1 willing" "willing off" "ets show dev $1 willing" ets set dev "$1" willing off
    not_checked "$1 congestion control and CNP (should be DSCP 48, priority 6)" "the kernel has no common setting; use the vendor's tool"
}

# rdma IF DEVICE: RDMA-CM's defaults, held by the kernel; verbs applications bring their own.
rdma() {
    folder=/sys/kernel/config/rdma_cm/$2
    if [ ! -d "$root/sys/kernel/config/rdma_cm" ]; then
        not_checked "$2 RDMA-CM" "module rdma_cm is not loaded or configfs is not mounted"
        return 0
    fi
    if [ ! -d "$root$folder" ]; then
        run mkdir "$root$folder"
    fi
    file_is "$2 RDMA-CM mode" "$folder/ports/1/default_roce_mode" "RoCE v2"
    file_is "$2 RDMA-CM ToS" "$folder/ports/1/default_roce_tos" "$roce_tos"
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
    nic rdma0 - 5 -
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
    contains "rule of 10.0.0.5" "from 10.0.0.5 lookup 1000" "$(ip -4 rule show 2>&1)"
    contains "table 1000" "10.0.0.0/25 via 10.0.0.4 dev rdma0" "$(ip -4 route show table 1000 2>&1)"
}

[ "$(id -u)" -eq 0 ] || stop "must run as root"
needs ip ethtool pgrep dcb
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
