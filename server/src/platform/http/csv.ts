/** What a spreadsheet would run as a formula; the same list as OWASP's on CSV injection. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of CSV (RFC 4180), with its end. Objects are written as JSON, null and undefined as nothing. A text that a
 * spreadsheet would take for a formula is led by an apostrophe.
 */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvField).join(',')}\r\n`;

function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
