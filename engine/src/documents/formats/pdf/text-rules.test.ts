import { describe, expect, it } from 'vitest';
import { leadingId, listMarker, sectionDepth } from './line-starts.js';
import { isoDate } from './properties.js';
import { appendLine, normaliseCharacters } from './text-normalisation.js';

describe('normaliseCharacters', () => {
  it.each([
    ['\ufb01nal o\ufb03ce', 'final office'],
    ['U\u0308bergang', 'Übergang'],
    ['Krste Asanovi\u00b4c, Avi\u02c7zienis, \u00a8Uber', 'Krste Asanović, Avižienis, Über'],
    ['10 \u00b4 5', '10 \u00b4 5'],
    ['a\u200bb\u0007c\ufeff', 'abc'],
    ['\uf0b7 item', '• item'],
    ['\uf05a', ''],
    ['soft\u00adhy\u00ad', 'softhy-'],
  ])('%j becomes %j', (drawn, text) => {
    expect(normaliseCharacters(drawn)).toBe(text);
  });
});

describe('appendLine', () => {
  it.each([
    ['a quali-', 'fied tool', 'a qualified tool'],
    ['see SRS-', '12', 'see SRS-12'],
    ['the RISC-', 'V core', 'the RISC-V core'],
    ['Ein-', 'und Ausgang', 'Ein- und Ausgang'],
    ['range 1 -', 'next', 'range 1 - next'],
    ['one', 'two', 'one two'],
    ['', 'two', 'two'],
  ])('%j + %j', (text, line, joined) => {
    expect(appendLine(text, line)).toBe(joined);
  });
});

describe('sectionDepth', () => {
  it.each([
    ['1 Scope', 1],
    ['1.0 INTRODUCTION', 1],
    ['3.2.1. Timing', 3],
    ['A.1 Notation', 2],
    ['Annex B – Methods', 1],
    ['Anhang C Begriffe', 1],
    ['Kapitel 4: Entwurf', 1],
    ['12 = x', undefined],
    ['2024 was', undefined],
    ['Scope', undefined],
    ['I think', undefined],
  ])('%j', (text, depth) => {
    expect(sectionDepth(text)).toBe(depth);
  });
});

describe('leadingId', () => {
  it.each([
    ['FR 1 — text', { prefix: 'FR', number: '1', setOff: true }],
    ['SRS-12: text', { prefix: 'SRS', number: '12', setOff: true }],
    ['[TSR-04.1] text', { prefix: 'TSR', number: '04.1', setOff: true }],
    ['T-111. The unit shall', { prefix: 'T', number: '111', setOff: false }],
    ['T-111. and so on', undefined],
    ['HDTN-SCH-003', { prefix: 'HDTN-SCH', number: '003', setOff: false }],
    ['ISO 26262 says', { prefix: 'ISO', number: '26262', setOff: false }],
    ['The unit', undefined],
  ])('%j', (text, id) => {
    expect(leadingId(text)).toEqual(id);
  });
});

describe('listMarker', () => {
  it.each([
    ['• text', 'bullet'],
    ['⚫ text', 'bullet'],
    ['– text', 'bullet'],
    ['a) text', 'number'],
    ['(2) text', 'number'],
    ['3. text', 'number'],
    ['— Title —', undefined],
    ['Text', undefined],
  ])('%j', (text, kind) => {
    expect(listMarker(text)?.kind).toBe(kind);
  });
});

describe('isoDate', () => {
  it.each([
    ['D:20240131120500Z', '2024-01-31T12:05:00Z'],
    ["D:20240131120500-04'00'", '2024-01-31T12:05:00-04:00'],
    ['20240131', '2024-01-31'],
    ['yesterday', undefined],
  ])('%j', (date, iso) => {
    expect(isoDate(date)).toBe(iso);
  });
});
