import { describe, expect, it } from 'vitest';
import {
  catalogEntry,
  findInCatalog,
  GROUP_OF_CATEGORY,
  listCatalog,
  STANDARD_CATEGORIES,
} from './catalog.js';

describe('the catalog', () => {
  it('holds every standard once, with a description and a source', async () => {
    const catalog = await listCatalog();
    expect(catalog.length).toBeGreaterThanOrEqual(52);
    expect(new Set(catalog.map((entry) => entry.id)).size).toBe(catalog.length);
    expect(new Set(catalog.map((entry) => entry.designation)).size).toBe(catalog.length);
  });

  it('asks for an attestation exactly where the text is paid', async () => {
    expect((await catalogEntry('iso-26262-3-2018'))?.requiresAttestation).toBe(true);
    expect((await catalogEntry('un-r155'))?.requiresAttestation).toBe(false);
  });

  it('never ships more than is allowed', async () => {
    const order = ['none', 'clauses', 'work_products', 'processes_and_practices'];
    for (const entry of await listCatalog()) {
      expect(order.indexOf(entry.builtinStructure), entry.id).toBeLessThanOrEqual(
        order.indexOf(entry.allowedStructure),
      );
    }
  });

  it('links an edition with its successor both ways', async () => {
    const catalog = new Map((await listCatalog()).map((entry) => [entry.id, entry]));
    for (const entry of catalog.values()) {
      for (const id of entry.supersededBy) expect(catalog.get(id)?.supersedes, id).toContain(entry.id);
      for (const id of entry.supersedes) expect(catalog.get(id)?.supersededBy, id).toContain(entry.id);
      if (entry.supersededBy.length > 0) expect(entry.status, entry.id).toBe('superseded');
    }
  });

  it('knows twelve parts of ISO 26262, each with its entry', async () => {
    const series = await catalogEntry('iso-26262-2018');
    expect(series?.parts.map((part) => part.id)).toEqual(
      Array.from({ length: 12 }, (_, index) => `iso-26262-${index + 1}-2018`),
    );
  });

  it('gives each category its group', () => {
    expect(Object.keys(GROUP_OF_CATEGORY).sort()).toEqual([...STANDARD_CATEGORIES].sort());
  });

  it.each([
    ['ISO 8800', 'iso-pas-8800-2024'],
    ['iso 21434', 'iso-sae-21434-2021'],
    ['ASPICE 4', 'aspice-pam-4.0'],
    ['ASPICE 3', 'aspice-pam-3.1'],
    ['UNECE R155', 'un-r155'],
    ['ISO 26262-6:2018', 'iso-26262-6-2018'],
    ['ISO 26262 Teil 6', 'iso-26262-6-2018'],
    ['ISO/IEC 33063', 'iso-iec-33063-2015'],
  ])('understands "%s"', async (name, id) => {
    expect((await findInCatalog(name)).map((entry) => entry.id)).toEqual([id]);
  });

  it('knows no standard by a name that nobody uses', async () => {
    expect(await findInCatalog('ISO 99999')).toEqual([]);
  });
});
