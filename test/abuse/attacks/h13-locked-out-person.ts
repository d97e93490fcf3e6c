/** H13: requests without a secret, or with a wrong one, use up what the person needs who has the right one. */
import { WORKING_CHAIN } from '../arena/chain-nodes.js';
import { Token } from '../arena/identities.js';
import type { Attack } from '../attack.js';
import { ask, requester } from '../wire/http.js';
import { Payment } from '../wire/payments.js';

const REQUESTS = 150;
/** The person comes from elsewhere. */
const fromPerson = requester('127.0.0.1');

export const lockedOutPerson: Attack = {
  row: 'H13',
  title: 'a person who is locked out',

  async probe({ serve, say }) {
    for (const [name, headers] of [
      ['without a secret', {}],
      ['with a wrong secret', { authorization: `Handoff ${'w'.repeat(43)}` }],
    ] as const) {
      const { http } = await serve();
      const payment = await Payment.create(http, Token.accomplice, WORKING_CHAIN, {}, fromPerson);
      const counts: Record<number, number> = {};
      for (let n = 0; n < REQUESTS; n++) {
        const { status } = await ask(payment.url, { headers });
        counts[status] = (counts[status] ?? 0) + 1;
      }
      const got = Object.entries(counts).map(([status, count]) => `${count} x ${status}`);
      say(
        `${REQUESTS} requests ${name}: ${got.join(', ')}; then the person with the right one: ${(await payment.read()).status}`,
      );
    }
  },
};
