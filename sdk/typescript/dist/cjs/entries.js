"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.entries = entries;
/** An entry that moved to the next page, because newer ones were recorded meanwhile, is yielded once. */
async function* entries(by, query, ask) {
    const size = query?.page_size ?? query?.limit ?? 100;
    const seen = new Set();
    let after = null;
    for (let page = 1;; page += 1) {
        const place = {
            page: { page, page_size: size },
            offset: { offset: (page - 1) * size, limit: size },
            cursor: { limit: size, ...(after !== null && { after }) },
        }[by];
        const got = await ask({ ...query, ...place });
        const items = Array.isArray(got) ? got : got.items;
        for (const item of items) {
            if (seen.has(item.id))
                continue;
            // The pages of a cursor do not move.
            if (by !== 'cursor')
                seen.add(item.id);
            yield item;
        }
        if (by !== 'cursor' && items.length < size)
            return;
        if (by === 'cursor') {
            if (Array.isArray(got) || !got.next?.exists)
                return;
            after = got.next.cursor;
        }
    }
}
