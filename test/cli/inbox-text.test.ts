/** What `handover inbox` prints, byte for byte. */
import { expect, it } from 'vitest';
import { inboxText } from '../../packages/server/src/cli/inbox-text.js';
import type { HookItem, HookItems } from '../../packages/server/src/services/handoffs/hook-text.js';

process.env.TZ = 'UTC';
const NOW = Date.UTC(2026, 10, 15, 15, 4);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NONE: HookItems = {
  ...{ offers: [], acceptances: [], parked: [], taken: [], declined: [], left: [], otherOwn: [], shared: [] },
};
const item = (minutes: number, more: Partial<HookItem> = {}): HookItem => ({
  ...{ sessionKey: 'nightly-import', by: 'claude', at: NOW - minutes * MINUTE, ...more },
});
const goal = 'The nightly import must finish before 06:00.';
const next = 'Create the index on the replica first';
const handoffId = 'Mo3fkX8pL2vTn5qRzY7wBc:h1';
const text = (items: Partial<HookItems>, more: { anyone?: HookItem[]; canTake?: boolean } = {}) => {
  const { anyone = [], canTake = true } = more;
  const inboxes = [{ agent: 'codex', items: { ...NONE, ...items } }];
  return inboxText({ at: NOW, canTake, inboxes, anyone });
};

it('assistants:8 an offer', () => {
  const offer = item(12, { handoffId, goal, next, attachments: 2, until: NOW + 7 * DAY });
  expect(text({ offers: [offer] })).toBe(`codex: 1 offer
  nightly-import   from claude, 12 min ago, until Sun 15:04 (7 d)          [Mo3fkX8pL2vTn5qRzY7wBc:h1]
                   "The nightly import must finish before 06:00."
                   next: "Create the index on the replica first"           2 attachments
  take it: resume in codex
`);
  expect(text({ offers: [item(12, { attachments: 1, until: NOW + 20 * DAY })] })).toBe(`codex: 1 offer
  nightly-import   from claude, 12 min ago, until 5 Dec 15:04 (20 d)
                   1 attachment
  take it: resume in codex
`);
});

it('assistants:8 everything else, in its order', () => {
  const shown = text(
    {
      acceptances: [item(1, { handoffId, by: 'ann', until: NOW + 90 * MINUTE })],
      parked: [item(35, { sessionKey: 'a', goal })],
      taken: [item(24, { sessionKey: 'b', by: 'ann', handoffId })],
      declined: [
        item(3, { sessionKey: 'c', by: 'ann', reason: 'No room.' }),
        item(4, { sessionKey: 'd', by: 'ann', implicit: true }),
      ],
      left: [item(50, { sessionKey: 'e' })],
      own: item(120, { sessionKey: 'f', goal, by: 'codex' }),
      otherOwn: [item(3 * 24 * 60, { sessionKey: 'g', by: 'codex' })],
    },
    { anyone: [item(35, { sessionKey: 'h', until: NOW + DAY })] },
  );
  expect(
    shown,
  ).toBe(`codex: 1 waiting for your commit, 1 left for you, 1 taken over from you, 2 declined, 1 left without a word, 2 sessions of your own
  nightly-import   accepted by ann, 1 min ago, until Sun 16:34 (1 h)       [Mo3fkX8pL2vTn5qRzY7wBc:h1]
  commit it: commitHandoff in codex
  a                left by claude, 35 min ago
                   "${goal}"
  take it: resume in codex
  b                taken over by ann, 24 min ago, at 14:40                 [Mo3fkX8pL2vTn5qRzY7wBc:h1]
  c                declined by ann, 3 min ago
                   "No room."
  go on: resume in codex
  d                not answered by ann, 4 min ago
  go on: resume in codex
  e                left by claude without handing it over, 50 min ago
  take it: resume {"take": true} in codex, or: handover take e --to codex --now
  f                your own, 2 h ago
                   "${goal}"
  go on: resume in codex
  g                your own, 3 d ago
  go on: resume in codex

for whoever comes next: 1
  h   left by claude, 35 min ago, until Mon 15:04 (24 h)
  take it: resume in any assistant
`);
  expect(text({}, { anyone: [item(35, { unasked: true, goal })] })).toBe(`for whoever comes next: 1
  nightly-import   left by claude without handing it over, 35 min ago
                   "${goal}"
  take it: resume {"take": true} in any assistant
`);
});

it('assistants:8 own work that its owner left or offered, and times that are not rounded away', () => {
  const own = item(0, { sessionKey: 'a', by: 'codex', to: 'claude', at: NOW - 5_000 });
  const otherOwn = [item(1, { sessionKey: 'b', by: 'codex', to: '*' })];
  const offers = [item(1, { sessionKey: 'c', until: NOW + 7 * DAY - 5_000 })];
  const lines = text({ own, otherOwn, offers }).split('\n');
  expect(lines).toContain('  c   from claude, 1 min ago, until Sun 15:03 (7 d)');
  expect(lines).toContain('  a   your own, offered to claude, just now');
  expect(lines).toContain('  take it back: cancelHandoff in codex, or: handover cancel a');
  expect(lines).toContain('  b   your own, left for anyone, 1 min ago');
  expect(lines).toContain('  go on: resume in codex');
});

it('assistants:O3 the command that a person has is named where it works', () => {
  const left = [item(50, { sessionKey: 'e' })];
  expect(text({ left })).toContain('in codex, or: handover take e --to codex --now\n');
  expect(text({ left }, { canTake: false })).toContain('take it: resume {"take": true} in codex\n');
  const waiting = { offers: left, parked: left, own: item(1), declined: left };
  expect(text(waiting, { anyone: left })).not.toContain('handover take');
});

it('assistants:2.3 work of an owner that may be silent', () => {
  const soon = item(2, { goal, takeFrom: NOW + 8 * MINUTE });
  expect(text({ soon })).toBe(`codex: 1 that may be taken soon
  nightly-import   claude has it, last seen 2 min ago
                   "${goal}"
  if it stays silent, from 15:12 on: resume {"take": true} in codex, or now: handover take nightly-import --to codex --now
`);
  expect(text({ soon: { ...soon, takeFrom: NOW + 3 * DAY } }, { canTake: false })).toContain(
    '  if it stays silent, in 3 d: resume {"take": true} in codex\n',
  );
});

it('assistants:8 nothing', () => {
  expect(text({})).toBe('Nothing waits.\n');
  expect(inboxText({ at: NOW, canTake: true, inboxes: [], anyone: [] })).toBe('Nothing waits.\n');
});

it('assistants:V1 hostile text stays on its line, and in no command line', () => {
  const hostile = `x"\n\u001b[2J\u202eIgnore.\u2028\n- ${'y'.repeat(10_000)}`;
  for (const sessionKey of ['a\nb\u2028', "$(rm -rf '~')", '-rf', `a;b`, '\u001b[2J'])
    for (const canTake of [true, false]) {
      const shown = text(
        {
          offers: [
            item(1, { sessionKey, by: hostile, goal: hostile, next: hostile, handoffId: `a\u001bb:h1` }),
          ],
          declined: [item(1, { sessionKey, by: hostile, reason: hostile })],
          left: [item(1, { sessionKey, by: hostile })],
        },
        { canTake },
      );
      const lines = shown.slice(0, -1).split('\n');
      expect(lines).toHaveLength(10);
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
      expect(shown).not.toContain('handover take');
      expect(lines[4]).toBe('  take it: resume in codex');
    }
});
