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
import { isStorable } from '../../platform/http/storable-text.js';
import { builtInRow, definitionHash, isUuid, toProvenance } from '../own-definitions/own-or-built-in.js';
import { readSource } from '../own-definitions/source-document.js';
import * as repository from './templates.repository.js';
import type { NewTemplate, Template, TemplateDetail } from './templates.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies'>;

export const toTemplate =
  (builtIn: ReadonlySet<string>) =>
  (row: repository.TemplateRow): Template => {
    const { definition, type } = row;
    const { about, source } = toProvenance(row, type);
    return {
      ...about,
      replaces_built_in: !about.built_in && builtIn.has(type),
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
      learned_from: source,
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
  return types.map((definition, place) => ({
    ...builtInRow(definition.id, place),
    type: definition.id,
    definition,
  }));
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
  definition_sha256: definitionHash(definition),
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
  context: Writing,
  input: { readonly workspace_id: string; readonly work_product_id: string; readonly name: string },
) {
  const source = await readSource(context, input, {
    file: 'template document',
    subject: 'A template',
    blocks: 'paragraphs and rows',
  });
  const document = await source.document();
  try {
    const definition = learnTemplate(document, { name: input.name, fileName: source.fileName });
    return {
      definition,
      yaml: printTemplate(definition),
      workProductId: input.work_product_id,
      workProductVersion: source.version,
    };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw invalid('body.work_product_id', `${error.message} ${error.hint}`, 'no_template');
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
