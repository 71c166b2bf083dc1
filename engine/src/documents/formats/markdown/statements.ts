import { cleanText } from '../../clean-text.js';
import { itemLine, startsStatement } from '../../text-patterns.js';

export interface Statement {
  readonly text: string;
  /** Lines from the paragraph's first one. */
  readonly line: number;
  /** Begins with a letter or simple number, as items of a list do. */
  readonly marked: boolean;
}

/** A line that is a field: a few words without the end of a sentence, a colon, a value. */
const FIELD = /^\p{Lu}[^.:;,!?]{0,39}:\s+\S/u;

/**
 * Lines such as `4.1.2 The …` under each other are one paragraph by the rules of Markdown, but each is a statement
 * with its own place; so are the lines that make a specification item, and fields (`ASIL: D`) below each other. Cuts a paragraph before every such line but
 * leaves all others joined.
 */
export function statementsOf(paragraph: string): Statement[] {
  const statements: { lines: string[]; line: number }[] = [];
  let afterWhole = false;
  const lines = paragraph.split('\n');
  // One such line may be a sentence that was broken there; of several, each is a statement about what stands above.
  const hasFields = lines.filter((line) => FIELD.test(line.trim())).length > 1;
  lines.forEach((line, index) => {
    const current = statements.at(-1);
    const content = line.trim();
    const item = itemLine(content);
    const whole = item === 'whole';
    if (
      !current ||
      afterWhole ||
      item !== undefined ||
      (hasFields && FIELD.test(content)) ||
      startsStatement(line.trimStart())
    ) {
      statements.push({ lines: [line], line: index });
    } else current.lines.push(line);
    afterWhole = whole;
  });
  return statements
    .map(({ lines, line }) => ({ text: cleanText(lines.join(' ')), line }))
    .filter(({ text }) => text !== '')
    .map((statement) => ({ ...statement, marked: /^\(?[a-z0-9]{1,4}[.)] /.test(statement.text) }));
}
