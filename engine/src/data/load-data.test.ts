import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConditions } from '../conditions/load-conditions.js';
import { loadDocumentMetadata } from '../document-types/document-metadata.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import { listCatalog } from '../standards/catalog.js';
import { loadGeneralExpectations, loadStandard } from '../standards/load-standard.js';
import { DataError } from './data-error.js';
import { BUILT_IN_DATA, type DataFolder, openDataFolder } from './load-data.js';

const HARA = 'document-types/hara.yaml';
const CONCEPT = 'standards/iso-26262-3-2018.yaml';

/** What each file is read for. */
const readers: Readonly<Record<string, (data: DataFolder) => Promise<unknown>>> = {
  'catalog.yaml': listCatalog,
  'conditions.yaml': loadConditions,
  'document-metadata.yaml': loadDocumentMetadata,
  'general-expectations.yaml': loadGeneralExpectations,
  [HARA]: loadDocumentTypes,
  [CONCEPT]: (data) => loadStandard('iso-26262-3-2018', data),
};

interface Slip {
  readonly name: string;
  readonly file: string;
  readonly find: string | RegExp;
  readonly replace: string;
  readonly says: string;
}

const slips: readonly Slip[] = [
  {
    name: 'an unknown key in a document type',
    file: HARA,
    find: '    need: required\n',
    replace: '    need: required\n    sevrity: low\n',
    says: 'Unknown key "sevrity"',
  },
  {
    name: 'an unknown key in an expectation',
    file: CONCEPT,
    find: '        title: Purpose and functions\n',
    replace: '        title: Purpose and functions\n        titel: Zweck\n',
    says: 'Unknown key "titel"',
  },
  {
    name: 'a severity that does not exist',
    file: CONCEPT,
    find: '    severity: critical\n',
    replace: '    severity: fatal\n',
    says: 'Invalid option',
  },
  {
    name: 'a number instead of a clause',
    file: CONCEPT,
    find: "    clause: '5'\n",
    replace: '    clause: 5\n',
    says: 'expected string, received number',
  },
  {
    name: 'a phrase of two letters',
    file: CONCEPT,
    find: /en: \[item definition, /,
    replace: 'en: [ID, ',
    says: 'at least three letters',
  },
  {
    name: 'a section that no template has',
    file: CONCEPT,
    find: 'sections: [item_definition.purpose]',
    replace: 'sections: [item_definition.porpoise]',
    says: 'There is no section "item_definition.porpoise"',
  },
  {
    name: 'a document type that does not exist',
    file: CONCEPT,
    find: 'document_types: [item_definition]',
    replace: 'document_types: [item_definitions]',
    says: 'There is no document type "item_definitions"',
  },
  {
    name: 'a condition that does not exist',
    file: CONCEPT,
    find: 'condition: asil_a_or_higher',
    replace: 'condition: asil_e',
    says: 'There is no condition "asil_e"',
  },
  {
    name: 'a group that does not exist',
    file: CONCEPT,
    find: "group: '26262-3:5'",
    replace: "group: '26262-3:50'",
    says: 'There is no group "26262-3:50"',
  },
  {
    name: 'an expectation number that is there twice',
    file: CONCEPT,
    find: '      - n: 2\n',
    replace: '      - n: 1\n',
    says: 'The id "26262-3:5.5.1-1" is there twice',
  },
  {
    name: 'a key that is there twice',
    file: CONCEPT,
    find: '    severity: critical\n',
    replace: '    severity: critical\n    severity: high\n',
    says: 'not valid YAML: duplicated mapping key',
  },
  {
    name: 'a section key that is there twice',
    file: HARA,
    find: '  - key: method\n',
    replace: '  - key: scope\n',
    says: 'The key "scope" is there twice',
  },
  {
    name: 'a conditional section without condition',
    file: HARA,
    find: '    condition: document_reviewed\n',
    replace: '',
    says: 'is conditional and has no condition',
  },
  {
    name: 'a document type whose id is not its file name',
    file: HARA,
    find: 'id: hara\n',
    replace: 'id: haara\n',
    says: 'differs from the file name',
  },
  {
    name: 'a condition that is there twice',
    file: 'conditions.yaml',
    find: '  - id: software\n',
    replace: '  - id: hardware\n',
    says: 'The condition "hardware" is there twice',
  },
  {
    name: 'a condition shown by a document type that does not exist',
    file: 'conditions.yaml',
    find: 'document_types: [dia]',
    replace: 'document_types: [dias]',
    says: 'There is no document type "dias"',
  },
  {
    name: 'a metadata field under a condition that does not exist',
    file: 'document-metadata.yaml',
    find: 'condition: safety_or_cybersecurity_relevant',
    replace: 'condition: safety',
    says: 'There is no condition "safety"',
  },
  {
    name: 'a general expectation on a metadata field that does not exist',
    file: 'general-expectations.yaml',
    find: 'metadata: [status, approver]',
    replace: 'metadata: [status, aprover]',
    says: 'There is no metadata field "aprover"',
  },
  {
    name: 'a catalog entry that claims a structure that is not there',
    file: 'catalog.yaml',
    find: /builtin_structure: none/,
    replace: 'builtin_structure: clauses',
    says: 'claims a structure that standards/ does not hold',
  },
  {
    name: 'a catalog entry that refers to nothing',
    file: 'catalog.yaml',
    find: 'related: [iso-26262-2018]',
    replace: 'related: [iso-26262-2081]',
    says: 'refers to "iso-26262-2081"',
  },
];

describe('data files', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'normtrace-data-'));
    await cp(BUILT_IN_DATA.root, root, { recursive: true });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it.each(slips)('are refused for $name, with file and line', async ({ file, find, replace, says }) => {
    const text = await readFile(join(root, file), 'utf8');
    const at = typeof find === 'string' ? text.indexOf(find) : text.search(find);
    expect(at, 'the test finds what it breaks').toBeGreaterThanOrEqual(0);
    await writeFile(join(root, file), text.replace(find, replace));

    const error = await readers[file]!(openDataFolder(root)).then(
      () => undefined,
      (reason: unknown) => reason,
    );

    expect(error).toBeInstanceOf(DataError);
    const { message } = error as DataError;
    expect(message).toContain(says);
    const line = text.slice(0, at).split('\n').length;
    const named = message.split('\n').map((part) => Number(/^[\w/.-]+:(\d+): /.exec(part)?.[1]));
    expect(message.startsWith(`${file}:`)).toBe(true);
    expect(named.some((number) => Math.abs(number - line) <= 3)).toBe(true);
  });

  it('names the line of an unknown key exactly', async () => {
    const text = await readFile(join(root, HARA), 'utf8');
    const broken = text.replace('    need: required\n', '    need: required\n    sevrity: low\n');
    await writeFile(join(root, HARA), broken);
    const line = broken.slice(0, broken.indexOf('sevrity')).split('\n').length;

    await expect(loadDocumentTypes(openDataFolder(root))).rejects.toThrow(
      `${HARA}:${line}: Unknown key "sevrity" (sections.0.sevrity). Correct its spelling or remove it.`,
    );
  });

  it('can be read again after they were corrected', async () => {
    const data = openDataFolder(root);
    const text = await readFile(join(root, HARA), 'utf8');
    await writeFile(join(root, HARA), `${text}nonsense: 1\n`);
    await expect(loadDocumentTypes(data)).rejects.toThrow('nonsense');

    await writeFile(join(root, HARA), text);
    expect((await loadDocumentTypes(data)).has('hara')).toBe(true);
  });

  it('are read once', async () => {
    const data = openDataFolder(root);
    const first = await loadStandard('iso-26262-3-2018', data);
    await rm(root, { recursive: true });
    expect(await loadStandard('iso-26262-3-2018', data)).toBe(first);
  });
});
