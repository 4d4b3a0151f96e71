"""A slotted event model of PFC: whether a cyclic buffer dependency freezes (validation 1.6).

A model, not a measurement: one packet size, one speed, fixed thresholds, no congestion control.
Traffic (:mod:`traffic`) takes paths (:mod:`paths`) through buffers and queues (:mod:`layout`),
slot by slot (:mod:`slots`); what is left at the end waits in a ring (:mod:`standstill`).
"""
