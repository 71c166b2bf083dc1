/** Text of a prompt, taken apart: words, `{{value}}`, and `{{#list}}…{{/list}}` for each entry of a list. */
export type PromptPart =
  | { readonly words: string }
  | { readonly value: string }
  | { readonly list: string; readonly each: readonly PromptPart[] };

/** What stands in a prompt: words, or a list of such. Inside of a list the values around it are seen, too. */
export interface PromptValues {
  readonly [name: string]: string | readonly PromptValues[];
}

/** Takes a prompt apart. Throws for a list that is not closed. */
export function parsePrompt(text: string): readonly PromptPart[] {
  const open: { name: string; parts: PromptPart[] }[] = [{ name: '', parts: [] }];
  let at = 0;
  for (const match of text.matchAll(/\{\{([#/]?)(\w+)\}\}/g)) {
    const [whole, sign, name] = match as unknown as [string, string, string];
    const { parts } = open.at(-1)!;
    if (match.index > at) parts.push({ words: text.slice(at, match.index) });
    at = match.index + whole.length;
    if (sign === '') parts.push({ value: name });
    else if (sign === '#') open.push({ name, parts: [] });
    else {
      const closed = open.pop()!;
      if (closed.name !== name || open.length === 0) throw new Error(`{{/${name}}} closes nothing.`);
      open.at(-1)!.parts.push({ list: name, each: closed.parts });
    }
  }
  if (open.length > 1) throw new Error(`{{#${open.at(-1)!.name}}} is not closed.`);
  if (at < text.length) open[0]!.parts.push({ words: text.slice(at) });
  return open[0]!.parts;
}

/** Names of all values, not of lists. */
export function namesOf(parts: readonly PromptPart[]): ReadonlySet<string> {
  const names = parts.flatMap((part) =>
    'value' in part ? [part.value] : 'list' in part ? [...namesOf(part.each)] : [],
  );
  return new Set(names);
}

/** Fills a prompt. Throws for a value that is not given: a defect of whoever asks. */
export function rendered(
  parts: readonly PromptPart[],
  values: PromptValues,
  escaped: (name: string, value: string) => string,
): string {
  return parts
    .map((part) => {
      if ('words' in part) return part.words;
      if ('value' in part) {
        const value = values[part.value];
        if (typeof value !== 'string') throw new Error(`The prompt wants "${part.value}".`);
        return escaped(part.value, value);
      }
      const list = values[part.list];
      if (!Array.isArray(list)) throw new Error(`The prompt wants the list "${part.list}".`);
      return list.map((one) => rendered(part.each, { ...values, ...one }, escaped)).join('');
    })
    .join('');
}

/** What cannot be seen: controls, marks of direction, characters without width. */
const UNSEEN = /\p{Cf}|(?!\s)\p{Cc}/gu;

/** Words of documents for a prompt: one line, without what cannot be seen or looks like our own signs, cut at a word. */
export function escapedValue(value: string, limit: number | undefined): string {
  const line = value
    .replace(UNSEEN, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
  if (limit === undefined || line.length <= limit) return line;
  const cut = line.slice(0, limit).replace(/\s+\S{0,40}$/, '');
  return `${cut} […]`;
}
