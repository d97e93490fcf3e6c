/**
 * Where a requirement is written down. `MACP` is the runtime specification, `MACP-2026` what became of it since,
 * `decisions` settles what they leave open.
 */
export type Source = 'RFC-MACP-0010' | 'MACP' | 'MACP-2026' | 'decisions';

export interface Requirement<Id extends string = string> {
  readonly id: Id;
  readonly source: Source;
  readonly section: string;
  /** The rule in our own words: what the runtime does, as seen from outside. */
  readonly sentence: string;
}

/** The rows of one section. The keys keep their literal types, so that a test can only cite an id that exists. */
export function rows<const S extends Record<string, string>>(
  source: Source,
  section: string,
  sentences: S,
): readonly Requirement<keyof S & string>[] {
  return (Object.keys(sentences) as (keyof S & string)[]).map((id) => ({
    id,
    source,
    section,
    sentence: sentences[id] ?? '',
  }));
}
