import type { Api } from '../api/client.ts';

/** A text with what was found in it marked; `at` in its order, nothing overlaps. */
export function Highlighted({
  text,
  at,
}: {
  readonly text: string;
  readonly at: readonly Api['TextRange'][];
}) {
  return (
    <bdi>
      {at.map(({ start, end }, n) => (
        <span key={start}>
          {text.slice(at[n - 1]?.end ?? 0, start)}
          <mark className="found">{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(at.at(-1)?.end ?? 0)}
    </bdi>
  );
}
