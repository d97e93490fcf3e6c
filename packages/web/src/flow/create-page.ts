import { isOver } from '../model/progress.js';
import type { Page } from '../ui/page-context.js';
import { bundleFamily } from './bundle-family.js';
import type { Family } from './family.js';
import { operationFamily } from './operation-family.js';
import { createOutbox } from './outbox.js';
import { openOutboxStore } from './outbox-store.js';
import type { Review } from './review.js';
import { sessionFamily } from './session-family.js';
import { createSigning } from './signing.js';
import { createWalletConnection } from './wallet-connection.js';

export interface StartedPage extends Page {
  start(): Promise<void>;
}

export function createPage(review: Review): StartedPage {
  const family = familyOf(review);
  const wallet = createWalletConnection(review, async (account) => {
    await family.connected(account);
    await review.refresh();
  });
  const outbox = createOutbox(openOutboxStore());
  const signing = createSigning(review, wallet, family, outbox);
  const start = async () => {
    // First of all: what a wallet did must be told, whatever this page is about.
    outbox.start();
    await review.refresh();
    review.watch();
    const { value: record } = review.record;
    if (!record || isOver(record)) return;
    // This only informs the agent that the page was opened: a failure stops nothing.
    await family.opened?.().catch(() => undefined);
    await review.refresh();
    await signing.finish().catch(() => undefined);
  };
  return { review, wallet, family, signing, outbox, start };
}

function familyOf(review: Review): Family {
  switch (review.api.place.family) {
    case 'operation':
      return operationFamily(review);
    case 'bundle_deploy':
      return bundleFamily(review);
    case 'session_start':
      return sessionFamily(review);
  }
}
