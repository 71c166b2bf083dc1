import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import { isNewer } from '../../corpus/document-status.js';
import { quote } from '../../corpus/evidence.js';
import { dayOf } from '../../facts/day-of.js';
import { recordWords } from '../../facts/stated/record-words.js';
import {
  bareVersion,
  historyOf,
  type StatedDocument,
  statedDocuments,
} from '../../facts/stated/stated-documents.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import type { Evidence } from '../../findings/finding.js';
import { say } from '../../sentences/sentence.js';
import { anyOf } from '../../words/read-words.js';
import { anyName } from './document-names.js';
import { documentNames, keyOf, type Named, numbered, VERSION } from './named-documents.js';
import { tablesOfItems } from './set-rules.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown, textOf } from './stated-rule.js';

/** Whether a newer version than the one named existed on a day; undefined where no dates tell. */
function wasNewer(
  { dateOf, versionNow }: Named,
  named: string,
  day: string | undefined,
): boolean | undefined {
  if (!isNewer(versionNow, named)) return false;
  if (day === undefined) return undefined;
  const newer = [...dateOf].filter(([version]) => isNewer(version, named));
  return newer.length === 0 ? undefined : newer.some(([, date]) => date <= day);
}

/** A version of a document that another one names. */
interface NamedVersion {
  readonly target: Named;
  readonly named: string;
  readonly source: StatedDocument;
  readonly where: string;
  /** ISO date of the reference: of its row, else of its document. */
  readonly day?: string;
  readonly isInTable?: boolean;
  readonly evidence: Evidence;
}

/** A document refers to a version of another one that was already replaced when it was written. */
export function olderVersionNamed(context: StatedContext): readonly StatedContradiction[] {
  const all = namedInText(context);
  const presentInTables = new Map<StatedDocument, Set<CorpusDocument>>();
  for (const { isInTable, named, source, target } of all) {
    if (!isInTable || named !== target.versionNow) continue;
    const known = presentInTables.get(source) ?? new Set();
    presentInTables.set(source, known.add(target.document));
  }
  const inText = all.flatMap((one): StatedContradiction[] => {
    const { target, named } = one;
    // What a record tells of an older version, beside the present one, is its history.
    if (one.isInTable && presentInTables.get(one.source)?.has(target.document)) return [];
    const older = wasNewer(target, named, one.day);
    if (older === false || !isNewer(target.versionNow, named)) return [];
    // Every other document names the present one.
    const others = all.filter(
      (other) => other.target.document === target.document && other.source !== one.source,
    );
    const isAlone =
      new Set(others.map(({ source }) => source)).size > 1 &&
      others.every((other) => other.named === target.versionNow);
    return [told({ ...one, sure: older === true, isAlone })];
  });
  const inRows = namedInRows(context)
    .filter(({ target, named, day }) => wasNewer(target, named, day) === true)
    .map((one) => told({ ...one, sure: true }));
  return firstOfEach([...inText, ...inRows]);
}

/** A document refers to a version of another one that is newer than the one that is there. */
export function versionNowhere(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    [...namedInText(context), ...namedInRows(context)].flatMap((one): StatedContradiction[] => {
      const { target, named, where, evidence } = one;
      if (!isNewer(named, target.versionNow) || target.dateOf.has(named)) return [];
      // Numbers and letters are not counted together.
      if (/\d/u.test(named) !== /\d/u.test(target.versionNow)) return [];
      return [
        {
          rule: 'version-nowhere',
          item: `${target.number} ${where}`,
          confidence: 'medium',
          words: {
            document: target.number,
            title: target.document.name,
            named,
            now: target.versionNow,
            where,
          },
          affected: [target.number],
          evidence: [evidence, ...asCounter(target.version?.evidence ?? [])],
        },
      ];
    }),
  );
}

