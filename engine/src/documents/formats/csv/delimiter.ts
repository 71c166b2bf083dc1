const DELIMITERS = [',', ';', '\t', '|'] as const;
const LINES_LOOKED_AT = 30;

/**
 * The character that separates columns: present in the first line, and as often in most of the following ones.
 * Commas inside quotes do not count, decimal commas are outvoted because the line of names has none.
 */
export function sniffDelimiter(text: string): string {
  const lines = firstRecords(text.slice(0, 64 * 1024));
  let best: string = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    if (!counts[0]) continue;
    const agreeing = counts.filter((count) => count === counts[0]).length / counts.length;
    const score = agreeing * 1000 + Math.min(counts[0], 999);
    if (score > bestScore) {
      bestScore = score;
      best = delimiter;
    }
  }
  return best;
}

/** The first records with everything in quotes taken out. */
function firstRecords(start: string): string[] {
  return start
    .replace(/"(?:[^"]|"")*(?:"|$)/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_LOOKED_AT);
}
