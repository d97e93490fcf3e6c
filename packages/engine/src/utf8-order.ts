/**
 * Compares strings by their UTF-8 bytes, which is the order of code points. JavaScript compares UTF-16 units: there a
 * surrogate (U+10000 and above) sorts below U+E000..U+FFFF, so `rank` moves surrogates past them.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
