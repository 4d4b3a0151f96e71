"""What the commands of Cumulus Linux print → facts; ``commands.yaml`` names each function."""
