import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseChecklist } from '../../checklists/load-checklists.js';
import { written } from '../../sentences/sentence.js';
import { defineCheck } from './define-check.js';
import { DEFINITIONS } from './definition-of.js';
import { outcome } from './outcome.js';
import { columns, phrases, plain } from './parameters.js';
import { phrasesOfChecklist } from './phrases.js';
import { checklistOf } from './testing/small-checklists.js';

/** Texts of parameters that name nothing of the data and are not looked for. */
const FREE = new Set([
  ...['attribute.field', 'wording.about'],
  ...['column.where.column', 'column.where.matches', 'column.except.column', 'column.except.matches'],
  ...['each_says.parts.name', 'each_says.parts.name_de', 'each_says.parts.fields', 'each_says.parts.matches'],
]);

interface Text {
  readonly path: string;
  readonly text: string;
  readonly isPhrase: boolean;
}
interface Sample {
  readonly check: string;
  readonly value: object;
  readonly texts: readonly Text[];
}

/** Each check with every parameter given, every text another one: of the right form, and nothing that the data know. */
const samples: readonly Sample[] = DEFINITIONS.flatMap(({ name, schema }) => {
  const alternatives = Math.max(1, ...Object.values(schema.shape).map((one) => optionsOf(one).length));
  return Array.from({ length: alternatives }, (_, choice) => {
    const texts: Text[] = [];
    const value = sampleOf(schema, { path: name, choice, texts }) as object;
    return { check: name, value, texts };
  });
});

function optionsOf(schema: z.core.$ZodType) {
  return schema instanceof z.ZodUnion ? schema.options : [];
}

function sampleOf(
  schema: z.core.$ZodType,
  at: { readonly path: string; readonly choice: number; readonly texts: Text[] },
): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return sampleOf(schema.unwrap(), at);
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element, at)];
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[at.choice]!, at);
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodNumber) return 1;
  if (schema instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(schema.shape).map(([key, one]) => [
        key,
        sampleOf(one, { ...at, path: `${at.path}.${key}` }),
      ]),
    );
  }
  const isPhrase = /\.(?:en|de)$/.test(at.path);
  const number = at.texts.length;
  const text = [
    ...(isPhrase ? [`phrase ${number} of somewhere`] : []),
    ...[`nowhere-${number}`, `nowhere-${number}.none`, `nowhere-${number}.none.none`, `RQQ-${90 + number}`],
  ].find((one) => z.safeParse(schema, one).success);
  if (text === undefined) throw new Error(`No example fits ${at.path}`);
  at.texts.push({ path: at.path, text, isPhrase });
  return text;
}

const withChecks = (checks: readonly object[]) => `id: USR-A
title: { en: A list, de: Eine Liste }
domain: own
about: { document_types: [hara], names: { en: [hazard analysis] } }
items:
  - id: USR-A-01
    text: { en: Is it there?, de: Ist es da? }
    pass: { en: It is, de: Ist es }
    fail: { en: It is not, de: Ist es nicht }
    severity: high
    auto: full
    checks: ${JSON.stringify(checks)}
`;

describe('the registry of checks', () => {
  it('has every file of the folder, under its own name', async () => {
    const files = (await readdir(new URL('./checks/', import.meta.url)))
      .filter((name) => name.endsWith('.js') && !name.endsWith('.test.js') && name !== 'registry.js')
      .map((name) => name.replace('.js', '').replaceAll('-', '_'));
    expect(DEFINITIONS.map(({ name }) => name).sort()).toEqual(files.sort());
  });

  it('takes no text that does not say what it is', () => {
    const run = () => outcome('pass', 'high', { rules: [], reason: written('') });
    const text = z.string();
    const one = defineCheck('one', { of: columns, names: phrases.optional(), title: plain(text) }, run);
    expect(one.name).toBe('one');
    // @ts-expect-error A text
    defineCheck('two', { of: z.string() }, run);
    // @ts-expect-error A text in a list that may be left out
    defineCheck('three', { of: z.array(z.string()).default([]) }, run);
    // @ts-expect-error A text in a part
    defineCheck('four', { parts: z.array(z.strictObject({ of: columns, title: z.string() })) }, run);
    // @ts-expect-error A text in one of two forms
    defineCheck('five', { of: z.union([columns, z.string()]).optional() }, run);
  });
});

describe('the parameters of each check', () => {
  const namesOf = ({ texts }: Sample) => texts.filter(({ path, isPhrase }) => !isPhrase && !FREE.has(path));
  const phrasesOf = ({ texts }: Sample) => texts.filter(({ isPhrase }) => isPhrase);

  it.each(samples.filter((one) => namesOf(one).length > 0))(
    'are refused where the data do not have what they name: $check',
    async (sample) => {
      const read = parseChecklist(withChecks([sample.value]), 'own.yaml');
      const thrown: unknown = await read.catch((error) => error);
      const message = thrown instanceof Error ? thrown.message : '';
      const refused = [...message.matchAll(/There is no [a-z ]+ "([^"]+)"/g)].map((match) => match[1]);
      expect(refused.sort()).toEqual(
        namesOf(sample)
          .map(({ text }) => text)
          .sort(),
      );
    },
  );

  it.each(samples.filter((one) => phrasesOf(one).length > 0))(
    'are searched where they are phrases: $check',
    (sample) => {
      const searched = phrasesOfChecklist(checklistOf([{ checks: [sample.value] }]));
      expect(searched).toEqual(expect.arrayContaining(phrasesOf(sample).map(({ text }) => text)));
    },
  );
});
