import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { encodeAckResponse } from '@handover/wire';

/** An Ack of the usual size: what both yardsticks answer. */
const reply = encodeAckResponse({
  ok: true,
  duplicate: false,
  messageId: '00000000-0000-4000-8000-000000000000',
  sessionId: '00000000-0000-4000-8000-000000000000',
  acceptedAtUnixMs: 1_700_000_000_000,
  sessionState: 'OPEN',
});

export async function startEcho(kind: 'grpc' | 'http2'): Promise<{ port: number; child: ChildProcess }> {
  const script = fileURLToPath(new URL(`./echo-${kind}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [script, Buffer.from(reply).toString('hex')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the ${kind} echo did not start`)));
    child.stdout?.on('data', (chunk) => {
      const ready = /ready (\d+)/.exec(String(chunk));
      if (ready) resolve(Number(ready[1]));
    });
  });
  return { port, child };
}
