import { SEVERITIES, type Severity } from '../findings/finding.js';
import {
  METADATA,
  NOT_GIVEN,
  OPEN_CONTENT,
  REUSED_IDS,
  readSubject,
  type SubjectKind,
  traceOf,
  VERSIONS,
} from '../findings/subject.js';
import type { Report, ReportFinding, ReportPart } from './report.js';
import type { ReportWords } from './report-words.js';

/** A finding with the analysis that gave it. */
export interface EntryMember {
  readonly finding: ReportFinding;
  readonly part: ReportPart;
}

/** What a reader decides once: one fact or one cause with everything that says it. */
export interface Entry {
  /** The one that stands for all: of those that are no answers of a checklist the most severe, and the one that lists most. */
  readonly finding: ReportFinding;
  readonly title: string;
  readonly severity: Severity;
  /** At least one. */
  readonly members: readonly EntryMember[];
  /** Each analysis once. */
  readonly parts: readonly ReportPart[];
  /** What it holds, each thing once; empty where the title says it all. */
  readonly details: readonly string[];
}

/** All findings of a report as a reader decides them. */
export interface Entries {
  /** Most severe first. */
  readonly entries: readonly Entry[];
  /** Answers that carry nothing until a person has looked: no findings yet. */
  readonly forPersons: readonly EntryMember[];
  /** What holds only under a condition that nobody has answered. */
  readonly waiting: readonly EntryMember[];
}

/** What documents that nobody has filled in have in common. */
const EMPTY_TEMPLATES = 'empty templates';
/** Subjects that name a document. */
const OF_DOCUMENTS: ReadonlySet<SubjectKind> = new Set(['content', 'rows', 'rationales', 'empty']);
/** Ids that no document defines. */
const UNDEFINED = traceOf('broken_chain', 'dangling_target');
/** Fewer points of low severity stand each for itself. */
const FEWEST_SMALL = 2;

/** These say what is not there; what is wrong is told by findings of their own, and they may be critical. */
const OF_SILENCE: ReadonlySet<SubjectKind> = new Set(['content', 'metadata', 'open content']);

/**
 * Puts together what is one thing to decide (decision 291): findings of one subject, and findings of several analyses with the
 * same title about the same items with the same quotes. What is gone is left out.
 */
export function entriesOf(
  { parts, documents }: Pick<Report, 'parts' | 'documents'>,
  words: ReportWords,
): Entries {
  const names = new Map(documents.map(({ id, name }) => [id, name]));
  const empty = new Set(
    parts.flatMap(({ findings }) => findings).flatMap((one) => (isEmpty(one) ? documentsOf(one) : [])),
  );
  const groups = new Map<string, EntryMember[]>();
  const forPersons: EntryMember[] = [];
  const waiting: EntryMember[] = [];
  for (const part of parts) {
    for (const finding of part.findings) {
      if (finding.change === 'absent' || isSecondLook(finding)) continue;
      const own = documentsOf(finding);
      const isOfEmpty = own.length > 0 && own.every((id) => empty.has(id));
      const key = isHandled(finding)
        ? `${part.id} ${finding.fingerprint}`
        : isOfEmpty
          ? EMPTY_TEMPLATES
          : keyOf(finding, part);
      const member = { finding, part };
      if (finding.waits && !isHandled(finding)) waiting.push(member);
      else if (carriesNothing(finding)) forPersons.push(member);
      else groups.set(key, [...(groups.get(key) ?? []), member]);
    }
  }
  const entries = [...groups].flatMap(([key, members]) =>
    key === EMPTY_TEMPLATES
      ? [emptyTemplates(members, { names, empty }, words)]
      : aboutSameItems(members).map((own) => entryOf(own, names, words)),
  );
  return {
    entries: smallTogether(entries, words).sort((a, b) => rank(a.severity) - rank(b.severity)),
    forPersons,
    waiting,
  };
}

/** Whether an entry tells what is not there, not what is wrong with what is. */
export function isOfSilence({ finding: { subject } }: Entry): boolean {
  const kind = subject === undefined ? undefined : readSubject(subject).kind;
  return kind !== undefined && (kind === NOT_GIVEN || OF_SILENCE.has(kind));
}

const isEmpty = ({ subject }: ReportFinding): boolean =>
  subject !== undefined && readSubject(subject).kind === 'empty';

/** Documents that a finding is about: the one that its subject names, else those that it quotes, else those near. */
function documentsOf({ evidence, affected = [], subject }: ReportFinding): readonly string[] {
  const { kind, of } = subject === undefined ? { kind: undefined, of: '' } : readSubject(subject);
  if (kind !== undefined && OF_DOCUMENTS.has(kind)) return [of];
  const quoted = evidence.filter(({ role, quote }) => role !== 'context' && quote !== '');
  const places = [...quoted, ...affected].flatMap(({ documentId }) => documentId ?? []);
  return places.length > 0 ? places : evidence.map(({ documentId }) => documentId);
}

