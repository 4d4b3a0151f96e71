#!/bin/sh
# fabric sample · device gpu-2 · templates linux/1 · sha256 2f03ba4e2d494f6e66756a4d2fdefe31285f3fa0c3fe5b09f5f4677794113d61
# Runs an nccl-tests program over the hosts of fabric sample that have 8 GPU(s), one rank a GPU.
#
#   nccl-tests.sh hosts                    the hosts in rank order, leaf by leaf
#   nccl-tests.sh mpirun PROGRAM [N]       e.g. ./all_reduce_perf_mpi, on the first N hosts (all)
#   nccl-tests.sh srun PROGRAM [N]
#
# PROGRAM must be built with MPI=1, or each rank runs a test of its own.
set -eu

name=${0##*/}
usage() {
    echo "usage: $name hosts | mpirun PROGRAM [HOSTS] | srun PROGRAM [HOSTS]" >&2
    exit 2
}

# numbered PREFIX FIRST COUNT DIGITS
numbered() {
    i=0
    while [ "$i" -lt "$3" ]; do
        printf "%s%0$4d\n" "$1" $(($2 + i))
        i=$((i + 1))
    done
}

hosts() {
    numbered gpu- 0 4 1
}

# The programs' options: every power of two from 8 bytes to 8 GiB (-f is the factor from size to
# size; without it the step is 1 MiB), 20 timed runs after 5 for warming up (-w), checked (-c 1),
# and the time of the slowest rank (-a 3): the mean would hide one slow host.
options='-b 8 -e 8G -f 2 -g 1 -n 20 -w 5 -c 1 -a 3'
limit=600 # seconds; a wrong GID or a blocked bootstrap hangs before the first row

# A number above the sum of the NICs is no measurement of the network: two hosts take a tree.
one_ring() {
    if [ "$1" -le 2 ]; then
        export NCCL_ALGO=Ring
        variables="$variables NCCL_ALGO"
    fi
}

export NCCL_IB_HCA='=mlx5_0'
export NCCL_IB_TC='104'
export NCCL_IB_FIFO_TC='104'
export NCCL_IB_SL='0'
export NCCL_IB_ROCE_VERSION_NUM='2'
export NCCL_IB_ADDR_FAMILY='AF_INET'
export NCCL_IB_ADDR_RANGE='10.0.0.0/25'
export NCCL_IB_QPS_PER_CONNECTION='4'
export NCCL_CROSS_NIC='2'
export NCCL_SOCKET_IFNAME='=eth0'
# For tests alone: a missing NIC is an error, not a run over TCP.
export NCCL_NET=IB
export NCCL_DEBUG=INFO
export NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH,ENV
export NCCL_DEBUG_FILE=/tmp/nccl.%h.%p
variables='NCCL_IB_HCA NCCL_IB_TC NCCL_IB_FIFO_TC NCCL_IB_SL NCCL_IB_ROCE_VERSION_NUM NCCL_IB_ADDR_FAMILY NCCL_IB_ADDR_RANGE NCCL_IB_QPS_PER_CONNECTION NCCL_CROSS_NIC NCCL_SOCKET_IFNAME NCCL_NET NCCL_DEBUG NCCL_DEBUG_SUBSYS NCCL_DEBUG_FILE'

# Ranks stay on one NUMA node; which one a GPU is on is not stated in the inventory. On hosts with
# fewer cores a node than ranks this is refused: then --bind-to none, NCCL places its threads itself.
# shellcheck disable=SC2016 # expanded on each host
bound='exec "$@"'
mpi_binding='--bind-to numa'

[ $# -ge 1 ] || usage
if [ "$1" = hosts ]; then
    hosts
    exit
fi
[ $# -ge 2 ] || usage
program=$2
count=${3:-4}
one_ring "$count"

# MPI itself stays on management: otherwise it uses the fabric unmarked, and a failed RDMA path
# looks like a hang of MPI.
# shellcheck disable=SC2086 # lists of words
case $1 in
mpirun)
    list=$(hosts | head -n "$count" | sed 's/$/:8/' | paste -sd, -)
    pass=
    for variable in $variables; do
        pass="$pass -x $variable"
    done
    exec mpirun -np $((count * 8)) -H "$list" --map-by ppr:8:node $mpi_binding \
        --mca pml ob1 --mca btl tcp,self --mca coll_hcoll_enable 0 \
        --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 \
        -x PATH -x LD_LIBRARY_PATH $pass \
        timeout $limit sh -c "$bound" rank "$program" $options
    ;;
srun)
    list=$(hosts | head -n "$count" | paste -sd, -)
    # ALL, or the whole environment is gone; block keeps the rank order; no GPU binding, which
    # would hide the other GPUs from NCCL.
    exec srun --mpi=pmix -N "$count" -w "$list" --ntasks-per-node=8 --gpus-per-node=8 \
        --distribution=block --cpu-bind=none --exclusive --export=ALL \
        timeout $limit sh -c "$bound" rank "$program" $options
    ;;
*) usage ;;
esac
