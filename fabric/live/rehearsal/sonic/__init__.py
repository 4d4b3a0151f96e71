"""SONiC as a program: CONFIG_DB as state, the ``config`` and ``show`` commands."""
