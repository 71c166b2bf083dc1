import type * as engine from '@normtrace/engine';
import type { Evidence } from '../gaps/gaps.schemas.js';
import { toEvidence } from '../gaps/gaps.service.js';
import type { FoundEvidence } from '../gaps/store-evidence.js';
import { toStoredSearch } from '../gaps/store-gaps.js';
import type { DocumentCompleteness, OpenQuestion } from './completeness.schemas.js';

/** The result of one document as the API answers it. `templateIds`: UUIDs of own templates by type. */
export function toDocument(
  document: engine.DocumentCompleteness,
  templateIds: ReadonlyMap<string, string>,
): DocumentCompleteness {
  const version = Number(document.version);
  const shown = (evidence: readonly engine.Evidence[]): Evidence[] =>
    evidence.map((one) => ({
      ...toEvidence({ ...one, work_product_id: one.documentId, version, note: one.note ?? null }),
      ...(one.said === undefined ? {} : { said: one.said }),
    }));
  const quality = document.requirementQuality;
  return {
    work_product_id: document.id,
    name: document.name,
    version,
    sha256: document.sha256,
    language: document.language,
    status: document.status,
    set_aside: document.setAside ?? null,
    templates: document.templates.map((check) => ({
      type: check.type,
      template_id: templateIds.get(check.type) ?? check.type,
      name: check.name,
      said: check.said,
      part: check.part,
      confidence: check.confidence,
      reasons: [...check.reasons],
      empty_template: check.emptyTemplate,
      sections: check.sections.map((section) => toSection(section, shown)),
      tables: check.tables.map((table) => ({
        ...table,
        columns: table.columns.map(({ emptyCells, emptyRows: _, ...column }) => ({
          ...column,
          empty_cells: emptyCells,
          evidence: shown(column.evidence),
        })),
        evidence: shown(table.evidence),
      })),
      score: toScore(check.score),
    })),
    metadata: document.metadata.map((field) => ({
      ...field,
      value: field.value ?? null,
      problems: [...field.problems],
      evidence: shown(field.evidence),
    })),
    placeholders: document.placeholders.map(({ defects: _, ...one }) => ({
      ...one,
      items: [...one.items],
      evidence: shown(one.evidence),
    })),
    instructions: {
      count: document.instructions.count,
      evidence: shown(document.instructions.evidence),
    },
    requirement_quality: {
      ...quality,
      rules: quality.rules.map((rule) => ({ ...rule, examples: [...rule.examples] })),
      ears: { ...quality.ears },
      scores: [...quality.scores],
      observations: quality.observations.map(({ evidence, note, others, ...observation }) => ({
        ...observation,
        note: note ?? null,
        others: [...others],
        evidence: shown([evidence])[0]!,
      })),
    },
    score: toScore(document.score),
    gap_fingerprints: [...document.findings],
    notes: [...document.notes],
  };
}

function toSection(
  { needsPerson, heading, reference, condition, search, ...section }: engine.SectionResult,
  shown: (evidence: readonly engine.Evidence[]) => Evidence[],
): DocumentCompleteness['templates'][number]['sections'][number] {
  const searched = toStoredSearch(search);
  return {
    ...section,
    condition: condition ?? null,
    needs_person: needsPerson,
    heading: heading ?? null,
    reference: reference
      ? { name: reference.name, target: reference.target, work_product_id: reference.documentId ?? null }
      : null,
    evidence: shown(section.evidence),
    search: searched && { ...searched },
  };
}

const toScore = ({ value, states, unknown }: engine.CompletenessScore) => ({
  value,
  states: { ...states },
  unknown,
});

export const toQuestion = ({ sections, ...question }: engine.OpenQuestion): OpenQuestion => ({
  ...question,
  sections: sections.map(({ documentId, section }) => ({ work_product_id: documentId, section })),
});

/** What stands for the state of each section, table, column and field; criteria are named as those of the findings. */
export function evidenceOf({
  templates,
  metadata,
  placeholders,
}: engine.DocumentCompleteness): readonly FoundEvidence[] {
  return [
    ...templates.flatMap(({ type, sections, tables }) => [
      ...sections.map(({ key, state, evidence }) => ({
        criterionId: `${type}.${key}`,
        answer: state,
        evidence,
      })),
      ...tables.flatMap(({ key, state, evidence, columns }) => [
        { criterionId: `${type}.${key}`, answer: state, evidence },
        ...columns.map((column) => ({
          criterionId: `${type}.${key}.${column.key}`,
          answer: column.state,
          evidence: column.evidence,
        })),
      ]),
    ]),
    ...metadata.map(({ key, state, evidence }) => ({
      criterionId: `document.metadata.${key}`,
      answer: state,
      evidence,
    })),
    ...placeholders.map(({ evidence }) => ({
      criterionId: 'document.placeholders',
      answer: 'placeholder',
      evidence,
    })),
  ];
}