/** Everything about documents that nobody has filled in is told with that. */
function emptyTemplates(
  members: readonly EntryMember[],
  { names, empty }: { readonly names: ReadonlyMap<string, string>; readonly empty: ReadonlySet<string> },
  words: ReportWords,
): Entry {
  const own = members.filter(({ finding }) => isEmpty(finding));
  const [lead] = own.length > 0 ? own : members;
  const worst = entryOf(members, names, words);
  const documents = [...empty].map((id) => names.get(id) ?? id);
  return {
    ...worst,
    finding: lead!.finding,
    title: words.text('entry_empty_templates', { documents: shortList(documents, words) }),
    details: documents,
  };
}

/** Small points are one entry where there are others: each is a correction, none a decision. */
function smallTogether(entries: readonly Entry[], { text, number }: ReportWords): Entry[] {
  const small = entries.filter(isSmall);
  if (small.length < FEWEST_SMALL || small.length === entries.length) return [...entries];
  const [first] = [...small].sort((a, b) => rank(a.severity) - rank(b.severity)) as [Entry];
  const together: Entry = {
    finding: first.finding,
    title: text('entry_small', { count: number(small.length) }),
    severity: first.severity,
    members: small.flatMap(({ members }) => members),
    parts: [...new Set(small.flatMap(({ parts }) => parts))],
    details: eachOnce(
      small.flatMap(({ title, details }) => [
        title,
        ...details.slice(1).filter((detail) => !title.includes(detail.replace(/: .*$/s, ''))),
      ]),
    ),
  };
  return [...entries.filter((entry) => !small.includes(entry)), together];
}

/** Of low severity; of medium, where documents leave out sections or what they are to say about themselves. */
function isSmall({ severity, finding }: Entry): boolean {
  if (isHandled(finding)) return false;
  const kind = finding.subject === undefined ? undefined : readSubject(finding.subject).kind;
  return severity === 'low' || (severity === 'medium' && (kind === 'content' || kind === METADATA));
}

/** Answers of checklists about what nothing refines stand with that gap of the trace only where they name one of its artifacts. */
function aboutSameItems(members: EntryMember[]): readonly (readonly EntryMember[])[] {
  if (!members[0]!.finding.subject?.startsWith(traceOf('orphan_downstream', ''))) return [members];
  const traced = members.filter((member) => !isItem(member));
  const items = new Set(traced.flatMap(({ finding }) => finding.affectedItems));
  const isApart = (member: EntryMember) =>
    isItem(member) && items.size > 0 && !member.finding.affectedItems.some((id) => items.has(id));
  return [members.filter((member) => !isApart(member)), ...members.filter(isApart).map((member) => [member])];
}

/** Everything below is verified: a test of its own would be the second look. The chapter of the trace lists it. */
const isSecondLook = ({ kind, severity }: ReportFinding): boolean =>
  kind === 'indirect_only' && severity === 'low';

/** A person has decided it by itself: it is not mixed with what is open. */
const isHandled = ({ status }: ReportFinding): boolean => status === 'accepted' || status === 'resolved';

/** A person has to answer first, and no word of the documents speaks against it. */
const carriesNothing = ({ unconfirmed, evidence }: ReportFinding): boolean =>
  unconfirmed === true && !evidence.some(({ role, quote }) => role === 'counter' && quote !== '');

function keyOf({ subject, evidence, affectedItems, fingerprint, title }: ReportFinding, { id }: ReportPart) {
  if (subject !== undefined) return subject;
  const quotes = evidence
    .filter(({ role, quote }) => role !== 'context' && quote !== '')
    .map(({ documentId, quote }) => [documentId, quote.replaceAll(/\s+/g, ' ').trim()].join(' '))
    .sort();
  // Without a quote against it nothing tells that two say the same.
  if (quotes.length === 0) return `${id} ${fingerprint}`;
  return JSON.stringify([title, [...affectedItems].sort(), quotes]);
}

function entryOf(
  members: readonly EntryMember[],
  names: ReadonlyMap<string, string>,
  words: ReportWords,
): Entry {
  const [{ finding }] = [...members].sort(
    (a, b) =>
      isItem(a) - isItem(b) ||
      rank(a.finding.severity) - rank(b.finding.severity) ||
      (b.finding.affected?.length ?? 0) - (a.finding.affected?.length ?? 0),
  ) as [EntryMember];
  const worst = SEVERITIES.find((one) => members.some((member) => member.finding.severity === one))!;
  const parts = [...new Set(members.map(({ part }) => part))];
  const { kind, of } =
    finding.subject === undefined ? { kind: undefined, of: '' } : readSubject(finding.subject);
  const details = eachOnce(members.flatMap((one) => detailsOf(one)));
  // Whether work products exist that nobody gave, the documents do not tell.
  const isSilent = kind !== undefined && (kind === NOT_GIVEN || OF_SILENCE.has(kind));
  const isHeld = isSilent && worst === 'critical';
  return {
    finding,
    title:
      members.length === 1
        ? finding.title
        : titleOf({ kind, document: names.get(of), members, details, lead: finding }, words),
    severity: isHeld ? 'high' : worst,
    members,
    parts,
    details: details.length > 1 ? details : [],
  };
}

