"""Content packs: the cards, tiles and boards a game is played with, as plain data that anyone can write."""
