import { SaxesParser } from 'saxes';
import { MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../clean-text.js';
import { corruptFile, DocumentError, fileTooComplex } from '../document-error.js';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Called in document order. Names carry the usual prefix of their namespace (`w:p`), whatever the file calls it. */
export interface XmlHandler {
  /** `line` counts from 1; it is 0 unless `XmlOptions.lines` asks for it. */
  open?(name: string, attributes: XmlAttributes, line: number): void;
  close?(name: string): void;
  text?(text: string): void;
}

export interface XmlOptions {
  readonly maxDepth: number;
  /** Completes "The file is damaged: … is not well-formed XML", for example a part's name. */
  readonly partName: string;
  /** May shorten the markup before it is parsed. Gets pieces that end where a tag begins. */
  readonly prefilter?: (markup: string) => string;
  /** Tell the handler on which line a tag begins. */
  readonly lines?: boolean;
}

/** Usual prefixes by namespace; Office writes two generations of each ("transitional" and "strict"). */
const USUAL_PREFIXES = new Map([
  ['http://schemas.openxmlformats.org/wordprocessingml/2006/main', 'w'],
  ['http://purl.oclc.org/ooxml/wordprocessingml/main', 'w'],
  ['http://schemas.openxmlformats.org/spreadsheetml/2006/main', ''],
  ['http://purl.oclc.org/ooxml/spreadsheetml/main', ''],
  ['http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'r'],
  ['http://purl.oclc.org/ooxml/officeDocument/relationships', 'r'],
  ['http://schemas.openxmlformats.org/drawingml/2006/main', 'a'],
  ['http://purl.oclc.org/ooxml/drawingml/main', 'a'],
  ['http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing', 'wp'],
  ['http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing', 'wp'],
  ['http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing', 'xdr'],
  ['http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing', 'xdr'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm'],
  ['http://purl.oclc.org/ooxml/officeDocument/math', 'm'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc'],
  ['http://schemas.openxmlformats.org/package/2006/metadata/core-properties', 'cp'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://schemas.openxmlformats.org/package/2006/relationships', ''],
  ['http://schemas.openxmlformats.org/package/2006/content-types', ''],
  ['http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments', ''],
  ['http://schemas.openxmlformats.org/presentationml/2006/main', 'p'],
  ['http://purl.oclc.org/ooxml/presentationml/main', 'p'],
  ['http://schemas.openxmlformats.org/drawingml/2006/diagram', 'dgm'],
  ['http://purl.oclc.org/ooxml/drawingml/diagram', 'dgm'],
  ['urn:oasis:names:tc:opendocument:xmlns:office:1.0', 'office'],
  ['urn:oasis:names:tc:opendocument:xmlns:text:1.0', 'text'],
  ['urn:oasis:names:tc:opendocument:xmlns:table:1.0', 'table'],
  ['urn:oasis:names:tc:opendocument:xmlns:style:1.0', 'style'],
  ['urn:oasis:names:tc:opendocument:xmlns:drawing:1.0', 'draw'],
  ['urn:oasis:names:tc:opendocument:xmlns:meta:1.0', 'meta'],
  ['urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0', 'fo'],
  ['urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0', 'loext'],
  ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0', 'svg'],
  ['urn:schemas-microsoft-com:vml', 'v'],
]);

/**
 * Parses XML as it arrives, in constant memory. Throws `DocumentError`: `unsafe_content` for a document type
 * declaration (entity bombs need one, documents do not), `too_complex` past the depth, `corrupt` otherwise.
 */
export async function parseXml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  handler: XmlHandler,
  options: XmlOptions,
): Promise<void> {
  const parser = new SaxesParser({ position: options.lines === true });
  const renamed = new Map<string, string>();
  let depth = 0;
  parser.on('doctype', () => {
    throw unsafeXml();
  });
  parser.on('opentag', (tag) => {
    if (++depth > options.maxDepth) throw tooDeep(options.maxDepth);
    const attributes = tag.attributes as Record<string, string>;
    const line = options.lines ? parser.line : 0;
    for (const name in attributes) {
      if (name.startsWith('xmlns')) notePrefix(renamed, name, attributes[name]!);
    }
    if (renamed.size === 0) handler.open?.(tag.name, attributes, line);
    else handler.open?.(rename(renamed, tag.name), renameAttributes(renamed, attributes), line);
  });
  parser.on('closetag', (tag) => {
    depth--;
    handler.close?.(renamed.size === 0 ? tag.name : rename(renamed, tag.name));
  });
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));

  try {
    for await (const markup of markupPieces(chunks)) {
      parser.write(options.prefilter ? options.prefilter(markup) : markup);
    }
    parser.close();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw corruptFile(`its part ${options.partName} is not well-formed XML`);
  }
}

const PIECE_BYTES = 256 * 1024;

/** The bytes of a file that is not packed, as `parseXml` wants them. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
}

/** Pieces that never end inside a tag, so that a prefilter sees whole tags. */
async function* markupPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = '';
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(xmlEncoding(chunk));
    const markup = rest + decoder.decode(chunk, { stream: true });
    const cut = markup.lastIndexOf('<');
    // A document type declaration is refused before a parser collects it.
    if (markup.includes('<!DOCTYPE')) throw unsafeXml();
    if (cut > 0) yield markup.slice(0, cut);
    rest = cut > 0 ? markup.slice(cut) : markup;
    if (rest.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
  }
  yield rest;
}

function xmlEncoding(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const declaration = Buffer.from(start.subarray(0, 200)).toString('latin1');
  const stated = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(declaration)?.[1]?.toLowerCase() ?? '';
  // Other names are not believed: files in UTF-8 that say something else are common.
  return /^(?:iso-?8859-1|windows-125\d|latin1|us-ascii)$/.test(stated) ? stated : 'utf-8';
}

function notePrefix(renamed: Map<string, string>, attribute: string, namespace: string): void {
  const usual = USUAL_PREFIXES.get(namespace);
  const prefix = attribute === 'xmlns' ? '' : attribute.slice('xmlns:'.length);
  if (usual !== undefined && usual !== prefix) renamed.set(prefix, usual);
}

function rename(renamed: Map<string, string>, name: string): string {
  const colon = name.indexOf(':');
  const prefix = colon < 0 ? '' : name.slice(0, colon);
  const usual = renamed.get(prefix);
  if (usual === undefined) return name;
  const local = name.slice(colon + 1);
  return usual === '' ? local : `${usual}:${local}`;
}

function renameAttributes(renamed: Map<string, string>, attributes: Record<string, string>): XmlAttributes {
  const result: Record<string, string> = {};
  for (const name in attributes)
    result[name.includes(':') ? rename(renamed, name) : name] = attributes[name]!;
  return result;
}

function unsafeXml(): DocumentError {
  return new DocumentError(
    'unsafe_content',
    'The file declares a document type, which can hide entities that grow without end.',
    'No office program writes such files. Save the document again from its source.',
  );
}

function tooDeep(maxDepth: number): DocumentError {
  return fileTooComplex(
    `Elements are nested more than ${maxDepth} deep.`,
    'Flatten the nesting of tables, lists or groups and upload the file again.',
  );
}
