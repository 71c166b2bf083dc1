/** Controls that XML 1.0 cannot hold or nobody can see, and lone halves of surrogate pairs. */
const UNPRINTABLE = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** Text without what no document format can hold: such characters become the replacement character. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd');
}

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and attribute values of HTML and XML alike. */
export function escapeXml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => NAMES[character]!);
}
