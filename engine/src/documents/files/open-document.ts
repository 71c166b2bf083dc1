import type { FileProperties } from '../block.js';
import { corruptFile } from '../document-error.js';
import type { ReadingLimits } from '../reading-limits.js';
import { parseXml, type XmlHandler } from './xml.js';
import { encryptedFile, openZip } from './zip-archive.js';

/** An OpenDocument file (ISO/IEC 26300): XML parts in a ZIP archive. */
export interface OpenDocumentPackage {
  has(part: string): boolean;
  parse(part: 'content.xml' | 'styles.xml', handler: XmlHandler): Promise<void>;
  properties(): Promise<FileProperties>;
  close(): void;
}

const PROPERTY_BY_ELEMENT: Record<string, keyof FileProperties> = {
  'dc:title': 'title',
  'meta:initial-creator': 'author',
  'dc:creator': 'lastModifiedBy',
  'meta:creation-date': 'created',
  'dc:date': 'modified',
  'meta:editing-cycles': 'revision',
};

/** Throws `DocumentError` for bombs, damage and passwords. */
export async function openOpenDocument(
  bytes: Uint8Array,
  limits: ReadingLimits,
): Promise<OpenDocumentPackage> {
  const zip = await openZip(bytes, limits);
  const parts = new Set(zip.names);
  const parse = (partName: string, handler: XmlHandler) =>
    parseXml(zip.stream(partName), handler, { maxDepth: limits.maxDepth, partName });
  if (parts.has('META-INF/manifest.xml')) {
    await parse('META-INF/manifest.xml', {
      open(name) {
        if (name.endsWith('encryption-data')) throw encryptedFile();
      },
    });
  }
  if (!parts.has('content.xml')) throw corruptFile('its main part is missing');
  return {
    has: (part) => parts.has(part),
    parse,
    async properties() {
      const properties: { -readonly [name in keyof FileProperties]: string } = {};
      if (!parts.has('meta.xml')) return properties;
      let property: keyof FileProperties | undefined;
      await parse('meta.xml', {
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
    },
    close: () => zip.close(),
  };
}
