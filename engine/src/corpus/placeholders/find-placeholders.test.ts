import { describe, expect, it } from 'vitest';
import { isFilled, isFiller, isOnlyPlaceholder } from './emptiness.js';
import { findPlaceholders } from './find-placeholders.js';
import { placeholderWords } from './placeholder-words.js';

const hits = (text: string, id: string) => {
  const pattern = placeholderWords().patterns.find((one) => one.id === id)!;
  return [...text.matchAll(pattern.expression)].length > 0;
};

describe('placeholder patterns', () => {
  for (const pattern of placeholderWords().patterns) {
    const context = { metadata: true, onlyContent: true };
    it.each(pattern.finds.map((text) => [text]))(`${pattern.id} finds %j`, (text) => {
      expect(hits(text, pattern.id)).toBe(true);
      expect(findPlaceholders(text, context)).not.toEqual([]);
    });
    it.each(pattern.spares.map((text) => [text]))(`${pattern.id} spares %j`, (text) => {
      expect(findPlaceholders(text, context).filter((hit) => hit.pattern === pattern.id)).toEqual([]);
    });
  }
});

describe('context filters', () => {
  const harmless: [filter: string, text: string, section?: string | undefined][] = [
    ['C1', 'TBD – to be determined'],
    ['C1', 'TBC = to be confirmed'],
    ['C1', 'TBD: to be defined'],
    ['C2', 'The document contains no TBDs.'],
    ['C2', 'All TBDs were resolved in v1.2'],
    ['C2', 'Das Dokument enthält keine offenen TBDs.'],
    ['C2', 'The concept is free of TBD.'],
    ['C3', 'v0.4: TBD in 4.2 replaced by 20 ms'],
    ['C4', 'Are there any TBDs left?'],
    ['C4', 'Use TBD-nn for open points'],
    ['C4', 'TBD is allowed in drafts', 'Writing rules'],
    ['C4', 'This appendix provides a list of all TBD/TBR items contained within this document.'],
    ['C4', 'Gaps are captured as "to be determined" (TBD).'],
    ['C6', 'x xxxx xxx1'],
    ['C5', 'The tool shall allow thresholds to be specified by the integrator'],
    ['C5', 'The values can be configured, to be confirmed via the service tool'],
    ['C6', 'Register CTRL0 reset value 0xXXXX'],
    ['C6', 'a ?? b'],
    ['C6', 'Write to https://example.org/tbd'],
    ['C6', 'the variable REQ_XXX'],
    ['C6', 'in docs/xxx.md'],
    ['C7', 'IDs follow the pattern XXX'],
    ['C7', 'date format YYYY-MM-DD'],
    ['C8', 'P/N A-XXX-12'],
    ['C8', 'Part no. A-XXX-120.'],
    ['C8', 'Superbowl XX'],
    ['C9', '~~TBD~~'],
    ['C11', 'Es trat noch ein Fehler auf.'],
    ['C12', 'Vref: TBD', 'Annex B Data sheet of the sensor'],
  ];
  it.each(harmless)('%s spares %j', (_filter, text, section) => {
    expect(findPlaceholders(text, section === undefined ? {} : { section: [section] })).toEqual([]);
  });

  const open: readonly (readonly [filter: string, text: string])[] = [
    ['C1', 'Safe state – TBD'],
    ['C2', 'No fault reaction is known, the time is TBD.'],
    ['C4', 'Reaction time: TBD. Is the driver warned?'],
    ['C5', 'The fault tolerant time interval is to be defined'],
    ['C7', 'Date: YYYY-MM-DD'],
    ['C8', 'the limit is XXX'],
    ['C11', 'Grenzwert noch zu definieren'],
  ];
  it.each(open)('%s still finds %j', (_filter, text) => {
    expect(findPlaceholders(text)).not.toEqual([]);
  });

  it('C10 marks what has an owner and a date as tracked', () => {
    const [hit] = findPlaceholders('SG-02 safe state: TBD (see OP-17, owner Klein, due 2026-02-01).');
    expect(hit).toMatchObject({ pattern: 'PH-01', tracked: true });
    expect(findPlaceholders('SG-02 safe state: TBD')[0]?.tracked).toBe(false);
  });
});

describe('cells that say nothing', () => {
  it.each(['', ' - ', '–', 'n/a', 'TBD', '...', 'none'])('%j is a filler', (cell) => {
    expect(isFiller(cell, 'Safe state')).toBe(true);
    expect(isFilled(cell, 'Safe state')).toBe(false);
  });
  it('accepts the same words where they are an answer', () => {
    expect(isFilled('none', 'Known issues')).toBe(true);
    expect(isFilled('-', 'Deviations')).toBe(true);
    expect(isFilled('0', 'Exposure')).toBe(true);
    expect(isFilled('X', 'Camera ECU')).toBe(true);
  });
  it('knows a cell that only announces its content', () => {
    expect(isOnlyPlaceholder('to be defined with the supplier')).toBe(true);
    expect(isOnlyPlaceholder('Torque is set to zero within 50 ms; the ramp is still to be defined')).toBe(
      false,
    );
  });
});
