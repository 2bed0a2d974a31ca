// Yields the entries of a list of pages.
type Page<T> = T[] | { items: T[]; next?: { cursor: string | null; exists: boolean } }

/** An entry that moved to the next page, because newer ones were recorded meanwhile, is yielded once. */
export async function* entries<T extends { id: string }>(
  by: 'page' | 'offset' | 'cursor',
  query: { page_size?: number | null; limit?: number | null } | undefined,
  ask: (page: object) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  const size = query?.page_size ?? query?.limit ?? 100
  const seen = new Set<string>()
  let after: string | null = null
  for (let page = 1; ; page += 1) {
    const place: object = {
      page: { page, page_size: size },
      offset: { offset: (page - 1) * size, limit: size },
      cursor: { limit: size, ...(after !== null && { after }) },
    }[by]
    const got: Page<T> = await ask({ ...query, ...place })
    const items = Array.isArray(got) ? got : got.items
    for (const item of items) {
      if (seen.has(item.id)) continue
      // The pages of a cursor do not move.
      if (by !== 'cursor') seen.add(item.id)
      yield item
    }
    if (by !== 'cursor' && items.length < size) return
    if (by === 'cursor') {
      if (Array.isArray(got) || !got.next?.exists) return
      after = got.next.cursor
    }
  }
}
