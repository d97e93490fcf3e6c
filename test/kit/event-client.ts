/** Reads server-sent events over a real socket, as a browser's EventSource does, and shows the bytes to the test. */
import { type IncomingMessage, request } from 'node:http';

export interface ReceivedEvent {
  readonly id?: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface EventClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly response: IncomingMessage;
  readonly comments: () => number;
  /** The next event; undefined at the end. */
  next(): Promise<ReceivedEvent | undefined>;
  /** All events until the end. */
  rest(): Promise<ReceivedEvent[]>;
  close(): void;
}

export async function openEvents(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  onBytes: (text: string) => void = () => {},
  body?: string,
): Promise<EventClient> {
  const asked = request(url, { headers, agent: false, method: body === undefined ? 'GET' : 'POST' });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject).end(body);
  });
  let comments = 0;
  const events = parse(response, onBytes, () => comments++);
  const next = async () => {
    const { value, done } = await events.next();
    return done === true ? undefined : value;
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    response,
    comments: () => comments,
    next,
    async rest() {
      const all: ReceivedEvent[] = [];
      for (let event = await next(); event; event = await next()) all.push(event);
      return all;
    },
    close: () => asked.destroy(),
  };
}

async function* parse(
  response: IncomingMessage,
  onBytes: (text: string) => void,
  onComment: () => void,
): AsyncGenerator<ReceivedEvent, void> {
  response.setEncoding('utf8');
  let buffer = '';
  try {
    for await (const chunk of response) {
      onBytes(chunk);
      buffer += chunk;
      for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (block.startsWith(':')) onComment();
        else yield toEvent(block);
      }
    }
  } catch {
    // The connection was cut: this counts as the end of the stream.
  }
}

function toEvent(block: string): ReceivedEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const id = fields.get('id');
  return {
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}'),
    ...(id !== undefined && { id: Number(id) }),
  };
}

/** Events as they come, until the server ends the stream or the caller stops asking. */
export async function* events(
  url: string,
  headers: Readonly<Record<string, string>>,
  onBytes: (text: string) => void = () => {},
): AsyncGenerator<ReceivedEvent> {
  const client = await openEvents(url, headers, onBytes);
  try {
    if (client.status !== 200) {
      const text = (await client.response.toArray()).join('');
      onBytes(text);
      throw new Error(`HTTP ${client.status} ${text}`);
    }
    for (let event = await client.next(); event; event = await client.next()) yield event;
  } finally {
    client.close();
  }
}

/** The first `count` envelopes of a session, whose ids must be 1, 2, ... */
export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  count: number,
): Promise<readonly ReceivedEvent[]> {
  const received: ReceivedEvent[] = [];
  let counted = 0;
  for await (const event of events(url, headers)) {
    if (event.event !== 'envelope') break;
    received.push(event);
    // Suspend, resume and cancel have no id.
    if (event.id !== undefined && event.id !== ++counted)
      throw new Error(`event ${event.id} in place ${counted}`);
    if (received.length === count) break;
  }
  return received;
}
