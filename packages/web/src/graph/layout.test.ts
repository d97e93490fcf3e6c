import { describe, expect, it } from 'vitest';
import { layout, NODE } from './layout.js';

const graph = (...pairs: readonly string[]) => {
  const edges = pairs.map((pair) => {
    const [from = '', to = ''] = pair.split('>');
    return { from, to, branch: 'onValid', label: 'onValid' };
  });
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  return { nodes: ids.map((id) => ({ id, label: id })), edges };
};
const yOf = (picture: ReturnType<typeof layout>, id: string) =>
  picture.nodes.find((node) => node.id === id)?.y ?? -1;

describe('layout', () => {
  it('puts every step below what leads to it', () => {
    const picture = layout(graph('a>b', 'a>c', 'b>d', 'c>d', 'a>d'));
    expect(yOf(picture, 'a')).toBeLessThan(yOf(picture, 'b'));
    expect(yOf(picture, 'b')).toBe(yOf(picture, 'c'));
    expect(yOf(picture, 'd')).toBeGreaterThan(yOf(picture, 'b'));
    expect(picture.nodes.find(({ id }) => id === 'a')?.isEntry).toBe(true);
  });

  it('ends with circles, with loops on a step, and with nothing', () => {
    expect(layout(graph('a>b', 'b>c', 'c>a', 'b>b')).edges).toHaveLength(4);
    expect(layout({ nodes: [], edges: [] }).nodes).toEqual([]);
    expect(
      layout({ nodes: [{ id: 'a', label: 'a' }], edges: [{ from: 'a', to: 'gone', branch: '', label: '' }] })
        .edges,
    ).toEqual([]);
  });

  it('lets no two steps overlap', () => {
    const { nodes, width } = layout(graph('a>b', 'a>c', 'a>d', 'b>e', 'c>e', 'd>f'));
    for (const one of nodes)
      for (const other of nodes)
        if (one !== other && one.y === other.y)
          expect(Math.abs(one.x - other.x)).toBeGreaterThanOrEqual(NODE.width);
    expect(nodes.every(({ x }) => x >= NODE.width / 2 && x <= width - NODE.width / 2)).toBe(true);
  });
});
