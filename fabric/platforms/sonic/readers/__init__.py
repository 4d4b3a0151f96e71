"""What SONiC's commands print, read. Their tables are those of python-tabulate."""
