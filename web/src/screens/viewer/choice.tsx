import type { ReactNode } from 'react';

/** One of a few, as buttons beside each other. */
export function Choice<Value extends string>({
  name,
  values,
  value,
  labelOf,
  onChange,
}: {
  readonly name: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly labelOf: (value: Value) => ReactNode;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset className="choice" aria-label={name}>
      {values.map((one) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {labelOf(one)}
        </button>
      ))}
    </fieldset>
  );
}
