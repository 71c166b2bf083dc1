import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { basisHash, basisOf, differences, type Facts } from './decision-basis.js';

const facts = (more: Partial<Facts> = {}): Facts => ({
  kind: 'placeholder',
  severity: 'medium',
  asil: 'B',
  affectedItems: ['FSR-02'],
  observed: '1 place in "concept.md", Requirements: open content.',
  evidence: [{ role: 'counter', quote: 'TBD' }],
  ...more,
});
const about = (decided: Facts, now: Facts) => differences(basisOf(decided), now).map((one) => one.about);

const words = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' })
  .filter((text) => text.trim() !== '');
const lists = fc.array(words, { maxLength: 6 });
const evidence = fc.array(
  fc.record({ role: fc.constantFrom('support', 'counter', 'context'), quote: words }),
  { maxLength: 6 },
);
const anyFacts = fc
  .record({
    kind: fc.constantFrom('placeholder', 'partial_content'),
    severity: fc.constantFrom('low', 'medium', 'high', 'critical'),
    asil: fc.constantFrom('QM', 'A', 'B(D)', 'D', 'risk 3', 'CAL 2'),
    affectedItems: lists,
    defects: fc.option(lists, { nil: undefined }),
    observed: words,
    evidence,
  })
  .map(({ defects, ...rest }) => ({ ...rest, ...(defects ? { defects } : {}) }) as Facts);

const spaced = (text: string): string => ` ${text.replaceAll(' ', '\u00A0\n ')}\u200B `;

describe('the basis of a decision', () => {
  test('is the same in any order, spacing and form of Unicode', () => {
    fc.assert(
      fc.property(anyFacts, (one) => {
        const same: Facts = {
          ...one,
          affectedItems: [...one.affectedItems].reverse().map(spaced),
          ...(one.defects ? { defects: [...one.defects].reverse().map(spaced) } : {}),
          evidence: [...one.evidence].reverse().map(({ role, quote }) => ({ role, quote: spaced(quote) })),
        };
        expect(basisHash(basisOf(same))).toBe(basisHash(basisOf(one)));
        expect(differences(basisOf(one), same)).toEqual([]);
      }),
    );
    const e = facts({ affectedItems: ['Caf\u00E9'] });
    expect(basisHash(basisOf(facts({ affectedItems: ['Cafe\u0301'] })))).toBe(basisHash(basisOf(e)));
  });

  test('covers fewer items and defects than it was made about, and no others', () => {
    fc.assert(
      fc.property(anyFacts, words, fc.nat(), (one, more, at) => {
        const less = <T>(list: readonly T[]): readonly T[] =>
          list.filter((_, index) => index !== at % (list.length || 1));
        const defects = one.defects ?? [];
        const fewer = { ...one, affectedItems: less(one.affectedItems), defects: less(defects) };
        const listed = { ...one, defects };
        expect(differences(basisOf(listed), fewer)).toEqual([]);
        expect(about(listed, { ...listed, affectedItems: [...one.affectedItems, more] })).toEqual(['items']);
        expect(about(listed, { ...listed, defects: [...defects, more] })).toEqual(['defects']);
      }),
    );
  });

  test('is made of facts, not of the words of the tool', () => {
    const said = 'FSR-02 is stated with ASIL A and refers to SG-03 with ASIL B; no decomposition is noted.';
    const otherwise = 'SG-03 (ASIL B) is refined by FSR-02 (ASIL A) without a decomposition.';
    expect(about(facts({ observed: said }), facts({ observed: otherwise }))).toEqual([]);
    expect(about(facts({ observed: said }), facts({ observed: said.replace('ASIL B', 'ASIL D') }))).toEqual([
      'observed',
    ]);
    expect(about(facts({ observed: 'It takes 200 ms.' }), facts({ observed: 'It takes 250 ms.' }))).toEqual([
      'observed',
    ]);
    const search = { statement: 'Searched 4 documents (812 passages) for FTTI-1; nothing found.' };
    const absent = facts({ observed: `Nothing states it. ${search.statement}`, search });
    const later = { statement: 'Searched 5 documents (990 passages) for FTTI-2; nothing found.' };
    expect(about(absent, { ...absent, observed: `Not stated. ${later.statement}`, search: later })).toEqual(
      [],
    );
  });

  test.each<[string, Partial<Facts>, Partial<Facts>, string[]]>([
    ['another kind', {}, { kind: 'partial_content' }, ['kind']],
    ['a worse severity', {}, { severity: 'high' }, ['severity']],
    ['a milder severity', {}, { severity: 'low' }, []],
    ['a higher level', {}, { asil: 'C' }, ['integrity']],
    ['a decomposed higher level', {}, { asil: 'ASIL B(D)' }, ['integrity']],
    ['a lower level', {}, { asil: 'QM' }, []],
    ['a level of another scale', {}, { asil: 'CAL 1' }, ['integrity']],
    ['one item for another', {}, { affectedItems: ['FSR-01'] }, ['items']],
    ['one more of the same quote', {}, { evidence: [...facts().evidence, ...facts().evidence] }, ['quotes']],
    ['another quote', {}, { evidence: [{ role: 'counter', quote: 'TBC' }] }, ['quotes']],
    [
      'another quote where all defects are listed',
      { defects: ['FTTI: FSR-02'] },
      { defects: ['FTTI: FSR-02'], evidence: [] },
      [],
    ],
    ['defects that were not listed before', {}, { defects: ['FTTI: FSR-02'] }, []],
    [
      'a quote for it that is gone',
      { evidence: [{ role: 'support', quote: 'a' }] },
      { evidence: [] },
      ['quotes'],
    ],
    ['one more quote for it', { evidence: [] }, { evidence: [{ role: 'support', quote: 'a' }] }, []],
    [
      'what is near beside a quote',
      {},
      { evidence: [...facts().evidence, { role: 'context', quote: 'x' }] },
      [],
    ],
    [
      'a quote of what it is about',
      { evidence: [{ role: 'context', quote: 'a' }] },
      { evidence: [{ role: 'context', quote: 'b' }] },
      ['quotes'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(about(facts(before), facts(after))).toEqual(expected);
  });

  test('says what is new in plain words with the ids', () => {
    const defects = ['FTTI: FSR-02'];
    const before = basisOf(facts({ defects }));
    const after = facts({
      defects: ['FTTI: FSR-01', ...defects],
      affectedItems: ['FSR-01', 'FSR-02'],
      asil: 'C',
    });
    expect(differences(before, after).map(({ said }) => said)).toEqual([
      'its level is C now, it was B',
      'it is now also about FSR-01',
      'new: FTTI: FSR-01',
    ]);
  });

  test('keeps no words of documents', () => {
    const secret = 'The latch of the Paravan door';
    const text = JSON.stringify(
      basisOf(
        facts({
          affectedItems: [secret],
          defects: [secret],
          observed: secret,
          evidence: [{ role: 'counter', quote: secret }],
        }),
      ),
    );
    expect(text).not.toContain('Paravan');
  });
});
