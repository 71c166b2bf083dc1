import { createHash } from 'node:crypto';
import { timestamp } from '../../platform/http/schemas.js';

// What templates and checklists share: a workspace has its own beside the built-in ones.

/** What every row of a list of them has. */
export interface DefinitionRow {
  /** Of built-in ones: made from their word, for the order of lists. */
  readonly id: string;
  /** Null: built in. */
  readonly workspace_id: string | null;
  readonly work_product_id: string | null;
  readonly work_product_version: number | null;
  readonly revision: number;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string | Date;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What comes with the engine has words for ids, and no UUID is one. */
export const isUuid = (id: string): boolean => UUID.test(id);

/** For the order of lists only; never answered. */
function idOfBuiltIn(word: string): string {
  const digits = createHash('sha256').update(word).digest('hex').slice(0, 32);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The row of a built-in one: in a list it comes after all of workspaces, in its place among the built-in ones. */
export function builtInRow(word: string, place: number): DefinitionRow {
  const at = new Date(-place).toISOString();
  return {
    id: idOfBuiltIn(word),
    workspace_id: null,
    work_product_id: null,
    work_product_version: null,
    revision: 1,
    created_by: null,
    created_at: at,
    updated_at: at,
  };
}

/** What the API says about whose it is, where it came from and which revision. `word`: its id where it is built in. */
export function toProvenance(row: DefinitionRow, word: string) {
  const own = row.workspace_id !== null;
  const { work_product_id, work_product_version: version } = row;
  return {
    about: {
      id: own ? row.id : word,
      workspace_id: row.workspace_id,
      built_in: !own,
      revision: row.revision,
      created_by: row.created_by,
      created_at: own ? timestamp(row.created_at) : null,
      updated_at: own ? timestamp(row.updated_at) : null,
    },
    source: work_product_id !== null && version !== null ? { work_product_id, version } : null,
  };
}

/** SHA-256 of a definition, hexadecimal, for the audit log. */
export const definitionHash = (definition: unknown): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('hex');
