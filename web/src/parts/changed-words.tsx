import './changed-words.css';

interface Piece {
  readonly op: 'same' | 'delete' | 'insert';
  readonly text: string;
}

/** One side of a text that changed: what only it has is marked with more than a colour. */
export function ChangedWords({
  words,
  side,
}: {
  readonly words: readonly Piece[];
  readonly side: 'delete' | 'insert';
}) {
  const Only = side === 'delete' ? 'del' : 'ins';
  return (
    <span className="changed-words">
      {words
        .filter(({ op }) => op === 'same' || op === side)
        .map(({ op, text }, at) =>
          op === 'same' ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: words keep their order
            <Only key={at}>{text}</Only>
          ),
        )}
    </span>
  );
}
