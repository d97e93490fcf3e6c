/** The examples of operations.md section 10, read from the fixtures beside this file. */
import { readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: mutated freely by the tests
export type Loose = any;

const read = (name: string): Loose =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

export const B1 = (): Loose => read('b1');
export const B2 = (): Loose => read('b2');
export const S1 = (): Loose => read('s1');
export const O1 = (): Loose => read('o1');
export const MERMAID_B1 = readFileSync(new URL('../fixtures/b1.mmd', import.meta.url), 'utf8').trimEnd();

export function changed(example: Loose, change: (value: Loose) => void): Loose {
  change(example);
  return example;
}

export const R1 = (handle: string): Loose => ({
  handle,
  type: 'xdala_session_start_result',
  status: 'completed',
  completedAt: '2026-11-15T08:00:00Z',
  inputType: 'singleSession',
  originalRequest: {
    type: 'xdala_session_start',
    version: 'xgr-session-start@1',
    handle,
    mode: 'single',
    sessions: [
      {
        orchestration: '0x1111111111111111111111111111111111111111',
        ostcId: 'invoice_flow',
        stepId: 'Intake',
        payload: { InvoiceId: 'INV-7', Amount: '1200' },
        maxTotalGas: 0,
      },
    ],
  },
  results: [
    {
      ok: true,
      index: 0,
      status: 'started',
      sessionId: '17',
      owner: '0x2222222222222222222222222222222222222222',
    },
  ],
});
