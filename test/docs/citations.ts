export interface Citation {
  readonly page: string;
  readonly section: string;
  /** Such as `C17`: a row of a table. */
  readonly row?: string;
  readonly cited: string;
}

/** The page, alone or in docs/spec or as a link, then the sections that follow it directly. */
const CITED =
  /(?<![\w/.-])(?:docs\/spec\/|\.\.\/spec\/|spec\/)?(macp|mcp|operations|reliability)\.md(?:\]\([^)]*\))?,?(?: |\n(?: \* )?)(?:sections? )?(\d+(?:\.\d+)*(?: [A-Z]\d+)?(?:(?:, | and | to )\d+(?:\.\d+)+)*)/g;

export function citationsIn(text: string): readonly Citation[] {
  return [...text.matchAll(CITED)].flatMap(([cited, page = '', list = '']) =>
    list.split(/, | and | to /).map((item) => {
      const [section = '', row] = item.split(' ');
      return { page, section, cited: cited.replace(/\s+/g, ' '), ...(row !== undefined && { row }) };
    }),
  );
}
