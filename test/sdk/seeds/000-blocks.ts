/**
 * The code blocks of the TypeScript page of Handoff Mode, as they stand there. Data, so that a clone without the page can
 * run them; where the page is at hand, a test compares.
 */
export interface SeedBlock {
  readonly heading: string;
  /** First and last line of the block on the page, counted from 1. */
  readonly lines: readonly [number, number];
  readonly text: string;
}

/** The page, relative to the repository. */
export const SEED_PAGE = '../shared/seeds/000_5b3215b638246c78.txt';

export const SEED_BLOCKS = {
  start: {
    heading: 'HandoffSession',
    lines: [19, 22],
    text: `import { HandoffSession } from 'macp-sdk-typescript';

const session = new HandoffSession(client);
await session.start({ intent: '...', participants: ['bob'], ttlMs: 60_000 });`,
  },
  offer: {
    heading: 'Offer',
    lines: [35, 40],
    text: `await session.offer({
  handoffId: 'h1',
  targetParticipant: 'bob',
  scope: 'frontend-ownership',
  reason: 'moving to backend team',
});`,
  },
  context: {
    heading: 'Send Context',
    lines: [46, 55],
    text: `await session.sendContext({
  handoffId: 'h1',
  contentType: 'application/json',
  context: Buffer.from(JSON.stringify({
    repository: 'acme/web-app',
    documentation: 'https://wiki.acme.com/frontend',
    contacts: ['design-team@acme.com'],
    openIssues: 12,
  })),
});`,
  },
  accept: {
    heading: 'Accept / Decline, first alternative',
    lines: [59, 66],
    text: `// Target participant accepts
await session.acceptHandoff({
  handoffId: 'h1',
  acceptedBy: 'bob',
  reason: 'ready to take ownership',
  sender: 'bob',
  auth: Auth.devAgent('bob'),
});`,
  },
  decline: {
    heading: 'Accept / Decline, second alternative',
    lines: [68, 75],
    text: `// Or declines
await session.decline({
  handoffId: 'h1',
  declinedBy: 'bob',
  reason: 'no bandwidth this quarter',
  sender: 'bob',
  auth: Auth.devAgent('bob'),
});`,
  },
  queries: {
    heading: 'Query Helpers',
    lines: [96, 99],
    text: `session.projection.getHandoff('h1');        // full HandoffRecord
session.projection.isAccepted('h1');        // true after HandoffAccept
session.projection.isDeclined('h1');        // true after HandoffDecline
session.projection.pendingHandoffs();       // handoffs in offered/context_sent status`,
  },
} as const satisfies Record<string, SeedBlock>;
