/**
 * Which of several nodes is meant by a name: each node that knows the same nodes finds the same one, without asking. When a
 * node comes or goes, only the names that fall to it change hands (highest random weight).
 */
export function rendezvous(name: string, nodes: readonly string[]): string | undefined {
  let best: string | undefined;
  let highest = -1;
  for (const node of nodes) {
    const weight = mix(`${node}\n${name}`);
    if (weight > highest || (weight === highest && best !== undefined && node < best)) {
      best = node;
      highest = weight;
    }
  }
  return best;
}

/** FNV-1a over UTF-16 units, with a last mixing step: names that differ in their last letter only spread, too. */
function mix(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
