"""The messages and service stubs of the Meadow API, generated from the .proto files beside them."""
