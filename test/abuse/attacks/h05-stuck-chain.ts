/** H5: claims on a chain whose node never answers, beside those of everybody else; and answers behind a used-up limit. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { accept, commit, offer, start } from '../../kit/envelopes.js';
import { STUCK_CHAIN, WORKING_CHAIN } from '../arena/chain-nodes.js';
import { Token, tokenOf } from '../arena/identities.js';
import type { Target } from '../arena/target.js';
import type { Arena, Attack } from '../attack.js';
import { inParallel } from '../pace.js';
import { codeOfSend, grpcAs, signal } from '../wire/macp.js';
import { callTool } from '../wire/mcp.js';
import { Payment } from '../wire/payments.js';

const STUCK_CLAIMS = 6;
const PATIENCE_MS = 120_000;
const MESSAGES_PER_MINUTE = 600;
const REQUESTS_PER_HANDLE = 120;
const NO_CONTRACT = `{"xrc137Address":"0x${'99'.repeat(20)}","chainId":${STUCK_CHAIN}}`;

export const stuckChain: Attack = {
  row: 'H5',
  title: 'a chain that never answers',

  async probe({ serve, say, nodes }) {
    const target = await serve({ env: nodes.env });
    await verifiedAfter(target);
    say(`a claim on the chain that works is verified after ${await verifiedAfter(target)}`);
    for (let n = 0; n < STUCK_CLAIMS; n++)
      await (await Payment.create(target.http, Token.attacker, STUCK_CHAIN)).claim();
    await sleep(1_000);
    say(
      `beside ${STUCK_CLAIMS} claims on the chain that never answers: after ${await verifiedAfter(target)}; it was asked ${nodes.stuck()} times`,
    );
    await answersBehindALimit(target, say);
  },

  async full({ target, over, got }) {
    await Promise.all([
      inParallel(over, 4, async () => {
        const made = await Payment.create(target.http, Token.attacker, STUCK_CHAIN).catch(
          ({ code }: { code: string }) => code,
        );
        if (typeof made === 'string') {
          got(`create: ${made}`);
          await sleep(200);
        } else got(`claim: ${(await made.claim()).code}`);
      }),
      // A tool that reads the chain waits for it, too.
      inParallel(over, 64, async () => {
        const { code } = await callTool(target.http, Token.accomplice, 'read_xrc137_rule_json', NO_CONTRACT);
        got(`read: ${code}`);
        await sleep(code === 'RATE_LIMITED' ? 1_000 : 50);
      }),
    ]);
  },
};

async function verifiedAfter({ http }: Target): Promise<string> {
  const payment = await Payment.create(http, tokenOf('owner-0'), WORKING_CHAIN);
  const begun = performance.now();
  await payment.claim();
  for (;;) {
    const seconds = (performance.now() - begun) / 1_000;
    const verification = await payment.verification();
    if (verification === 'matched') return `${seconds.toFixed(1)} s`;
    if (seconds * 1_000 > PATIENCE_MS) return `more than ${seconds.toFixed(0)} s (${verification})`;
    await sleep(700);
  }
}

/** Whoever has used up a limit must still be able to answer, to claim, to end. */
async function answersBehindALimit({ http, grpc }: Target, say: Arena['say']): Promise<void> {
  const owner = grpcAs(grpc, tokenOf('owner-1'));
  const helper = grpcAs(grpc, tokenOf('helper-1'));
  const sessionId = randomUUID();
  await owner.send(start(sessionId, 'owner-1', { participants: ['owner-1', 'helper-1'] }));
  await owner.send(offer(sessionId, 'h1', 'helper-1', 'owner-1'));
  const spent: string[] = [];
  for (const [client, sender] of [
    [owner, 'owner-1'],
    [helper, 'helper-1'],
  ] as const)
    for (let n = 0; n <= MESSAGES_PER_MINUTE; n++) spent[n] = await codeOfSend(client, signal(sender, 10));
  say(`signal ${MESSAGES_PER_MINUTE + 1} of an agent in a minute: ${spent.at(-1)}`);
  say(
    `its HandoffAccept then: ${await codeOfSend(helper, accept(sessionId, 'h1', 'helper-1'))}; the Commitment of the owner: ${await codeOfSend(owner, commit(sessionId, 'owner-1'))}`,
  );
  const payment = await Payment.create(http, tokenOf('owner-2'), WORKING_CHAIN);
  for (let n = 0; n < REQUESTS_PER_HANDLE; n++) await payment.read();
  say(`a claim after ${REQUESTS_PER_HANDLE} reads of its page: ${(await payment.claim()).status}`);
}
