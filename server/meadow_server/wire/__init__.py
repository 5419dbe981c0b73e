"""Conversion between the engine's values and messages: explicit functions, one module or package per .proto file."""
