import { canonicalJson, type Json } from '@handover/core';

const TEXTS = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;
const NUMBERS = /-?\d[\d.eE+-]*/g;
const PLAIN = /^(?:0|-?[1-9]\d*)$/;

/**
 * JSON that has one reading: no key stands twice, so that a person who reads the first and a program that takes the last see
 * the same. With plain numbers no value is shorter than its canonical form, so a text of the same length has nothing more.
 * Undefined for any other text.
 */
export function readExactJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const texts = text.match(TEXTS) ?? [];
    const rest = text.replace(TEXTS, '').replace(/\s+/g, '');
    if (!(rest.match(NUMBERS) ?? []).every((number) => PLAIN.test(number))) return undefined;
    const length = texts.reduce((sum, one) => sum + one.length, rest.length);
    return length === canonicalJson(value).length ? value : undefined;
  } catch {
    return undefined;
  }
}
