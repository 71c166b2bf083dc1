import { parse } from 'node:path/posix';
import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { AffectedItem, Finding } from '../../findings/finding.js';
import { observedOf } from '../../findings/said.js';
import { isAtLeast } from '../../findings/severities.js';
import { english } from '../../sentences/render.js';
import { say } from '../../sentences/sentence.js';
import { missingMetadata, missingSectionsFinding } from './causes.js';
import type { CheckedDocument } from './completeness.js';
import { completenessRules } from './rules.js';

type Known = CheckedDocument & { readonly corpusDocument: CorpusDocument };

/**
 * What a document and the same one in another format both have is told once, as a finding of the first one with the names of
 * all; what only one of them has stays its own (decision 265). In the order of the documents.
 */
export function toldOnce(checked: readonly CheckedDocument[], corpus: Corpus): readonly CheckedDocument[] {
  const groups: Known[][] = [];
  const documents = new Map(corpus.documents.map((document) => [document.id, document]));
  for (const one of checked) {
    const known = { ...one, corpusDocument: documents.get(one.document.id)! };
    const group = groups.find(([first]) => first !== undefined && isSameDocument(first, known));
    if (group) group.push(known);
    else groups.push([known]);
  }
  const told = new Map(groups.flatMap((group) => withTold(group, corpus)));
  return checked.map(({ document }) => told.get(document.id)!);
}

/** The same types, title or name and nearly the same words, in another format and not in another version. */
function isSameDocument(a: Known, b: Known): boolean {
  const formatOf = ({ corpusDocument }: Known) => corpusDocument.read.document.format;
  const typesOf = ({ document }: Known) =>
    document.templates
      .map(({ type }) => type)
      .sort()
      .join(' ');
  const fieldOf = ({ document }: Known, key: string) =>
    document.metadata.find((field) => field.key === key && field.state === 'present')?.value;
  const isSame = (key: string) => fieldOf(a, key) !== undefined && fieldOf(a, key) === fieldOf(b, key);
  const isOther = (key: string) => ![fieldOf(a, key), fieldOf(b, key)].includes(undefined) && !isSame(key);
  return (
    formatOf(a) !== formatOf(b) &&
    typesOf(a) !== '' &&
    typesOf(a) === typesOf(b) &&
    (parse(a.document.name).name === parse(b.document.name).name || isSame('title')) &&
    !isOther('version') &&
    sharedWords(a.corpusDocument, b.corpusDocument) >= completenessRules().sameText
  );
}

/** Words that both have, as a share of those of both; 0 to 1. */
function sharedWords(a: CorpusDocument, b: CorpusDocument): number {
  const [own, other] = [wordsOf(a), wordsOf(b)];
  const left = new Map<string, number>();
  for (const word of own) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const times = left.get(word) ?? 0;
    if (times === 0) continue;
    left.set(word, times - 1);
    shared++;
  }
  return (2 * shared) / Math.max(1, own.length + other.length);
}

const wordsOf = ({ read }: CorpusDocument): readonly string[] =>
  read.document.text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\d]+/gu) ?? [];

function withTold(group: readonly Known[], corpus: Corpus): [string, CheckedDocument][] {
  const [first, ...others] = group as [Known, ...Known[]];
  const instead = new Map<Finding, Finding>();
  const findings = first.findings.map((finding) => {
    const same = others.flatMap((other) => {
      const found = other.findings.find(
        (one) => !instead.has(one) && isSameFinding(finding, first, one, other),
      );
      return found ? [{ ...other, finding: found }] : [];
    });
    if (same.length === 0) return finding;
    const told = inFormats([{ ...first, finding }, ...same], corpus);
    for (const one of same) instead.set(one.finding, told);
    return told;
  });
  return [
    [first.document.id, { document: first.document, findings }],
    ...others.map(({ document, findings: own }): [string, CheckedDocument] => [
      document.id,
      {
        document: { ...document, findings: own.map((one) => (instead.get(one) ?? one).fingerprint) },
        findings: own.filter((one) => !instead.has(one)),
      },
    ]),
  ];
}

/** What lists its parts is the same with other parts, what is absent after another search; anything else says the same of its document. */
function isSameFinding(a: Finding, ofA: Known, b: Finding, ofB: Known): boolean {
  if (a.kind !== b.kind || a.criterionId !== b.criterionId) return false;
  if (a.affected && b.affected) return true;
  const isAbsence = a.search !== undefined && b.search !== undefined;
  const saidOf = ({ severity, title, observed }: Finding, { document }: Known) =>
    [severity, title, isAbsence ? '' : observed.replaceAll(document.name, '')].join('\n');
  return saidOf(a, ofA) === saidOf(b, ofB);
}

type Same = Known & { readonly finding: Finding };

function inFormats(same: readonly Same[], corpus: Corpus): Finding {
  const [first, ...others] = same as [Same, ...Same[]];
  const { finding } = first;
  const evidence = [...finding.evidence, ...others.flatMap((one) => one.finding.evidence.slice(0, 1))];
  if (finding.affected) {
    const affected = new Map<string, AffectedItem>();
    for (const one of same.flatMap((each) => each.finding.affected ?? [])) {
      const known = affected.get(one.id);
      if (!known) affected.set(one.id, one);
      else if (!isAtLeast(known.severity, one.severity)) {
        affected.set(one.id, { ...known, severity: one.severity });
      }
    }
    const isSure = same.every((one) => one.finding.confidence === 'high');
    const cause = {
      documents: same.map((one) => one.corpusDocument),
      templates: first.document.templates.flatMap(({ type }) => corpus.documentTypes.get(type) ?? []),
      affected: [...affected.values()],
      onlyIn: new Map(
        [...affected.keys()].flatMap((id): [string, string[]][] => {
          const having = same.filter((one) => one.finding.affectedItems.includes(id));
          return having.length === same.length ? [] : [[id, having.map((one) => one.document.name)]];
        }),
      ),
      confidence: isSure ? ('high' as const) : ('medium' as const),
      evidence,
    };
    return finding.kind === 'section_missing' ? missingSectionsFinding(cause) : missingMetadata(cause);
  }
  const observed = say('completeness.same-in-formats', {
    text: observedOf(finding),
    names: others.map((one) => say('general.quoted', { text: one.document.name })),
  });
  const said = finding.said && { ...finding.said, observed };
  return { ...finding, evidence, observed: english(observed), ...(said ? { said } : {}) };
}
