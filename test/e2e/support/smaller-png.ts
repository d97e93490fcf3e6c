/**
 * The same picture in a fifth of the bytes: pages have few colours, so a palette holds them. Browsers write all three
 * channels, and compress for speed; pictures in a repository are kept for long.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
const MAX_COLOURS = 256;

export function smallerPng(png: Buffer): Buffer {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const pixels = unfiltered(inflateSync(imageData(png)), width * channels, channels);
  return withPalette(pixels, width, height, channels);
}

function imageData(png: Buffer): Buffer {
  const data: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(data);
}

/** Undoes the five filters of PNG, row by row. */
function unfiltered(raw: Buffer, rowBytes: number, step: number): Buffer {
  const rows = raw.length / (rowBytes + 1);
  const out = Buffer.alloc(rows * rowBytes);
  for (let y = 0; y < rows; y += 1) {
    const filter = raw[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x < step ? 0 : (out[at - step] ?? 0);
      const up = y === 0 ? 0 : (out[at - rowBytes] ?? 0);
      const corner = x < step || y === 0 ? 0 : (out[at - rowBytes - step] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[at] = (raw[y * (rowBytes + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The most frequent colours stay as they are; the others, edges of letters, become the nearest of them. */
function withPalette(pixels: Buffer, width: number, height: number, channels: number): Buffer {
  const count = new Map<number, number>();
  const colourAt = (pixel: number) => pixels.readUIntBE(pixel * channels, 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const colour = colourAt(pixel);
    count.set(colour, (count.get(colour) ?? 0) + 1);
  }
  const palette = [...count.entries()]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_COLOURS)
    .map(([colour]) => colour);
  const indexes = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const colour = colourAt(y * width + x);
      const index = indexes.get(colour) ?? nearest(palette, colour);
      indexes.set(colour, index);
      rows[y * (width + 1) + 1 + x] = index;
    }
  const colours = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const image = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours)),
    chunk('IDAT', image),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function nearest(palette: readonly number[], colour: number): number {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return palette.reduce(
    (best, one, index) => (distance(one) < distance(palette[best] ?? 0) ? index : best),
    0,
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
}
