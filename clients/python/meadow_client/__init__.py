"""Typed clients of the Meadow service, sync and asyncio, and the command line."""
