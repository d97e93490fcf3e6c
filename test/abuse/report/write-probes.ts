/** The small form of every attack, on one build beside another. */
import { tmpdir } from 'node:os';
import { buildName, today } from './build-name.js';
import { merged, readSection, writeSection } from './sections.js';

export interface Probed {
  readonly row: string;
  readonly title: string;
  readonly checkout: string;
  readonly lines: readonly string[];
}

const SECTION = 'probes';

export function writeProbes(probed: readonly Probed[]): void {
  const old = readSection(SECTION).split(/^### (?=H\d)/m);
  const rows = [...new Set(probed.map(({ row }) => row))];
  const fresh = rows.map((row) => chapter(probed.filter((one) => one.row === row)));
  const chapters = merged(old, fresh).map((text) => `### ${text.trim()}`);
  writeSection(SECTION, [`Last written on ${today()}.`, ...chapters].join('\n\n'));
}

function chapter(probed: readonly Probed[]): string {
  const blocks = probed.map(({ checkout, lines }) => {
    const shown = lines.map((line) => anywhere(line, checkout)).join('\n');
    return `${buildName(checkout)}:\n\n\`\`\`text\n${shown}\n\`\`\``;
  });
  const { row = '', title = '' } = probed[0] ?? {};
  return [`${row}: ${title}`, ...blocks].join('\n\n');
}

/** Without what differs from machine to machine. */
function anywhere(line: string, checkout: string): string {
  return line
    .replaceAll(checkout, '<checkout>')
    .replaceAll(new RegExp(`${tmpdir()}/[\\w.-]+`, 'g'), '<folder>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
}
