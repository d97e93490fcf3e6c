/** What the tests of races share. */
import type { Locator, Page } from 'playwright-core';
import { button, connect } from './drive.js';
import { holdPrompt } from './held-prompt.js';
import type { MadeRequest } from './requests.js';
import type { TestWallet } from './test-wallet.js';
import type { World } from './world.js';

export const NOTHING = /nothing was (?:sent|started)/i;

/** Reads what a page shows again and again: what it says for a moment only counts, too. */
export function listenFor(page: Page, words: RegExp): { heard(): Promise<readonly string[]> } {
  const seen: string[] = [];
  const read = async () => {
    const text = await page.locator('main').innerText({ timeout: 500 });
    if (words.test(text)) seen.push(text);
  };
  const timer = setInterval(() => void read().catch(() => undefined), 100);
  return {
    heard: async () => {
      clearInterval(timer);
      await read();
      return seen;
    },
  };
}

/** A person who has pressed the button, and whose wallet shows the prompt. */
export async function askedIn(world: World, request: MadeRequest) {
  const person = await world.person();
  const prompt = await ask(person.page, person.wallet, request);
  return { ...person, prompt };
}

export async function ask(page: Page, wallet: TestWallet, request: MadeRequest) {
  const prompt = holdPrompt(wallet);
  await page.goto(request.url);
  await connect(page);
  await button(page, request.verb).click();
  await prompt.isOpen;
  return prompt;
}

/** Waits for it on a page that reads the record again at once, instead of when its time has come. */
export async function soon(page: Page, wanted: Locator): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS && !(await wanted.first().isVisible()); looks += 1) {
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await wanted
      .first()
      .waitFor({ timeout: LOOK_MS })
      .catch(() => undefined);
  }
  await wanted.first().waitFor();
}
const LOOK_MS = 300;
const MAX_LOOKS = 150;

export async function withdraw(page: Page): Promise<void> {
  await button(page, 'Withdraw this request').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
}

interface StepSeen {
  readonly effect: string;
  readonly reasonCode?: string;
  readonly claims?: readonly { readonly source: string; readonly value: string }[];
}
export const firstOf = (steps: unknown): StepSeen | undefined => (steps as readonly StepSeen[])[0];
export const sourceOf = (steps: unknown): string | undefined => firstOf(steps)?.claims?.[0]?.source;
export const effectOf = (steps: unknown): string | undefined => firstOf(steps)?.effect;

/** Starts the session of the last prompt, as a wallet does that takes permits to the node by itself. Gives its number. */
export async function startByHand({ xgr }: World, { prompts }: TestWallet): Promise<string> {
  const { message } = JSON.parse(String(prompts.at(-1)?.params[1])) as { message: { sessionId: string } };
  const start = { stepId: 'Start', payload: {}, orchestration: `0x${'00'.repeat(20)}`, permit: { message } };
  await fetch(xgr.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'xgr_validateDataTransfer', params: [start] }),
  });
  return String(message.sessionId);
}
