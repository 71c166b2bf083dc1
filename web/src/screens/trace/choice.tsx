import { number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** One of some values, or all; each with how many rows it has where that is known. */
export function Choice<Value extends string>({
  label,
  all,
  value,
  values,
  counts,
  word,
  onChoose,
}: {
  readonly label: string;
  /** What no choice is called; without it one has to be chosen. */
  readonly all?: string;
  readonly value: string;
  readonly values: readonly Value[];
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly word: (value: Value) => string;
  readonly onChoose: (value: Value | '') => void;
}) {
  const say = useWords();
  return (
    <select
      className="input trace-choice"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value as Value | '')}
    >
      {all !== undefined && <option value="">{all}</option>}
      {values.map((one) => (
        <option key={one} value={one}>
          {word(one)}
          {counts && ` (${number(counts[one] ?? 0, say.language)})`}
        </option>
      ))}
    </select>
  );
}
