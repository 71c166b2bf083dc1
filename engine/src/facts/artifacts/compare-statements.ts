import type { ReadStatements } from './extract-artifacts.js';
import type { DocumentStatements, LinkSentence, Reference, Statement } from './statement.js';

/** How two readings of one document differ, see `compareStatements`. */
export type StatementChange = 'places' | 'words' | 'more';

/**
 * What of a document's statements is another one now. `places`: nothing but where they stand. `words`: artifacts are worded or
 * called otherwise, and nothing else. Documents are joined alike in both cases – as long as no words of this one
 * decide anything, see `Extraction.weighed` –, and only what is told of this document is different. `more`: anything else, or
 * something that cannot be told from one document. Linear.
 */
export function compareStatements(before: ReadStatements, now: ReadStatements): StatementChange {
  if (before.whole || now.whole || !isSaidAlike(before.seen, now.seen)) return 'more';
  let change: StatementChange = 'places';
  for (const [at, one] of before.seen.statements.entries()) {
    const other = now.seen.statements[at]!;
    if (!joinsAlike(one, other)) return 'more';
    if (one.text === other.text && one.name === other.name) continue;
    // By its name an element is found, and a test by that of its case.
    if (one.name !== other.name && (one.type === 'design' || now.seen.source.format === 'junit'))
      return 'more';
    change = 'words';
  }
  return change;
}

/** Everything beside the statements. */
function isSaidAlike(before: DocumentStatements, now: DocumentStatements): boolean {
  const sentence = ({ quote: _, ...said }: LinkSentence) => said;
  return (
    JSON.stringify(before.source) === JSON.stringify(now.source) &&
    before.statements.length === now.statements.length &&
    before.demands.length === now.demands.length &&
    JSON.stringify(before.sentences.map(sentence)) === JSON.stringify(now.sentences.map(sentence))
  );
}

function joinsAlike(before: Statement, now: Statement): boolean {
  // Where the level stands is told of the definition, which may be in another document.
  if (before.kind === 'mention' && (before.asilPlace || now.asilPlace)) return false;
  if ((before.text === '') !== (now.text === '') || before.references.length !== now.references.length)
    return false;
  const others = [...now.references];
  return (
    JSON.stringify(joinedOf(before)) === JSON.stringify(joinedOf(now)) &&
    [...before.references].every((one, at) => {
      const other = others[at]!;
      return (
        one.written === other.written && JSON.stringify(mannerOf(one)) === JSON.stringify(mannerOf(other))
      );
    })
  );
}

const mannerOf = ({ role, exact, source, quotes }: Reference) => [role, exact, source, quotes];

/** All of a statement but its words, its places and its references. */
function joinedOf({ text, name, location, start, end, asilPlace, context, references, ...rest }: Statement) {
  return [
    rest,
    name === undefined,
    asilPlace === undefined,
    context && [context.id, context.stated, context.of],
  ];
}
