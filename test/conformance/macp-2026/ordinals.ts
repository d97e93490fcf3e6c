/** Statements of a section by their places, as `§2,5-7`. */
export type Ordinals = `§${string}`;

export function ordinalsOf(text: Ordinals): readonly number[] {
  return text
    .slice(1)
    .split(',')
    .flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number);
      if (!(first >= 1 && last >= first)) throw new Error(`${text} names no places`);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