/** A document is dated before the version of another one that it names. */
export function writtenBeforeSource(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    [...namedInText(context), ...namedInRows(context)].flatMap((one): StatedContradiction[] => {
      const { target, named, source, evidence } = one;
      const existed = target.dateOf.get(named);
      const written = source.date;
      // A plan names what is to come.
      if (source.document.parts.some(({ typeId, whole }) => whole && PLANS.includes(typeId))) return [];
      // A row with a date is about its own day.
      if (existed === undefined || !written || one.day !== written.iso || existed <= written.iso) return [];
      return [
        {
          rule: 'written-before-source',
          item: `${source.document.id} ${target.number}`,
          confidence: 'medium',
          words: {
            document: source.document.name,
            source: target.number,
            version: named,
            written: written.iso,
            existed,
          },
          affected: [target.number],
          evidence: [
            evidence,
            ...asCounter(written.field.evidence),
            ...asCounter(target.date?.field.evidence ?? []),
          ],
        },
      ];
    }),
  );
}

const PLANS: readonly string[] = ['safety_plan', 'project_plan'];

function namedInText({ corpus, facts }: StatedContext): readonly NamedVersion[] {
  const documents = statedDocuments(corpus, facts);
  const known = numbered(documents);
  const byName = documentNames(corpus, documents);
  if (known.length === 0 && byName.size === 0) return [];
  const after = new RegExp(recordWords().versionAfter, 'iu');
  const afterName = new RegExp(recordWords().versionAfterName, 'iu');
  const changed = new RegExp(recordWords().versionChanged, 'iu');
  const afterNumber = { exec: (text: string) => after.exec(text) ?? afterName.exec(text) };
  const byNumber = new Map(known.map((one) => [one.number, one]));
  const numbers = anyName([...byNumber.keys()], 'gu');
  const names = anyName(
    [...byName.values()].map(({ name }) => name),
    'giu',
  );
  const held = reviewDays({ corpus, facts });
  return documents.flatMap((source) =>
    source.document.read.passages.flatMap((passage) => {
      if (passage.role === 'history' || passage.role === 'toc' || passage.role === 'example') return [];
      const numbered = [...passage.text.matchAll(numbers)].map((found) => ({
        found,
        target: byNumber.get(found[0])!,
        version: afterNumber,
      }));
      const called = [...passage.text.matchAll(names)].map((found) => ({
        found,
        target: byName.get(keyOf(found[0]))!.documents[0]!,
        version: afterName,
      }));
      return [...numbered, ...called].flatMap(
        ({ found: { 0: name, index: at }, target, version }): NamedVersion[] => {
          if (target.document === source.document) return [];
          const end = at + name.length;
          const match = version.exec(passage.text.slice(end, end + 60));
          const named = match?.groups?.version;
          if (!match || named === undefined || match[0].includes('\t')) return [];
          // "1.0 to 1.1" tells what was changed, not what was used.
          if (changed.test(passage.text.slice(end + match[0].length))) return [];
          const start = passage.start + at;
          const place = { start, end: start + name.length + match[0].length };
          const evidence = quote(source.document.read.document, passage, place, {
            role: 'counter',
            note: say('findings.note-reference'),
          });
          const day =
            held.get(passage.id) ??
            dayOfEntry(corpus, source, {
              before: passage.text.slice(0, at),
              behind: passage.text.slice(end + match[0].length),
            }) ??
            source.date?.iso;
          const where = source.document.name;
          const isInTable = source.document.read.document.blocks[passage.blockIndex]!.cells !== undefined;
          return [
            { target, named, source, where, evidence, isInTable, ...(day === undefined ? {} : { day }) },
          ];
        },
      );
    }),
  );
}

/** The first date of an entry in a record about other documents: it names what was looked at then. */
function dayOfEntry(
  corpus: Corpus,
  { document }: StatedDocument,
  { before, behind }: { readonly before: string; readonly behind: string },
): string | undefined {
  const isRecord = document.parts.some(
    ({ whole, typeId }) => whole && corpus.documentTypes.get(typeId)?.isAboutOthers,
  );
  if (!isRecord) return undefined;
  const { anyDate } = recordWords();
  // "Issue A of 14 November" is the day of the issue.
  const own = new RegExp(`^\\s(?:of|dated|from|vom|von)\\s${anyDate}`, 'u');
  const [written] = new RegExp(anyDate, 'u').exec(`${before} ${behind.replace(own, '')}`) ?? [];
  return written === undefined ? undefined : dayOf(written, document, corpus);
}

