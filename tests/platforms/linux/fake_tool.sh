#!/bin/sh
# Stands in for mlnx_qos, dcb, ethtool and others under their names: same words, state in files.
# After Mellanox/mlnx-tools python/mlnx_qos and sbin/cma_roce_tos, and iproute2 dcb/*.c.
tool=${0##*/}
words="$tool $*"
home=$FAKE_HOME

changed() { printf '%s\n' "$words" >>"$home/calls"; }
keep() { printf '%s\n' "$2" >"$1"; }

mlnx_qos() { # -i IF [OPTION VALUE]...
    cd "$home/nics/$2" || exit 1
    shift 2
    if [ $# -eq 0 ]; then
        mlnx_qos_shows
        return
    fi
    case $words in
    *--trust*--dscp2prio* | *--dscp2prio*--trust*)
        echo 'trust and dscp2prio commands cannot be used at the same time.'
        exit 1
        ;;
    esac
    while [ $# -gt 0 ]; do
        case $1 in
        -d) keep dcbx "$2" ;;
        --trust)
            if [ "$2" = dscp ] && [ "$(cat trust)" != dscp ]; then
                awk 'BEGIN { for (d = 0; d < 64; d++) print d, int(d / 8) }' >map
            fi
            keep trust "$2"
            ;;
        --dscp2prio)
            awk -v given="$2" 'BEGIN { split(given, part, ",") }
                $1 == part[2] { $2 = part[3] } { print }' map >map.new && mv map.new map
            ;;
        --pfc)
            case $2 in
            ?,?,?,?,?,?,?,?) keep pfc "$2" ;;
            *)
                echo 'pfc list must have 8 items'
                exit 1
                ;;
            esac
            ;;
        --cable_len) keep cable "$2" ;;
        *)
            echo 'Bad arguments'
            exit 1
            ;;
        esac
        shift 2
    done
    changed
}

mlnx_qos_shows() {
    case $(cat dcbx) in
    os) echo 'DCBX mode: OS controlled' ;;
    *) echo 'DCBX mode: Firmware controlled' ;;
    esac
    trust=$(cat trust)
    echo "Priority trust state: $trust"
    if [ "$trust" = dscp ]; then
        echo 'dscp2prio mapping:'
        awk '{ list[$2] = list[$2] sprintf("%02d,", $1) }
            END { for (p = 0; p < 8; p++)
                for (i = 1; i <= length(list[p]); i += 24)
                    print "\tprio:" p " dscp:" substr(list[p], i, 24) }' map
    fi
    echo 'default priority:'
    echo 'Receive buffer size (bytes): 130944,130944,0,0,0,0,0,0,max_buffer_size=262016'
    echo "Cable len: $(cat cable)"
    echo 'PFC configuration:'
    printf '\tpriority    0   1   2   3   4   5   6   7\n'
    printf '\tenabled     %s   \n' "$(sed 's/,/   /g' pfc)"
    printf '\tbuffer      0   0   0   1   0   0   0   0   \n'
    printf 'tc: 0 ratelimit: unlimited, tsa: vendor\n\t priority:  0\n'
}

dcb() { # [-N] OBJECT VERB dev IF [KEY VALUE...]...
    [ "$1" = -N ] && shift
    object=$1 verb=$2
    cd "$home/nics/$4/dcb" || exit 1
    shift 4
    if [ "$object" = apptrust ] && [ ! -d apptrust ]; then
        echo 'Object "apptrust" is unknown, try "dcb help".' >&2
        exit 255
    fi
    if [ ! -d "$object" ]; then
        echo 'Attribute read: Operation not supported' >&2
        exit 1
    fi
    if [ "$verb" = show ]; then
        for key in ${1:-$(ls "$object")}; do
            case $object in
            dcbx) echo "$(cat "$object/$key") " ;;
            apptrust) echo "order: $(cat "$object/$key") " ;;
            *) echo "$key $(cat "$object/$key") " ;;
            esac
        done
        return
    fi
    case $object in
    dcbx) keep dcbx/mode "$*" ;;
    apptrust)
        shift
        keep apptrust/order "$*"
        ;;
    *) dcb_sets "$@" ;;
    esac
    changed
}

dcb_sets() {
    for word in "$@"; do
        case $word in
        all:*) awk -v v="${word#*:}" '{ for (i = 1; i <= NF; i++) sub(/:.*/, ":" v, $i); print }' \
            "$object/$key" >new && mv new "$object/$key" ;;
        *:*) awk -v pair="$word" 'BEGIN { split(pair, part, ":") }
            { for (i = 1; i <= NF; i++) if (index($i, part[1] ":") == 1) { $i = pair; seen = 1 }
              if (!seen) $(NF + 1) = pair; print }' "$object/$key" >new && mv new "$object/$key" ;;
        on | off) keep "$object/$key" "$word" ;;
        *) key=$word ;;
        esac
    done
    if [ "$object" = ets ] && [ "$1" = prio-tc ]; then
        awk -F '[: ]' '{ for (i = 2; i <= NF; i += 2) sum += $i } END { exit sum != 100 }' \
            ets/tc-bw || {
            echo 'Bandwidth percentages in tc-bw do not sum to 100%' >&2
            exit 1
        }
    fi
}

cma() { # WHICH KEY OPTION ARGUMENTS: the tools print the value that is in force at the end
    file=$home/devices/$4
    if [ "$2" = "${5-}" ]; then
        keep "$file.$1" "$6"
        changed
    elif [ "$2" = "${7-}" ]; then
        keep "$file.$1" "RoCE v$8"
        changed
    fi
    cat "$file.$1"
}

case $tool in
mlnx_qos) mlnx_qos "$@" ;;
dcb) dcb "$@" ;;
cma_roce_tos) cma tos -t "$@" ;;
cma_roce_mode) cma mode -m "$@" ;;
ethtool)
    file=$home/nics/$2/pause
    if [ "$1" = -a ]; then
        pause=$(cat "$file")
        printf 'Pause parameters for %s:\nAutonegotiate:\toff\nRX:\t\t%s\nTX:\t\t%s\n\n' \
            "$2" "$pause" "$pause"
    elif [ "$1 $3 $4 $5 $6 $7 $8" = '-A rx off tx off autoneg off' ]; then
        keep "$file" off
        changed
    else
        exit 1
    fi
    ;;
ip)
    if [ "$1 $2 $3 $5" = 'link set dev mtu' ]; then
        keep "$home/root/sys/class/net/$4/mtu" "$6"
        changed
    elif [ "$1 $2 $3 $5 $6 $7" = 'link set dev type bond broadcast_neighbor' ]; then
        if [ -e "$home/old-iproute2" ]; then
            echo 'bond: unknown command "broadcast_neighbor"?' >&2
            exit 255
        fi
        keep "$home/ip/-d_link_show_dev_$4" "    bond mode 802.3ad broadcast_neighbor $8 miimon 100"
        changed
    else
        cat "$home/ip/$(printf '%s' "$*" | tr ' ' _)" 2>/dev/null || true
    fi
    ;;
pgrep) [ "$*" = "-x lldpad" ] && [ -e "$home/lldpad" ] ;;
id) echo 0 ;;
esac
