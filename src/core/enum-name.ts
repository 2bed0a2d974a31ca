/** Returns the name of an enum value in GraphQL: `awaiting_anchor` is `AWAITING_ANCHOR`, `pain.001` is `PAIN_001`. */
export const enumNameOf = (value: string): string => value.toUpperCase().replace(/\W/g, '_')
