import { z } from 'zod';
import { type CorpusDocument, documentOf, isWithin, partsOfTypes } from '../../../corpus/corpus.js';
import type { DocumentPart } from '../../../corpus/detect-document-types.js';
import { quote } from '../../../corpus/evidence.js';
import { hitsOf } from '../../../corpus/mentions.js';
import { fieldOf } from '../../../corpus/metadata-fields.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import { checkWords } from '../../../facts/check-words.js';
import { dayOf } from '../../../facts/day-of.js';
import { isSamePerson, personNamesIn } from '../../../facts/person-names.js';
import type { Evidence } from '../../../findings/finding.js';
import { say } from '../../../sentences/sentence.js';
import { anyOf as anyPattern } from '../../../words/read-words.js';
import { documentsOf, type ItemContext, nameOfTypes, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { finderOf, versionIn } from '../document-names.js';
import { anyOf, type Outcome, outcome } from '../outcome.js';
import { documentTypes, phrases, sections } from '../parameters.js';
import { quoteDocument } from '../quotes.js';
import { probeStatement } from '../statements.js';
import { checkSection } from './section.js';

/**
 * A record shows that documents of the types `about` were verified: a review record or verification report that
 * names them, or a section of theirs. `needs` says what it has to tell.
 */
const parameters = {
  about: documentTypes.optional(),
  kinds: documentTypes.default(['review_record', 'verification_report']),
  /** Names of the kind of record: "confirmation review". */
  names: phrases.optional(),
  needs: z.array(z.enum(['verdict', 'date', 'person', 'version'])).default(['verdict']),
  /** Its author or reviewer is somebody else than the author of what was verified. */
  independent: z.literal(true).optional(),
  /** Sections of the documents themselves that tell the same. */
  sections: sections.min(1).optional(),
};
type Check = CheckParameters<typeof parameters>;

export const record = defineCheck('record', parameters, checkRecord);

function checkRecord(check: Check, context: ItemContext): Outcome {
  const records = recordsAbout(check, context);
  const told = records.map((part) => judgeRecord(part, check, context));
  const inside = check.sections ? [ownSection(check, context)].filter((one) => one.state !== 'missing') : [];
  if (told.length + inside.length > 0) return anyOf([...told, ...inside]);
  return withoutRecord(check, context);
}

/** Records that name what they are about: the kind of document, in the title or in the text. */
function recordsAbout(
  { kinds, about, names }: Check,
  { corpus, index }: ItemContext,
): readonly DocumentPart[] {
  const wanted = names ? hitsOf(index, everyPhrase(names)) : undefined;
  return partsOfTypes(corpus, kinds).filter((part) => {
    const { read, name } = documentOf(corpus, part.documentId);
    if (about?.includes(part.typeId)) return false;
    if (wanted && !wanted.some((hit) => isWithin([part], hit.passage) && hit.passage.role !== 'toc'))
      return false;
    const passages = read.passages
      .slice(part.start, part.end)
      .filter((one) => one.role !== 'toc' && one.role !== 'references');
    if (about === undefined) return true;
    return about.some((type) => {
      const find = finderOf(type, corpus);
      return (
        find(name.replaceAll(/[_-]/g, ' ')).length > 0 ||
        passages.some((passage) => find(passage.text).length > 0)
      );
    });
  });
}

function judgeRecord(part: DocumentPart, check: Check, context: ItemContext): Outcome {
  const { corpus } = context;
  const document = documentOf(corpus, part.documentId);
  const verdict = verdictOf(document, part);
  const people = peopleOf(document, part, context);
  const lacking = check.needs.filter((need) => {
    if (need === 'verdict') return verdict === undefined;
    if (need === 'person') return people.length === 0;
    if (need === 'date') return dateOf(document, part, context) === undefined;
    return !document.read.passages.some((one) => isWithin([part], one) && versionIn(one.text) !== undefined);
  });
  const base = [...(verdict ? [verdict.evidence] : []), ...quoteDocument(document, 'support', 'the record')];
  if (verdict && !verdict.positive) {
    return outcome('fail', 'high', {
      rules: ['record-negative'],
      reason: say('checks.does-not-accept-it', { name: document.name }),
      evidence: base.map((one) => ({ ...one, role: 'counter' as const })),
    });
  }
  const clash = check.independent ? sameHands(people, check, context) : undefined;
  if (clash) {
    return outcome('fail', 'high', {
      rules: ['not-independent'],
      reason: say('checks.was-done-by-who-wrote-what', { name: document.name, name2: clash.name }),
      evidence: clash.evidence,
    });
  }
  if (lacking.length > 0) {
    return outcome('fail', 'medium', {
      rules: ['record-incomplete'],
      reason: say('checks.is-such-a-record-but-tells', { name: document.name, lacking }),
      evidence: quoteDocument(document, 'counter', `no ${lacking.join(', no ')}`),
    });
  }
  if (check.independent && (people.length === 0 || authorsOf(check, context).length === 0)) {
    return outcome('open', 'low', {
      rules: ['record', 'independence-not-shown'],
      reason: say('checks.is-such-a-record-who-wrote', { name: document.name }),
      evidence: base,
    });
  }
  return outcome('pass', part.whole && part.confidence !== 'low' ? 'high' : 'medium', {
    rules: ['record'],
    reason: say('checks.records-it', { name: document.name, needs: check.needs.length, needs2: check.needs }),
    evidence: base,
  });
}

const RESULT_SECTIONS =
  /verdict|result|conclusion|decision|outcome|summary|ergebnis|fazit|schlussfolgerung|entscheidung|urteil|status|freigabe/iu;

/** The words of a verdict in the record: under a heading or in a column for results, or in a sentence that names the result. */
function verdictOf(
  { read }: CorpusDocument,
  part: DocumentPart,
): { readonly positive: boolean; readonly evidence: Evidence } | undefined {
  const { positive, negative } = checkWords().verdicts;
  const yes = anyPattern(positive);
  const no = anyPattern(negative);
  for (const passage of read.passages.slice(part.start, part.end)) {
    if (passage.role !== 'body' && passage.role !== 'scope') continue;
    const under = passage.location.section?.at(-1) ?? '';
    const columns = read.tables[read.tableOf[passage.blockIndex]!]?.columns ?? [];
    for (const segment of read.document.blocks[passage.blockIndex]!.cells ?? [passage]) {
      const text = read.document.text.slice(segment.start, segment.end);
      const title = 'column' in segment ? (columns[segment.column] ?? '') : '';
      if (
        !RESULT_SECTIONS.test(under) &&
        !RESULT_SECTIONS.test(title) &&
        !RESULT_SECTIONS.test(text) &&
        !RESULT_SECTIONS.test(passage.text)
      )
        continue;
      const isNo = no.test(text);
      if (!isNo && !yes.test(text)) continue;
      const match = (isNo ? no : yes).exec(text)!;
      const focus = {
        start: segment.start + match.index,
        end: segment.start + match.index + match[0].length,
      };
      const evidence = quote(read.document, passage, segment, {
        role: isNo ? 'counter' : 'support',
        note: say('checks.verdict'),
        focus,
      });
      return { positive: !isNo, evidence };
    }
  }
  return undefined;
}

interface Person {
  readonly name: string;
  readonly evidence: readonly Evidence[];
}

const PEOPLE_FIELDS = ['reviewer', 'author', 'approver'];
const PEOPLE_SECTIONS = /participant|reviewer|inspector|assessor|team|teilnehmer|prüfer|beteiligte/iu;

/** Who did it: reviewer and author of the record, and whom its list of participants names. */
function peopleOf(document: CorpusDocument, part: DocumentPart, { corpus }: ItemContext): readonly Person[] {
  const fields = PEOPLE_FIELDS.flatMap((key) => {
    const field = fieldOf(corpus, key, document.id);
    return field.state === 'present'
      ? personNamesIn(field.value ?? '').map((name) => ({ name, evidence: field.evidence }))
      : [];
  });
  const { read } = document;
  const listed = read.passages.slice(part.start, part.end).flatMap((passage) => {
    const under = passage.location.section?.at(-1) ?? '';
    if (!PEOPLE_SECTIONS.test(under) || passage.role === 'heading' || passage.header) return [];
    return (read.document.blocks[passage.blockIndex]!.cells ?? [passage]).flatMap((segment) =>
      personNamesIn(read.document.text.slice(segment.start, segment.end)).map((name) => ({
        name,
        evidence: [
          quote(read.document, passage, segment, { role: 'support', note: say('checks.took-part') }),
        ],
      })),
    );
  });
  return [...fields, ...listed];
}

function authorsOf({ about }: Check, context: ItemContext): readonly Person[] {
  return documentsOf(
    context,
    partsFor(context, about).filter((part) => part.whole),
  ).flatMap((document) => {
    const field = fieldOf(context.corpus, 'author', document.id);
    return field.state === 'present'
      ? personNamesIn(field.value ?? '').map((name) => ({ name, evidence: field.evidence }))
      : [];
  });
}

/** Everybody who did the record wrote what it is about. */
function sameHands(people: readonly Person[], check: Check, context: ItemContext): Person | undefined {
  const authors = authorsOf(check, context);
  if (people.length === 0 || authors.length === 0) return undefined;
  const isAuthor = (person: Person) => authors.find((author) => isSamePerson(author.name, person.name));
  if (!people.every(isAuthor)) return undefined;
  const author = isAuthor(people[0]!)!;
  return {
    name: people[0]!.name,
    evidence: [...people[0]!.evidence, ...author.evidence].map((one) => ({
      ...one,
      role: 'counter' as const,
    })),
  };
}

function dateOf(document: CorpusDocument, part: DocumentPart, { corpus }: ItemContext): string | undefined {
  const field = fieldOf(corpus, 'date', document.id);
  const stated = field.state === 'present' ? dayOf(field.value ?? '', document, corpus) : undefined;
  if (stated) return stated;
  const told = document.read.passages
    .slice(part.start, part.end)
    .find((one) => one.role === 'body' && dayOf(one.text, document, corpus) !== undefined);
  return told && dayOf(told.text, document, corpus);
}

/** A section of the document itself tells of its verification: less than a record of its own. */
function ownSection(check: Check, context: ItemContext): Outcome {
  const found = checkSection({ of: check.sections! }, context);
  if (found.state !== 'pass') return found;
  const says = anyPattern([...checkWords().verdicts.positive, ...checkWords().verdicts.negative]);
  const tells = found.evidence.some((one) => says.test(one.quote));
  return outcome(tells ? 'pass' : 'open', tells ? 'medium' : 'low', {
    ...found,
    rules: ['own-section', ...found.rules],
  });
}

/** No record: perhaps a sentence says that it was not done, or that it is planned. */
function withoutRecord(check: Check, context: ItemContext): Outcome {
  const names = check.names ? everyPhrase(check.names) : [];
  const told =
    names.length > 0
      ? probeStatement({ groups: [names], home: partsFor(context, undefined) }, context)
      : undefined;
  if (told?.state === 'fail') return told;
  return outcome('missing', context.corpus.documents.length > 0 ? 'medium' : 'high', {
    rules: ['no-record', ...(told?.rules ?? [])],
    reason: say('checks.no-among-the-documents-is-about', {
      kinds: namesOfTypes(context, check.kinds),
      about: namesOfTypes(context, check.about),
      includes: told?.rules.includes('T3-intent'),
    }),
    evidence: (told?.evidence ?? []).map((one) =>
      one.role === 'support' ? { ...one, role: 'context' as const } : one,
    ),
    terms: [...names, ...check.kinds.map((kind) => nameOfTypes(context, [kind]).en)],
  });
}
