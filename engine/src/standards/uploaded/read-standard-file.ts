import { wellFormed } from '../../documents/clean-text.js';
import type { Document } from '../../documents/document.js';
import type { Criterion, Standard } from '../criterion.js';
import { criteriaFromDocument } from './criteria-from-document.js';
import { criteriaFromOscal, isOscal } from './criteria-from-oscal.js';
import { criteriaFromTable } from './criteria-from-table.js';
import { criteriaFromYaml } from './criteria-from-yaml.js';
import { StandardFileError } from './standard-file-error.js';
import type { StandardIdentity } from './standard-identity.js';

export interface ReadStandardOptions {
  /** Id of the result; ids of its criteria come from the file. */
  readonly id: string;
  readonly identity?: Partial<StandardIdentity>;
  /** Reads PDF, DOCX, XLSX, Markdown … into blocks; `readDocumentSafely` where the file is not trusted. */
  readonly readDocument: (bytes: Uint8Array, fileName: string) => Promise<Document>;
}

/** Structured text is parsed in this process, so it is kept small; the largest OSCAL catalog has 11 MB. */
const MOST_STRUCTURED_BYTES = 32 * 1024 * 1024;
/** Real ids have some thirty characters; that of a group is its title. */
const LONGEST_ID = 300;
/** Ten times the largest catalogs; each criterion is compared with every passage. */
const MOST_CRITERIA = 20_000;

/**
 * Takes the criteria out of a standard that a person uploads: OSCAL JSON (NIST catalogs and profiles resolved to
 * a catalog), YAML in our own form, a table (XLSX, CSV) with ids and texts, or a document (PDF, DOCX, Markdown,
 * HTML, text) whose demands are found by their obligation words. The list comes from the file alone.
 * Throws `StandardFileError` when nothing can be taken from it, `DocumentError` when it cannot be read at all.
 */
export async function readStandardFile(
  bytes: Uint8Array,
  fileName: string,
  options: ReadStandardOptions,
): Promise<Standard> {
  const { identity, criteria } = await read(bytes, fileName, options);
  if (criteria.length > MOST_CRITERIA) {
    throw new StandardFileError(
      [{ message: `The file has ${criteria.length} criteria, at most ${MOST_CRITERIA} can be judged.` }],
      'Split the standard into its parts and upload each one.',
    );
  }
  refuseUnusableIds(criteria);
  const baseName = fileName.replace(/\.[^.]*$/, '');
  return {
    id: options.id,
    designation: options.identity?.designation ?? identity.designation ?? baseName,
    title: options.identity?.title ?? identity.title ?? options.identity?.designation ?? baseName,
    edition: options.identity?.edition ?? identity.edition ?? '',
    source: 'uploaded',
    criteria,
  };
}

interface ReadResult {
  readonly identity: Partial<StandardIdentity>;
  readonly criteria: readonly Criterion[];
}

async function read(bytes: Uint8Array, fileName: string, options: ReadStandardOptions): Promise<ReadResult> {
  if (/\.ya?ml$/i.test(fileName)) return criteriaFromYaml(structuredText(bytes));
  if (/\.json$/i.test(fileName) || startsWithBrace(bytes)) {
    const value = parseJson(structuredText(bytes));
    if (isOscal(value)) return criteriaFromOscal(value);
    throw new StandardFileError(
      [{ message: 'The JSON file has no OSCAL catalog in it.' }],
      'Upload an OSCAL catalog (JSON), or a YAML, XLSX, CSV, PDF, DOCX or Markdown file.',
    );
  }
  const document = await options.readDocument(bytes, fileName);
  const identity = document.properties.title ? { title: document.properties.title } : {};
  const isTable = document.format === 'xlsx' || document.format === 'csv';
  return { identity, criteria: isTable ? criteriaFromTable(document) : criteriaFromDocument(document) };
}

function structuredText(bytes: Uint8Array): string {
  if (bytes.byteLength > MOST_STRUCTURED_BYTES) {
    throw new StandardFileError(
      [{ message: `The file has more than ${MOST_STRUCTURED_BYTES / 1024 / 1024} MiB.` }],
      'Split the standard into its parts and upload each one.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StandardFileError([{ message: 'The file is not valid UTF-8 text.' }], 'Save it as UTF-8.');
  }
}

function startsWithBrace(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 64));
  return /^\uFEFF?\s*\{/.test(start);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''), (_key, value: unknown) =>
      typeof value === 'string' ? wellFormed(value) : value,
    );
  } catch {
    throw new StandardFileError([{ message: 'The file is not valid JSON.' }], 'Export it again.');
  }
}

/** Ids are keys: short enough for an index, and each one once. */
function refuseUnusableIds(criteria: readonly Criterion[]): void {
  const seen = new Set<string>();
  const problems = criteria.flatMap(({ id }) => {
    if (id.length > LONGEST_ID) {
      return [{ message: `The id that begins "${id.slice(0, 40)}" has more than ${LONGEST_ID} characters.` }];
    }
    return seen.size === seen.add(id).size ? [{ message: `The id "${id}" occurs more than once.` }] : [];
  });
  if (problems.length === 0) return;
  throw new StandardFileError(problems, 'Give every criterion a short id of its own.');
}
