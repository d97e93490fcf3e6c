import { isOver } from '../model/progress.js';
import type { Page } from '../ui/page-context.js';
import { bundleFamily } from './bundle-family.js';
import type { Desk } from './desk.js';
import type { Family } from './family.js';
import { operationFamily } from './operation-family.js';
import { sessionFamily } from './session-family.js';
import { createSignDesk } from './sign-desk.js';
import { createWalletDesk } from './wallet-desk.js';

export interface StartedPage extends Page {
  start(): Promise<void>;
}

export function createPage(desk: Desk): StartedPage {
  const family = familyOf(desk);
  const wallet = createWalletDesk(desk, async (account) => {
    await family.connected(account);
    await desk.refresh();
  });
  const signing = createSignDesk(desk, wallet, family);
  const start = async () => {
    await desk.refresh();
    desk.watch();
    const { value: record } = desk.record;
    if (!record || isOver(record)) return;
    // That it was opened is a courtesy to the agent: failing to say so stops nothing.
    await family.opened?.().catch(() => undefined);
    await desk.refresh();
    await signing.resume();
  };
  return { desk, wallet, family, signing, start };
}

function familyOf(desk: Desk): Family {
  switch (desk.api.place.family) {
    case 'operation':
      return operationFamily(desk);
    case 'bundle_deploy':
      return bundleFamily(desk);
    case 'session_start':
      return sessionFamily(desk);
  }
}
