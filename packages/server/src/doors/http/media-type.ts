import { ENVELOPE_CONTENT_TYPE } from '../../services/macp/discovery.js';
import { ENVELOPE_JSON } from './translate.js';

export const MediaType = { Json: 'json', Proto: 'proto' } as const;
export type MediaType = (typeof MediaType)[keyof typeof MediaType];

const TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['application/json', MediaType.Json],
  [ENVELOPE_JSON, MediaType.Json],
  [ENVELOPE_CONTENT_TYPE, MediaType.Proto],
]);

/** Undefined for any other type, and for any charset but UTF-8, which JSON requires. */
export function mediaTypeOf(contentType: string | undefined): MediaType | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const foreign = parameters.some((text) => {
    const [name, value = ''] = text.split('=').map((part) => part.trim());
    return name === 'charset' && value.replace(/^"(.*)"$/, '$1') !== 'utf-8';
  });
  return foreign ? undefined : TYPES.get(type.trim());
}
