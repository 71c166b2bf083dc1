import type { GoldPlace, Plant } from './gold-findings.js';
import { identityOf, type PrintedFinding } from './printed-finding.js';

/** How well a plant is told. */
export interface PlantAnswer {
  readonly plant: Plant;
  /** `half`: as a remark that counts nowhere, or only its subject is named by something new. */
  readonly answer: 'found' | 'half' | 'missed';
  /** The finding that tells it quotes or names the first two of its places. */
  readonly bothPlaces: boolean;
  /** Counted findings that the clean project does not have. */
  readonly news: readonly PrintedFinding[];
}

/** Findings that the clean project does not have; of a cause that several artifacts have, what is new of it. */
export function newFindings(
  findings: readonly PrintedFinding[],
  clean: readonly PrintedFinding[],
): readonly PrintedFinding[] {
  const partsOf = (finding: PrintedFinding) => finding.parts ?? [finding];
  const known = new Set(clean.flatMap(partsOf).map(identityOf));
  return findings.flatMap(partsOf).filter((finding) => !known.has(identityOf(finding)));
}

/**
 * A plant is found when a new, counted finding holds a word of every line of its key and quotes or names one of its places.
 * @param fileOf Name of the file of a document by its short name.
 */
export function judgePlant(
  plant: Plant,
  news: readonly PrintedFinding[],
  fileOf: ReadonlyMap<string, string>,
): PlantAnswer {
  const telling = news.filter(
    (finding) =>
      plant.key.every((words) => holds(finding, words)) &&
      plant.places.some((place) => shows(finding, place, fileOf)),
  );
  const counted = news.filter((finding) => finding.counted);
  const found = telling.filter((finding) => finding.counted);
  const isHalf = telling.length > 0 || counted.some((finding) => holds(finding, plant.key[0]!));
  return {
    plant,
    answer: found.length > 0 ? 'found' : isHalf ? 'half' : 'missed',
    bothPlaces: found.some((finding) =>
      plant.places.slice(0, 2).every((place) => shows(finding, place, fileOf)),
    ),
    news: counted,
  };
}

function holds({ title, observed, quotes }: PrintedFinding, words: readonly (string | number)[]): boolean {
  const said = [title, observed, ...quotes.map(({ quote }) => quote)].join(' ').toLowerCase();
  return words.some((word) => said.includes(String(word).toLowerCase()));
}

const ID = /\b[A-Z]{1,5}\d?(?:-[A-Z]{1,4})?-\d+\b/g;
/** Shorter quotes stand in too many places to be found inside of others. */
const TELLING_LENGTH = 6;

/** Quotes the words of a place, from its document, or names the row that the place is in. */
function shows(
  { title, observed, quotes }: PrintedFinding,
  { document, where, quote }: GoldPlace,
  fileOf: ReadonlyMap<string, string>,
): boolean {
  const file = fileOf.get(document);
  const wanted = squeezed(quote);
  const isQuoted = quotes.some((one) => {
    const own = squeezed(one.quote);
    if (one.document !== file) return false;
    if (own === wanted) return true;
    return (
      (own.length >= TELLING_LENGTH && wanted.includes(own)) ||
      (wanted.length >= TELLING_LENGTH && own.includes(wanted))
    );
  });
  const ids = `${where} ${quote.length < 12 ? quote : ''}`.match(ID) ?? [];
  const said = `${title} ${observed} ${quotes.map((one) => one.quote).join(' ')}`;
  return isQuoted || ids.some((id) => new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(said));
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
