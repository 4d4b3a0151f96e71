"""Readers of VRP's outputs, one function a command; ``templates/huawei_vrp/commands.yaml``."""
