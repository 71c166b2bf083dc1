import { expect, it } from 'vitest';
import { outsideByPerson } from '../../facts/project-scope.js';
import { dueGaps } from './due-gaps.js';
import type { TraceGap } from './traceability.js';

const gap = (artifactId: string, gapType: string, kind: string, artifactType: string) =>
  ({ artifactId, gapType, kind, artifactType }) as TraceGap;

it('a gap that only a later phase can close is not due, and is named; every other one stays', () => {
  const gaps = [
    gap('FSR-1', 'orphan_downstream', 'not_refined_nor_allocated', 'functional_safety_requirement'),
    gap('FSR-1', 'missing_verification', 'none', 'functional_safety_requirement'),
    gap('FSR-2', 'orphan_upstream', 'no_parent', 'functional_safety_requirement'),
    gap('SG-1', 'orphan_downstream', 'no_fsr', 'safety_goal'),
    gap('VT-1', 'missing_evidence', 'none', 'test'),
    gap('VT-2', 'missing_evidence', 'negative_result', 'test'),
  ];
  const { due, notDue } = dueGaps(gaps, outsideByPerson({ phase: 'concept' }));
  expect(due.map(({ artifactId, kind }) => `${artifactId} ${kind}`)).toEqual([
    'FSR-2 no_parent',
    'SG-1 no_fsr',
    'VT-2 negative_result',
  ]);
  expect(notDue.map(({ items, because }) => [because, ...items])).toEqual([
    ['phase', 'FSR-1'],
    ['phase', 'FSR-1'],
    ['phase', 'VT-1'],
  ]);
  expect(dueGaps(gaps, outsideByPerson({ phase: 'production' })).due).toBe(gaps);
});
