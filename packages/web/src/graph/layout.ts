/**
 * Places the nodes of a process (its steps and joins) from top to bottom. Pure: same graph, same picture.
 *
 * P1. The picture shows every node and every arrow, or there is no picture. The process in words is always there.
 * P2. The library gets one edge for each pair of nodes and no loops: it fails on some parallel edges, and it draws
 *     loops over other things. Arrows of one pair go side by side; loops are drawn at the right side of their node.
 */
import {
  Graph as Canvas,
  type EdgeLabel,
  type GraphLabel,
  type NodeLabel,
  layout as place,
} from '@dagrejs/dagre';
import { type Arrow, isLoop, type Part, type Parts } from './parts.js';
import { loopPath, type Point, pathThrough } from './path.js';

export interface Placed extends Part, Point {}

export interface Drawn extends Arrow {
  readonly path: string;
  readonly labelAt: Point;
}

export interface Picture {
  readonly parts: readonly Placed[];
  readonly arrows: readonly Drawn[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 148, height: 44 } as const;
/** How many letters of a label are shown. */
export const MAX_LABEL = 19;
const LOOP_ROOM = 84;
const LETTER = 6.5;
const LINE = 15;
const BESIDE = 14;
const MARGIN = 16;
/**
 * A layout of this size takes at most half a second (40 steps with 3 arrows each, on a slow machine). More could freeze
 * the page.
 */
const MAX_PARTS = 120;
const MAX_PAIRS = 120;

/** The library uses ids as keys of plain objects. The prefix keeps ids apart from inherited members. */
const keyOf = (id: string): string => `part ${id}`;

type Pairs = ReadonlyMap<string, readonly Arrow[]>;

/** Undefined when there is too much to draw. */
export function layout({ parts, arrows }: Parts): Picture | undefined {
  const pairs = pairsOf(arrows);
  if (parts.length > MAX_PARTS || pairs.size > MAX_PAIRS) return undefined;
  const canvas = canvasOf(parts, pairs);
  try {
    place(canvas);
  } catch {
    return undefined;
  }
  const placed = parts.map((part) => ({ ...part, ...pointOf(canvas.node(keyOf(part.id))) }));
  const points = new Map<string, Point>(placed.map((part) => [part.id, part]));
  const drawn = [...pairs.values()].flatMap((pair) =>
    pair.map((arrow, i) => {
      const offset = i - (pair.length - 1) / 2;
      return isLoop(arrow)
        ? drawLoop(arrow, pointOf(points.get(arrow.from)), i, offset)
        : drawLine(arrow, canvas.edge(keyOf(arrow.from), keyOf(arrow.to)), offset);
    }),
  );
  const { width = 0, height = 0 } = parts.length > 0 ? canvas.graph() : {};
  return { parts: placed, arrows: drawn, width, height };
}

function pairsOf(arrows: readonly Arrow[]): Pairs {
  const pairs = new Map<string, Arrow[]>();
  for (const arrow of arrows) {
    const key = JSON.stringify([arrow.from, arrow.to]);
    const pair = pairs.get(key);
    if (pair) pair.push(arrow);
    else pairs.set(key, [arrow]);
  }
  return pairs;
}

function canvasOf(parts: readonly Part[], pairs: Pairs) {
  const canvas = new Canvas<GraphLabel, NodeLabel, EdgeLabel>();
  canvas.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 40, marginx: MARGIN, marginy: MARGIN });
  for (const { id } of parts) canvas.setNode(keyOf(id), { ...NODE });
  for (const pair of pairs.values())
    for (const arrow of pair.slice(0, 1)) {
      const [from, to] = [keyOf(arrow.from), keyOf(arrow.to)];
      // Room on both sides keeps the node itself in the middle.
      if (isLoop(arrow)) canvas.setNode(from, { ...NODE, width: NODE.width + 2 * LOOP_ROOM });
      else canvas.setEdge(from, to, { ...labelSize(pair), labelpos: 'c' });
    }
  return canvas;
}

function labelSize(pair: readonly Arrow[]): { readonly width: number; readonly height: number } {
  const letters = Math.max(...pair.map(({ label }) => Math.min(label.length, MAX_LABEL)));
  return { width: LETTER * letters + BESIDE * pair.length, height: LINE * pair.length };
}

function drawLine(arrow: Arrow, route: EdgeLabel | undefined, offset: number): Drawn {
  const points: readonly Point[] = route?.points ?? [];
  // The arrows of one pair share their ends and run side by side in between.
  const path = points.map(({ x, y }, i) => ({
    x: i === 0 || i === points.length - 1 ? x : x + BESIDE * offset,
    y,
  }));
  const { x, y } = pointOf(route);
  return { ...arrow, path: pathThrough(path), labelAt: { x, y: y + LINE * offset + 4 } };
}

function drawLoop(arrow: Arrow, { x, y }: Point, i: number, offset: number): Drawn {
  const side = { x: x + NODE.width / 2, y };
  const reach = 32 + BESIDE * i;
  return { ...arrow, path: loopPath(side, reach), labelAt: { x: side.x + 40, y: y + LINE * offset + 4 } };
}

const pointOf = (place: Partial<Point> | undefined): Point => ({ x: place?.x ?? 0, y: place?.y ?? 0 });
