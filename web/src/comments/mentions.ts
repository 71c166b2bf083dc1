export interface Person {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
}

export const nameOf = ({ name, email }: Person): string => name || email;

const MOST_OFFERED = 6;

/** What stands behind the last `@` before the caret, where somebody is being named; undefined elsewhere. */
export function namingAt(
  text: string,
  caret: number,
): { readonly from: number; readonly name: string } | undefined {
  const found = /(?:^|\s)@([\p{L}\p{N}._@-]*(?: [\p{L}\p{N}._-]*)?)$/u.exec(text.slice(0, caret));
  if (!found) return undefined;
  const name = found[1] ?? '';
  return { from: caret - name.length - 1, name };
}

/** People whose name or address begins with what was typed, or has a word that does. */
export function offered(people: readonly Person[], typed: string): readonly Person[] {
  const wanted = typed.toLowerCase();
  return people
    .filter((person) =>
      [nameOf(person), person.email, ...nameOf(person).split(' ')].some((one) =>
        one.toLowerCase().startsWith(wanted),
      ),
    )
    .slice(0, MOST_OFFERED);
}

/** The text with the person named in place of what was typed, and the caret behind it. */
export function withMention(
  text: string,
  { from, name }: { readonly from: number; readonly name: string },
  person: Person,
): { readonly text: string; readonly caret: number } {
  const said = `@${nameOf(person)} `;
  return {
    text: text.slice(0, from) + said + text.slice(from + 1 + name.length),
    caret: from + said.length,
  };
}

/** Of the people who were chosen those whom the text still names. */
export const mentionedIn = (text: string, chosen: readonly Person[]): readonly string[] => [
  ...new Set(chosen.filter((person) => text.includes(`@${nameOf(person)}`)).map(({ user_id }) => user_id)),
];
