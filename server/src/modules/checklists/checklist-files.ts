import {
  type Checklist,
  ChecklistFileError,
  DataError,
  DocumentError,
  detectLanguage,
  readChecklistFile,
} from '@normtrace/engine';
import { stringify } from 'yaml';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { isStorable } from '../../platform/http/storable-text.js';
import { readSource } from '../own-definitions/source-document.js';
import type { MadeChecklist } from './checklists.repository.js';

const LARGEST_YAML = 1024 * 1024;

/** A checklist from YAML. Throws 422 with the line of each problem. */
export async function fromYaml(yaml: string): Promise<MadeChecklist> {
  const read = () =>
    readChecklistFile(new TextEncoder().encode(yaml), 'checklist.yaml', { readDocument: refuseDocument });
  const { checklist } = await refusingProblems('body.yaml', read);
  return made(checklist, yaml);
}

/** A checklist from a table or a YAML file of the workspace. Throws 422 with sheet, row and column of each problem. */
export async function fromWorkProduct(
  context: Pick<WriteContext, 'transaction' | 'dependencies'>,
  input: { readonly workspace_id: string; readonly work_product_id: string; readonly name: string },
): Promise<MadeChecklist & { readonly workProductId: string; readonly workProductVersion: number }> {
  const path = 'body.work_product_id';
  const { work_product_id: workProductId, name } = input;
  const file = await readSource(context, input, {
    file: 'file',
    subject: 'A checklist',
    blocks: 'rows and paragraphs',
  });
  const source = { workProductId, workProductVersion: file.version };
  if (/\.ya?ml$/i.test(file.fileName)) {
    if (file.fileSize > LARGEST_YAML) {
      throw invalid(path, `A YAML file has ${LARGEST_YAML} bytes at most.`, 'too_long');
    }
    const bytes = await file.bytes();
    const { checklist } = await refusingProblems(path, () =>
      readChecklistFile(bytes, file.fileName, { readDocument: refuseDocument }),
    );
    return { ...made({ ...checklist, title: { en: name } }, new TextDecoder().decode(bytes)), ...source };
  }
  const document = await file.document();
  const { checklist } = await refusingProblems(path, () =>
    readChecklistFile(new Uint8Array(), `${name}.table`, { readDocument: async () => document }),
  );
  const titled = { ...checklist, title: { en: name } };
  return { ...made(titled, printShortForm(titled)), ...source };
}

const refuseDocument = async (): Promise<never> => {
  throw new Error('YAML is read without a document.');
};

function made(definition: Checklist, yaml: string): MadeChecklist {
  JSON.stringify([definition, yaml], (_, value: unknown) => {
    if (typeof value !== 'string' || isStorable(value)) return value;
    throw invalid('body', 'Zero bytes and halves of characters are not allowed.');
  });
  return { definition, languages: languagesOf(definition), yaml };
}

/** Texts of own lists stand in `en` whatever they are written in; only where they have both is it said. */
function languagesOf({ items }: Checklist): MadeChecklist['languages'] {
  if (items.every(({ text }) => text.de !== undefined)) return ['en', 'de'];
  const language = detectLanguage(items.map(({ text }) => text.en).join('\n'));
  return language === 'unknown' ? [] : [language];
}

/** A checklist from a table as a file, for a person to correct. */
function printShortForm({ id, title, items }: Checklist): string {
  return stringify(
    {
      checklist: { title: title.en, id },
      items: items.map(({ id: itemId, text, refs, severity, pass, claimed }) => ({
        id: itemId,
        text: text.en,
        reference: refs[0],
        severity,
        guidance: pass?.en,
        result: claimed?.result,
        remark: claimed?.remark,
        evidence: claimed?.evidence,
      })),
    },
    { aliasDuplicateObjects: false, lineWidth: 110 },
  );
}

async function refusingProblems<T>(path: string, read: () => Promise<T>): Promise<T> {
  const refuse = (issues: readonly object[], hint?: string) =>
    new ApiError('VALIDATION_ERROR', 'The checklist is not valid.', {
      issues: issues.map((issue) => ({ path, code: 'checklist', ...issue })),
      ...(hint === undefined ? {} : { hint }),
    });
  try {
    return await read();
  } catch (error) {
    if (error instanceof ChecklistFileError) {
      throw refuse(
        error.problems.map(({ path: inside, message, ...place }) => ({
          ...(inside === undefined ? {} : { path: `${path}.${inside}` }),
          ...place,
          message: `${printPlace(place)}${message}`,
        })),
        error.hint,
      );
    }
    if (error instanceof DataError) {
      throw refuse(
        error.problems.map(({ line, path: inside, problem, remedy }) => ({
          path: [path, ...inside].join('.'),
          line,
          message: `Line ${line}: ${problem}. ${remedy}`,
        })),
      );
    }
    if (error instanceof DocumentError) throw refuse([{ message: error.message }], error.hint);
    throw error;
  }
}

function printPlace(place: {
  readonly sheet?: string;
  readonly line?: number;
  readonly row?: number;
  readonly column?: string;
}): string {
  const { sheet, line, row, column } = place;
  const parts = [
    sheet === undefined ? '' : `sheet "${sheet}"`,
    line === undefined ? '' : `line ${line}`,
    row === undefined ? '' : `row ${row}`,
    column === undefined ? '' : `column "${column}"`,
  ].filter(Boolean);
  const text = parts.join(', ');
  return text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}: `;
}
