// The bounds of comparisons.

/** Comparisons of a project that are kept: the oldest is deleted for one more. */
export const mostKept = 10
export const keptDays = 30
/** Rows that are kept of each status. */
export const mostRows = 10_000
export const mostDays = 366
export const mostBlocks = 20_000_000
export const mostTransfers = 500_000
/** One part that cannot be compared so often, which takes about half an hour, ends the comparison. */
export const mostFailures = 30
// One that no worker carries out is deleted by then.
export const longestDays = 7
