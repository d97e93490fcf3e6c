/**
 * Addresses of resources. Segments are percent-decoded once. A handoff id (`<session>:<encoded id>`) is accepted both
 * raw and encoded again, because clients differ. The server gives it out raw.
 */
import type { ResourceAddress, ResourceKind } from './resource-kind.js';

const SCHEME = 'handoff';
const VARIABLE = /^\{(\w+)\}$/;
const ADDRESS = /^([a-z]+):\/\/(.*)$/s;
const MAX_URI = 4_096;

const schemeOf = ({ scheme = SCHEME }: Pick<ResourceKind, 'scheme'>): string => scheme;

export interface LocatedResource {
  readonly kind: ResourceKind;
  readonly address: ResourceAddress;
}

export function locate(kinds: readonly ResourceKind[], uri: string): LocatedResource | undefined {
  if (uri.length > MAX_URI) return undefined;
  const [, scheme, after = ''] = ADDRESS.exec(uri) ?? [];
  const [path = '', query, ...rest] = after.split('?');
  const cursor = query === undefined ? undefined : cursorOf(query);
  if (rest.length > 0 || (query !== undefined && cursor === undefined)) return undefined;
  const segments = path.split('/');
  for (const kind of kinds) {
    if (scheme !== schemeOf(kind)) continue;
    const values = match(kind.path.split('/'), segments);
    if (values && (cursor === undefined || kind.paged))
      return { kind, address: { values, ...(cursor !== undefined && { cursor }) } };
  }
  return undefined;
}

export function uriOf(
  kind: Pick<ResourceKind, 'scheme' | 'path'>,
  values: Readonly<Record<string, string>> = {},
): string {
  const segments = kind.path.split('/').map((segment) => {
    const name = VARIABLE.exec(segment)?.[1];
    if (name === undefined) return segment;
    const value = values[name] ?? '';
    return name === 'handoffId' ? value : encodeURIComponent(value);
  });
  return `${schemeOf(kind)}://${segments.join('/')}`;
}

export function templatesOf(kind: ResourceKind): readonly string[] {
  const { path, paged } = kind;
  const plain = `${schemeOf(kind)}://${path}`;
  const hasVariables = path.includes('{');
  return [...(hasVariables ? [plain] : []), ...(paged ? [`${plain}{?cursor}`] : [])];
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    const name = VARIABLE.exec(expected)?.[1];
    if (name === undefined) {
      if (segment !== expected) return undefined;
      continue;
    }
    const value = name === 'handoffId' && segment.includes(':') ? segment : decoded(segment);
    if (value === undefined || value === '') return undefined;
    values[name] = value;
  }
  return values;
}

function cursorOf(query: string): string | undefined {
  const value = query.startsWith('cursor=') ? decoded(query.slice('cursor='.length)) : undefined;
  return value === '' || value?.includes('&') ? undefined : value;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
