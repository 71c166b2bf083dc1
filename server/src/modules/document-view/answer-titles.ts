import {
  criterionIn,
  loadChecklists,
  loadDocumentMetadata,
  loadDocumentTypes,
  loadStandard,
  UnknownStandardError,
} from '@normtrace/engine';
import type { Language } from '../../platform/http/language.js';
import type { AnswerMarkRow } from './document-view.repository.js';

/** What people call what a run answered; null where only its key is known: templates and checklists of a workspace, own standards. */
export type TitleOf = (row: AnswerMarkRow) => string | null;

/** Titles of fields and sections of the built-in templates, items of the checklists and criteria of the standards that are built in. */
export async function answerTitles(rows: readonly AnswerMarkRow[], language: Language): Promise<TitleOf> {
  const [fields, types, checklists] = await Promise.all([
    loadDocumentMetadata(),
    loadDocumentTypes(),
    loadChecklists(),
  ]);
  const catalogs = [...new Set(rows.flatMap(({ catalog_id }) => catalog_id ?? []))];
  const standards = await Promise.all(
    catalogs.map((id) =>
      loadStandard(id).catch((cause: unknown) => {
        // An outline only: its criteria are those of an uploaded copy, whose words are not for everybody.
        if (cause instanceof UnknownStandardError) return { criteria: [] };
        throw cause;
      }),
    ),
  );
  const titles = new Map<string, string>();
  for (const { key, label } of fields.values()) titles.set(`document.metadata.${key}`, label[language]);
  for (const { id, sections, tables } of types.values()) {
    for (const { key, title } of tables) titles.set(`${id}.${key}`, title);
    for (const { key, heading } of sections) titles.set(`${id}.${key}`, heading[language]);
  }
  for (const { items } of checklists.values()) {
    for (const { id, text } of items) titles.set(id, text[language] ?? text.en);
  }
  for (const { criteria } of standards) {
    for (const criterion of criteria) titles.set(criterion.id, criterionIn(criterion, language).title);
  }
  // A column has the title of its table.
  return ({ criterion_id: id }) => titles.get(id) ?? titles.get(id.replace(/\.[^.]+$/, '')) ?? null;
}
