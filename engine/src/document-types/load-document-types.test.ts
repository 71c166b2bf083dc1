import { describe, expect, it } from 'vitest';
import { loadConditions } from '../conditions/load-conditions.js';
import { loadDocumentMetadata } from './document-metadata.js';
import { loadDocumentTypes, parseDocumentType } from './load-document-types.js';

describe('document types', () => {
  it('are twenty-eight, each with sections', async () => {
    const types = await loadDocumentTypes();
    expect(types.size).toBe(28);
    for (const type of types.values()) expect(type.sections.length, type.id).toBeGreaterThanOrEqual(5);
  });

  it('give a conditional section its condition in words and as an id', async () => {
    const plan = (await loadDocumentTypes()).get('safety_plan')!;
    const dia = plan.sections.find((section) => section.key === 'dia')!;
    expect(dia).toMatchObject({
      need: 'conditional',
      conditionId: 'distributed_development',
      condition: 'if development is distributed',
    });
    const roles = plan.sections.find((section) => section.key === 'roles')!;
    expect(roles).toMatchObject({ need: 'required', critical: true, severity: 'high' });
    expect(roles.condition).toBeUndefined();
  });

  it('name no heading twice within one type, so that a heading means one section', async () => {
    for (const type of (await loadDocumentTypes()).values()) {
      const owners = new Map<string, string>();
      for (const { key, heading, synonyms } of type.sections) {
        for (const name of new Set([heading.en, heading.de, ...synonyms].map((text) => text.toLowerCase()))) {
          expect(owners.get(name), `${type.id}: "${name}" of ${owners.get(name)} and ${key}`).toBeUndefined();
          owners.set(name, key);
        }
      }
    }
  });

  it('name no column twice within one table, so that a title means one column', async () => {
    for (const type of (await loadDocumentTypes()).values()) {
      for (const table of type.tables) {
        const owners = new Map<string, string>();
        for (const { key, names } of table.columns) {
          for (const name of new Set(names.map((text) => text.toLowerCase()))) {
            const clash = `${type.id}.${table.key}: "${name}" of ${owners.get(name)} and ${key}`;
            expect(owners.get(name), clash).toBeUndefined();
            owners.set(name, key);
          }
        }
      }
    }
  });

  it('have the titles of the one list for columns that name an attribute of it', async () => {
    const concept = (await loadDocumentTypes()).get('technical_safety_concept')!;
    const columns = new Map(concept.tables[0]!.columns.map(({ key, names }) => [key, names]));
    expect(columns.get('asil')).toContain('Safety integrity level');
    expect(columns.get('detection_time')).toContain('Fehlererkennungszeit');
  });

  it('are refused where a title means another attribute in the one list', async () => {
    const type = (column: string) => `id: own
name: { en: Own, de: Eigenes }
aliases: [Own]
sections: [{ key: one, heading: { en: One, de: Eins }, need: required, severity: low }]
tables: [{ key: t, title: T, columns: [{ key: id, names: [ID] }, ${column}] }]
`;
    const parsed = parseDocumentType(
      type('{ key: x, attributes: [detection], names: [Noticed after] }'),
      'own.yaml',
    );
    expect((await parsed).tables[0]!.columns[1]!.names).toEqual(
      expect.arrayContaining(['FDTI', 'Noticed after']),
    );
    const wrong = parseDocumentType(type('{ key: x, attributes: [detection], names: [FTTI] }'), 'own.yaml');
    await expect(wrong).rejects.toThrow('"FTTI" means "ftti" in words/columns.yaml, here "detection"');
    const twice = parseDocumentType(type('{ key: asil }, { key: y, names: [ASIL] }'), 'own.yaml');
    await expect(twice).rejects.toThrow('"asil" means both');
    await expect(parseDocumentType(type('{ key: x }'), 'own.yaml')).rejects.toThrow('names or attributes');
  });

  it('share no alias, so that a title means one type', async () => {
    const owners = new Map<string, string>();
    const shared: string[] = [];
    for (const type of (await loadDocumentTypes()).values()) {
      for (const alias of new Set(type.aliases.map((text) => text.toLowerCase()))) {
        const owner = owners.get(alias);
        if (owner) shared.push(`"${alias}": ${owner}, ${type.id}`);
        owners.set(alias, type.id);
      }
    }
    expect(shared).toEqual([]);
  });
});

describe('conditions', () => {
  it('are all used by a section, a metadata field or a criterion, or say what asserts them', async () => {
    for (const condition of (await loadConditions()).values()) {
      const ways =
        condition.assertedBy.length +
        condition.assertedByDocumentTypes.length +
        (condition.asilAtLeast ? 1 : 0) +
        (condition.asilDecomposed ? 1 : 0);
      expect(ways, condition.id).toBeGreaterThan(0);
      expect(condition.reason.en.length, condition.id).toBeGreaterThan(20);
    }
  });
});

describe('document metadata', () => {
  it('have sixteen fields; only those of a later status or a condition are conditional', async () => {
    const fields = await loadDocumentMetadata();
    expect(fields.size).toBe(16);
    for (const field of fields.values()) {
      const isBound = field.fromStatus !== undefined || field.conditionId !== undefined;
      expect(field.need === 'conditional', field.key).toBe(isBound);
    }
    expect(fields.get('approver')).toMatchObject({ severity: 'medium', safetySeverity: 'high' });
  });
});
