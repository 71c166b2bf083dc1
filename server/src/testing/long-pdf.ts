/** A PDF of so many pages in Helvetica, each with the lines that are asked for. */
export function longPdf(
  pages: number,
  linesOf: (page: number) => readonly string[],
): Uint8Array<ArrayBuffer> {
  const bodies: string[] = [];
  const add = (body: string): number => bodies.push(body);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add('');
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const kids: number[] = [];
  for (let page = 1; page <= pages; page++) {
    const text = linesOf(page)
      .map((line, at) => `1 0 0 1 72 ${770 - at * 16} Tm (${line.replace(/[\\()]/g, '\\$&')}) Tj`)
      .join('\n');
    const stream = `BT /F1 11 Tf\n${text}\nET`;
    const content = add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    kids.push(
      add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
    );
  }
  bodies[1] = `<< /Type /Pages /Count ${pages} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`;
  let file = '%PDF-1.7\n';
  const places = bodies.map((body, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = bodies.length + 1;
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file + end, 'latin1'));
}
