import { promisify } from 'node:util';
import { constants, deflateRawSync, inflateRaw } from 'node:zlib';

/**
 * Rows of a long list as JSON, in compressed blocks: a tenth of the text in memory, and a page is a block or two.
 */
export interface PackedRows {
  readonly total: number;
  /** Of `BLOCK_ROWS` rows each, the last one of what is left; a line for each row. */
  readonly blocks: readonly Uint8Array[];
}

const BLOCK_ROWS = 500;
/** JSON writes line ends within texts as escapes. */
const LINE_END = 0x0a;
const COMMA = 0x2c;
const inflated = promisify(inflateRaw);

export function packRows(rows: Iterable<unknown>): PackedRows {
  const packer = packing();
  for (const row of rows) packer.add(row);
  return packer.end();
}

function packing(): { add(row: unknown): void; end(): PackedRows } {
  const blocks: Uint8Array[] = [];
  let lines: string[] = [];
  let total = 0;
  const endBlock = (): void => {
    if (lines.length === 0) return;
    const block = deflateRawSync(lines.join('\n'), { level: constants.Z_BEST_SPEED });
    blocks.push(new Uint8Array(block));
    lines = [];
  };
  return {
    add: (row) => {
      lines.push(JSON.stringify(row));
      total++;
      if (lines.length === BLOCK_ROWS) endBlock();
    },
    end: () => {
      endBlock();
      return { total, blocks };
    },
  };
}

/**
 * Those rows that are wanted, in their order. Others are served between two blocks.
 * @param naming A text that each of them has as a value: blocks without it are not parsed.
 */
export async function filterRows<Row>(
  rows: PackedRows,
  isWanted: (row: Row) => boolean,
  naming?: string,
): Promise<PackedRows> {
  const packer = packing();
  const needle = naming === undefined ? undefined : JSON.stringify(naming);
  for (let at = 0; at < rows.total; at += BLOCK_ROWS) {
    const text = await textOf(rows, { offset: at, limit: BLOCK_ROWS });
    if (needle !== undefined && !text.includes(needle)) continue;
    for (const row of JSON.parse(`[${text}]`) as readonly Row[]) if (isWanted(row)) packer.add(row);
  }
  return packer.end();
}

/** A few rows as they were packed. */
export const rowsOf = async <Row>(rows: PackedRows, part: Part): Promise<readonly Row[]> =>
  JSON.parse(`[${await textOf(rows, part)}]`);

interface Part {
  readonly offset: number;
  readonly limit: number;
}

async function textOf(rows: PackedRows, part: Part): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readRows(rows, part)) pieces.push(piece);
  return Buffer.concat(pieces);
}

export const bytesOf = ({ blocks }: PackedRows): number =>
  blocks.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** The rows from `offset` with commas between them, in pieces. */
export async function* readRows(
  { blocks, total }: PackedRows,
  { offset, limit }: Part,
): AsyncGenerator<Uint8Array> {
  const end = Math.min(total, offset + limit);
  for (let at = offset; at < end; ) {
    const block = Math.floor(at / BLOCK_ROWS);
    const from = at - block * BLOCK_ROWS;
    const to = Math.min(BLOCK_ROWS, end - block * BLOCK_ROWS);
    const lines = linesOf(await inflated(blocks[block]!), from, to);
    if (at > offset) yield Uint8Array.of(COMMA);
    yield lines;
    at += to - from;
  }
}

/** Lines `from` to `to` with commas between them. */
function linesOf(text: Buffer, from: number, to: number): Buffer {
  let start = 0;
  let end = text.length;
  let line = 0;
  for (let at = text.indexOf(LINE_END); at >= 0; at = text.indexOf(LINE_END, at + 1)) {
    line++;
    if (line === from) start = at + 1;
    if (line === to) {
      end = at;
      break;
    }
    text[at] = COMMA;
  }
  return text.subarray(start, end);
}
