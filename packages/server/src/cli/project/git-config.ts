/** What the text of a git configuration says of one name. */

export interface ConfigName {
  readonly section: string;
  readonly subsection?: string;
  readonly name: string;
}

/** In their order, without empty ones. */
export function configValues(config: string, wanted: ConfigName): readonly string[] {
  const values: string[] = [];
  let inside = false;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, section, subsection] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (section !== undefined) {
      const named = subsection?.replace(/\\(.)/g, '$1');
      inside = section.toLowerCase() === wanted.section && named === wanted.subsection;
    }
    const rest = section === undefined ? line : line.slice(line.indexOf(']') + 1);
    const [, name = '', written = ''] = (inside && /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=(.*)$/.exec(rest)) || [];
    const value = name.toLowerCase() === wanted.name ? unquoted(written.trim()) : '';
    if (value !== '') values.push(value);
  }
  return values;
}

/** More than any address has. */
const MAX_URL = 2_048;

/** Of a remote that has several, the first, as git fetches from it. */
export function remoteUrl(config: string, remote: string): string | undefined {
  const [url] = configValues(config, { section: 'remote', subsection: remote, name: 'url' });
  return url !== undefined && url.length > MAX_URL ? undefined : url;
}

/** Without quotes, and without a comment outside of them. */
function unquoted(written: string): string {
  let value = '';
  let quoted = false;
  for (let i = 0; i < written.length; i++) {
    const character = written.charAt(i);
    if (character === '"') quoted = !quoted;
    else if (character === '\\') value += written.charAt(++i);
    else if (!quoted && (character === '#' || character === ';')) break;
    else value += character;
  }
  return value.trim();
}
