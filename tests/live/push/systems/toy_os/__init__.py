"""A system that exists in tests alone; its text says nothing of QoS."""


def chains(_files: object, _device: str) -> tuple[()]:
    return ()


def intended(_model: object) -> tuple[()]:
    return ()


def settings(_files: object) -> dict[str, str]:
    return {}


def intended_settings(_model: object) -> dict[str, str]:
    return {}


def problems(_files: object) -> tuple[()]:
    return ()


def left_out(_model: object) -> tuple[()]:
    return ()
