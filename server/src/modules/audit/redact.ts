/** Keys whose texts are closed words, ids or times of ours and never what somebody wrote. */
const OWN_WORDS =
  /^(role|status|resolution|assignee|accepted_by|due_date|access|plan|severity|type|category|catalog_id|licence_type|file_sha256|url_host|.*_id|.*_at|.*_until)$/;

export const REDACTED = '[redacted]';

/** The same state without texts: numbers, truth values and our own closed words stay, all else is left out. */
export function redact(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => redact(inner, key));
  if (typeof value === 'string') return OWN_WORDS.test(key) ? value : REDACTED;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redact(inner, name)]));
}
