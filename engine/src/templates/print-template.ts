import { stringify } from 'yaml';
import type { DocumentType } from '../document-types/document-type.js';

/** A document type as YAML in the form of the files in `document-types/`, for a person to correct. */
export function printTemplate(type: DocumentType): string {
  const { id, name, aliases, titles, sections, tables, traps } = type;
  return stringify({
    id,
    name,
    aliases,
    ...(titles ? { titles } : {}),
    sections: sections.map(({ key, heading, synonyms, need, conditionId, severity, critical, ...rest }) => ({
      key,
      heading,
      ...(synonyms.length > 0 ? { synonyms } : {}),
      need,
      ...(conditionId === undefined ? {} : { condition: conditionId }),
      severity,
      ...(critical ? { critical } : {}),
      ...(rest.minWords === undefined ? {} : { min_words: rest.minWords }),
      ...(rest.acceptsByReference ? { accepts_by_reference: true } : {}),
    })),
    tables: tables.map(({ key, title, minRows, columns }) => ({
      key,
      title,
      min_rows: minRows,
      columns: columns.map(({ key: column, names, required, mayBeAbsent, sameAs }) => ({
        key: column,
        names,
        ...(mayBeAbsent ? { required: 'where_present' } : required ? {} : { required }),
        ...(sameAs === undefined ? {} : { same_as: sameAs }),
      })),
    })),
    traps,
  });
}
