/** The lines of arrows, as SVG paths. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const at = ({ x, y }: Point): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** A smooth line that begins at the first point and ends at the last; the others bend it. */
export function pathThrough([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  const bends = rest.slice(0, -1).map((point, i) => {
    const next = rest[i + 1] ?? point;
    return `Q${at(point)} ${at(i === rest.length - 2 ? next : middle(point, next))}`;
  });
  const [only] = rest;
  return `M${at(first)}${only && bends.length === 0 ? `L${at(only)}` : bends.join('')}`;
}

/** A loop that leaves and enters a node at its right side; `reach` says how far out it goes. */
export function loopPath(side: Point, reach: number): string {
  const { x, y } = side;
  return `M${at({ x, y: y + 8 })}C${at({ x: x + reach, y: y + 26 })} ${at({ x: x + reach, y: y - 26 })} ${at({ x, y: y - 8 })}`;
}
