/** Where valid JSON says something that its parsed value does not: a name that comes twice, or a number that changes. */
export interface InexactPlace {
  /** `a.b.0`; empty: the value itself. */
  readonly path: string;
  /** What follows the path in a sentence. */
  readonly what: string;
}

/** One list or object that is open, with the place in it. */
interface Open {
  /** Of an object. */
  readonly names?: Set<string>;
  at: string | number;
}

/** A number, or a sign that opens, closes or divides; words and spaces between them are passed over. */
const TOKEN = /-?\d[\d.eE+-]*|["[\]{},]/g;
const WHOLE = /^-?\d+$/;
const MAX_PATH = 256;
const MAX_SHOWN = 40;

export function inexactPlace(json: string): InexactPlace | undefined {
  const open: Open[] = [];
  /** The next text is the name of a member. */
  let expectsName = false;
  for (const token of tokensOf(json)) {
    const within = open.at(-1);
    const sign = token.charAt(0);
    if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? { names: new Set(), at: '' } : { at: 0 });
      expectsName = sign === '{';
    } else if (sign === '}' || sign === ']') {
      open.pop();
      expectsName = false;
    } else if (sign === ',') {
      expectsName = within?.names !== undefined;
      if (typeof within?.at === 'number') within.at += 1;
    } else if (sign !== '"') {
      const what = numberFlaw(token);
      if (what !== undefined) return { path: pathOf(open), what };
    } else if (expectsName && within?.names) {
      expectsName = false;
      within.at = JSON.parse(token) as string;
      if (within.names.has(within.at)) return { path: pathOf(open), what: 'is there twice' };
      within.names.add(within.at);
    }
  }
  return undefined;
}

function* tokensOf(json: string): Generator<string> {
  const next = new RegExp(TOKEN);
  for (let found = next.exec(json); found; found = next.exec(json)) {
    if (found[0] === '"') next.lastIndex = textEnd(json, next.lastIndex);
    yield json.slice(found.index, next.lastIndex);
  }
}

/** After the quote that ends a text: one before which the number of backslashes is even. */
function textEnd(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let first = at;
    while (json[first - 1] === '\\') first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return json.length;
}

function numberFlaw(token: string): string | undefined {
  const value = Number(token);
  const isOther =
    !Number.isFinite(value) ||
    Object.is(value, -0) ||
    (value === 0 && /[1-9]/.test(token.split(/e/i, 1)[0] ?? '')) ||
    // Written again as it was, or with the same value: it survives.
    (WHOLE.test(token) && String(value) !== token && BigInt(value) !== BigInt(token));
  if (!isOther) return undefined;
  const shown = token.length > MAX_SHOWN ? `${token.slice(0, MAX_SHOWN)}…` : token;
  return `is the number ${shown}, which would be stored as another one (${JSON.stringify(value)}): write it as text`;
}

function pathOf(open: readonly Open[]): string {
  const path = open.map(({ at }) => at).join('.');
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
