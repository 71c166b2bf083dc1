import {
  ASIL_LEVELS,
  type Asil,
  type AsilLevel,
  asilRank,
  printAsil,
  severityAsil,
} from '../../asil/asil.js';
import { readAsilAttribute } from '../../asil/asil-attribute.js';
import type { ComparedLevel } from '../../contradictions/level-rules.js';
import type { Artifact } from '../../facts/artifacts/artifact.js';
import type { TraceabilityRules } from './rules.js';

/** An integrity level as a small number, an index into an `IntegrityScale`; 0 is "not known". */
export type IntegrityCode = number;
export const UNKNOWN: IntegrityCode = 0;

/** What every code means. ASIL, CAL and risk value share the machinery; they are never compared with each other. */
export interface IntegrityScale {
  readonly codes: readonly IntegrityEntry[];
  /** Level that severities are looked up by, 0 (QM) to 4 (D); unknown counts as B. */
  readonly severityLevel: Uint8Array;
  /** The artifact's own level, 0 to 4. */
  readonly ownLevel: Uint8Array;
  /** 0 unknown, 1 ASIL, 2 CAL, 3 risk value. */
  readonly scheme: Uint8Array;
  /** Place of each code from lowest to highest, by severity level, then own level; unknown is 0. */
  readonly order: Uint8Array;
  /** The code at each place. */
  readonly atPlace: Uint8Array;
}

export interface IntegrityEntry {
  readonly code: IntegrityCode;
  readonly print: string;
  readonly asil?: Asil;
  /** As rules compare it; undefined for "not known". */
  readonly level?: ComparedLevel;
}

/** An entry that states a level. */
export type KnownLevel = IntegrityEntry & Required<Pick<IntegrityEntry, 'level'>>;

/** The entry of a code; undefined for "not known". */
export function knownLevel({ codes }: IntegrityScale, code: IntegrityCode): KnownLevel | undefined {
  const entry = codes[code]!;
  return entry.level && (entry as KnownLevel);
}

const ORIGINALS = [undefined, 'A', 'B', 'C', 'D'] as const;
const SCHEMES = { asil: 1, cal: 2, risk: 3 } as const;
const FIRST_CAL = 1 + ASIL_LEVELS.length * ORIGINALS.length;
const FIRST_RISK = FIRST_CAL + 4;

export function integrityScale(rules: TraceabilityRules): IntegrityScale {
  const rows: {
    print: string;
    asil?: Asil;
    own: AsilLevel;
    counts: AsilLevel;
    scheme: ComparedLevel['scheme'];
  }[] = [];
  for (const own of ASIL_LEVELS) {
    for (const original of ORIGINALS) {
      const asil: Asil = original ? { own, original } : { own };
      const print = own === 'QM' && !original ? 'QM' : `ASIL ${printAsil(asil)}`;
      rows.push({ print, asil, own, counts: severityAsil(asil), scheme: 'asil' });
    }
  }
  for (const [cal, level] of Object.entries(rules.integrity.cal)) {
    rows.push({ print: `CAL ${cal}`, own: level, counts: level, scheme: 'cal' });
  }
  for (const [risk, level] of Object.entries(rules.integrity.risk)) {
    rows.push({ print: `risk ${risk}`, own: level, counts: level, scheme: 'risk' });
  }
  const height = ({ counts, own, asil, scheme }: (typeof rows)[number]) =>
    asilRank(counts) * 100 + asilRank(own) * 10 + (asil?.original ? 0 : 5) - SCHEMES[scheme];
  const atPlace = Uint8Array.from([
    UNKNOWN,
    ...rows
      .map((row, index) => ({ code: index + 1, height: height(row) }))
      .sort((a, b) => a.height - b.height || b.code - a.code)
      .map(({ code }) => code),
  ]);
  const order = new Uint8Array(atPlace.length);
  atPlace.forEach((code, place) => {
    order[code] = place;
  });
  const column = (unknown: number, value: (row: (typeof rows)[number]) => number) =>
    Uint8Array.from([unknown, ...rows.map(value)]);
  return {
    codes: [
      { code: UNKNOWN, print: 'no integrity level' },
      ...rows.map(({ print, asil, own, counts, scheme }, index) => {
        const bracket = asil ? { asil } : {};
        const level = { scheme, rank: asilRank(own), grade: counts, ...bracket };
        return { code: index + 1, print, level, ...bracket };
      }),
    ],
    severityLevel: column(2, (row) => asilRank(row.counts)),
    ownLevel: column(0, (row) => asilRank(row.own)),
    scheme: column(0, (row) => SCHEMES[row.scheme]),
    order,
    atPlace,
  };
}

export function asilCode({ own, original }: Asil): IntegrityCode {
  return 1 + ASIL_LEVELS.indexOf(own) * ORIGINALS.length + ORIGINALS.indexOf(original as 'A' | undefined);
}

/** What an artifact states about itself. */
export interface StatedIntegrity {
  readonly code: IntegrityCode;
  /** The attribute as written where it is no single value. */
  readonly unclear?: string;
}

/**
 * Reader of integrity attributes that remembers each spelling. A cybersecurity artifact states CAL or risk value
 * before an ASIL, all others the ASIL first.
 */
export function integrityReader(): (artifact: Artifact, cybersecurity: boolean) => StatedIntegrity {
  const known = new Map<string | undefined, StatedIntegrity>();
  const readAsil = (written: string | undefined): StatedIntegrity => {
    let stated = known.get(written);
    if (!stated) {
      const attribute = readAsilAttribute(written);
      stated =
        attribute.kind === 'stated'
          ? { code: asilCode(attribute.asil) }
          : { code: UNKNOWN, ...(attribute.kind === 'unclear' ? { unclear: attribute.written } : {}) };
      known.set(written, stated);
    }
    return stated;
  };
  return (artifact, cybersecurity) => {
    const asil = readAsil(artifact.asil);
    const other = otherCode(artifact);
    if (other !== UNKNOWN && (cybersecurity || asil.code === UNKNOWN)) return { code: other };
    return asil;
  };
}

function otherCode({ cal, risk }: Artifact): IntegrityCode {
  if (cal !== undefined && Number.isInteger(cal) && cal >= 1 && cal <= 4) return FIRST_CAL + cal - 1;
  if (risk !== undefined && Number.isInteger(risk) && risk >= 1 && risk <= 5) return FIRST_RISK + risk - 1;
  return UNKNOWN;
}
