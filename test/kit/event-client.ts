/** A small reader of server-sent events: what a browser's EventSource does, with the bytes in our hands. */
export interface ReceivedEvent {
  readonly id: number | undefined;
  readonly event: string;
  readonly data: unknown;
}

export function parseEvent(block: string): ReceivedEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
  }
  const data = fields.get('data');
  const id = fields.get('id');
  if (data === undefined) return undefined;
  return {
    id: id === undefined ? undefined : Number(id),
    event: fields.get('event') ?? '',
    data: JSON.parse(data),
  };
}

/** Events as they come, until the server ends the stream or the caller stops asking. */
export async function* events(
  url: string,
  headers: Readonly<Record<string, string>>,
  onBytes: (text: string) => void = () => {},
): AsyncGenerator<ReceivedEvent> {
  const gone = new AbortController();
  const response = await fetch(url, { headers, signal: gone.signal });
  if (!response.body || response.status !== 200) {
    const text = await response.text();
    onBytes(text);
    throw new Error(`HTTP ${response.status} ${text}`);
  }
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body) {
      const more = decoder.decode(chunk as Uint8Array, { stream: true });
      onBytes(more);
      text += more;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) yield event;
      }
    }
  } finally {
    gone.abort();
  }
}

/** The first `count` envelopes of a session, whose ids must be 1, 2, ... */
export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  count: number,
): Promise<readonly ReceivedEvent[]> {
  const received: ReceivedEvent[] = [];
  for await (const event of events(url, headers)) {
    if (event.event !== 'envelope') break;
    received.push(event);
    if (event.id !== received.length) throw new Error(`event ${event.id} in place ${received.length}`);
    if (received.length === count) break;
  }
  return received;
}
