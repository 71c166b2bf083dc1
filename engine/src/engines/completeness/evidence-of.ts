import type { Evidence } from '../../findings/finding.js';
import type { DocumentCompleteness } from './completeness.js';

/** Every quote of a document's result. */
export function evidenceOf(document: DocumentCompleteness): readonly Evidence[] {
  const { templates, metadata, placeholders, instructions, requirementQuality } = document;
  return [
    ...templates.flatMap(({ sections, tables }) => [
      ...sections.flatMap((section) => section.evidence),
      ...tables.flatMap((table) => [
        ...table.evidence,
        ...table.columns.flatMap((column) => column.evidence),
      ]),
    ]),
    ...metadata.flatMap((field) => field.evidence),
    ...placeholders.flatMap((entry) => entry.evidence),
    ...instructions.evidence,
    ...requirementQuality.observations.map((observation) => observation.evidence),
  ];
}
