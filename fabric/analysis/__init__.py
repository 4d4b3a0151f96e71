"""What a fabric does with traffic: arrays over switches and directed cables, proofs on them."""
