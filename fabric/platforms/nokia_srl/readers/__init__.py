"""What ``info … | as json`` prints and JSON-RPC answers, read: leaves by their names in YANG."""
