import type { FileProperties } from '../../block.js';
import { type Pdfium, type Pointer, readString } from './pdfium.js';

/** Title, author and dates from the document information; dates as ISO 8601. */
export function readProperties(pdfium: Pdfium, document: Pointer): FileProperties {
  const title = metaText(pdfium, document, 'Title');
  const author = metaText(pdfium, document, 'Author');
  const created = isoDate(metaText(pdfium, document, 'CreationDate'));
  const modified = isoDate(metaText(pdfium, document, 'ModDate'));
  return {
    ...(title ? { title } : {}),
    ...(author ? { author } : {}),
    ...(created ? { created } : {}),
    ...(modified ? { modified } : {}),
  };
}

function metaText(pdfium: Pdfium, document: Pointer, name: string): string {
  const { api, scratch } = pdfium;
  const tag = Buffer.from(`${name}\0`, 'latin1');
  pdfium.bytes().set(tag, scratch);
  return readString(pdfium, 'utf16le', (buffer, length) =>
    api.FPDF_GetMetaText(document, scratch, buffer, length),
  ).trim();
}

/** `D:20240131120000+01'00'` (PDF 32000, 7.9.4) as ISO 8601; only the parts that are given. */
export function isoDate(date: string): string | undefined {
  const match =
    /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-])(\d{2})'?(\d{2})?'?)?/.exec(date);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, zulu, sign, zoneHour, zoneMinute] = match;
  if (!month) return year;
  if (!day) return `${year}-${month}`;
  if (!hour) return `${year}-${month}-${day}`;
  const zone = zulu ? 'Z' : sign ? `${sign}${zoneHour}:${zoneMinute ?? '00'}` : '';
  return `${year}-${month}-${day}T${hour}:${minute ?? '00'}:${second ?? '00'}${zone}`;
}
