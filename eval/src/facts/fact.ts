/** Something that is known about a set of real documents, beside what the engines say. */
export interface Fact {
  readonly set: string;
  readonly about: string;
  readonly expected: string;
  readonly found: string;
  readonly holds: boolean;
}

/** A fact that holds where both texts are the same. */
export function same(
  set: string,
  about: string,
  values: { readonly expected: string; readonly found: string },
): Fact {
  return { set, about, ...values, holds: values.expected === values.found };
}

/** Expected and found beside each other. */
export function factTable(facts: readonly Fact[]): string {
  const rows = facts.map(({ set, about, expected, found, holds }) =>
    [holds ? 'holds' : 'DIFFERS', set, about, expected, found].join(' | '),
  );
  return [' | set | known fact | expected | found', '---|---|---|---|---', ...rows].join('\n');
}
