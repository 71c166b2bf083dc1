import { stringify } from 'yaml';
import { fromYaml as readChecklist } from '../checklists/checklist-files.js';
import type { RowOf } from './archive-rows.schemas.js';

/** Items that are asked no more, read from their text as a short checklist would be. */
export async function withdrawnItems({ withdrawn }: RowOf<'checklists'>) {
  if (withdrawn.length === 0) return [];
  const yaml = stringify({
    checklist: { title: 'Withdrawn' },
    items: withdrawn.map(({ id, text }) => ({ id, text })),
  });
  const revisions = new Map(withdrawn.map(({ id, revision }) => [id, revision]));
  return (await readChecklist(yaml)).definition.items.map((item) => ({
    ...item,
    revision: revisions.get(item.id) ?? item.revision,
    status: 'withdrawn' as const,
  }));
}
