import { crc32, deflateSync } from 'node:zlib';

/** Colours of a palette. */
const MOST_COLOURS = 256;
/** So many low bits of a channel may be dropped to make a palette do: drawings and antialiased text, not photographs. */
const MOST_DROPPED = 2;
const LEVEL = 6;

/**
 * A PNG of pixels of four bytes each (blue, green, red, unused), rows `stride` bytes apart. With a palette where few colours, or
 * a little fewer shades of them, do: that is half of the size and time of pages of text.
 */
export function writePng(
  pixels: Uint8Array,
  { width, height, stride }: { readonly width: number; readonly height: number; readonly stride: number },
): Uint8Array {
  const size = { width, height, stride };
  for (let dropped = 0; dropped <= MOST_DROPPED; dropped++) {
    const indexed = withPalette(pixels, size, dropped);
    if (!indexed) continue;
    return png(size, { depth: 8, colour: 3 }, [
      chunk('PLTE', indexed.palette),
      chunk('IDAT', deflateSync(indexed.rows, { level: LEVEL })),
    ]);
  }
  return png(size, { depth: 8, colour: 2 }, [
    chunk('IDAT', deflateSync(inFullColour(pixels, size), { level: LEVEL })),
  ]);
}

type Size = { readonly width: number; readonly height: number; readonly stride: number };

function withPalette(
  pixels: Uint8Array,
  { width, height, stride }: Size,
  dropped: number,
): { readonly palette: Buffer; readonly rows: Buffer } | undefined {
  const indices = new Map<number, number>();
  const palette: number[] = [];
  const rows = Buffer.alloc((width + 1) * height);
  let last = -1;
  let index = 0;
  let to = 0;
  for (let y = 0; y < height; y++) {
    to++; // No filter: neighbours in a palette have nothing in common.
    for (let x = 0, at = y * stride; x < width; x++, at += 4) {
      const colour =
        ((pixels[at + 2]! >> dropped) << 16) | ((pixels[at + 1]! >> dropped) << 8) | (pixels[at]! >> dropped);
      if (colour !== last) {
        last = colour;
        const known = indices.get(colour);
        if (known === undefined) {
          if (indices.size === MOST_COLOURS) return undefined;
          index = indices.size;
          indices.set(colour, index);
          const most = 0xff >> dropped;
          for (const shift of [16, 8, 0])
            palette.push(Math.round((((colour >> shift) & 0xff) * 0xff) / most));
        } else index = known;
      }
      rows[to++] = index;
    }
  }
  return { palette: Buffer.from(palette), rows };
}

/** Rows with the filter that says how each pixel differs from the one before. */
function inFullColour(pixels: Uint8Array, { width, height, stride }: Size): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  let to = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = 1;
    let [red, green, blue] = [0, 0, 0];
    for (let x = 0, at = y * stride; x < width; x++, at += 4) {
      rows[to++] = pixels[at + 2]! - red;
      rows[to++] = pixels[at + 1]! - green;
      rows[to++] = pixels[at]! - blue;
      [red, green, blue] = [pixels[at + 2]!, pixels[at + 1]!, pixels[at]!];
    }
  }
  return rows;
}

function png(
  { width, height }: Size,
  { depth, colour }: { readonly depth: number; readonly colour: number },
  chunks: readonly Buffer[],
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = depth;
  header[9] = colour;
  return new Uint8Array(
    Buffer.concat([SIGNATURE, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))]),
  );
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}
