/**
 * A quote in quotation marks, cut at a word after `most` characters. What is left out is marked outside the marks,
 * so that what stands inside them is always an exact part of the document.
 */
export function printQuote(quote: string, most: number): string {
  if (quote.length <= most) return `“${quote}”`;
  const cut = quote.lastIndexOf(' ', most);
  return `“${quote.slice(0, cut > most / 2 ? cut : most)}” […]`;
}
