import type { QualityOptions, RequirementText } from '../facts/requirement.js';
import { normaliseText } from '../text/normalise.js';
import { type QualitySeverity, qualityWords } from '../words/quality-words.js';
import { demandOf } from './find-wording.js';

/** A hit that only the whole set shows; `at` is the position of the requirement in it. */
export interface SetHit {
  readonly rule: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly severity: QualitySeverity;
  readonly note?: string;
  /** Positions of the other requirements that it is about. */
  readonly others: readonly number[];
}

const NEAR = 0.92;
const SHORTEST = 5;

/** RQQ-22, RQQ-25 and RQQ-28 (domain G.2): what requirements of one set say differently, twice, or not at all. */
export function findInSet(set: readonly RequirementText[], options: QualityOptions = {}): readonly SetHit[] {
  const hits = [...mixedUnits(set), ...duplicates(set), ...missingAttributes(set)];
  return hits.filter((hit) => !options.without?.includes(hit.rule));
}

interface Measure {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly unit: string;
  readonly value: number;
}

const MEASURED =
  /(?<name>\p{Lu}[\p{L}\p{N}]*_[\p{L}\p{N}_]+|\p{L}{3,}\s+\p{L}{3,})\s*(?:=|:|is|of|within|to|than|von|auf|als|beträgt|at\s+most|at\s+least)?\s*(?<value>\d+(?:[.,]\d+)?)\s*(?<unit>[\p{L}µ°]+(?:\/[\p{L}\d]+)?)(?![\p{L}\p{N}])/gu;

/** RQQ-22: the same named quantity in two units; of a named constant, with another value. */
function mixedUnits(set: readonly RequirementText[]): SetHit[] {
  const { units } = qualityWords();
  const measures = new Map<string, Measure[]>();
  set.forEach(({ text }, at) => {
    for (const match of demandOf(text).matchAll(MEASURED)) {
      const { name, value, unit } = match.groups as { name: string; value: string; unit: string };
      const measured = units.get(unit);
      if (!measured) continue;
      const key = `${measured.quantity} ${normaliseText(name)}`;
      const own = { at, start: match.index, end: match.index + match[0].length, unit };
      const size = Number(value.replace(',', '.')) * measured.size;
      const known = measures.get(key);
      if (known) known.push({ ...own, value: size });
      else measures.set(key, [{ ...own, value: size }]);
    }
  });
  return [...measures].flatMap(([key, found]) => {
    const [first, ...rest] = found;
    const isConstant = key.includes('_');
    return rest.flatMap((measure): SetHit[] => {
      if (measure.at === first!.at) return [];
      const differs = Math.abs(measure.value - first!.value) > 1e-9 * Math.max(1, Math.abs(first!.value));
      if (isConstant && differs) return [unitHit(measure, first!, 'high')];
      return measure.unit === first!.unit ? [] : [unitHit(measure, first!, 'low')];
    });
  });
}

function unitHit({ at, start, end, unit }: Measure, first: Measure, severity: QualitySeverity): SetHit {
  const note =
    severity === 'high' ? 'the same constant has two values' : `${unit} here, ${first.unit} elsewhere`;
  return { rule: 'RQQ-22', at, start, end, severity, note, others: [first.at] };
}

/** Requirements of the same masked words and variant: what is a twin of one is a twin of all but for its id. */
interface Wording {
  readonly words: ReadonlySet<string>;
  readonly variant: string;
  /** Of its words those of which a twin shares one. */
  readonly prefix: readonly string[];
  readonly first: number;
  /** The first that has another id than `first`. */
  second?: number;
}

/**
 * RQQ-25: nearly the same words once numbers are masked. Candidates share one of their rarest words and equal wordings are
 * looked at once, so the set is not compared all with all: neither a large one nor one that says the same over and over.
 */
