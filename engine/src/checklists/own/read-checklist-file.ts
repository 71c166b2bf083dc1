import { wellFormed } from '../../documents/clean-text.js';
import type { Document } from '../../documents/document.js';
import type { Checklist, ChecklistItem } from '../../engines/checklist/checklist.js';
import { breathe } from '../../scheduling/breathe.js';
import { parseChecklist } from '../load-checklists.js';
import { ChecklistFileError } from './checklist-file-error.js';
import { type ChecksForText, loadChecksForText, subjectOf } from './checks-for-text.js';
import { itemsFromTable } from './items-from-table.js';
import { isLongForm, itemsFromYaml } from './items-from-yaml.js';
import { type ImportedAnswer, OWN_ITEM_PREFIX, type OwnItem } from './own-item.js';

/** A checklist that somebody brought along, and what people had answered in it. */
export interface OwnChecklist {
  readonly checklist: Checklist;
  readonly answers: readonly ImportedAnswer[];
}

export interface ReadChecklistOptions {
  /** Reads CSV, XLSX and ODS into blocks; `readDocumentSafely` where the file is not trusted. */
  readonly readDocument: (bytes: Uint8Array, fileName: string) => Promise<Document>;
}

const MOST_BYTES = 4 * 1024 * 1024;
/** Nobody answers more; each one is looked for in every document. */
const MOST_ITEMS = 2_000;
const LONGEST_ID = 100;
/** A service reads checklists beside its other requests. */
const ITEMS_PER_BREATH = 50;
const LONGEST_TEXT = 4_000;
const TABLES = ['csv', 'xlsx', 'ods'];

/**
 * A checklist of one's own: YAML in the short form or in that of the files in `data/checklists`, or a table (CSV, XLSX, ODS)
 * whose columns are told by their titles in English or German. Every item gets the checks that its words ask for. What was
 * answered already is kept as a claim. Throws `ChecklistFileError` naming sheet, row and column or line, `DataError` for the
 * long form, and `DocumentError` for a file that cannot be read at all.
 */
export async function readChecklistFile(
  bytes: Uint8Array,
  fileName: string,
  { readDocument }: ReadChecklistOptions,
): Promise<OwnChecklist> {
  const baseName = fileName.replace(/\.[^.]*$/, '');
  if (/\.ya?ml$/i.test(fileName)) {
    const text = textOf(bytes);
    if (isLongForm(text)) return longForm(text, fileName);
    const { title, id, items, answers } = itemsFromYaml(text);
    return ownChecklist({ title, id: id ?? title, items, answers });
  }
  const document = await readDocument(bytes, fileName);
  if (!TABLES.includes(document.format)) {
    throw new ChecklistFileError(
      [{ message: 'The file is no table.' }],
      'Give the checklist as YAML, CSV, XLSX or ODS.',
    );
  }
  return ownChecklist({
    title: document.properties.title ?? baseName,
    id: baseName,
    ...itemsFromTable(document),
  });
}

async function longForm(text: string, fileName: string): Promise<OwnChecklist> {
  const checklist = await parseChecklist(text, fileName);
  if (!checklist.id.startsWith(OWN_ITEM_PREFIX)) {
    throw new ChecklistFileError(
      [{ message: `The id "${checklist.id}" may be that of a list that comes with the engine.`, path: 'id' }],
      `Let the ids of the list and of its items begin with ${OWN_ITEM_PREFIX}.`,
    );
  }
  return { checklist, answers: [] };
}

/** A checklist from items in plain words: every one gets the checks that its words ask for. Throws `ChecklistFileError`. */
export async function ownChecklist({
  id,
  title,
  items,
  answers = [],
}: {
  /** Made to one with the prefix `USR-`. */
  readonly id: string;
  readonly title: string;
  readonly items: readonly OwnItem[];
  readonly answers?: readonly ImportedAnswer[];
}): Promise<OwnChecklist> {
  refuseUnusable(items);
  const checksFor = await loadChecksForText();
  const byItem = new Map(answers.map((answer) => [answer.itemId, answer]));
  const read: ChecklistItem[] = [];
  for (const item of items) {
    if (read.length % ITEMS_PER_BREATH === 0) await breathe();
    read.push(toItem(item, byItem.get(item.id), checksFor));
  }
  return {
    checklist: {
      id: listId(id),
      title: { en: title },
      domain: 'own',
      about: { documentTypes: [], names: [] },
      source: 'own',
      items: read,
    },
    answers,
  };
}

function toItem(
  { id, text, reference, severity = 'medium', guidance }: OwnItem,
  answer: ImportedAnswer | undefined,
  checksFor: ChecksForText,
): ChecklistItem {
  const concerns = subjectOf(text);
  return {
    id,
    text: { en: text },
    refs: reference ? [reference] : [],
    appliesWhen: [],
    notApplicable: {
      when: [],
      unless: [],
      draft: false,
      stated: [],
      ...(concerns.length > 0 ? { concerns } : {}),
    },
    ...(guidance ? { pass: { en: guidance } } : {}),
    severity,
    missingSeverity: severity,
    documentTypes: [],
    ...checksFor(text, guidance),
    question: { en: text },
    status: 'active',
    revision: 1,
    ...(answer
      ? {
          claimed: {
            result: answer.result,
            ...(answer.remark ? { remark: answer.remark } : {}),
            ...(answer.evidence ? { evidence: answer.evidence } : {}),
          },
        }
      : {}),
  };
}

/** Capitals, digits and hyphens, as in the ids of the lists that come with the engine. */
function listId(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, LONGEST_ID - OWN_ITEM_PREFIX.length);
  return plain.startsWith(OWN_ITEM_PREFIX)
    ? plain
    : `${OWN_ITEM_PREFIX}${plain === '' ? 'CHECKLIST' : plain}`;
}

function refuseUnusable(items: readonly OwnItem[]): void {
  const problems = [
    ...(items.length > MOST_ITEMS
      ? [{ message: `The file has ${items.length} items, at most ${MOST_ITEMS} can be checked.` }]
      : []),
    ...items.flatMap(({ id, text }) => [
      ...(id.length > LONGEST_ID
        ? [{ message: `The id that begins "${id.slice(0, 40)}" has more than ${LONGEST_ID} characters.` }]
        : []),
      ...(text.length > LONGEST_TEXT
        ? [{ message: `The text of "${id.slice(0, 40)}" has more than ${LONGEST_TEXT} characters.` }]
        : []),
    ]),
  ];
  if (problems.length > 0) {
    throw new ChecklistFileError(problems, 'Shorten ids and texts, or split the checklist.');
  }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.byteLength > MOST_BYTES) {
    throw new ChecklistFileError(
      [{ message: `The file has more than ${MOST_BYTES / 1024 / 1024} MiB.` }],
      'Split the checklist.',
    );
  }
  try {
    return wellFormed(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ChecklistFileError([{ message: 'The file is not valid UTF-8 text.' }], 'Save it as UTF-8.');
  }
}
