import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { READ_METHODS } from './methods.js';

describe('what the sources ask of a node', () => {
  it('is on the list, and the list only reads', () => {
    const folder = new URL('.', import.meta.url);
    const named = readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap(
        (file) =>
          readFileSync(new URL(file, folder), 'utf8').match(
            /\b(?:eth|xgr|net|personal|wallet|debug|anvil|evm|hardhat)_[A-Za-z]\w*/g,
          ) ?? [],
      );
    expect(new Set(named)).toEqual(new Set(READ_METHODS));
    expect(
      READ_METHODS.filter((name) => /send(?!er)|sign|submit|validateData|account|_set/i.test(name)),
    ).toEqual([]);
  });
});
