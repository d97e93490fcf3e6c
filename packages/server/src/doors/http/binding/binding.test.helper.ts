/** The binding over a real socket, in dev mode unless told: there a bearer is the name of the agent. */
import { openEvents } from '../../../../../../test/kit/event-client.js';
import { createHarness, type HarnessOptions } from '../http-harness.test.helper.js';

const closers: (() => unknown)[] = [];

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

export interface Asked {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export async function serve(options: HarnessOptions = {}) {
  const harness = createHarness(options);
  const { url, port } = await harness.door.listen();
  closers.push(() => harness.door.close(0));
  const headersOf = ({ as, headers }: Asked) => ({
    'content-type': 'application/json',
    ...(as !== undefined && { authorization: `Bearer ${as}` }),
    ...headers,
  });
  /** A body that is text is sent as it is. */
  const call = async (path: string, body: unknown = {}, asked: Asked = {}) => {
    const { method = 'POST' } = asked;
    const answer = await fetch(`${url}${path.startsWith('/') ? path : `/macp/v1/${path}`}`, {
      method,
      headers: headersOf(asked),
      ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
      json: (text === '' ? undefined : JSON.parse(text)) as any,
    };
  };
  const stream = async (
    method: string,
    body: unknown,
    asked: Asked = {},
    onBytes?: (text: string) => void,
  ) => {
    const client = await openEvents(
      `${url}/macp/v1/${method}`,
      headersOf(asked),
      onBytes,
      JSON.stringify(body),
    );
    closers.push(() => client.close());
    return client;
  };
  return { harness, url, port, call, stream };
}
