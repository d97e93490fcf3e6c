/** Mermaid text: B1 to the letter, right defaults, and text of others that stays text. */
import { entrySteps, mermaidText, processGraph, readSteps, rulesOfBundle } from '@handover/evm';
import { describe, expect, it } from 'vitest';
import { B1, MERMAID_B1 } from './support/examples.js';

// biome-ignore lint/suspicious/noExplicitAny: examples are mutated freely
type Loose = any;
const draw = (structure: Loose, items: Loose[] = []) => processGraph({ structure }, rulesOfBundle(items));

describe('the diagram', () => {
  it('of B1 is the specification’s, join labels quoted', () => {
    const items = B1().bundles[0].items;
    expect(mermaidText(processGraph(items[0], rulesOfBundle(items)))).toBe(MERMAID_B1);
  });

  it('shows what the runtime does when mode and when are left out: any, both', () => {
    const graph = draw({
      A: { rule: 'r', onValid: { join: { joinid: 'B', from: [{ node: 'A' }] } } },
      B: { rule: 'r' },
    });
    expect(graph.joins[0]?.mode).toBe('any');
    expect(graph.edges.map(({ label }) => label)).toEqual(['both', 'join']);
  });

  it('a join target is not where a session begins', () => {
    expect(entrySteps(readSteps(B1().bundles[0].items[0]).steps)).toEqual(['Intake']);
  });

  it('an unknown target gets one node, and the word end is guarded', () => {
    const graph = draw({
      end: { rule: 'r', onValid: { spawns: ['ghost'] }, onInvalid: { spawns: ['ghost'] } },
    });
    expect(graph.nodes.map(({ id }) => id)).toEqual(['n_end', 'ghost']);
    expect(graph.warnings.map(({ code }) => code)).toContain('UNKNOWN_STEP_TARGET');
  });

  it('text of others cannot become grammar', () => {
    const evil = 'x"]; click A "javascript:1" %%{init: {}}%%\n<script>';
    const graph = draw({
      [evil]: { rule: evil, onValid: { spawns: [evil], join: { joinid: evil, mode: evil } } },
    });
    const text = mermaidText({ ...graph, warnings: [{ code: 'X', message: evil }] });
    for (const line of text.split('\n').slice(1)) {
      expect(line).toMatch(
        /^ {2}(%% [^%{}]*|[A-Za-z0-9_]+\["[^"]*"\]|[A-Za-z0-9_]+\(\("[^"]*"\)\)|[A-Za-z0-9_]+ -->\|("[^"]*"|[A-Za-z0-9 _/:-]+)\| [A-Za-z0-9_]+)$/,
      );
      expect(line).not.toContain('<script>');
    }
    expect(text).not.toContain('%%{');
  });
});
