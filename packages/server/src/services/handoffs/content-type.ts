/**
 * The content type of an attachment, which also carries its name, as a parameter (RFC 2231 where the name is not plain). What a
 * sender wrote is text of others: it is bounded, and only a real media type is repeated as one.
 */
const TOKEN = '[A-Za-z0-9!#$&^_.+-]{1,127}';
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`);
const PARAMETER = /;[ \t]*([^=;\s"]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^;]*)/g;
/** A longer one is not read. */
const MAX_HEADER = 8_192;
export const NAME_CHARACTERS = 200;
const SHOWN_CHARACTERS = 255;
const UNKNOWN = 'application/octet-stream';

export interface ReadContentType {
  /** As it was sent, without the name. */
  readonly contentType: string;
  /** `type/subtype` in lower case; what cannot be one is application/octet-stream. */
  readonly mediaType: string;
  readonly name?: string;
}

/** The name replaces one that the content type already carries. */
export function withName(contentType: string, name: string | undefined): string {
  if (name === undefined) return contentType;
  const parameter = /^[\x20-\x7e]*$/.test(name)
    ? `name="${name.replace(/["\\]/g, '\\$&')}"`
    : `name*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percent)}`;
  return `${withoutName(contentType)}; ${parameter}`;
}

export function readContentType(written: string): ReadContentType {
  if (written.length > MAX_HEADER) return { contentType: UNKNOWN, mediaType: UNKNOWN };
  const [before = ''] = written.split(';', 1);
  const mediaType = before.trim().toLowerCase();
  const name = nameIn(written);
  return {
    contentType: shown(withoutName(written), SHOWN_CHARACTERS) || UNKNOWN,
    mediaType: MEDIA_TYPE.test(mediaType) ? mediaType : UNKNOWN,
    ...(name !== undefined && name !== '' && { name }),
  };
}

const TEXTUAL = /^(?:text\/.*|.*[/+](?:json|xml)|.*\/(?:x-)?(?:javascript|yaml|toml)|.*\/x-sh)$/;

export const isTextual = (mediaType: string): boolean => TEXTUAL.test(mediaType);

/** Nothing that a client could show as a page. */
export const servedType = (mediaType: string): string =>
  mediaType === 'text/html' || mediaType === 'application/xhtml+xml' ? 'text/plain' : mediaType;

function nameIn(written: string): string | undefined {
  const parameters = [...written.matchAll(PARAMETER)].map(([, key = '', value = '']) => [
    key.toLowerCase(),
    value,
  ]);
  const extended = parameters.find(([key]) => key === 'name*')?.[1];
  const decoded = extended === undefined ? undefined : decodedName(unquoted(extended));
  const plain = parameters.find(([key]) => key === 'name')?.[1];
  const name = decoded ?? (plain === undefined ? undefined : unquoted(plain));
  return name === undefined ? undefined : shown(name, NAME_CHARACTERS);
}

/** `UTF-8'language'percent-encoded`. */
function decodedName(value: string): string | undefined {
  const said = /^utf-8'[^']*'(.*)$/i.exec(value)?.[1];
  try {
    return said === undefined ? undefined : decodeURIComponent(said);
  } catch {
    return undefined;
  }
}

function unquoted(value: string): string {
  const text = value.trim();
  return text.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text;
}

const withoutName = (written: string): string =>
  written.replace(PARAMETER, (whole, key: string) => (/^name\*?$/i.test(key) ? '' : whole)).trim();

/** Without characters that cannot be seen, and cut. */
const shown = (text: string, most: number): string =>
  [...text.replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '')].slice(0, most).join('');

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
