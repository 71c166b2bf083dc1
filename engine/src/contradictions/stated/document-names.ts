/** Any of the names as a word of its own; nothing where there are none. */
export function anyName(names: readonly string[], flags: string): RegExp {
  const escaped = names.map((name) =>
    name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/[\s-]+/g, '[\\s-]+'),
  );
  if (escaped.length === 0) return /(?!)/gu;
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`, flags);
}
