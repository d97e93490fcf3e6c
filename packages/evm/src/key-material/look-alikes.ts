/**
 * Letters of other alphabets that look like Latin ones: a phrase that is written with them reads the same to a person. No
 * word list of BIP-39 has Cyrillic, Greek or Armenian letters, so nothing is lost by reading them so.
 */
const LETTERS = {
  cyrillic: [
    'авгеикмнопрстухьѕіјѵѡғүһӏԁԛԝҫӡАВЕКМНОРСТУХЅІЈѴҒҮӀԀԚԜ',
    'abreukmhonpctyxbsijvwfyhldqwczABEKMHOPCTYXSIJVFYIDQW',
  ],
  greek: ['αβγεζηικνορςστυχωϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ', 'abyeznikvopcotuxwjABEZHIKMNOPTYXJ'],
  armenian: ['հյոսօցգւՕՍՏԼ', 'hjnuogqlOUSL'],
  otherLatin: ['ıɑɡɩʏƅƒɪȷʀɴʜʟᴄᴏᴜᴠᴡᴢ', 'iagiYbfijRNHLcouvwz'],
} as const;

/** By UTF-16 unit; 0: it stays as it is. */
const LATIN = new Uint16Array(0x1_0000);
for (const [others, latin] of Object.values(LETTERS))
  for (let i = 0; i < others.length; i++) LATIN[others.charCodeAt(i)] = latin.charCodeAt(i);

/** As many units as a call takes as arguments without running out of stack. */
const PIECE = 4_096;

/** Texts of megabytes are searched, so this is a table, not a pattern. */
export function asLatin(text: string): string {
  let read = '';
  for (let from = 0; from < text.length; from += PIECE) {
    const units: number[] = [];
    for (let at = from; at < Math.min(from + PIECE, text.length); at++) {
      const unit = text.charCodeAt(at);
      units.push(LATIN[unit] || unit);
    }
    read += String.fromCharCode(...units);
  }
  return read;
}
