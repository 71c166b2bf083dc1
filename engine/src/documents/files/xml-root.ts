/** The local name of the root element, or of the document type that a file must not have; undefined where there is none. */
export function xmlRoot(start: string): string | undefined {
  return /^\s*(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!DOCTYPE\s+)?(?:[\w.-]+:)?([\w.-]+)/.exec(
    start,
  )?.[1];
}
