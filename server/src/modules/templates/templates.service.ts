import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  DataError,
  type DocumentType,
  learnTemplate,
  listDocumentTypeIds,
  loadDocumentTypes,
  parseDocumentType,
  printTemplate,
  TemplateError,
} from '@normtrace/engine';
import type { z } from 'zod';
import { type AuditEvent, recordAudit } from '../../platform/audit/audit.js';
import { UniqueViolation } from '../../platform/database/errors.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { isStorable } from '../../platform/http/storable-text.js';
import { idOfBuiltIn, isUuid } from '../checklists/built-in-ids.js';
import { unpackDocument } from '../engine/parsed-document.js';
import * as repository from './templates.repository.js';
import type { NewTemplate, Template, TemplateDetail } from './templates.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies'>;

/** A form is short; reading a long document would hold up other requests. */
const MOST_BLOCKS = 5_000;

export const toTemplate =
  (builtIn: ReadonlySet<string>) =>
  (row: repository.TemplateRow): Template => {
    const { definition, workspace_id, type } = row;
    const own = workspace_id !== null;
    return {
      id: own ? row.id : type,
      workspace_id,
      built_in: !own,
      replaces_built_in: own && builtIn.has(type),
      type,
      name: definition.name,
      aliases: [...definition.aliases],
      sections: definition.sections.map((section) => ({
        key: section.key,
        heading: section.heading,
        synonyms: [...section.synonyms],
        need: section.need,
        condition: section.condition ?? null,
        condition_id: section.conditionId ?? null,
        severity: section.severity,
        critical: section.critical,
        min_words: section.minWords ?? null,
        accepts_by_reference: section.acceptsByReference ?? false,
      })),
      tables: definition.tables.map(({ key, title, minRows, columns }) => ({
        key,
        title,
        min_rows: minRows,
        columns: columns.map((column) => ({ ...column, names: [...column.names] })),
      })),
      learned_from:
        row.work_product_id !== null && row.work_product_version !== null
          ? { work_product_id: row.work_product_id, version: row.work_product_version }
          : null,
      revision: row.revision,
      created_by: row.created_by,
      created_at: own ? timestamp(row.created_at) : null,
      updated_at: own ? timestamp(row.updated_at) : null,
    };
  };

const toDetail = async (
  row: repository.TemplateRow & { readonly yaml: string },
): Promise<TemplateDetail> => ({
  ...toTemplate(await listDocumentTypeIds())(row),
  yaml: row.yaml,
});

/** The built-in templates in the order of their names, as rows of a list that come after all of workspaces. */
export async function builtInRows(): Promise<readonly repository.TemplateRow[]> {
  const types = [...(await loadDocumentTypes()).values()].sort((a, b) => (a.name.en < b.name.en ? -1 : 1));
  return types.map((definition, place) => {
    const at = new Date(-place).toISOString();
    return {
      id: idOfBuiltIn(definition.id),
      workspace_id: null,
      type: definition.id,
      definition,
      work_product_id: null,
      work_product_version: null,
      revision: 1,
      created_by: null,
      created_at: at,
      updated_at: at,
    };
  });
}

/** A template by its UUID, or a built-in one by its type. */
export async function readTemplateDetail(
  id: string,
  read: <Row>(statement: ReturnType<typeof repository.selectTemplate>) => Promise<Row[]>,
): Promise<TemplateDetail> {
  const builtIn = (await builtInRows()).find(({ type }) => type === id);
  if (builtIn) return toDetail({ ...builtIn, yaml: printTemplate(builtIn.definition) });
  const [row] = isUuid(id) ? await read<repository.OwnTemplateRow>(repository.selectTemplate(id)) : [];
  if (!row) throw notFound('template');
  return toDetail(row);
}

/** Makes a template from YAML or from an empty template document of the workspace. */
export async function createTemplate(
  context: Writing,
  input: z.output<typeof NewTemplate>,
): Promise<TemplateDetail> {
  const { transaction, caller } = context;
  const workspaceId = input.workspace_id;
  const made = 'yaml' in input ? await readTemplate(input.yaml) : await fromDocument(context, input);
  const row = await refusingTakenType(made.definition.id, () =>
    repository.insertTemplate(transaction, { workspaceId, createdBy: caller.userId, ...made }),
  );
  await recordChange(context, row, { action: 'template.created', after: auditState(row) });
  return toDetail(row);
}

