// Generated from the OpenAPI document: changes are lost.
export const defaultBaseUrl = null;
