"""Linux hosts: what their tools print, read. Their words are templates alone."""
