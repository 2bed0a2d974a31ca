# Generated from the OpenAPI document: changes are lost.
DEFAULT_BASE_URL: str | None = None
