// The licences of what others wrote and the pages carry inside: those of the server are installed as packages of their own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const ALLOWED = new Set([
  ...[
    'MIT',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    '0BSD',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'Unlicense',
  ],
]);

/** The text of THIRD_PARTY_NOTICES: each package that the pages' own packages bring, with its licence. */
export function notices(root) {
  const found = new Map();
  collect(root, `${root}/packages/web`, found);
  const parts = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(notice);
  return `The pages of Handover contain parts of these packages.\n\n${parts.join('\n')}`;
}

function collect(root, folder, found) {
  const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const place = [`${folder}/node_modules/${name}`, `${root}/node_modules/${name}`].find(existsSync);
    if (place === undefined) throw new Error(`${name} is not installed`);
    if (found.has(place)) continue;
    const { version, license, private: own } = JSON.parse(readFileSync(`${place}/package.json`, 'utf8'));
    if (!name.startsWith('@handover/') && !own) {
      if (!ALLOWED.has(license)) throw new Error(`${name} has the licence ${license}, which is not allowed`);
      found.set(place, { name, version, license, text: licenceOf(place) });
    }
    collect(root, place, found);
  }
}

function licenceOf(place) {
  const file = readdirSync(place).find((name) => /^licen[cs]e/i.test(name));
  return file === undefined ? '' : readFileSync(`${place}/${file}`, 'utf8').trim();
}

const notice = ({ name, version, license, text }) =>
  `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
