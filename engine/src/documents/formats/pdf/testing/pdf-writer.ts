import { createHash } from 'node:crypto';

/** Something drawn on a page; places are in points from the top left corner. */
export type Drawing =
  | {
      readonly text: string;
      readonly x: number;
      /** Baseline. */
      readonly y: number;
      readonly size?: number;
      readonly font?: 'regular' | 'bold' | 'italic' | 'mono';
      /** Degrees, anticlockwise. */
      readonly angle?: number;
      /** Structure type, to write a tagged file. */
      readonly tag?: string;
    }
  /** Operators of the page's content, as they are; `/clear gs` makes what follows transparent, `/layer` is switched off. */
  | { readonly operators: string }
  | { readonly line: readonly [x0: number, y0: number, x1: number, y1: number] }
  | { readonly image: readonly [x: number, y: number, width: number, height: number] };

export interface PdfPage {
  readonly drawings: readonly Drawing[];
  readonly width?: number;
  readonly height?: number;
  readonly comments?: readonly string[];
  /** Text shown by a filled form field at the middle of the page. */
  readonly field?: string;
}

export interface PdfInput {
  readonly pages: readonly PdfPage[];
  readonly outline?: readonly { readonly title: string; readonly page: number }[];
  readonly information?: Readonly<Record<string, string>>;
  /** Passwords; an empty user password leaves the file open to everyone. */
  readonly encryption?: { readonly user: string; readonly owner: string };
}

const FONTS = { regular: 'Helvetica', bold: 'Helvetica-Bold', italic: 'Helvetica-Oblique', mono: 'Courier' };
const WIN_ANSI: Readonly<Record<string, number>> = {
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
  '“': 0x93,
  '”': 0x94,
  '…': 0x85,
};

/** Writes a small PDF 1.7 file with the standard fonts. */
export function writePdf(input: PdfInput): Uint8Array {
  const objects: { body: string; stream?: Buffer }[] = [];
  const add = (body: string, stream?: Buffer): number => objects.push(stream ? { body, stream } : { body });
  const catalog = add('');
  const pageTree = add('');
  const fonts = Object.entries(FONTS)
    .map(([name, base]) => {
      const id = add(`<< /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding >>`);
      return `/${name} ${id} 0 R`;
    })
    .join(' ');
  const picture = add(
    '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 LENGTH >>',
    Buffer.from([128]),
  );
  const layer = add('<< /Type /OCG /Name (layer) >>');
  // A font whose glyphs have numbers only: nothing tells their letters.
  const numbered = add(
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Numbers /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>',
  );
  const unnamed = add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Numbers /Encoding /Identity-H /DescendantFonts [${numbered} 0 R] >>`,
  );
  const resources = `<< /Font << ${fonts} /unnamed ${unnamed} 0 R >> /XObject << /picture ${picture} 0 R >> /ExtGState << /clear << /ca 0 >> >> /Properties << /layer ${layer} 0 R >> >>`;
  const tags: { type: string; page: number; contentId: number }[] = [];
  const fields: number[] = [];
  const pages = input.pages.map((page, index) => {
    const { width = 595, height = 842 } = page;
    const id = add('');
    const content = add(
      '<< LENGTH >>',
      Buffer.from(
        pageContent(page, height, (type, contentId) => tags.push({ type, page: index, contentId })),
        'latin1',
      ),
    );
    const annotations = (page.comments ?? []).map((comment) =>
      add(`<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents ${string(comment)} >>`),
    );
    if (page.field !== undefined) {
      const look = add(
        `<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources ${resources} LENGTH >>`,
        Buffer.from(`BT /regular 10 Tf 2 5 Td ${string(page.field)} Tj ET`, 'latin1'),
      );
      const field = add(
        `<< /Type /Annot /Subtype /Widget /FT /Tx /F 4 /T (field) /V ${string(page.field)} /Rect [200 400 400 420] /AP << /N ${look} 0 R >> >>`,
      );
      fields.push(field);
      annotations.push(field);
    }
    objects[id - 1]!.body =
      `<< /Type /Page /Parent ${pageTree} 0 R /MediaBox [0 0 ${width} ${height}] /Resources ${resources} /Contents ${content} 0 R /StructParents ${index}` +
      ` /Annots [${annotations.map((annotation) => `${annotation} 0 R`).join(' ')}] >>`;
    return id;
  });
  objects[pageTree - 1]!.body =
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((id) => `${id} 0 R`).join(' ')}] >>`;
  const extras = [
    outlineEntry(input, pages, add, objects),
    structureEntry(tags, pages, add, objects),
    `/OCProperties << /OCGs [${layer} 0 R] /D << /OFF [${layer} 0 R] >> >>`,
    fields.length > 0 ? `/AcroForm << /Fields [${fields.map((id) => `${id} 0 R`).join(' ')}] >>` : '',
  ];
  objects[catalog - 1]!.body = `<< /Type /Catalog /Pages ${pageTree} 0 R ${extras.join(' ')} >>`;
  const information = add(
    `<< ${Object.entries(input.information ?? {})
      .map(([key, value]) => `/${key} ${string(value)}`)
      .join(' ')} >>`,
  );
  return serialise(objects, {
    catalog,
    information,
    ...(input.encryption ? { encryption: input.encryption } : {}),
  });
}

