// Generated from the OpenAPI document: changes are lost.
export const defaultBaseUrl: string | null = null