/** Days of the reviews whose heading names a version, by passage. */
function reviewDays({ corpus, facts }: StatedContext): ReadonlyMap<string, string> {
  return new Map(
    facts.items.flatMap(({ how, values, passage, document }) => {
      const day = how === 'record' && values.has('work_product') ? values.get('date') : undefined;
      const on = day && dayOf(day.text, document, corpus);
      return on === undefined ? [] : [[passage.id, on] as const];
    }),
  );
}

function namedInRows({ corpus, facts }: StatedContext): readonly NamedVersion[] {
  const documents = statedDocuments(corpus, facts);
  const known = numbered(documents);
  const byName = documentNames(corpus, documents);
  return tablesOfItems(facts.items).flatMap((rows) => {
    const newest = new Map<Named, { row: StatedItem; version: string }>();
    for (const row of rows) {
      // A row of the cover states the version of its own document, whatever it is based on.
      const self = known.find(({ document }) => document === row.document);
      if (self && row.cells.some(({ text }) => text === self.number)) continue;
      const version = VERSION.exec(textOf(row, 'version'))?.[1];
      const target =
        known.find(
          ({ number, document }) =>
            document !== row.document && row.cells.some(({ text }) => beginsWith(text, number)),
        ) ??
        row.cells
          .flatMap(({ text }) => byName.get(keyOf(text))?.documents ?? [])
          .find(({ document }) => document !== row.document);
      if (!target || version === undefined) continue;
      const before = newest.get(target);
      if (!before || isNewer(version, before.version)) newest.set(target, { row, version });
    }
    return [...newest].flatMap(([target, { row, version }]): NamedVersion[] => {
      const source = documents.find(({ document }) => document === row.document);
      if (!source) return [];
      // A list of sources has no dates of its own: that of its document counts.
      const day = row.values.has('date')
        ? dayOf(textOf(row, 'date'), row.document, corpus)
        : source.date?.iso;
      const [evidence] = shown(row, row.values.get('version'), `${row.id}: version`);
      const one = { target, named: version, source, where: row.id, evidence: evidence! };
      return [day === undefined ? one : { ...one, day }];
    });
  });
}

/** "PW-02", "PW-02 HARA". */
const beginsWith = (text: string, number: string): boolean =>
  text.startsWith(number) && !/^[\p{L}\p{N}._-]/u.test(text.slice(number.length));

function told(one: {
  readonly target: Named;
  readonly named: string;
  readonly where: string;
  readonly sure: boolean;
  readonly isAlone?: boolean;
  readonly evidence: Evidence;
}): StatedContradiction {
  const { target, named, where, sure, isAlone, evidence } = one;
  return {
    rule: 'older-version-named',
    item: `${target.number} ${where}`,
    confidence: sure ? 'high' : isAlone ? 'medium' : 'low',
    words: { document: target.number, title: target.document.name, named, now: target.versionNow, where },
    affected: [target.number],
    evidence: [evidence, ...asCounter(target.version?.evidence ?? [])],
  };
}

const asCounter = (evidence: readonly Evidence[]): readonly Evidence[] =>
  evidence.map((one) => ({ ...one, role: 'counter' as const }));

/**
 * The date of the cover is not the one that the change history gives for the same version. A table that says so is needed: sentences
 * about a version may mean when it was reviewed.
 */
