const LINES = [
  'DEV MODE: credentials are not checked.',
  'Whoever reaches this port can act as any agent, simply by naming it.',
  'Only this machine can connect. Do not put anything real in here.',
];

/** For stderr, in dev mode: meant to be impossible to overlook. `folder`: where it keeps its data, if on disk. */
export function devBanner(folder?: string): string {
  const lines = [...LINES, ...(folder === undefined ? [] : [`Its data is in ${folder}`])];
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '!'.repeat(width + 6);
  return [rule, ...lines.map((line) => `!! ${line.padEnd(width)} !!`), rule, ''].join('\n');
}
