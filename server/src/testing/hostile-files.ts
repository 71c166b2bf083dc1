import { crc32, deflateRawSync } from 'node:zlib';
import type { TestFile } from './upload.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const bytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

/** Files that hurt careless readers, made here so that nothing foreign lies in the repository. */
export const hostileFiles = (): Readonly<Record<string, TestFile>> => ({
  'an encrypted PDF': pdf({ content: 'BT /F1 12 Tf (Secret) Tj ET', encrypted: true }),
  'a corrupt PDF': {
    name: 'corrupt.pdf',
    type: 'application/pdf',
    bytes: '%PDF-1.7\n%%%% nothing else ÿþ \n',
  },
  'a PDF without pages': { name: 'empty.pdf', type: 'application/pdf', bytes: bytes(pdfBytes([])) },
  'a scanned PDF': pdf({ content: '0 0 200 200 re f' }),
  'a renamed program': {
    name: 'program.docx',
    type: 'application/octet-stream',
    bytes: bytes(Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(4096, 1)])),
  },
  'a zip bomb as DOCX': {
    name: 'bomb.docx',
    type: DOCX,
    bytes: bytes(
      docx(Buffer.concat([Buffer.from(`${BODY}<w:p><w:r><w:t>`), Buffer.alloc(1_200_000_000, 97)])),
    ),
  },
  'an entity bomb as DOCX': {
    name: 'entities.docx',
    type: DOCX,
    bytes: bytes(docx(Buffer.from(entityBomb()))),
  },
  'a CSV with ten thousand columns': {
    name: 'wide.csv',
    type: 'text/csv',
    bytes: `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(',')}\n`.repeat(20),
  },
  'a DOCX that is no archive': { name: 'broken.docx', type: DOCX, bytes: `PK\u0003\u0004${'x'.repeat(500)}` },
  'a text of blanks': { name: 'blank.txt', type: 'text/plain', bytes: ' \n\t \n' },
});

const BODY =
  '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>';

function entityBomb(): string {
  const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
    '',
  );
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "lol">${entities}]>${BODY.slice(21)}<w:p><w:r><w:t>&e12;</w:t></w:r></w:p></w:body></w:document>`;
}

/** A Word document of one paragraph. */
export const wordDocument = (text: string): Buffer =>
  docx(Buffer.from(`${BODY}<w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`));

function docx(document: Buffer): Buffer {
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  const relations =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
  return zip({
    '[Content_Types].xml': Buffer.from(types),
    '_rels/.rels': Buffer.from(relations),
    'word/document.xml': document,
  });
}

/** An archive of deflated entries (APPNOTE 4.3); those that are named so are marked as encrypted. */
export function zip(
  entries: Readonly<Record<string, Buffer>>,
  { encrypted = [] }: { readonly encrypted?: readonly string[] } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(encrypted.includes(name) ? 1 : 0, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('504b0304', 'hex'), common, Buffer.from(name), packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('504b01021400', 'hex'), common, rest, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

function pdf({ content, encrypted = false }: { content: string; encrypted?: boolean }): TestFile {
  return {
    name: encrypted ? 'encrypted.pdf' : 'scan.pdf',
    type: 'application/pdf',
    bytes: bytes(pdfBytes([content], encrypted)),
  };
}

/** A PDF with one page for each content stream. */
function pdfBytes(contents: readonly string[], encrypted = false): Buffer {
  const kids = contents.map((_, n) => `${4 + 2 * n} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * n} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  // A user password that nobody knows (PDF 1.7, 7.6.3).
  const key = `<${'5f'.repeat(32)}>`;
  if (encrypted) objects.push(`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${key} /U ${key} >>`);
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, n) => {
    const at = text.length;
    text += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const lines = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const secured = encrypted ? ` /Encrypt ${objects.length} 0 R /ID [${key} ${key}]` : '';
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${secured} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
