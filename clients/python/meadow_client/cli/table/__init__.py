"""A table in the terminal: what is drawn, what is asked, and the game between them."""
