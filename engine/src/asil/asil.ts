/** Automotive safety integrity level, lowest first. */
export const ASIL_LEVELS = ['QM', 'A', 'B', 'C', 'D'] as const;
export type AsilLevel = (typeof ASIL_LEVELS)[number];

/** `B(D)` is own B, original D. */
export interface Asil {
  readonly own: AsilLevel;
  readonly original?: AsilLevel;
}

// Notations of domain E.3: D, ASIL D, ASIL-B(D), B[D], ASIL_B_D, QM(D), D(D).
const CELL =
  /^\s*(?:ASIL[\s:=_-]*)?(QM|[ABCD])(?:\s*(?:\(\s*(?:ASIL[\s_-]*)?([ABCD])\s*\)|\[\s*(?:ASIL[\s_-]*)?([ABCD])\s*\]|_([ABCD])))?\s*$/iu;
const TEXT =
  /(?<![\p{L}\p{N}])(?:ASIL[\s:=_-]{0,3}(QM|[ABCD])|(QM)(?=\s*[([]))(?:\s?[([]\s?(?:ASIL[\s_-]*)?([ABCD])\s?[)\]])?(?![\p{L}\p{N}])/gu;
const RANGE =
  /ASIL\s*[-_]?[ABCD]\s*(?:-|–|to|bis|\.\.|through|\/|or|oder|and|und|,)\s*(?:ASIL\s*[-_]?)?[ABCD](?![\p{L}\p{N}])|(?:up\s+to|bis\s+zu|maximum|capable|capability|ready)[^.\n]{0,20}ASIL|ASIL[\s_-]?[ABCD][\s-]*(?:capable|ready|compliant|fähig)/iu;

// "C, split into FSR-02 and FSR-03", "B (inherited from SG-1)", "D = B(D) + B(D)", "ASIL D decomposed to …"
const REMARK = new RegExp(
  String.raw`^(?<level>${CELL.source.slice(1, -1)})(?:[,;:–—(=]|->|→|-\s)\s*(?<remark>.*\p{L}.*)$`,
  'isu',
);
const SPLIT =
  /^\s*(?<level>(?:ASIL[\s:=_-]*)?(?:QM|[ABCD])(?:\s*[([][ABCD][)\]])?)\s+(?<remark>(?:split|decomposed|inherited|zerlegt|aufgeteilt|dekomponiert|geerbt)(?!\p{L}).*)$/isu;
/** Another level in the words behind one: "C, later D", "A or B"; parts of a decomposition carry a bracket. */
const OTHER_LEVEL =
  /(?<![\p{L}\p{N}_-])(?:QM|[ABCD])(?![\p{L}\p{N}_([-])(?!\s*[([]\s*(?:ASIL[\s_-]*)?[ABCD]\s*[)\]])/u;

/**
 * The ASIL in a cell or attribute; undefined for anything else, also for ranges. Bare letters count. Words behind a level say where it
 * comes from or what becomes of it, unless they name another one.
 */
export function parseAsil(cell: string): Asil | undefined {
  const { level, remark } = REMARK.exec(cell)?.groups ?? SPLIT.exec(cell)?.groups ?? {};
  const written = level !== undefined && !OTHER_LEVEL.test(remark ?? '') ? level : cell;
  const match = CELL.exec(written);
  if (!match) return undefined;
  const original = match[2] ?? match[3] ?? match[4];
  return {
    own: match[1]!.toUpperCase() as AsilLevel,
    ...(original ? { original: original.toUpperCase() as AsilLevel } : {}),
  };
}

/** ASILs in running text with their half-open ranges; a text that speaks of a range or a capability has none. */
export function asilsInText(
  text: string,
): readonly { readonly asil: Asil; readonly start: number; readonly end: number }[] {
  if (RANGE.test(text)) return [];
  return [...text.matchAll(TEXT)].map((match) => ({
    asil: {
      own: (match[1] ?? match[2])! as AsilLevel,
      ...(match[3] ? { original: match[3] as AsilLevel } : {}),
    },
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** 0 for QM to 4 for D. */
export function asilRank(level: AsilLevel): number {
  return ASIL_LEVELS.indexOf(level);
}

export function highestAsil(levels: Iterable<AsilLevel>): AsilLevel | undefined {
  let highest: AsilLevel | undefined;
  for (const level of levels) if (!highest || asilRank(level) > asilRank(highest)) highest = level;
  return highest;
}

/**
 * The level whose loss counts (domain E.3): a decomposed part is graded by what it was split from, except QM(Y),
 * which carries no integrity of its own.
 */
export function severityAsil({ own, original }: Asil): AsilLevel {
  if (!original) return own;
  return own === 'QM' ? 'A' : original;
}

/** `B(D)`. */
export function printAsil({ own, original }: Asil): string {
  return original ? `${own}(${original})` : own;
}

/**
 * ASIL of a hazardous event from severity S0–S3, exposure E0–E4 and controllability C0–C3 (domain E.3: the sum
 * of the three decides); undefined for ratings outside these ranges.
 */
export function asilFromRatings(
  severity: number,
  exposure: number,
  controllability: number,
): AsilLevel | undefined {
  const inRange = (value: number, most: number) => Number.isInteger(value) && value >= 0 && value <= most;
  if (!inRange(severity, 3) || !inRange(exposure, 4) || !inRange(controllability, 3)) return undefined;
  if (severity === 0 || exposure === 0 || controllability === 0) return 'QM';
  const sum = severity + exposure + controllability;
  return sum < 7 ? 'QM' : ASIL_LEVELS[sum - 6]!;
}
