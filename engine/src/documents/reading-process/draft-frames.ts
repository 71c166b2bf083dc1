import type { BlockDraft } from '../block.js';
import type { DocumentFormat } from '../document.js';
import type { DocumentDraft } from '../format-reader.js';
import type { HiddenRange } from '../hidden-ranges.js';
import type { Location } from '../location.js';
import { packPages } from '../page-places/page-file.js';
import type { RecognisedDraft } from '../read-draft.js';
import { encodeFrame, type Frame } from './frames.js';

/** A location whose section is an index into the sections sent so far. */
type SentLocation = Omit<Location, 'section'> & { section?: number };

/** A block without its text: the texts of a batch travel as one body, each as long as `n` says. */
interface SentBlock {
  kind: BlockDraft['kind'];
  n: number;
  l: SentLocation;
  level?: number;
  table?: BlockDraft['table'];
  /** A cell without `l` has the place of its row. */
  cells?: {
    n: number;
    column: number;
    span?: number;
    rows?: number;
    l?: SentLocation;
    hidden?: readonly HiddenRange[];
  }[];
  record?: BlockDraft['record'];
  hidden?: readonly HiddenRange[];
}

interface BatchHead {
  type: 'blocks';
  sections: (readonly string[])[];
  blocks: SentBlock[];
}

interface DoneHead extends Omit<DocumentDraft, 'blocks' | 'pages'> {
  type: 'done';
  format: DocumentFormat;
  /** Memory of the process after reading; a process that has grown is not used again. */
  residentMegabytes: number;
}

export type DraftHead = BatchHead | DoneHead;

/** A draft that came from a reading process, and what that process took. */
export interface ReceivedDraft extends RecognisedDraft {
  readonly residentMegabytes: number;
  /** Its pages and where its lines stand on them (see `packPages`), where that was kept. */
  readonly packedPages?: Uint8Array;
}

const BATCH_BLOCKS = 2_000;
const BATCH_CHARACTERS = 1_000_000;

/** The frames of a draft, batch by batch; nothing is held twice. */
export function* encodeDraft(
  { format, draft }: RecognisedDraft,
  residentMegabytes: number,
): Generator<Uint8Array[]> {
  const known = new Map<readonly string[], number>();
  let batch: BatchHead = { type: 'blocks', sections: [], blocks: [] };
  let texts: string[] = [];
  let characters = 0;

  const send = (location: Location): SentLocation => {
    const { section } = location;
    if (!section) return location as SentLocation;
    let index = known.get(section);
    if (index === undefined) {
      index = known.size;
      known.set(section, index);
      batch.sections.push(section);
    }
    // Its keys stay in their order: what is made of a document there and here is the same text.
    return { ...location, section: index };
  };
  const take = (text: string): number => {
    texts.push(text);
    characters += text.length;
    return text.length;
  };
  const flush = () => {
    const frame = encodeFrame(batch, Buffer.from(texts.join(''), 'utf8'));
    batch = { type: 'blocks', sections: [], blocks: [] };
    texts = [];
    characters = 0;
    return frame;
  };

  for (const block of draft.blocks) {
    batch.blocks.push({
      kind: block.kind,
      n: take(block.text),
      l: send(block.location),
      ...(block.level === undefined ? {} : { level: block.level }),
      ...(block.table ? { table: block.table } : {}),
      ...(block.cells
        ? {
            cells: block.cells.map(({ text, column, span, rows, location, hidden }) => ({
              n: take(text),
              column,
              ...(span === undefined ? {} : { span }),
              ...(rows === undefined ? {} : { rows }),
              ...(hidden ? { hidden } : {}),
              ...(location === block.location ? {} : { l: send(location) }),
            })),
          }
        : {}),
      ...(block.record ? { record: block.record } : {}),
      ...(block.hidden ? { hidden: block.hidden } : {}),
    });
    if (batch.blocks.length >= BATCH_BLOCKS || characters >= BATCH_CHARACTERS) yield flush();
  }
  yield flush();
  const { blocks: _, pages: __, ...rest } = draft;
  const done: DoneHead = { type: 'done', format, residentMegabytes, ...rest };
  yield encodeFrame(done, packPages(draft));
}

/** Puts the frames of one draft together again. `add` gives the draft back with the last one. */
export function createDraftDecoder(): { add(frame: Frame): ReceivedDraft | undefined } {
  const sections: (readonly string[])[] = [];
  const blocks: BlockDraft[] = [];
  // In the object that was sent: of a copy each would have a shape of its own, and there are hundreds of thousands.
  const receive = (sent: SentLocation): Location => {
    const place = sent as { section?: number | readonly string[] };
    if (typeof place.section === 'number') place.section = sections[place.section]!;
    return place as Location;
  };

  return {
    add({ head, body }) {
      const message = head as DraftHead;
      if (message.type === 'done') {
        const { type: _, format, residentMegabytes, ...rest } = message;
        return {
          format,
          residentMegabytes,
          draft: { ...rest, blocks },
          ...(body.length > 0 ? { packedPages: new Uint8Array(body) } : {}),
        };
      }
      const texts = body.toString('utf8');
      let offset = 0;
      const take = (length: number) => {
        offset += length;
        return texts.slice(offset - length, offset);
      };
      sections.push(...message.sections);
      for (const { n, l, cells, ...rest } of message.blocks) {
        const location = receive(l);
        blocks.push({
          ...rest,
          text: take(n),
          location,
          ...(cells
            ? {
                cells: cells.map((cell) => ({
                  text: take(cell.n),
                  ...withoutSent(cell),
                  location: cell.l ? receive(cell.l) : location,
                })),
              }
            : {}),
        });
      }
      return undefined;
    },
  };
}

function withoutSent({
  column,
  span,
  rows,
  hidden,
}: {
  column: number;
  span?: number;
  rows?: number;
  hidden?: readonly HiddenRange[];
}) {
  return {
    column,
    ...(span === undefined ? {} : { span }),
    ...(rows === undefined ? {} : { rows }),
    ...(hidden ? { hidden } : {}),
  };
}
