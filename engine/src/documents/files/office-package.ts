import { posix } from 'node:path';
import type { FileProperties } from '../block.js';
import { corruptFile } from '../document-error.js';
import type { ReadingLimits } from '../reading-limits.js';
import { parseXml, type XmlHandler } from './xml.js';
import { openZip } from './zip-archive.js';

export interface Relationship {
  /** Last part of the type's address: `officeDocument`, `styles`, `comments`, … */
  readonly type: string;
  /** Path inside the archive, or the address where `external`. */
  readonly target: string;
  readonly external: boolean;
}

/** An Office Open XML file (ECMA-376 part 2): parts in a ZIP archive and relationships between them. */
export interface OfficePackage {
  /** Path of the part that holds the document, workbook or presentation. */
  readonly mainPart: string;
  /** Content type of that part; says which kind of document it is. */
  readonly mainType: string;
  has(part: string): boolean;
  /** Relationships of a part by id; empty where it has none. */
  relationships(part: string): Promise<ReadonlyMap<string, Relationship>>;
  parse(part: string, handler: XmlHandler, prefilter?: (markup: string) => string): Promise<void>;
  /** Core properties (`docProps/core.xml`). */
  properties(): Promise<FileProperties>;
  close(): void;
}

const PROPERTY_BY_ELEMENT: Record<string, keyof FileProperties> = {
  'dc:title': 'title',
  'dc:creator': 'author',
  'cp:lastModifiedBy': 'lastModifiedBy',
  'dcterms:created': 'created',
  'dcterms:modified': 'modified',
  'cp:revision': 'revision',
};

/** Opens the package and finds its main part. Throws `DocumentError` for bombs, damage and passwords. */
export async function openOfficePackage(bytes: Uint8Array, limits: ReadingLimits): Promise<OfficePackage> {
  const zip = await openZip(bytes, limits);
  const nameByLowerCase = new Map(zip.names.map((name) => [name.toLowerCase(), name]));
  const find = (part: string) => nameByLowerCase.get(part.toLowerCase());

  const parse: OfficePackage['parse'] = (part, handler, prefilter) =>
    parseXml(zip.stream(find(part) ?? part), handler, {
      maxDepth: limits.maxDepth,
      partName: part,
      ...(prefilter ? { prefilter } : {}),
    });

  async function relationships(part: string): Promise<Map<string, Relationship>> {
    const found = new Map<string, Relationship>();
    const folder = posix.dirname(part);
    const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
    if (!find(file)) return found;
    await parse(file, {
      open(name, attributes) {
        if (name !== 'Relationship' || !attributes.Id || !attributes.Target) return;
        const external = attributes.TargetMode === 'External';
        found.set(attributes.Id, {
          type: posix.basename(attributes.Type ?? ''),
          target: external ? attributes.Target : posix.resolve('/', folder, attributes.Target).slice(1),
          external,
        });
      },
    });
    return found;
  }

  const roots = [...(await relationships('')).values()];
  const mainPart = roots.find((root) => root.type === 'officeDocument')?.target;
  if (!mainPart || !find(mainPart)) throw corruptFile('its main part is missing');
  const mainType = await contentType(parse, mainPart);

  return {
    mainPart,
    mainType,
    has: (part) => find(part) !== undefined,
    relationships,
    parse,
    async properties() {
      const part = roots.find((root) => root.type === 'core-properties')?.target;
      return part && find(part) ? readProperties(parse, part) : {};
    },
    close: () => zip.close(),
  };
}

async function contentType(parse: OfficePackage['parse'], part: string): Promise<string> {
  let byName = '';
  let byExtension = '';
  await parse('[Content_Types].xml', {
    open(name, attributes) {
      const type = attributes.ContentType ?? '';
      if (name === 'Override' && attributes.PartName?.toLowerCase() === `/${part.toLowerCase()}`)
        byName = type;
      if (name === 'Default' && part.toLowerCase().endsWith(`.${attributes.Extension?.toLowerCase()}`)) {
        byExtension = type;
      }
    },
  });
  return byName || byExtension;
}

async function readProperties(parse: OfficePackage['parse'], part: string): Promise<FileProperties> {
  const properties: { -readonly [name in keyof FileProperties]: string } = {};
  let property: keyof FileProperties | undefined;
  await parse(part, {
    open(name) {
      property = PROPERTY_BY_ELEMENT[name];
    },
    text(text) {
      if (property && text.trim()) properties[property] = (properties[property] ?? '') + text.trim();
    },
    close() {
      property = undefined;
    },
  });
  return properties;
}
