/** Ids, numbers, clauses, dates and levels of a text: what a model must not make up. */
const MARKS =
  /(?:ASIL|CAL|SIL|TAF)[\s-]?[A-D0-9](?:\([A-D]\))?(?![\p{L}\p{N}])|\bQM\b|[\p{L}\p{N}_.:/()-]*\d[\p{L}\p{N}_.:/()-]*/gu;

function marksOf(text: string): readonly string[] {
  return [...text.matchAll(MARKS)].map(([mark]) =>
    mark
      .toLowerCase()
      .replace(/[\s-]+(?=[a-d](?:\(|$))/, ' ')
      .replace(/^[(.:/-]+|[).:/,-]+$/g, ''),
  );
}

/** Whether every number, id, clause, level and date of a text stands in what it was made from. */
export function isGrounded(text: string, input: readonly string[]): boolean {
  const known = new Set(input.flatMap(marksOf));
  return marksOf(text).every((mark) => known.has(mark));
}
