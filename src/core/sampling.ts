// Decides by its id whether a successful request gets a line in the log. The lines of what follows from it, in any
// process, are decided alike.

/** `share`: from 0 to 1. */
export function isSampled(requestId: string, share: number): boolean {
  if (share >= 1) return true
  if (share <= 0) return false
  // FNV-1a, whose upper bits are mixed further, because ids that differ in their end alone have these in common.
  let hash = 0x811c9dc5
  for (let at = 0; at < requestId.length; at++) hash = Math.imul(hash ^ requestId.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32 < share
}
