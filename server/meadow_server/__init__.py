"""The Meadow engine as a gRPC service."""
