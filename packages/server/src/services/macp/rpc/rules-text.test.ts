import { describe, expect, it } from 'vitest';
import { readRulesText } from './rules-text.js';

describe('rules text', () => {
  it('reads an object, and nothing as no rules', () => {
    expect(readRulesText('')).toEqual({ rules: {} });
    expect(
      readRulesText(' {"commitment": {"authority": "any_participant"}, "n": [1, -2.5e3, true, null]} '),
    ).toEqual({
      rules: { commitment: { authority: 'any_participant' }, n: [1, -2500, true, null] },
    });
  });

  it('says what is wrong with anything else', () => {
    const error = (text: string) => {
      const reading = readRulesText(text);
      return 'error' in reading ? reading.error : undefined;
    };
    expect(error('not json')).toBe('rules is not JSON');
    expect(error('{"a": 1,}')).toBe('rules is not JSON');
    for (const text of ['[]', '"{}"', 'null', '7']) expect(error(text)).toBe('rules must be a JSON object');
    expect(error('{"a": 1, "a": 2}')).toBe('rules has the name "a" twice');
    expect(error('{"x": {"a": 1, "\\u0061": 2}}')).toBe('rules has the name "a" twice');
    expect(error('{"__proto__": {"authority": "any_participant"}}')).toBe('rules has the name __proto__');
    expect(error('{"a": {"\\u005f_proto__": 1}}')).toBe('rules has the name __proto__');
    expect(error('{"a": 1e999}')).toBe('rules has a number out of range');
    expect(error(`{"a": ${'['.repeat(40)}${']'.repeat(40)}}`)).toBe('rules is nested more than 32 deep');
  });

  it('is not misled by text that looks like structure', () => {
    const text = '{"a": "\\"b\\": 1e999 { [", "b": ["a", "a:"], "c": {"a": 1}, "d": [{"a": 1}, {"a": 2}]}';
    expect(readRulesText(text)).toEqual({ rules: JSON.parse(text) });
  });
});