export function dateOfVersionDiffers({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  return statedDocuments(corpus, facts).flatMap(({ document, version, date }): StatedContradiction[] => {
    const own = bareVersion(version?.value ?? '');
    if (!date || own === '') return [];
    const row = historyOf(document, facts, own).findLast(
      ({ values }) => bareVersion(values.get('version')!.text) === own,
    );
    const on = row && dayOf(textOf(row, 'date'), document, corpus);
    if (!row || on === undefined || on === date.iso) return [];
    return [
      {
        rule: 'version-of-two-dates',
        item: document.name,
        confidence: 'medium',
        words: {
          document: document.name,
          version: own,
          cover: date.field.value!,
          history: textOf(row, 'date'),
        },
        affected: [],
        evidence: [
          ...asCounter(date.field.evidence),
          ...shown(row, row.values.get('date'), say('findings.note-change-history')),
        ],
      },
    ];
  });
}

/** The name of a document stands before a number that another document has, or none: "the HARA SH-35", where the HARA is SH-30. */
export function numberOfOther({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const documents = statedDocuments(corpus, facts);
  const known = numbered(documents);
  const byName = documentNames(corpus, documents);
  const names = anyName(
    [...byName.values()].map(({ name }) => name),
    'giu',
  );
  const shapeOf = (number: string) => number.replaceAll(/\d+/gu, '0');
  const { versionAfter, aboutAnother } = recordWords();
  const isVersion = new RegExp(versionAfter, 'iu');
  const isAboutAnother = new RegExp(aboutAnother, 'iu');
  return firstOfEach(
    documents.flatMap(({ document }) =>
      document.read.passages.flatMap((passage) => {
        if (passage.role !== 'body' || document.read.document.blocks[passage.blockIndex]!.cells) return [];
        return [...passage.text.matchAll(names)].flatMap(({ 0: name, index }): StatedContradiction[] => {
          const target = byName.get(keyOf(name))!.documents[0]!;
          const own = known.find((one) => one.document === target.document);
          const end = index + name.length;
          const match = /^\s*[,(]?\s*(?<number>[\p{L}\p{N}][\p{L}\p{N}._/-]*\d)(?![\p{L}\p{N}])/u.exec(
            passage.text.slice(end, end + 40),
          );
          const number = match?.groups?.number;
          if (!own || number === undefined || number === own.number || own.document === document) return [];
          if (shapeOf(number) !== shapeOf(own.number) || known.some((one) => one.number === number))
            return [];
          // "review of the HARA SH-91", "the HARA SH-05 of the predecessor": the number of something else.
          if (isAboutAnother.test(passage.text.slice(0, index))) return [];
          const rest = passage.text.slice(end + match![0].length);
          if (!isVersion.test(rest)) return [];
          const start = passage.start + index;
          return [
            {
              rule: 'number-of-other',
              item: `${own.number} ${number}`,
              confidence: 'medium',
              words: { name, number, own: own.number, where: document.name },
              affected: [own.number],
              evidence: [
                quote(
                  document.read.document,
                  passage,
                  { start, end: start + name.length + match![0].length },
                  { role: 'counter', note: say('findings.note-reference') },
                ),
                ...asCounter(own.numberField.evidence),
              ],
            },
          ];
        });
      }),
    ),
  );
}

/** "FSC-04 Functional safety concept, version 2.1 of 2025-03-28": the version behind its word. */
function versionSaidIn(text: string): string | undefined {
  const said = new RegExp(recordWords().versionAfter, 'iu');
  return [...text.matchAll(/(?<![\p{L}\p{N}])\p{L}/gu)]
    .map(({ index }) => said.exec(text.slice(index))?.groups?.version)
    .find((version) => version !== undefined);
}

/** A version was reviewed before it was written, or approved before it was. */
export function orderOfDates({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const documents = statedDocuments(corpus, facts);
  const known = numbered(documents);
  const byName = documentNames(corpus, documents);
  const reviews = facts.items.flatMap((row): StatedContradiction[] => {
    const day = dayOf(textOf(row, 'date'), row.document, corpus);
    const isReview = row.values.has('result') || row.values.has('person');
    const version =
      VERSION.exec(textOf(row, 'version'))?.[1] ??
      (isReview ? versionSaidIn(textOf(row, 'work_product')) : undefined);
    if (row.table === undefined || day === undefined || row.passage.role === 'history') return [];
    const target: Named | undefined =
      known.find(
        ({ number, document }) =>
          document !== row.document && row.cells.some(({ text }) => beginsWith(text, number)),
      ) ??
      // By its name, where the row says that it was looked at.
      (isReview
        ? row.cells
            .flatMap(({ text }) => byName.get(keyOf(text))?.documents ?? [])
            .find(({ document }) => document !== row.document)
        : undefined);
    const written = target && (version === undefined ? undefined : target.dateOf.get(version));
    if (!target || written === undefined || day >= written) return [];
    return [
      {
        rule: 'reviewed-before-written',
        item: `${row.key} ${target.number}`,
        confidence: 'high',
        words: { item: row.id, document: target.number, version: version!, day, written },
        affected: [row.id, target.number],
        evidence: [
          ...shown(row, row.values.get('date'), `${row.id}: date`),
          ...asCounter(target.date?.field.evidence ?? []),
        ],
      },
    ];
  });
  const approvals = documents.flatMap(({ document, approved, date }): StatedContradiction[] => {
    if (!approved || !date || approved.iso >= date.iso) return [];
    return [
      {
        rule: 'approved-before-written',
        item: document.name,
        confidence: 'high',
        words: { document: document.name, approved: approved.iso, written: date.iso },
        affected: [],
        evidence: [...asCounter(approved.field.evidence), ...asCounter(date.field.evidence)],
      },
    ];
  });
  return firstOfEach([...reviews, ...approvals]);
}

/** A released document whose review the record only announces. */
export function reviewOnlyPlanned({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const known = numbered(statedDocuments(corpus, facts)).filter(
    ({ document }) => document.status === 'released',
  );
  const notYet = anyOf(recordWords().notYet);
  return tablesOfItems(facts.items).flatMap((rows) =>
    rows.flatMap((row): StatedContradiction[] => {
      const open = (['result', 'date'] as const)
        .map((kind) => row.values.get(kind))
        .find((value) => value && notYet.test(value.text));
      const target = known.find(({ number }) => row.cells.some(({ text }) => text === number));
      if (!open || !target || !row.values.has('result') || !row.values.has('person')) return [];
      const done = rows.some(
        (other) =>
          other !== row &&
          other.cells.some(({ text }) => text === target.number) &&
          !notYet.test(`${textOf(other, 'result')} ${textOf(other, 'date')}`),
      );
      if (done) return [];
      const status = target.document.read.passages.find(({ text }) =>
        /(?:status|reifegrad|state)/iu.test(text),
      );
      return [
        {
          rule: 'review-only-planned',
          item: `${row.key} ${target.number}`,
          confidence: 'medium',
          words: { item: row.id, document: target.number, said: open.text },
          affected: [row.id, target.number],
          evidence: [
            ...shown(row, open, row.id),
            ...(status
              ? [
                  quote(
                    target.document.read.document,
                    status,
                    target.document.read.document.blocks[status.blockIndex]!.cells?.[1] ?? status,
                    { role: 'counter', note: say('findings.note-status') },
                  ),
                ]
              : []),
          ],
        },
      ];
    }),
  );
}

/** All findings are said to be closed, and a table beside it has an open one. */
export function closedButOpen({ facts }: StatedContext): readonly StatedContradiction[] {
  const { open, allClosed } = recordWords();
  const claim = anyOf(allClosed);
  return facts.items.flatMap((row): StatedContradiction[] => {
    const status = row.values.get('status');
    if (row.table === undefined || !status || !open.includes(status.text.trim().toLowerCase())) return [];
    const { read } = row.document;
    const section = read.sectionOf[row.passage.blockIndex];
    const claimed = read.passages.find(
      (passage) =>
        read.sectionOf[passage.blockIndex] === section &&
        !read.document.blocks[passage.blockIndex]!.cells &&
        claim.test(passage.text),
    );
    if (!claimed) return [];
    const match = claim.exec(claimed.text)!;
    const start = claimed.start + match.index;
    return [
      {
        rule: 'closed-but-open',
        item: `${row.key} ${row.document.id}`,
        confidence: 'high',
        words: { item: row.id, status: status.text, claim: match[0] },
        affected: [row.id],
        evidence: [
          ...shown(row, status, say('findings.note-status-of', { id: row.id })),
          quote(
            read.document,
            claimed,
            { start, end: start + match[0].length },
            { role: 'counter', note: say('findings.note-claim') },
          ),
        ],
      },
    ];
  });
}
