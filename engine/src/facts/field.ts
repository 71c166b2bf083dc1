/** A value as a document states it, with its place in the text. */
export interface Field {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A rating class as a number: `S3`, `E4 - High probability`, `K2` (Kontrollierbarkeit), `3`. */
export function readRating(written: string | undefined): number | undefined {
  const match = /^\s*[SECK]?\s?([0-4])(?![\d.])/iu.exec(written ?? '');
  return match ? Number(match[1]) : undefined;
}
