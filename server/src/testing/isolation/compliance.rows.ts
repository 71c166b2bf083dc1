import { randomUUID } from 'node:crypto';
import type { IsolationRow, Place, World } from './row.js';

const yaml = (type: string): string =>
  [
    `id: ${type}`,
    'name: { en: Work plan, de: Arbeitsplan }',
    'aliases: [Work plan]',
    'sections:',
    '  - { key: aims, heading: { en: Aims, de: Ziele }, need: required, severity: medium }',
  ].join('\n');

export const complianceRows: readonly IsolationRow[] = [
  {
    operation: 'startCompleteness',
    about: 'workspace',
    prepare: async (world, place) => {
      await readDocument(world, place);
      return { body: { workspace_id: place.workspaceId } };
    },
  },
  {
    operation: 'listTemplates',
    about: 'visible',
    prepare: async (world, place) => ({
      query: { workspace_id: place.workspaceId },
      marker: await madeTemplate(world, place),
    }),
  },
  {
    operation: 'getTemplate',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await madeTemplate(world, place) } }),
  },
  {
    operation: 'createTemplate',
    about: 'workspace',
    prepare: async (_, place) => ({ body: { workspace_id: place.workspaceId, yaml: yaml('work_plan') } }),
  },
  {
    operation: 'changeTemplate',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { id: await madeTemplate(world, place) },
      body: { yaml: yaml('work_plan') },
    }),
  },
  {
    operation: 'deleteTemplate',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await madeTemplate(world, place) } }),
  },
  {
    operation: 'startChecklist',
    about: 'workspace',
    prepare: async (world, place) => {
      await readDocument(world, place);
      return { body: { workspace_id: place.workspaceId, checklist_id: 'FS-HARA' } };
    },
  },
  {
    operation: 'listChecklists',
    about: 'visible',
    prepare: async (world, place) => ({
      query: { workspace_id: place.workspaceId },
      marker: await madeChecklist(world, place),
    }),
  },
  {
    operation: 'getChecklist',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await madeChecklist(world, place) } }),
  },
  {
    operation: 'createChecklist',
    about: 'workspace',
    prepare: async (_, place) => ({ body: { workspace_id: place.workspaceId, yaml: checklistYaml } }),
  },
  {
    operation: 'changeChecklist',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { id: await madeChecklist(world, place) },
      body: { yaml: checklistYaml },
    }),
  },
  {
    operation: 'deleteChecklist',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await madeChecklist(world, place) } }),
  },
  {
    operation: 'getChecklistResults',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id } = await judgedItem(world, place);
      return { params: { id }, query: { workspace_id: place.workspaceId } };
    },
  },
  {
    operation: 'answerChecklistItem',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id, item_id } = await judgedItem(world, place);
      const body = { workspace_id: place.workspaceId, verdict: 'pass', reason: 'Seen.' };
      return { params: { id, item_id }, body };
    },
  },
  {
    operation: 'answerChecklistItems',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id, item_id } = await judgedItem(world, place);
      const answers = [{ item_id, verdict: 'pass', reason: 'Seen.' }];
      return { params: { id }, body: { workspace_id: place.workspaceId, answers } };
    },
  },
  {
    operation: 'getItemPassages',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id, item_id } = await judgedItem(world, place);
      return { params: { id, item_id }, query: { workspace_id: place.workspaceId } };
    },
  },
  {
    operation: 'takeBackChecklistAnswer',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id, item_id } = await answeredItem(world, place);
      return { params: { id, item_id }, query: { workspace_id: place.workspaceId } };
    },
  },
  {
    operation: 'releaseChecklist',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id } = await answeredItem(world, place);
      return { params: { id }, body: { workspace_id: place.workspaceId } };
    },
    decided: { manager: 201, owner: 201 },
  },
];

