/** A reader of server-sent events over a real socket, for tests. */
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
  /** All until the end. */
  rest(): Promise<ReceivedEvent[]>;
  close(): void;
}

export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
  const asked = request(url, { headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject).end();
  });
  let comments = 0;
  const events = parse(response, () => comments++);
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

async function* parse(response: IncomingMessage, onComment: () => void): AsyncGenerator<ReceivedEvent, void> {
  response.setEncoding('utf8');
  let buffer = '';
  try {
    for await (const chunk of response) {
      buffer += chunk;
      for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (block.startsWith(':')) onComment();
        else yield toEvent(block);
      }
    }
  } catch {
    // The connection was cut: for a client of events that is an end like any other.
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