/** Puts another definition in the place of the present one. */
export async function changeTemplate(
  context: Writing,
  id: string,
  { yaml }: { readonly yaml: string },
): Promise<TemplateDetail> {
  const { transaction, precondition } = context;
  const before = await repository.lockTemplate(transaction, id);
  if (!before) throw notFound('template');
  precondition.check(await toDetail(before));
  const made = await readTemplate(yaml);
  const row = await refusingTakenType(made.definition.id, () =>
    repository.updateTemplate(transaction, before, made),
  );
  await recordChange(context, row, {
    action: 'template.changed',
    before: auditState(before),
    after: auditState(row),
  });
  return toDetail(row);
}

/** Deletes a template; results that used it stay. */
export async function removeTemplate(context: Writing, id: string): Promise<void> {
  const { transaction, precondition } = context;
  const row = await repository.lockTemplate(transaction, id);
  if (!row) throw notFound('template');
  precondition.check(await toDetail(row));
  await repository.deleteTemplate(transaction, row);
  await recordChange(context, row, { action: 'template.deleted', before: auditState(row) });
}

const recordChange = (
  { transaction, caller, request }: Writing,
  row: repository.OwnTemplateRow,
  event: Pick<AuditEvent, 'action' | 'before' | 'after'>,
): Promise<void> =>
  recordAudit(transaction, {
    ...event,
    workspaceId: row.workspace_id,
    targetType: 'template',
    targetId: row.id,
    actorId: caller.userId,
    requestId: request.id,
  });

const auditState = ({ type, revision, definition }: repository.OwnTemplateRow) => ({
  type,
  revision,
  definition_sha256: createHash('sha256').update(JSON.stringify(definition)).digest('hex'),
});

/** A template from YAML. Throws 422 with the line of each problem. */
export async function readTemplate(yaml: string): Promise<{ definition: DocumentType; yaml: string }> {
  try {
    const definition = await parseDocumentType(yaml, 'template.yaml');
    JSON.stringify(definition, (_, value: unknown) => {
      if (typeof value !== 'string' || isStorable(value)) return value;
      throw invalid('body.yaml', 'Zero bytes and halves of characters are not allowed.');
    });
    return { definition, yaml };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new ApiError('VALIDATION_ERROR', 'The template is not valid.', {
      issues: error.problems.map(({ line, path, problem, remedy }) => ({
        path: ['body', 'yaml', ...path].join('.'),
        line,
        message: `Line ${line}: ${problem}. ${remedy}`,
        code: 'template',
      })),
    });
  }
}

async function fromDocument(
  { transaction, dependencies: { storage } }: Writing,
  input: { readonly workspace_id: string; readonly work_product_id: string; readonly name: string },
) {
  const path = 'body.work_product_id';
  const file = await repository.findReadDocument(transaction, input.workspace_id, input.work_product_id);
  if (!file) throw invalid(path, 'The workspace has no such work product.', 'unknown');
  if (file.processing_status !== 'completed' || file.parsed_key === null) {
    throw new ApiError('CONFLICT', 'The template document has not been read.', {
      reason: 'work_products_not_ready',
      work_product_ids: [input.work_product_id],
    });
  }
  if ((file.block_count ?? 0) > MOST_BLOCKS) {
    throw invalid(path, `A template has ${MOST_BLOCKS} paragraphs and rows at most.`, 'too_long');
  }
  const document = await unpackDocument(
    new Uint8Array(await buffer(await storage.within(input.workspace_id).read(file.parsed_key))),
  );
  try {
    const definition = learnTemplate(document, { name: input.name, fileName: file.file_name });
    return {
      definition,
      yaml: printTemplate(definition),
      workProductId: input.work_product_id,
      workProductVersion: file.version,
    };
  } catch (error) {
    if (error instanceof TemplateError) throw invalid(path, `${error.message} ${error.hint}`, 'no_template');
    throw error;
  }
}

async function refusingTakenType<T>(type: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.constraint !== 'templates_type') throw error;
    throw new ApiError('CONFLICT', `The workspace has a template of the type ${type} already.`, {
      reason: 'type_taken',
      type,
    });
  }
}
