import type { DocumentFormat } from './document.js';
import type { SignatureMark } from './format-entry.js';
import { FORMATS } from './formats.js';

/** What the first bytes of an announced file must look like. */
export type FirstBytes = 'text' | 'zip' | Pick<SignatureMark, 'signature' | 'title'>;

/** The media types that documents are announced with. */
export const DOCUMENT_MEDIA_TYPES: ReadonlyMap<string, FirstBytes> = new Map(
  Object.values(FORMATS)
    .flatMap(({ marks }) => marks)
    .flatMap((mark) => {
      const { kind } = mark;
      const bytes = kind === 'signature' ? mark : kind === 'text' ? 'text' : 'zip';
      return mark.mediaTypes.map((type): [string, FirstBytes] => [type, bytes]);
    }),
);

/** The media type of a file in this format. */
export const mediaTypeOf = (format: DocumentFormat): string => FORMATS[format].marks[0].mediaTypes[0];
