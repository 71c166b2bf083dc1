/** A text of `data/texts`, taken apart: words, and what is put in. */
export type Template = readonly (string | Placeholder)[];

export interface Placeholder {
  readonly name: string;
  readonly form: /** `{name}`; a list is put between commas, or between what `{name*separator}` says. */
    | { readonly is: 'value'; readonly separator: string }
    /** `{name~}`: another sentence as a part of this one, without its full stop. */
    | { readonly is: 'clause' }
    /** `{name^8}`: its first eight words, and a sign where there are more. */
    | { readonly is: 'beginning'; readonly words: number }
    /** `{name:one|other}`: by a number, or by how many there are. */
    | { readonly is: 'count'; readonly one: Template; readonly other: Template }
    /** `{name?with|without}`: by whether there is anything; `|without` may be left out. */
    | { readonly is: 'presence'; readonly given: Template; readonly absent: Template };
}

const OPENING = /\{(\w+)([*~^:?}])/y;

/** Takes a text apart. Throws with what is wrong with it. */
export function parseTemplate(text: string): Template {
  const reading = { text, at: 0 };
  const template = parts(reading, '');
  if (reading.at < text.length) throw new Error(`"${text.slice(reading.at)}" closes nothing`);
  return template;
}

/** Names of all placeholders, each once, sorted. */
export function namesIn(template: Template): readonly string[] {
  const names = template.flatMap((part): readonly string[] => {
    if (typeof part === 'string') return [];
    const { name, form } = part;
    if (form.is === 'count') return [name, ...namesIn(form.one), ...namesIn(form.other)];
    if (form.is === 'presence') return [name, ...namesIn(form.given), ...namesIn(form.absent)];
    return [name];
  });
  return [...new Set(names)].sort();
}

interface Reading {
  readonly text: string;
  at: number;
}

/** Up to one of the characters that end it. */
function parts(reading: Reading, ends: string): Template {
  const found: (string | Placeholder)[] = [];
  let words = '';
  while (reading.at < reading.text.length) {
    const character = reading.text[reading.at]!;
    if (ends.includes(character) || character === '}') break;
    if (character !== '{') {
      words += character;
      reading.at++;
      continue;
    }
    if (words !== '') found.push(words);
    words = '';
    found.push(placeholder(reading));
  }
  if (words !== '') found.push(words);
  return found;
}

function placeholder(reading: Reading): Placeholder {
  OPENING.lastIndex = reading.at;
  const [opening, name, sign] = OPENING.exec(reading.text) ?? [];
  if (opening === undefined) throw new Error(`"${reading.text.slice(reading.at)}" is no placeholder`);
  reading.at += opening.length;
  return { name: name!, form: form(reading, sign!) };
}

function form(reading: Reading, sign: string): Placeholder['form'] {
  if (sign === '}') return { is: 'value', separator: ', ' };
  if (sign === '~') {
    close(reading);
    return { is: 'clause' };
  }
  if (sign === '^') {
    const number = /^\d+/.exec(reading.text.slice(reading.at))?.[0] ?? '';
    reading.at += number.length;
    close(reading);
    return { is: 'beginning', words: Number(number) };
  }
  if (sign === '*') {
    const end = reading.text.indexOf('}', reading.at);
    const separator = reading.text.slice(reading.at, end < 0 ? undefined : end);
    reading.at += separator.length;
    close(reading);
    return { is: 'value', separator };
  }
  const first = parts(reading, '|');
  const hasSecond = reading.text[reading.at] === '|';
  if (hasSecond) reading.at++;
  else if (sign === ':') throw new Error('a choice by number has two sides');
  const second = hasSecond ? parts(reading, '') : [];
  close(reading);
  return sign === ':'
    ? { is: 'count', one: first, other: second }
    : { is: 'presence', given: first, absent: second };
}

function close(reading: Reading): void {
  if (reading.text[reading.at] !== '}') throw new Error('a placeholder is not closed');
  reading.at++;
}
