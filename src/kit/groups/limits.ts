// The cost of groups beside their rows, and how many there may be.

export type GroupPage = { first: number; offset: number }

/** Pairs of a group and an item of its sums, on one page. */
export const mostPairs = 20_000
/** Groups that the cost of the field counts, at most. */
export const countedGroups = 50
export const pairsPerUnit = 4

/** The cost of a field counts two pairs for each of its groups. */
export const pairsPaid = ({ first }: GroupPage): number => 2 * Math.min(first, countedGroups)
export const pairsCost = (pairs: number, page: GroupPage): number => Math.max(0, pairs - pairsPaid(page)) / pairsPerUnit
