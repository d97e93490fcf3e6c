import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './media-type.js';

describe('media types', () => {
  it.each([
    ['application/json', 'json'],
    ['Application/JSON; charset=UTF-8', 'json'],
    ['application/json;charset="utf-8"', 'json'],
    ['application/macp-envelope+json', 'json'],
    ['application/macp-envelope+proto', 'proto'],
    ['application/json; charset=latin1', undefined],
    ['text/plain', undefined],
    ['text/plain; application/json', undefined],
    ['application/x-www-form-urlencoded', undefined],
    ['multipart/form-data; boundary=application/json', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is %s', (header, expected) => {
    expect(mediaTypeOf(header)).toBe(expected);
  });
});
