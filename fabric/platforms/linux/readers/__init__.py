"""What lldpd, ethtool, iproute2, RDMA and NVIDIA tools print on a host, read."""
