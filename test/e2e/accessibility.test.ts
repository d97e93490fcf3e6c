/** Every page in every state, in light and dark, on a screen and a phone: no finding of axe for WCAG 2.2 AA. */

import type { RunOnly } from 'axe-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WARNINGS } from '../../packages/web/src/transaction/warnings.js';
import { installAxe, violations } from './support/axe.js';
import { openContext } from './support/browser.js';
import { states } from './support/states.js';
import { openStubWorld, type StubWorld } from './support/stub-world.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Only colours differ between the schemes, so most states are looked at in the dark for colours alone. */
const COLOURS: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/** All rules in the dark: one state of each family. */
const WHOLE = new Set(states.filter(({ dark }) => dark).map(({ name }) => name.replace(/-dark$/, '')));

let world: StubWorld;
beforeAll(async () => {
  world = await openStubWorld({ publicRpc: true });
}, 120_000);
afterAll(() => world?.close());

/** Which warnings were on a screen, to know that each one was. */
const warned = new Set<string>();

// One picture serves both schemes here: the scheme is switched in place.
const scenes = states.filter(({ name }) => !/-dark$/.test(name));

it('one state of each family is looked at by all rules in the dark', () => {
  expect(scenes.map(({ name }) => name).filter((name) => WHOLE.has(name))).toEqual([
    'operation',
    'bundle',
    'session',
  ]);
});

it.each(scenes)('$name', { timeout: 60_000 }, async ({ name, prepare, phone = false }) => {
  const { context, page, problems } = await openContext(world.browser, {
    viewport: phone ? { width: 390, height: 844 } : { width: 1_000, height: 800 },
  });
  const { stub, anvil } = world;
  await prepare({ page, stub, wallet: world.wallet(), context, poor: anvil.account(7) });
  await installAxe(page);
  const rulesOf = { light: TAGS, dark: WHOLE.has(name) ? TAGS : COLOURS };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = await violations(page, { runOnly: rulesOf[colorScheme] });
    expect(found.map(({ id, nodes }) => [colorScheme, id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  for (const one of await page.locator('[data-warning]').all())
    warned.add((await one.getAttribute('data-warning')) ?? '');
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
  await context.close();
});

it('every warning of the closed list was on one of these screens', () => {
  // The last two stand above the request, since they are about another one.
  expect([...warned].sort()).toEqual([...Object.keys(WARNINGS), 'REPEATED', 'REPLACED_PROMPT'].sort());
});
