/** One call of a tool, over the socket of the server on a data folder, which is started when it does not run. */
import { randomBytes } from 'node:crypto';
import { isFields } from '@handover/core';
import { VERSION } from '../version.js';
import { ExitCode } from './conventions/exit-code.js';
import { CommandFailure, noServer, refused } from './conventions/failure.js';
import { type Joining, joinServer, type OpenVisit } from './local-server.js';
import { LineSplitter } from './pipe/line-splitter.js';

type Fields = Readonly<Record<string, unknown>>;

const CALL_ID = 2;
const WAIT_MS = 60_000;

export async function callTool(
  folder: string,
  joining: Joining,
  name: string,
  args: object,
): Promise<Fields> {
  const { socket } = await joinServer(folder, { instance: randomBytes(4).toString('hex'), ...joining });
  try {
    const messages = [
      { id: 1, method: 'initialize', params: OPENING },
      { method: 'notifications/initialized' },
      { id: CALL_ID, method: 'tools/call', params: { name, arguments: args } },
    ];
    for (const message of messages) socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return fieldsIn(await answerTo(socket, CALL_ID));
  } finally {
    socket.destroy();
  }
}

const OPENING = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'handover', version: VERSION },
};

function answerTo(socket: OpenVisit['socket'], id: number): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const lines = new LineSplitter();
    const lost = () => reject(noServer('the server ended before it answered', 'Run the command again'));
    const late = setTimeout(() => reject(noServer('the server does not answer')), WAIT_MS);
    socket.once('close', () => {
      clearTimeout(late);
      lost();
    });
    socket.on('data', (piece: Buffer) => {
      for (const line of lines.take(piece)) {
        const message: unknown = JSON.parse(line);
        if (isFields(message) && message.id === id) resolve(message);
      }
    });
    // It was stopped after the first line.
    socket.resume();
  });
}

/** The value of a success; a failure in the server's own words. */
function fieldsIn({ result, error }: Fields): Fields {
  if (isFields(error)) throw refused(String(error.message));
  const [block] = isFields(result) && Array.isArray(result.content) ? result.content : [];
  const value: unknown = JSON.parse(String(block?.text));
  if (!isFields(value)) throw refused('the server answered something else');
  if (value.success === true) return value;
  const code = String(value.errorCode);
  throw new CommandFailure(EXITS[code] ?? ExitCode.Failed, code, String(value.error));
}

const EXITS: Readonly<Record<string, ExitCode>> = {
  FORBIDDEN: ExitCode.NotAllowed,
  SESSION_NOT_FOUND: ExitCode.NotFound,
  HANDOFF_NOT_FOUND: ExitCode.NotFound,
  CONFLICT: ExitCode.Conflict,
};
