"""Bots: they see views and legal lists, never states."""
