"""Hosts over real sockets: what the client sends, what it makes of answers, and where credentials go."""
