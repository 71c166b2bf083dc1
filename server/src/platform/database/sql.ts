import type { Statement } from './database.js';

const FRAGMENT = Symbol('fragment');
type Fragment = Statement & { readonly [FRAGMENT]: true };

/**
 * Tagged template for statements: `sql`select * from standards where id = ${id}``. Interpolated values become
 * parameters; an interpolated `sql` fragment is inlined with its own parameters. Nothing else can enter the text.
 */
export function sql(strings: TemplateStringsArray, ...inputs: readonly unknown[]): Statement {
  let text = strings[0] ?? '';
  const values: unknown[] = [];
  inputs.forEach((input, index) => {
    if (isFragment(input)) {
      text += input.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + values.length}`);
      values.push(...input.values);
    } else {
      values.push(input);
      text += `$${values.length}`;
    }
    text += strings[index + 1] ?? '';
  });
  const fragment: Fragment = { text, values, [FRAGMENT]: true };
  return fragment;
}

/** Statements one behind the other. */
export const joined = (parts: readonly Statement[], between: Statement = sql`, `): Statement =>
  parts.reduce((all, part, at) => (at === 0 ? part : sql`${all}${between}${part}`), sql``);

/** The name of a table or a column, quoted: for names out of the catalog. */
export function identifier(name: string): Statement {
  const fragment: Fragment = { text: `"${name.replaceAll('"', '""')}"`, values: [], [FRAGMENT]: true };
  return fragment;
}

function isFragment(input: unknown): input is Fragment {
  return typeof input === 'object' && input !== null && FRAGMENT in input;
}
