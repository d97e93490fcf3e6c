/** Sessions to start. */
import { ACCOUNT, sessions as sessionsOf } from '../records.js';
import { type State, shows } from './scene.js';

export const sessions: readonly State[] = [
  { name: 'session', prepare: shows(() => sessionsOf(1), true) },
  { name: 'session-dark', dark: true, prepare: shows(() => sessionsOf(1), true) },
  {
    name: 'session-queue',
    prepare: shows(() => {
      const record = sessionsOf(3);
      const [first, second, third] = record.steps;
      if (!first || !second || !third) throw new Error('three steps');
      const started = {
        status: 'submitted',
        effect: 'unknown',
        verification: 'pending',
        sessionId: '17',
        owner: ACCOUNT,
      } as const;
      return {
        ...record,
        account: ACCOUNT,
        steps: [
          { ...first, ...started },
          { ...second, status: 'failed', reasonCode: 'REJECTED', error: 'not enough gas' },
          third,
        ],
      };
    }, true),
  },
  {
    name: 'session-without-node',
    prepare: shows(() => sessionsOf(1, { chainId: 1_879 })),
  },
  {
    name: 'session-phone',
    phone: true,
    prepare: shows(() => sessionsOf(1)),
  },
];
