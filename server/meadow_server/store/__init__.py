"""The journal: games, their records, the requests that made them, content packs and the server's key."""