function pageContent(page: PdfPage, height: number, tag: (type: string, contentId: number) => void): string {
  let contentId = 0;
  return page.drawings
    .map((drawing) => {
      if ('operators' in drawing) return drawing.operators;
      if ('line' in drawing) {
        const [x0, y0, x1, y1] = drawing.line;
        return `0.5 w ${x0} ${height - y0} m ${x1} ${height - y1} l S`;
      }
      if ('image' in drawing) {
        const [x, y, w, h] = drawing.image;
        return `q ${w} 0 0 ${h} ${x} ${height - y - h} cm /picture Do Q`;
      }
      const { text, x, y, size = 10, font = 'regular', angle = 0 } = drawing;
      const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
      const matrix = [cos, sin, -sin, cos, x, height - y].map((value) => value.toFixed(3)).join(' ');
      const show = `BT /${font} ${size} Tf ${matrix} Tm ${string(text)} Tj ET`;
      if (drawing.tag === undefined) return show;
      tag(drawing.tag, contentId);
      return `/${drawing.tag} << /MCID ${contentId++} >> BDC ${show} EMC`;
    })
    .join('\n');
}

type Add = (body: string, stream?: Buffer) => number;

function outlineEntry(
  input: PdfInput,
  pages: readonly number[],
  add: Add,
  objects: { body: string }[],
): string {
  const { outline = [] } = input;
  if (outline.length === 0) return '';
  const root = add('');
  const ids = outline.map(() => add(''));
  outline.forEach(({ title, page }, index) => {
    const next = ids[index + 1];
    objects[ids[index]! - 1]!.body =
      `<< /Title ${string(title)} /Parent ${root} 0 R /Dest [${pages[page - 1]} 0 R /Fit]${next ? ` /Next ${next} 0 R` : ''} >>`;
  });
  objects[root - 1]!.body =
    `<< /Type /Outlines /First ${ids[0]} 0 R /Last ${ids.at(-1)} 0 R /Count ${ids.length} >>`;
  return `/Outlines ${root} 0 R`;
}

function structureEntry(
  tags: readonly { type: string; page: number; contentId: number }[],
  pages: readonly number[],
  add: Add,
  objects: { body: string }[],
): string {
  if (tags.length === 0) return '';
  const root = add('');
  const ids = tags.map(({ type, page, contentId }) =>
    add(`<< /Type /StructElem /S /${type} /P ${root} 0 R /Pg ${pages[page]} 0 R /K ${contentId} >>`),
  );
  const parents = pages.map((_, page) => {
    const own = ids.filter((_, index) => tags[index]!.page === page);
    return `${page} [${own.map((id) => `${id} 0 R`).join(' ')}]`;
  });
  objects[root - 1]!.body =
    `<< /Type /StructTreeRoot /K [${ids.map((id) => `${id} 0 R`).join(' ')}] /ParentTree << /Nums [${parents.join(' ')}] >> >>`;
  return `/MarkInfo << /Marked true >> /StructTreeRoot ${root} 0 R`;
}

function serialise(
  objects: readonly { body: string; stream?: Buffer }[],
  trailer: { catalog: number; information: number; encryption?: { user: string; owner: string } },
): Uint8Array {
  const id = Buffer.from('0123456789abcdef', 'latin1');
  const security = trailer.encryption ? securityOf(trailer.encryption, id) : undefined;
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const push = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach(({ body, stream }, index) => {
    offsets.push(length);
    const number = index + 1;
    const key = security?.keyOf(number);
    const data = stream && key ? rc4(key, stream) : stream;
    const text = body
      .replace('LENGTH', `/Length ${data?.length ?? 0}`)
      .replace(/<([0-9a-f]*)>/g, (whole, hex: string) =>
        key ? `<${rc4(key, Buffer.from(hex, 'hex')).toString('hex')}>` : whole,
      );
    push(Buffer.from(`${number} 0 obj\n${text}\n`, 'latin1'));
    if (data) push(Buffer.concat([Buffer.from('stream\n'), data, Buffer.from('\nendstream\n')]));
    push(Buffer.from('endobj\n'));
  });
  const start = length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const encrypt = security ? ` /Encrypt ${security.dictionary}` : '';
  push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root ${trailer.catalog} 0 R /Info ${trailer.information} 0 R` +
        ` /ID [<${id.toString('hex')}> <${id.toString('hex')}>]${encrypt} >>\nstartxref\n${start}\n%%EOF\n`,
      'latin1',
    ),
  );
  return Buffer.concat(parts);
}

/** A text as a hexadecimal string in WinAnsi. */
function string(text: string): string {
  return `<${Buffer.from([...text].map((character) => WIN_ANSI[character] ?? character.charCodeAt(0))).toString('hex')}>`;
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** The standard security handler, revision 2 with 40 bits (PDF 32000, 7.6.3): weak, but enough to be locked. */
function securityOf(passwords: { user: string; owner: string }, id: Buffer) {
  const padded = (password: string): Buffer =>
    Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  const owner = rc4(md5(padded(passwords.owner)).subarray(0, 5), padded(passwords.user));
  const permissions = Buffer.from([0xc0, 0xff, 0xff, 0xff]);
  const key = md5(Buffer.concat([padded(passwords.user), owner, permissions, id])).subarray(0, 5);
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${rc4(key, PADDING).toString('hex')}> /P -64 >>`,
    keyOf: (object: number): Buffer =>
      md5(Buffer.concat([key, Buffer.from([object & 255, object >> 8, 0, 0, 0])])).subarray(0, 10),
  };
}

function md5(data: Buffer): Buffer {
  return createHash('md5').update(data).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  const result = Buffer.alloc(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n++) {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
    result[n] = data[n]! ^ state[(state[i]! + state[j]!) & 255]!;
  }
  return result;
}
