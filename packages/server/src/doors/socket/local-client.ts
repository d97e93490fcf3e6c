/** The client side of the socket door: how commands such as `handover mcp` and `handover inbox` connect. */
import { connect, type Socket } from 'node:net';
import { askedDigests, differingSettings } from '../../config/setting-digests.js';
import type { Environment } from '../../config/setting-reader.js';
import { requireOwnFolder } from '../../platform/require-own-folder.js';
import { VERSION } from '../../version.js';
import { type Hello, helloLine, readWelcome, type Welcome } from './hello.js';
import { readLocalToken } from './local-token.js';
import { readLine } from './read-line.js';
import { findSocket } from './socket-place.js';

export type Visit =
  | {
      readonly kind: 'open';
      readonly socket: Socket;
      readonly answer: unknown;
      readonly version: string;
      /** Of what was asked for: settings that the server was started without. */
      readonly ignoredSettings: readonly string[];
    }
  /** Nobody listens: there is no server, or it is just starting or stopping. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly error: string };

const MAX_WELCOME_BYTES = 16 * 1_048_576;

/** What a visitor says, beside the token. */
export type Asked = Omit<Hello, 'token' | 'version' | 'settings'> & {
  /** Whose settings are compared with the server's. */
  readonly env?: Environment;
  /** What a question is about that needs more than a word. */
  readonly body?: unknown;
};

/** Throws a `CONFIGURATION` fault when the folder is not this user's alone: nothing in it is believed then. */
export async function visitServer(
  folder: string,
  { env, body, ...asked }: Asked,
  timeoutMs: number,
): Promise<Visit> {
  requireOwnFolder(folder);
  const path = findSocket(folder);
  const token = readLocalToken(folder);
  if (path === undefined || token === undefined) return { kind: 'absent' };
  const socket = await connected(path, timeoutMs);
  if (!socket) return { kind: 'absent' };
  const settings = env && askedDigests(env, token);
  socket.write(helloLine({ ...asked, ...(settings && { settings }), token, version: VERSION }));
  if (body !== undefined) socket.write(`${JSON.stringify(body)}\n`);
  const line = await readLine(socket, { maxBytes: MAX_WELCOME_BYTES, timeoutMs });
  const welcome: Welcome | undefined = line === undefined ? undefined : readWelcome(line);
  if (welcome?.ok) {
    const { answer, version } = welcome;
    // An older server does not say what it was started with.
    const ignoredSettings = settings && welcome.settings ? differingSettings(settings, welcome.settings) : [];
    return { kind: 'open', socket, answer, version, ignoredSettings };
  }
  socket.destroy();
  // No answer came: the server was shutting down.
  return welcome === undefined ? { kind: 'absent' } : { kind: 'refused', error: welcome.error };
}

function connected(path: string, timeoutMs: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const give = (result: Socket | undefined) => {
      clearTimeout(timer);
      socket.off('connect', onConnect);
      if (!result) socket.destroy();
      resolve(result);
    };
    const onConnect = () => give(socket);
    const timer = setTimeout(() => give(undefined), timeoutMs);
    socket.once('connect', onConnect);
    // This listener stays for the life of the socket. A close follows every error, and callers wait for the close.
    socket.on('error', () => give(undefined));
  });
}
