import { describe, expect, it } from 'vitest';
import { documentOfLines } from '../testing/document-fixture.js';
import type { Evidence } from './finding.js';
import { fingerprint } from './fingerprint.js';
import { gradeConsistency, gradeGap, gradePlaceholder } from './severity.js';
import { EvidenceError, verifyEvidence } from './verify-evidence.js';

describe('severity by the rubric', () => {
  const gap = { obligation: 'shall', adjustments: [], asil: undefined } as const;
  it.each([
    ['a root work product without any level', { kind: 'missing_work_product', base: 'critical' }, 'critical'],
    ['the same for ASIL D', { kind: 'missing_work_product', base: 'critical', asil: 'D' }, 'critical'],
    ['the same for ASIL A', { kind: 'missing_work_product', base: 'critical', asil: 'A' }, 'high'],
    ['the same for QM', { kind: 'missing_work_product', base: 'critical', asil: 'QM' }, 'medium'],
    [
      'a supporting work product for ASIL D',
      { kind: 'missing_work_product', base: 'high', asil: 'D' },
      'high',
    ],
    ['content', { kind: 'missing_content', base: 'high', asil: 'C' }, 'high'],
    ['content that is there in part', { kind: 'partial_content', base: 'high' }, 'medium'],
    ['small content in part stays low', { kind: 'partial_content', base: 'low' }, 'low'],
    ['recommended content', { kind: 'missing_content', base: 'high', obligation: 'should' }, 'medium'],
    ['QM scope', { kind: 'missing_content', base: 'critical', asil: 'QM' }, 'medium'],
    ['released', { kind: 'missing_content', base: 'high', adjustments: ['released'] }, 'critical'],
    ['draft', { kind: 'missing_content', base: 'high', adjustments: ['draft'] }, 'medium'],
    [
      'at most one step in sum',
      { kind: 'missing_content', base: 'medium', adjustments: ['released', 'systematic'] },
      'high',
    ],
    [
      'up and down cancel out',
      { kind: 'missing_content', base: 'high', adjustments: ['released', 'compensating'] },
      'high',
    ],
  ] as const)('%s', (_name, facts, expected) => {
    const graded = gradeGap({ ...gap, ...facts });
    expect(graded.severity).toBe(expected);
    expect(graded.reasons.length).toBeGreaterThan(0);
  });

  it('contradictions by the level that is demanded', () => {
    expect(gradeConsistency('asil_too_low', 'C').severity).toBe('critical');
    expect(gradeConsistency('asil_too_low', 'B').severity).toBe('high');
    expect(gradeConsistency('contradiction', undefined).severity).toBe('medium');
  });

  it('open content by what is open and how far the document is', () => {
    const place = { asil: 'D', adjustments: [] } as const;
    expect(gradePlaceholder({ ...place, place: 'normative', status: 'draft' }).severity).toBe('medium');
    expect(gradePlaceholder({ ...place, place: 'normative', status: 'released' }).severity).toBe('critical');
    expect(gradePlaceholder({ ...place, place: 'normative', status: 'released', asil: 'A' }).severity).toBe(
      'high',
    );
    expect(gradePlaceholder({ ...place, place: 'metadata', status: 'reviewed' }).severity).toBe('medium');
  });
});

describe('fingerprints', () => {
  it('depend on kind, criterion and item, not on spelling of white space', () => {
    const one = fingerprint('missing_content', '26262-3:6.5.1-1', 'SG-01');
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(fingerprint('missing_content', '26262-3:6.5.1-1', ' sg-01 ')).toBe(one);
    expect(fingerprint('partial_content', '26262-3:6.5.1-1', 'SG-01')).not.toBe(one);
    expect(fingerprint('missing_content', '26262-3:6.5.1-2', 'SG-01')).not.toBe(one);
    expect(fingerprint('missing_content', '26262-3:6.5.1-1', 'SG-02')).not.toBe(one);
  });
});

describe('quotes are checked', () => {
  const document = documentOfLines(['First paragraph.', 'Second one.', '| a | b |', '| left | right |']);
  const documents = new Map([['d', document]]);
  const evidence = (start: number, end: number, quote = document.text.slice(start, end)): Evidence => ({
    documentId: 'd',
    location: {},
    quote,
    start,
    end,
    role: 'support',
  });
  const at = (words: string) => document.text.indexOf(words);

  it('accepts the exact words of one paragraph or cell', () => {
    const paragraph = evidence(0, 5);
    const cell = evidence(at('left'), at('left') + 4);
    expect(() => verifyEvidence([paragraph, cell], documents)).not.toThrow();
  });
  it.each([
    ['other words', evidence(0, 5, 'Frist')],
    ['an empty quote', evidence(3, 3)],
    ['two paragraphs', evidence(0, at('Second') + 6)],
    ['two cells', evidence(at('left'), at('right') + 5)],
    ['another document', { ...evidence(0, 5), documentId: 'other' }],
  ])('refuses %s', (_name, wrong) => {
    expect(() => verifyEvidence([wrong], documents)).toThrow(EvidenceError);
  });
});
