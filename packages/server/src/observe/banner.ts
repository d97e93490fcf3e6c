import type { Configuration } from '../config/configuration.js';

const LINES = [
  'DEV MODE: credentials are not checked.',
  'Whoever reaches this port can act as any agent, simply by naming it.',
  'Only this machine can connect. Do not put anything real in here.',
];

/** For stderr, in dev mode: meant to be impossible to overlook. */
export function devBanner(store: Configuration['store']): string {
  const lines = [...LINES, ...(store.kind === 'sqlite' ? [`Its data is in ${store.folder}`] : [])];
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '!'.repeat(width + 6);
  return [rule, ...lines.map((line) => `!! ${line.padEnd(width)} !!`), rule, ''].join('\n');
}