function titleOf(
  entry: {
    readonly kind: SubjectKind | undefined;
    readonly document: string | undefined;
    readonly members: readonly EntryMember[];
    readonly details: readonly string[];
    readonly lead: ReportFinding;
  },
  { text, number }: ReportWords,
): string {
  const { kind, document, members, details, lead } = entry;
  const count = number(details.length);
  if (kind === NOT_GIVEN) return text('entry_not_given', { count });
  if (kind === METADATA)
    return text('entry_metadata', { missing: inShort(members, details, { text, number }) });
  if (kind === VERSIONS) return text('entry_versions');
  if (kind === REUSED_IDS) return text('entry_reused_ids');
  if (kind === 'rationales')
    return text('entry_rationales', { ids: shortList(itemsOf(members), { text, number }) });
  if (kind === OPEN_CONTENT) return text('entry_open_content');
  if (kind === 'content' && document !== undefined)
    return text('entry_content', {
      document,
      missing: inShort(members, details, { text, number }),
    });
  if (kind === 'rows' && document !== undefined) return text('entry_rows', { document });
  if (lead.subject === UNDEFINED && members.length > 1) return text('entry_undefined');
  const told = members.filter((member) => !isItem(member) || member.finding === lead);
  // What is said of nothing but the items of the lead is the same in other words.
  const own = new Set(lead.affectedItems);
  const isSame = ({ affectedItems }: ReportFinding) =>
    own.size > 0 && affectedItems.length > 0 && affectedItems.every((id) => own.has(id));
  const others = new Set(
    told.filter(({ finding }) => finding !== lead && !isSame(finding)).map(({ finding }) => finding.title),
  ).size;
  if (others === 0 || kind === 'denied') return lead.title;
  const ids = [...new Set(told.map(({ finding }) => finding.affectedItems[0]))];
  const about = `${ids[0]}: `;
  if (
    ids.length > others &&
    told.every(({ finding }) => finding.title.startsWith(`${finding.affectedItems[0]}: `))
  )
    return `${shortList(ids as string[], { text, number })}: ${lead.title.slice(about.length)}`;
  return `${lead.title} ${text('and_more', { count: number(others) })}`;
}

const itemsOf = (members: readonly EntryMember[]): readonly string[] => [
  ...new Set(members.flatMap(({ finding }) => finding.affectedItems)),
];

/** What a document does not show: what has a name, without what is said of it; sentences and answers of checklists only where nothing else is. */
function inShort(
  members: readonly EntryMember[],
  details: readonly string[],
  { text, number }: Pick<ReportWords, 'text' | 'number'>,
): string {
  const answers = new Set(members.filter(isItem).flatMap((one) => detailsOf(one)));
  const named = details.filter((detail) => !answers.has(detail) && !detail.includes('"'));
  const told = named.length > 0 ? named : details;
  const nameOf = (detail: string) => (answers.has(detail) ? detail : detail.replace(/: .*$/s, ''));
  const names = [...new Set(told.map(nameOf))];
  const shown = names.slice(0, MOST_NAMED);
  // Several details of one name are one that is named.
  const more = details.length - told.filter((detail) => shown.includes(nameOf(detail))).length;
  return more > 0 ? `${shown.join('; ')} ${text('and_more', { count: number(more) })}` : shown.join('; ');
}

/** Ids that a title names; more are counted. */
const MOST_NAMED = 3;

function shortList(ids: readonly string[], { text, number }: Pick<ReportWords, 'text' | 'number'>): string {
  const more = ids.length - MOST_NAMED;
  const shown = ids.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} ${text('and_more', { count: number(more) })}` : shown;
}

/** What a finding holds: each thing that is missing, or what it says. */
function detailsOf({ finding, part }: EntryMember): string[] {
  const { affected = [], title, observed, subject } = finding;
  const isList = subject !== undefined && !subject.startsWith('trace ') && part.type !== 'traceability';
  if (isList && affected.length > 0) return affected.map((one) => one.title ?? one.id);
  return [part.type === 'checklist' ? `${finding.criterionId}: ${observed}` : title];
}

/** The same words in another case are the same. */
function eachOnce(texts: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const text of texts) if (!known.has(text.toLowerCase())) known.set(text.toLowerCase(), text);
  return [...known.values()];
}

/** The title of an item is its question: what an engine says is plainer. */
const isItem = ({ part }: EntryMember): number => Number(part.type === 'checklist');
const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);
