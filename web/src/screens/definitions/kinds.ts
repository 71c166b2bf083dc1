import { useLocation } from 'wouter';
import { type Api, api, take, takeTagged } from '../../api/client.ts';

// Checklists and templates of a workspace are made, changed and deleted alike; what they hold differs.

export type KindName = 'checklists' | 'templates';
type Detail = Api['ChecklistDetail'] | Api['TemplateDetail'];
type Listed = Api['ListedChecklist'] | Api['Template'];
/** From a text, or from a document of the workspace. */
export type Made = { readonly yaml: string } | { readonly work_product_id: string; readonly name: string };

interface Kind {
  readonly list: (
    query: { readonly workspace_id: string; readonly built_in: boolean; readonly cursor?: string },
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly Listed[]; readonly next_cursor: string | null }>;
  readonly read: (id: string) => Promise<{ readonly data: Detail; readonly tag: string }>;
  readonly create: (workspace: string, made: Made) => Promise<Detail>;
  readonly change: (id: string, tag: string, yaml: string) => Promise<Detail>;
  readonly remove: (id: string, tag: string) => Promise<unknown>;
  /** A first text, for whoever writes one from nothing. */
  readonly starter: Readonly<Record<'en' | 'de', string>>;
  /** Endings of files that one can be read from. */
  readonly endings: readonly string[];
}

const PAGE = 100;
const of = (id: string, tag: string) => ({ path: { id }, header: { 'If-Match': tag } });

export const KINDS: Readonly<Record<KindName, Kind>> = {
  checklists: {
    list: (query, signal) =>
      take(api.GET('/compliance/checklists', { params: { query: { limit: PAGE, ...query } }, signal })),
    read: (id) => takeTagged(api.GET('/compliance/checklists/{id}', { params: { path: { id } } })),
    create: (workspace_id, made) =>
      take(api.POST('/compliance/checklists', { body: { workspace_id, ...made } })),
    change: (id, tag, yaml) =>
      take(api.PATCH('/compliance/checklists/{id}', { params: of(id, tag), body: { yaml } })),
    remove: (id, tag) => take(api.DELETE('/compliance/checklists/{id}', { params: of(id, tag) })),
    starter: {
      en: 'checklist:\n  title: House review\nitems:\n  - id: A1\n    text: Is every requirement unambiguous?\n    severity: high\n  - id: A2\n    text: Are the confirmation measures planned?\n',
      de: 'checklist:\n  title: Hausprüfung\nitems:\n  - id: A1\n    text: Ist jede Anforderung eindeutig?\n    severity: high\n  - id: A2\n    text: Sind die Bestätigungsmaßnahmen geplant?\n',
    },
    endings: ['csv', 'xlsx', 'ods', 'yaml', 'yml'],
  },
  templates: {
    list: (query, signal) =>
      take(api.GET('/compliance/templates', { params: { query: { limit: PAGE, ...query } }, signal })),
    read: (id) => takeTagged(api.GET('/compliance/templates/{id}', { params: { path: { id } } })),
    create: (workspace_id, made) =>
      take(api.POST('/compliance/templates', { body: { workspace_id, ...made } })),
    change: (id, tag, yaml) =>
      take(api.PATCH('/compliance/templates/{id}', { params: of(id, tag), body: { yaml } })),
    remove: (id, tag) => take(api.DELETE('/compliance/templates/{id}', { params: of(id, tag) })),
    starter: {
      en: 'id: work_plan\nname: { en: Work plan, de: Arbeitsplan }\naliases: [Work plan]\nsections:\n  - { key: aims, heading: { en: Aims, de: Ziele }, need: required, severity: medium }\n',
      de: 'id: work_plan\nname: { en: Work plan, de: Arbeitsplan }\naliases: [Arbeitsplan]\nsections:\n  - { key: aims, heading: { en: Aims, de: Ziele }, need: required, severity: medium }\n',
    },
    endings: ['docx', 'md', 'pdf', 'odt', 'xlsx'],
  },
};

/** Of which of the two the address speaks. */
export function useKind(): KindName {
  const [address] = useLocation();
  return address.includes('/settings/templates') ? 'templates' : 'checklists';
}

export const isChecklist = (one: Listed): one is Api['ListedChecklist'] => 'item_count' in one;

export function titleOf(one: Listed, language: 'en' | 'de'): string {
  const { en, de } = isChecklist(one) ? one.title : one.name;
  return (language === 'de' && de) || en;
}

export const sourceOf = (one: Listed) => (isChecklist(one) ? one.taken_from : one.learned_from);
