const LINES = [
  'DEV MODE: credentials are not checked.',
  'Whoever reaches this port can act as any agent, simply by naming it.',
  'Only this machine can connect. Do not put anything real in here.',
];

/** For stderr, in dev mode: meant to be impossible to overlook. */
export function devBanner(): string {
  const width = Math.max(...LINES.map((line) => line.length));
  const rule = '!'.repeat(width + 6);
  return [rule, ...LINES.map((line) => `!! ${line.padEnd(width)} !!`), rule, ''].join('\n');
}
