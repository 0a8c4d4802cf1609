/* eslint-disable no-bitwise -- a colour is a number of three bytes */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const MOST_COLOURS = 256;
/** Square of a distance that nobody sees: a palette of shades of grey alone would have no red. */
const NEAR = 180;

interface Image {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel. */
  readonly pixels: Uint8Array;
}

/**
 * A picture of eight bits a colour, as Chromium writes it, with a palette of its most frequent colours that differ: a third of the size,
 * and for a page of text no visible difference (https://www.w3.org/TR/png/).
 */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const counts = new Map<number, number>();
  const colourAt = (index: number) => (pixels[index * 3]! << 16) | (pixels[index * 3 + 1]! << 8) | pixels[index * 3 + 2]!;
  for (let index = 0; index < width * height; index += 1) counts.set(colourAt(index), (counts.get(colourAt(index)) ?? 0) + 1);
  const palette: number[] = [];
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (palette.length < MOST_COLOURS && palette.every((other) => distance(colour, other) > NEAR)) palette.push(colour);
  }
  const nearest = new Map([...counts.keys()].map((colour) => [colour, nearestIn(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = nearest.get(colourAt(y * width + x))!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function nearestIn(palette: readonly number[], colour: number): number {
  let [best, least] = [0, Infinity];
  for (const [index, other] of palette.entries()) {
    const away = distance(colour, other);
    if (away < least) [best, least] = [index, away];
  }
  return best;
}

function distance(colour: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function decoded(png: Buffer): Image {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const [width, height, depth, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  if (depth !== 8 || (type !== 2 && type !== 6)) throw new Error(`a PNG of depth ${depth} and colour type ${type}, not of Chromium`);
  const bytes = type === 2 ? 3 : 4;
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * bytes;
  const lines = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) unfilter(raw, lines, y, stride, bytes);
  const pixels = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index += 1) pixels.set(lines.subarray(index * bytes, index * bytes + 3), index * 3);
  return { width, height, pixels };
}

function unfilter(raw: Buffer, lines: Uint8Array, y: number, stride: number, bytes: number): void {
  const from = y * (stride + 1);
  for (let x = 0; x < stride; x += 1) {
    const left = x < bytes ? 0 : lines[y * stride + x - bytes]!;
    const up = y === 0 ? 0 : lines[(y - 1) * stride + x]!;
    const corner = y === 0 || x < bytes ? 0 : lines[(y - 1) * stride + x - bytes]!;
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][raw[from]!]!;
    lines[y * stride + x] = raw[from + 1 + x]! + predicted;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
