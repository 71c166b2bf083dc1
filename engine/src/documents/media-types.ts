import type { DocumentFormat } from './document.js';
import type { FormatMark, SignatureMark } from './format-entry.js';
import { FORMATS } from './formats.js';

/** What the first bytes of an announced file must look like. */
export type FirstBytes = 'text' | 'zip' | Pick<SignatureMark, 'signature' | 'title'>;

const FIRST_BYTES: Readonly<Record<Exclude<FormatMark['kind'], 'signature'>, FirstBytes>> = {
  office: 'zip',
  open_document: 'zip',
  exchange: 'zip',
  text: 'text',
};

/** The media types that documents are announced with. */
export const DOCUMENT_MEDIA_TYPES: ReadonlyMap<string, FirstBytes> = new Map(
  Object.values(FORMATS)
    .flatMap(({ marks }) => marks)
    .flatMap((mark) => {
      const bytes = mark.kind === 'signature' ? mark : FIRST_BYTES[mark.kind];
      return mark.mediaTypes.map((type): [string, FirstBytes] => [type, bytes]);
    }),
);

/** The media type of a file in this format. */
export const mediaTypeOf = (format: DocumentFormat): string => FORMATS[format].marks[0].mediaTypes[0];