function duplicates(set: readonly RequirementText[]): SetHit[] {
  const words = set.map(({ text }) => wordsOf(demandOf(text)));
  const masked = words.map((own) => new Set([...own].map((word) => (word.startsWith('#') ? '#' : word))));
  const frequency = new Map<string, number>();
  for (const own of masked) for (const word of own) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const wordings = new Map<string, Wording>();
  /** In the order of their first requirements. */
  const byWord = new Map<string, Wording[]>();
  const hits: SetHit[] = [];
  masked.forEach((own, at) => {
    if (own.size < SHORTEST) return;
    const { id, fields } = set[at]!;
    const variant = fields?.get('variant') ?? '';
    const key = JSON.stringify([variant, ...[...own].sort()]);
    const known = wordings.get(key);
    const wording = known ?? { words: own, variant, prefix: rarestWords(own, frequency), first: at };
    const other = firstTwin(set, wording, { id, byWord });
    if (!known) {
      wordings.set(key, wording);
      for (const word of wording.prefix) {
        const list = byWord.get(word);
        if (list) list.push(wording);
        else byWord.set(word, [wording]);
      }
    } else if (wording.second === undefined && id !== set[wording.first]!.id) wording.second = at;
    if (other === undefined) return;
    const numbers = (position: number) => [...words[position]!].filter((word) => word.startsWith('#')).sort();
    const conflict = numbers(other).join() !== numbers(at).join();
    const note = conflict ? 'the same words with other numbers' : 'the same words';
    const severity = conflict ? 'medium' : 'low';
    hits.push({ rule: 'RQQ-25', at, start: 0, end: set[at]!.text.length, severity, note, others: [other] });
  });
  return hits;
}

function rarestWords(own: ReadonlySet<string>, frequency: ReadonlyMap<string, number>): readonly string[] {
  const rarest = [...own].sort((a, b) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1));
  return rarest.slice(0, own.size - Math.ceil(NEAR * own.size) + 1);
}

/** Position of the first requirement before this one that says the same; the same id is the same one told twice. */
function firstTwin(
  set: readonly RequirementText[],
  own: Wording,
  { id, byWord }: { readonly id: string; readonly byWord: ReadonlyMap<string, readonly Wording[]> },
): number | undefined {
  let found: number | undefined;
  for (const word of own.prefix) {
    for (const other of byWord.get(word) ?? []) {
      if (found !== undefined && other.first >= found) break;
      const at = set[other.first]!.id === id ? other.second : other.first;
      if (at === undefined || (found !== undefined && at >= found)) continue;
      if (other === own || areTwins(other, own)) found = at;
    }
  }
  return found;
}

const WORD =
  /(?<value>\d+(?:[.,]\d+)?)\s*(?<unit>[\p{L}µ°%]+(?:\/[\p{L}]+)?)(?![\p{L}\p{N}])|[\p{L}\p{N}_]+/gu;

/** Words of a text; a value with a unit of measure becomes one word that begins with `#`. */
function wordsOf(text: string): ReadonlySet<string> {
  const { units } = qualityWords();
  const words = [...text.matchAll(WORD)].flatMap((match) => {
    const { value, unit } = match.groups as { value?: string; unit?: string };
    if (value === undefined || unit === undefined) return [normaliseText(match[0])];
    return units.has(unit) || unit === '%' ? [`#${value}${unit}`] : [value, normaliseText(unit)];
  });
  return new Set(words);
}

/** Nearly the same words; another variant may say the same. */
function areTwins({ words: one, variant }: Wording, { words: two, variant: second }: Wording): boolean {
  if (variant !== second) return false;
  let common = 0;
  for (const word of one) if (two.has(word)) common++;
  // "Sensor 1" and "Sensor 2", E17 and E18: things that are counted, not the same one told twice.
  const isOwn = (word: string, other: ReadonlySet<string>) => /\d/.test(word) && !other.has(word);
  if ([...one].some((word) => isOwn(word, two)) || [...two].some((word) => isOwn(word, one))) return false;
  return common >= NEAR * (one.size + two.size - common);
}

/** RQQ-28: attributes that others of the set have. Tables are checked for their cells elsewhere. */
function missingAttributes(set: readonly RequirementText[]): SetHit[] {
  const has = ({ asil, fields }: RequirementText, key: string) =>
    (key === 'asil' ? asil : fields?.get(key)) !== undefined;
  const used = qualityWords().attributes.filter((key) => set.some((one) => has(one, key)));
  return set.flatMap((one, at): SetHit[] => {
    if (one.fieldsChecked) return [];
    const missing = used.filter((key) => !has(one, key));
    if (missing.length === 0) return [];
    const note = `without ${missing.join(', ')}, which others of the set have`;
    return [{ rule: 'RQQ-28', at, start: 0, end: one.text.length, severity: 'medium', note, others: [] }];
  });
}
