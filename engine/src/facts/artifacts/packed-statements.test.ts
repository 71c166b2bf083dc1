import { describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { joinDocuments, type ReadStatements, readDocumentStatements } from './extract-artifacts.js';
import { packStatements } from './pack-statements.js';
import type { DocumentStatements } from './statement.js';
import { unpackStatements } from './unpack-statements.js';

async function read(fileName: string, text: string, documentType?: string) {
  const document = await readDocument(new TextEncoder().encode(text), { fileName });
  return readDocumentStatements({
    id: fileName,
    document,
    ...(documentType === undefined ? {} : { documentType }),
  });
}

const textOf = async (fileName: string, text: string): Promise<string> =>
  (await readDocument(new TextEncoder().encode(text), { fileName })).text;

/** With the keys of places in their order, which is how they are stored. */
const asText = (value: unknown): string => JSON.stringify(value);

const FILES: Readonly<Record<string, string>> = {
  'goals.md':
    '# Ziele\n\n| ID | Sicherheitsziel | ASIL |\n|---|---|---|\n| SG-1 | Kein „ungewolltes“ Bremsen – nie. | D |\n\n## SG-2: Stop\n\nASIL: B\n\nThe item shall stop. SG-2 satisfies SG-1.\n',
  'requirements.csv':
    'ID;Requirement;Derived from;Status\nFSR-1;It shall stop.;SG-1, SG-2;released\nFSR-2;;SG-9;\n',
  'sub.md':
    '# TSR-7: Parent\n\nIt shall brake.\n\n| ID | Requirement |\n|---|---|\n| 01 | First. |\n\n# TSR-8: Other\n\nIt shall wait.\n\n| ID | Requirement |\n|---|---|\n| 01 | Second. |\n',
  'hara.md':
    '| ID | Hazard | S | E | C | ASIL |\n|---|---|---|---|---|---|\n| HE-1 | Brakes fail. | S3 | E4 | C3 | D |\n',
  'items.md': '### Login\n`req~login~2`\n\nPeople log in.\n\nNeeds: dsn, utest\n\nCovers:\n* feat~people~1\n',
  'hidden.html':
    '<h1>Requirements</h1><table><tr><th>ID</th><th>Requirement</th><th>Derived from</th></tr><tr><td>FSR-5</td><td>It shall go.</td><td>SG-1</td></tr><tr style="display:none"><td>FSR-6</td><td>It shall not.</td><td>SG-2</td></tr></table>',
  'results.xml':
    '<testsuite name="s"><testcase name="TC_1" classname="suite"/><testcase name="TC_2"><failure message="no"/></testcase></testsuite>',
  'plain.md': 'The item shall work. Nothing has an id here.\n',
};

describe('packed statements', () => {
  it('come back as they were read, and join to the same', async () => {
    const all = await Promise.all(Object.entries(FILES).map(([name, text]) => read(name, text)));
    const packed = all.map((one) => unpackStatements(packStatements(one), one.seen.source.id)!);
    const texts = await Promise.all(Object.entries(FILES).map(([name, text]) => textOf(name, text)));
    // With the text of the document at hand, texts are places in it.
    const short = all.map((one, at) => packStatements(one, texts[at]!));
    const within = short.map((bytes, at) => unpackStatements(bytes, all[at]!.seen.source.id, texts[at]!)!);
    const back = packed.map(listed);
    expect(within.map(listed)).toEqual(back);
    expect(Buffer.concat(short).includes('satisfies')).toBe(false);
    expect(Buffer.concat(short).includes('It shall brake')).toBe(false);
    expect(all.filter(({ whole }) => whole)).toHaveLength(1);
    for (const [at, one] of all.entries()) {
      expect(back[at]).toEqual(one);
      const placesOf = ({ statements, demands }: DocumentStatements) =>
        asText([
          statements.map(({ location, asilPlace, references }) => [location, asilPlace, references]),
          demands,
        ]);
      expect(placesOf(back[at]!.seen)).toBe(placesOf(one.seen));
    }
    const [before, after] = [joinDocuments(all), joinDocuments(packed)];
    expect(asText(joinDocuments(within))).toBe(asText(before));
    expect(before.links.length).toBeGreaterThan(7);
    expect(asText(after)).toBe(asText(before));
  });

  it('keep every character, bear another id, and are told from other bytes', async () => {
    const { seen } = await read('a.md', FILES['goals.md']!, 'hara');
    const [statement] = seen.statements;
    const odd = {
      seen: { ...seen, statements: [{ ...statement!, text: '\ufeffhalf \ud83d of\0 a pair 🚗' }] },
    };
    const packed = packStatements(odd);
    expect(listed(unpackStatements(packed, 'other')!).seen).toEqual({
      ...odd.seen,
      source: { id: 'other', format: 'markdown', documentType: 'hara' },
    });
    expect(unpackStatements(packed.subarray(1), 'other')).toBeUndefined();
    expect(unpackStatements(new Uint8Array(), 'other')).toBeUndefined();
    const shifted = new Uint8Array(packed.length + 1);
    shifted.set(packed, 1);
    expect(listed(unpackStatements(shifted.subarray(1), 'a.md')!).seen.statements).toEqual(
      odd.seen.statements,
    );
  });
});

/** References of packed statements come into being when somebody looks at them. */
function listed({ seen, whole }: ReadStatements): ReadStatements {
  const one = ({ statements, ...rest }: DocumentStatements): DocumentStatements => ({
    ...rest,
    statements: statements.map((statement) => ({ ...statement, references: [...statement.references] })),
  });
  return { seen: one(seen), ...(whole ? { whole: one(whole) } : {}) };
}
