import { SEVERITIES, type Severity } from '../findings/finding.js';
import {
  METADATA,
  NOT_GIVEN,
  OPEN_CONTENT,
  readSubject,
  type SubjectKind,
  traceOf,
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
}

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
  const groups = new Map<string, EntryMember[]>();
  const forPersons: EntryMember[] = [];
  for (const part of parts) {
    for (const finding of part.findings) {
      if (finding.change === 'absent') continue;
      const key = isHandled(finding) ? `${part.id} ${finding.fingerprint}` : keyOf(finding, part);
      const member = { finding, part };
      if (carriesNothing(finding)) forPersons.push(member);
      else groups.set(key, [...(groups.get(key) ?? []), member]);
    }
  }
  const entries = [...groups.values()]
    .flatMap(aboutSameItems)
    .map((members) => entryOf(members, names, words));
  return { entries: entries.sort((a, b) => rank(a.severity) - rank(b.severity)), forPersons };
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
  const isHeld = kind !== undefined && OF_SILENCE.has(kind) && worst === 'critical';
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
  if (kind === METADATA) return text('entry_metadata');
  if (kind === OPEN_CONTENT) return text('entry_open_content');
  if (kind === 'content' && document !== undefined) return text('entry_content', { document, count });
  if (kind === 'rows' && document !== undefined) return text('entry_rows', { document });
  const others = new Set(members.map(({ finding }) => finding.title)).size - 1;
  return others > 0 ? `${lead.title} ${text('and_more', { count: number(others) })}` : lead.title;
}

/** What a finding holds: each thing that is missing, or what it says. */
function detailsOf({ finding, part }: EntryMember): string[] {
  const { affected = [], title, observed, subject } = finding;
  const isList = subject !== undefined && !subject.startsWith('trace ');
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
