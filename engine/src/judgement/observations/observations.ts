import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { opensInstruction } from '../../corpus/passages/guidance.js';
import type { Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { ownerOf } from '../../findings/recommendations.js';
import { gradeConsistency, gradePlaceholder } from '../../findings/severity.js';
import { OPEN_CONTENT } from '../../findings/subject.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { embeddedInstruction } from '../../text/embedded-instruction.js';
import { placeholderFindings } from './placeholder-findings.js';
import { type ObservationContext, workProductOf } from './work-product-of.js';

/** Findings on the documents themselves: open content, content of another item, orders to the evaluator. */
export function observationFindings(context: ObservationContext): readonly Finding[] {
  return [
    ...placeholderFindings(context),
    ...templateTextFindings(context),
    ...otherItemFindings(context),
    ...instructionFindings(context),
  ];
}

/** Instructions of the template that are still there in a document that was filled in (T8); one gap a document. */
function templateTextFindings(context: ObservationContext): Finding[] {
  const { corpus, standard, verdicts } = context;
  return usableDocuments(corpus).flatMap((document): Finding[] => {
    const criterion = workProductOf(document, context);
    if (!criterion || verdicts.get(criterion.id)?.verdict === 'missing') return [];
    const { passages, document: text } = document.read;
    // One instruction may run over several paragraphs.
    const starts = passages.filter(
      (passage, at) =>
        passage.role === 'guidance' &&
        passages[at - 1]?.role !== 'guidance' &&
        opensInstruction(passage.text),
    );
    if (starts.length === 0) return [];
    const { severity, reasons } = gradePlaceholder({
      place: 'other',
      status: document.status,
      asil: context.asil,
      adjustments: [],
    });
    const evidence = starts.slice(0, 3).flatMap((passage) => {
      const cells = text.blocks[passage.blockIndex]!.cells;
      const place = cells?.find((cell) => cell.text.trim() !== '') ?? passage;
      return [
        quote(text, passage, place, { role: 'counter', note: say('findings.instruction-of-the-template') }),
      ];
    });
    return [
      {
        fingerprint: fingerprint('template_text', criterion.id, document.name),
        kind: 'template_text',
        criterionId: criterion.id,
        standardRef: `${standard.designation}, ${criterion.clause}`,
        severity,
        confidence: 'high',
        effortHint: 'minutes',
        affectedItems: [],
        subject: OPEN_CONTENT,
        defects: starts.map((passage) => `template text: ${passage.text}`),
        evidence,
        ...worded({
          title: say('findings.template-text-left-in-the-document', { count: starts.length }),
          severityReasons: reasons,
          expected: say('findings.a-document-holds-statements-about-the'),
          observed: say('findings.of-the-template-still-in-they', {
            count: starts.length,
            name: document.name,
          }),
          whyItMatters: say('findings.a-reader-cannot-tell-what-was'),
          recommendation: say('findings.remove-the-instructions-of-the-template', {
            name: document.name,
            owner: ownerOf(criterion.documentTypes ?? []),
          }),
        }),
      },
    ];
  });
}

/** T4: sections that speak of another item; one low gap for each. */
function otherItemFindings(context: ObservationContext): Finding[] {
  const { corpus, standard } = context;
  const groups = new Map<string, string[]>();
  for (const [passageId, name] of corpus.otherItem) {
    const key = `${passageId.slice(0, passageId.lastIndexOf('#'))}\n${name}`;
    groups.set(key, [...(groups.get(key) ?? []), passageId]);
  }
  return [...groups].flatMap(([key, passageIds]) => {
    const [documentId, name] = key.split('\n') as [string, string];
    const document = usableDocuments(corpus).find((one) => one.id === documentId);
    const criterion = document ? workProductOf(document, context) : undefined;
    if (!document || !criterion) return [];
    const { severity, reasons } = gradeConsistency('note', context.asil);
    const passages = document.read.passages
      .filter((passage) => passageIds.includes(passage.id) && passage.role === 'other_item')
      .slice(0, 3);
    const evidence = passages.flatMap((passage) => {
      const cells = document.read.document.blocks[passage.blockIndex]!.cells;
      const place = cells?.find((cell) => cell.text.trim() !== '') ?? passage;
      return place.end === place.start
        ? []
        : [
            quote(document.read.document, passage, place, {
              role: 'counter',
              note: say('findings.about-another-item'),
            }),
          ];
    });
    return [
      {
        fingerprint: fingerprint('other_item', criterion.id, `${document.name}\n${name}`),
        kind: 'other_item',
        criterionId: criterion.id,
        standardRef: `${standard.designation}, ${criterion.clause}`,
        severity,
        confidence: 'medium' as const,
        effortHint: 'minutes' as const,
        affectedItems: [name],
        evidence,
        ...worded({
          title: say('findings.content-of-another-item-found'),
          severityReasons: reasons,
          expected: say('findings.a-document-speaks-of-the-item'),
          observed: say('findings.holds-content-about-it-was-not', { name: document.name, name2: name }),
          whyItMatters: say('findings.copied-requirements-of-another-item-look'),
          recommendation: say('findings.remove-or-separate-the-content-about', {
            name,
            name2: document.name,
            owner: ownerOf(criterion.documentTypes ?? []),
          }),
        }),
      },
    ];
  });
}

/** T16: text that orders a verdict. Treated as content; reported so that a person sees it. */
function instructionFindings(context: ObservationContext): Finding[] {
  const { corpus, standard } = context;
  return usableDocuments(corpus).flatMap((document) => {
    const evidence = document.read.passages.flatMap((passage) => {
      const { document: text } = document.read;
      return (text.blocks[passage.blockIndex]!.cells ?? [passage]).flatMap((segment) => {
        const place = embeddedInstruction(text.text.slice(segment.start, segment.end));
        if (!place) return [];
        const found = { start: segment.start + place.start, end: segment.start + place.end };
        return [
          quote(text, passage, found, {
            role: 'context',
            note: say('findings.orders-to-whoever-evaluates-the-document'),
          }),
        ];
      });
    });
    const criterion =
      workProductOf(document, context) ?? standard.criteria.find((one) => one.kind !== 'group');
    if (evidence.length === 0 || !criterion) return [];
    const { severity, reasons } = gradeConsistency('note', context.asil);
    return [
      {
        fingerprint: fingerprint('embedded_instruction', criterion.id, document.name),
        kind: 'embedded_instruction',
        criterionId: criterion.id,
        standardRef: `${standard.designation}, ${criterion.clause}`,
        severity,
        confidence: 'medium' as const,
        effortHint: 'minutes' as const,
        affectedItems: [],
        defects: evidence.map((one) => `orders: ${one.quote}`),
        evidence: evidence.slice(0, 3),
        ...worded({
          title: say('findings.text-gives-orders-to-whoever-evaluates'),
          severityReasons: reasons,
          expected: say('findings.a-document-states-facts-about-the'),
          observed: say('findings.in-they-were-treated-as-content', {
            evidence: evidence.length,
            name: document.name,
          }),
          whyItMatters: say('findings.such-text-is-meant-to-change'),
          recommendation: say('findings.remove-the-text-from-and-ask', {
            name: document.name,
            owner: ownerOf(criterion.documentTypes ?? []),
          }),
        }),
      },
    ];
  });
}
