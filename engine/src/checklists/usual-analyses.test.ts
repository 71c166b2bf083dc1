import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import { loadStandard } from '../standards/load-standard.js';
import { usualAnalyses } from './usual-analyses.js';

describe('usualAnalyses', () => {
  it('takes the parts and checklists that the documents are about', async () => {
    expect(await usualAnalyses(new Set(['hara', 'functional_safety_concept']))).toEqual({
      standards: ['iso-26262-3-2018'],
      checklists: ['FS-FSC', 'FS-HARA'],
    });
    expect(await usualAnalyses(new Set(['tara', 'safety_plan', 'software_requirements_spec']))).toEqual({
      standards: ['iso-26262-2-2018', 'iso-26262-6-2018', 'iso-sae-21434-2021'],
      checklists: ['CS-TARA', 'FS-PLAN', 'FS-SSR'],
    });
  });

  it('takes nothing where no document shows a domain', async () => {
    const nothing = { standards: [], checklists: [] };
    expect(await usualAnalyses(new Set())).toEqual(nothing);
    expect(await usualAnalyses(new Set(['software_requirements_spec', 'project_plan']))).toEqual(nothing);
  });

  it('names types and standards that exist', async () => {
    const file = new URL('../../data/usual-analyses.yaml', import.meta.url);
    const { domains } = parse(readFileSync(file, 'utf8')) as {
      domains: { shown_by: string[]; standards: { standard: string; documents: string[] }[] }[];
    };
    const known = await loadDocumentTypes();
    for (const { shown_by, standards } of domains) {
      const named = [...shown_by, ...standards.flatMap(({ documents }) => documents)];
      expect(named.filter((type) => !known.has(type))).toEqual([]);
      for (const { standard } of standards) expect((await loadStandard(standard)).id).toBe(standard);
    }
  });
});
