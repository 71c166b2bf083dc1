import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '../look/glyphs.tsx';
import { dayAway, dayOf, dayText } from './day-text.ts';
import { useCommonWords } from './use-words.ts';
import './date-input.css';

/**
 * A field for a day, written as the chosen language writes it: a field of the browser follows the browser's. The calendar beside it is
 * the browser's all the same; who works with keys types, or goes by days with the arrows.
 */
export function DateInput({
  value,
  onChange,
  name,
  min,
  max,
  required,
  'aria-label': label,
}: {
  /** `YYYY-MM-DD`, empty for none; without it the field keeps its own. */
  readonly value?: string;
  /** Told a day or nothing, never what is half typed. */
  readonly onChange?: (day: string) => void;
  /** For the form that it is in, which is given `YYYY-MM-DD`. */
  readonly name?: string;
  readonly min?: string;
  readonly max?: string;
  readonly required?: boolean;
  readonly 'aria-label'?: string;
}) {
  const say = useCommonWords();
  const [own, setOwn] = useState('');
  const day = value ?? own;
  const [typed, setTyped] = useState<string>();
  const calendar = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const text = typed ?? dayText(day, say.language);
  const isWrong = text.trim() !== '' && dayOf(text) === undefined;
  const isOutside = day !== '' && ((min !== undefined && day < min) || (max !== undefined && day > max));
  const fault = isWrong
    ? say('no_day')
    : isOutside
      ? say('day_between', { from: dayText(min ?? '', say.language), to: dayText(max ?? '', say.language) })
      : '';
  useEffect(() => field.current?.setCustomValidity(fault), [fault]);
  const set = (next: string): void => {
    setOwn(next);
    if (next !== day) onChange?.(next);
  };
  const type = (event: ChangeEvent<HTMLInputElement>): void => {
    const { value: now } = event.target;
    setTyped(now);
    const meant = now.trim() === '' ? '' : dayOf(now);
    if (meant !== undefined) set(meant);
  };
  const step = (event: KeyboardEvent): void => {
    if (day === '' || isWrong || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    setTyped(undefined);
    set(dayAway(day, event.key === 'ArrowUp' ? 1 : -1));
  };
  return (
    <span className="date-input">
      <input
        ref={field}
        className="input"
        inputMode="numeric"
        autoComplete="off"
        placeholder={say('day_form')}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        required={required}
        value={text}
        onChange={type}
        onKeyDown={step}
        // What is no day stays, so that it can be mended.
        onBlur={() => !isWrong && setTyped(undefined)}
      />
      {name && <input type="hidden" name={name} value={day} />}
      <input
        ref={calendar}
        className="date-calendar"
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        min={min}
        max={max}
        value={day}
        onChange={(event) => {
          setTyped(undefined);
          set(event.target.value);
        }}
      />
      <button
        type="button"
        className="date-open"
        tabIndex={-1}
        aria-hidden="true"
        title={say('calendar')}
        onClick={() => calendar.current?.showPicker()}
      >
        <Icon name="calendar" />
      </button>
    </span>
  );
}
