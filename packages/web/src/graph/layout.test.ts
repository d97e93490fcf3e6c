import { processGraph, rulesOfBundle } from '@handover/evm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Graph } from '../model/record.js';
import { layout, NODE, type Picture } from './layout.js';
import { partsOf } from './parts.js';

const graph = (...pairs: readonly string[]): Graph => {
  const edges = pairs.map((pair) => {
    const [from = '', to = ''] = pair.split('>');
    return { from, to, branch: 'onValid', label: 'onValid' } as const;
  });
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  return { nodes: ids.map((id) => ({ id, label: id })), joins: [], edges };
};
const draw = (one: Graph): Picture => {
  const picture = layout(partsOf(one));
  if (!picture) throw new Error('nothing drawn');
  return picture;
};
const yOf = (picture: Picture, id: string) => picture.parts.find((part) => part.id === id)?.y ?? -1;
const EMPTY: Graph = { nodes: [], joins: [], edges: [] };

describe('layout', () => {
  it('puts every step below what leads to it', () => {
    const picture = draw(graph('a>b', 'a>c', 'b>d', 'c>d', 'a>d'));
    expect(yOf(picture, 'a')).toBeLessThan(yOf(picture, 'b'));
    expect(yOf(picture, 'b')).toBe(yOf(picture, 'c'));
    expect(yOf(picture, 'd')).toBeGreaterThan(yOf(picture, 'b'));
    expect(picture.parts.find(({ id }) => id === 'a')?.isEntry).toBe(true);
  });

  it('ends with circles, with loops on a step, and with nothing', () => {
    expect(draw(graph('a>b', 'b>c', 'c>a', 'b>b')).arrows).toHaveLength(4);
    expect(draw(EMPTY)).toMatchObject({ parts: [], arrows: [], width: 0, height: 0 });
    const nodes = [{ id: 'a', label: 'a' }];
    const edges = [{ from: 'a', to: 'gone', branch: 'onValid', label: '' }] as const;
    expect(draw({ nodes, joins: [], edges }).arrows).toEqual([]);
  });

  it('lets no two steps overlap', () => {
    const { parts, width } = draw(graph('a>b', 'a>c', 'a>d', 'b>e', 'c>e', 'd>f'));
    for (const one of parts)
      for (const other of parts)
        if (one !== other && one.y === other.y)
          expect(Math.abs(one.x - other.x)).toBeGreaterThanOrEqual(NODE.width);
    expect(parts.every(({ x }) => x >= NODE.width / 2 && x <= width - NODE.width / 2)).toBe(true);
  });

  it('draws joins, between what they wait for and what they open', () => {
    const rule = (alias: string) => ({ rule: `cm:xrc137:${alias}` });
    const join = {
      joinid: 'Approve',
      mode: 'all',
      from: [{ node: 'Check' }, { node: 'Ask', when: 'invalid' }],
    };
    const structure = {
      Intake: { ...rule('R1'), onValid: { spawns: ['Check', 'Ask'], join } },
      Check: rule('R2'),
      Ask: rule('R3'),
      Approve: rule('R4'),
    };
    const bundle = processGraph({ structure }, rulesOfBundle([]));
    const picture = draw(bundle);
    const [drawn] = picture.parts.filter(({ isJoin }) => isJoin);
    expect(drawn).toMatchObject({ id: bundle.joins[0]?.id, lines: ['join: all', 'Approve'], isEntry: false });
    for (const before of ['Check', 'Ask']) expect(yOf(picture, before)).toBeLessThan(drawn?.y ?? 0);
    expect(yOf(picture, 'Approve')).toBeGreaterThan(drawn?.y ?? 0);
    expect(bundle.edges).toHaveLength(5);
    const ends = ({ from, to, label }: (typeof bundle.edges)[number]) => `${from}>${to} ${label}`;
    expect(picture.arrows.map(ends).sort()).toEqual(bundle.edges.map(ends).sort());
    expect(picture.arrows.every(({ path }) => /^M[\d.]/.test(path))).toBe(true);
  });

  it('loses no part and no arrow, whatever leads where', () => {
    const id = fc.integer({ min: 0, max: 9 }).map((n) => (n === 0 ? '__proto__' : `s${n}`));
    const branch = fc.constantFrom('onValid', 'onInvalid', 'join', 'wakeUp');
    const edge = fc.record({ from: id, to: id, branch, label: fc.string({ maxLength: 25 }) });
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 30 }), (edges) => {
        const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
        const nodes = ids.slice(1).map((one) => ({ id: one, label: one }));
        const joins = ids.slice(0, 1).map((one) => ({ id: one, mode: 'any', joinId: one }));
        const { parts, arrows, width, height } = draw({ nodes, joins, edges });
        expect([parts.length, arrows.length]).toEqual([ids.length, edges.length]);
        for (const { x, y } of parts) expect(x > 0 && x < width && y > 0 && y < height).toBe(true);
        for (const { path, labelAt } of arrows)
          expect([/NaN|undefined/.test(path), Number.isFinite(labelAt.x + labelAt.y)]).toEqual([false, true]);
      }),
      { numRuns: 150 },
    );
  });

  it('gives up on what nobody could read', () => {
    const steps = Array.from({ length: 121 }, (_, i) => `${i}>${i}`);
    const edges = Array.from({ length: 121 }, (_, i) => `${i % 20}>${20 + Math.floor(i / 20)}`);
    for (const many of [steps, edges]) expect(layout(partsOf(graph(...many)))).toBeUndefined();
  });
});
