import { type TestEntry, zipFile } from './zip-file.js';

const NAMESPACES = ['office', 'text', 'table', 'style', 'meta']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"')
  .concat('xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"')
  .concat('xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"')
  .concat('xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"')
  .concat('xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"')
  .concat('xmlns:xlink="http://www.w3.org/1999/xlink"')
  .concat('xmlns:dc="http://purl.org/dc/elements/1.1/"')
  .join(' ');

export interface TestOpenDocument {
  /** What stands inside the text or the spreadsheet. */
  readonly body: string;
  /** What stands before it in the content: automatic styles. */
  readonly styles?: string;
  /** What stands inside `styles.xml`. */
  readonly pages?: string;
  readonly extra?: readonly TestEntry[];
}

export function openDocumentFile(kind: 'text' | 'spreadsheet', document: TestOpenDocument): Buffer {
  const part = (name: string, content: string) => `<office:${name} ${NAMESPACES}>${content}</office:${name}>`;
  return zipFile([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}` },
    {
      name: 'content.xml',
      content: part(
        'document-content',
        `<office:automatic-styles>${document.styles ?? ''}</office:automatic-styles><office:body><office:${kind}>${document.body}</office:${kind}></office:body>`,
      ),
    },
    { name: 'styles.xml', content: part('document-styles', document.pages ?? '') },
    {
      name: 'meta.xml',
      content: part(
        'document-meta',
        '<office:meta><dc:title>A title</dc:title><meta:initial-creator>A writer</meta:initial-creator><meta:editing-cycles>3</meta:editing-cycles></office:meta>',
      ),
    },
    ...(document.extra ?? []),
  ]);
}
