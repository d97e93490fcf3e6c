/** `handover mcp` as an assistant starts it, with lines on its input that an assistant should not write. */
import { HandoverProcess } from '../../kit/handover-process.js';
import type { Flaw } from '../target.js';
import { endsWithUs } from '../temporary.js';
import { type Json, parsed } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { text } from '../values/texts.js';
import { internalIn } from './judge.js';
import { message } from './mcp-cases.js';
import { newerBody, OLDER } from './mcp-wire.js';
import { outcomeIn, saw } from './outcomes.js';
import { serverTarget } from './server-target.js';
import type { ToolSchema } from './tool-arguments.js';

type StdioCase = { lines: string[] };

const OPENING: Json = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: OLDER, capabilities: {}, clientInfo: { name: 'Fuzz', version: '1' } },
};
/** Stands at the end of every case; its answer shows that everything before it was read. */
const LAST: Json = { jsonrpc: '2.0', id: 'last', method: 'ping' };
const PATIENCE_MS = 15_000;

function line(random: Random, tools: readonly ToolSchema[], isNewer: boolean): string {
  const said = message(random, tools, 'alice');
  const whole = isNewer ? newerBody(said) : ({ jsonrpc: '2.0', ...said } as Json);
  if (random.oneIn(20)) return text(random, 2_000).replaceAll('\n', ' ');
  return random.oneIn(4)
    ? jsonText(random, mutateJson(random, whole)).replaceAll('\n', ' ')
    : JSON.stringify(whole);
}

export const stdio = serverTarget<StdioCase>({
  name: 'stdio',
  batch: 12,
  generate(random, tools) {
    const isNewer = random.oneIn(2);
    const lines = Array.from({ length: random.between(5, 40) }, () => line(random, tools, isNewer));
    return { lines: [...(isNewer || random.oneIn(10) ? [] : [JSON.stringify(OPENING)]), ...lines] };
  },
  async send({ lines }, server) {
    const last = JSON.stringify(
      lines[0] === JSON.stringify(OPENING) ? LAST : newerBody({ method: 'tools/list', id: 'last' }),
    );
    const child = new HandoverProcess(['mcp', '--data-dir', server.folder, '--agent', 'alice'], {
      input: `${[...lines, last].join('\n')}\n`,
      openMs: PATIENCE_MS,
    });
    endsWithUs(child.child);
    const answered = await lastAnswer(child);
    for (const one of child.stdout.split('\n')) {
      const said = parsed(one);
      server.known.learn(said);
      if (said !== undefined) saw('stdio', outcomeIn(said));
      const inside = internalIn(said);
      if (inside !== undefined) return flaw('internal', inside);
    }
    return answered
      ? undefined
      : flaw('unanswered', `no answer to the last line: ${child.stderr.slice(0, 300)}`);
  },
});

const flaw = (kind: Flaw['kind'], what: string): Flaw => ({ kind, what: `handover mcp: ${what}` });

async function lastAnswer(child: HandoverProcess): Promise<boolean> {
  const heard = new Promise<boolean>((resolve) => {
    child.child.stdout?.on('data', () => child.stdout.includes('"id":"last"') && resolve(true));
    setTimeout(() => resolve(false), PATIENCE_MS).unref();
  });
  const answered = await Promise.race([heard, child.exited.then(() => false)]);
  await child.stop('SIGKILL');
  return answered || child.stdout.includes('"id":"last"');
}
