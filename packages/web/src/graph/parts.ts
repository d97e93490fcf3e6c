/** The steps and joins of a process and the edges between them, for the picture and for the words. */
import type { GraphEdge } from '@handover/evm';
import type { Graph } from '../model/record.js';

export interface Part {
  readonly id: string;
  /** Untrusted text: show it as plain text. */
  readonly lines: readonly string[];
  readonly isJoin: boolean;
  readonly isEntry: boolean;
}

export interface Arrow extends GraphEdge {
  readonly source: Part;
  readonly target: Part;
}

export const isLoop = ({ from, to }: GraphEdge): boolean => from === to;

export interface Parts {
  readonly parts: readonly Part[];
  readonly arrows: readonly Arrow[];
}

export function partsOf({ nodes, joins, edges }: Graph): Parts {
  // A loop does not count: a step that only itself leads to can still be an entry.
  const entered = new Set(edges.filter((edge) => !isLoop(edge)).map(({ to }) => to));
  const parts: readonly Part[] = [
    ...nodes.map(({ id, label, ruleRef }) => ({
      id,
      lines: ruleRef === undefined ? [label] : [label, `Rule: ${ruleRef}`],
      isJoin: false,
      isEntry: !entered.has(id),
    })),
    ...joins.map(({ id, mode, joinId }) => ({
      id,
      lines: [`join: ${mode}`, joinId],
      isJoin: true,
      isEntry: false,
    })),
  ];
  const byId = new Map(parts.map((part) => [part.id, part]));
  const arrows = edges.flatMap((edge) => {
    const source = byId.get(edge.from);
    const target = byId.get(edge.to);
    return source && target ? [{ ...edge, source, target }] : [];
  });
  return { parts, arrows };
}
