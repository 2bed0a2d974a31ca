// Parses server-sent events as far as the service uses them: id and data.
/**
 * Yields the events in a body. `onData` is called for all received data, comments included. An event that is cut off at
 * the end is dropped.
 */
export async function* eventsIn(body, onData) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    let id = '';
    let data = [];
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            return;
        onData();
        // A line break may be split between two chunks.
        const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
        rest = lines.pop() ?? '';
        for (const line of lines) {
            if (line === '') {
                if (data.length > 0)
                    yield { id, data: JSON.parse(data.join('\n')) };
                data = [];
                continue;
            }
            const [, field, content = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
            if (field === 'id')
                id = content;
            if (field === 'data')
                data.push(content);
        }
    }
}