/** The same, with the answer of an engineer. */
async function answeredItem(world: World, place: Place) {
  const judged = await judgedItem(world, place);
  await world.database.asOwner(
    `insert into checklist_answers (workspace_id, checklist_id, item_id, item_revision, verdict, reason, analysis_id,
                                    machine_verdict, basis, documents, answered_by)
     values ($1, $2, $3, 1, 'pass', 'Seen.', $4, 'missing', 'b', '[]', $5)`,
    [place.workspaceId, judged.id, judged.item_id, judged.analysisId, place.members.engineer.userId],
  );
  return judged;
}

/** A checklist whose only item a run has judged. */
async function judgedItem(world: World, place: Place) {
  const { workspaceId, owner } = place;
  const id = await madeChecklist(world, place);
  const item_id = `USR-${id}-1`;
  const analysisId = randomUUID();
  const result = {
    itemId: item_id,
    verdict: 'missing',
    confidence: 'low',
    needsConfirmation: true,
    rules: [],
    reason: 'Nothing found.',
    affectedItems: [],
    lookedAt: [],
    fingerprint: 'f',
    basis: 'b',
  };
  await world.database.asOwner(
    `with run as (
       insert into analyses (workspace_id, id, type, series, status, mode, input_hash, engine_version, created_by,
                             finished_at, number)
       values ($1, $2, 'checklist', $3, 'completed', 'rules', 'h', '1', $4, now(), 1))
     insert into checklist_results (workspace_id, analysis_id, ordinal, item_id, verdict, basis, looked_at, item, result, series,
                                    since)
     select $1, $2, 0, $5, 'missing', 'b', '{}', c.definition -> 'items' -> 0, $6, $3, 1
     from checklists c where c.id = $7`,
    [workspaceId, analysisId, `checklist:${id}`, owner.userId, item_id, JSON.stringify(result), id],
  );
  return { id, item_id, analysisId };
}

const checklistYaml = 'checklist: { title: Review }\nitems:\n  - { id: R1, text: Is there a plan? }\n';

async function madeChecklist({ database }: World, { workspaceId, owner }: Place): Promise<string> {
  const id = randomUUID();
  const key = `USR-${id}`;
  const definition = {
    id: key,
    title: { en: 'Review' },
    domain: 'own',
    about: { documentTypes: [], names: [] },
    source: 'own',
    items: [
      {
        id: `${key}-1`,
        text: { en: 'Is there a plan?' },
        refs: [],
        appliesWhen: [],
        notApplicable: { when: [], unless: [], draft: false, stated: [] },
        severity: 'medium',
        missingSeverity: 'medium',
        documentTypes: [],
        automation: 'assisted',
        status: 'active',
        revision: 1,
        checks: [],
      },
    ],
  };
  await database.asOwner(
    'insert into checklists (workspace_id, id, key, definition, yaml, created_by) values ($1, $2, $3, $4, $5, $6)',
    [workspaceId, id, key, JSON.stringify(definition), checklistYaml, owner.userId],
  );
  return id;
}

async function madeTemplate({ database }: World, { workspaceId, owner }: Place): Promise<string> {
  const id = randomUUID();
  const type = `type_${id.replaceAll('-', '_')}`;
  const definition = {
    id: type,
    name: { en: 'Plan', de: 'Plan' },
    aliases: ['Plan'],
    sections: [],
    tables: [],
    traps: [],
  };
  await database.asOwner(
    `insert into templates (workspace_id, id, type, definition, yaml, created_by) values ($1, $2, $3, $4, $5, $6)`,
    [workspaceId, id, type, JSON.stringify(definition), yaml(type), owner.userId],
  );
  return id;
}

/** A document that has been read, as far as the start of an analysis looks at it. */
async function readDocument({ database }: World, { workspaceId, owner }: Place): Promise<void> {
  await database.asOwner(
    `with product as (
       insert into work_products (workspace_id, id, name, original_filename, file_size, file_type, processing_status,
                                  version, created_by)
       values ($1, $2, 'Document', 'document.md', 5, 'text/markdown', 'completed', 1, $3))
     insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type, sha256,
                                        object_key, uploaded_by, processing_status)
     values ($1, $2, 1, 'document.md', 5, 'text/markdown', 'x', $1::uuid::text || '/x/y', $3, 'completed')`,
    [workspaceId, randomUUID(), owner.userId],
  );
}
