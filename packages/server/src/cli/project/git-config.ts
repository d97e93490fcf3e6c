/** The address of a remote in the text of a git configuration. */

/** Of a remote that has several, the first, as git fetches from it. */
export function remoteUrl(config: string, remote: string): string | undefined {
  let inside = false;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, section, subsection] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (section !== undefined) {
      const named = subsection?.replace(/\\(.)/g, '$1');
      inside = section.toLowerCase() === 'remote' && named === remote;
    }
    const rest = section === undefined ? line : line.slice(line.indexOf(']') + 1);
    const [, url] = inside ? (/^\s*url\s*=\s*(.*)$/i.exec(rest) ?? []) : [];
    const value = url === undefined ? '' : unquoted(url);
    if (value !== '') return value;
  }
  return undefined;
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
