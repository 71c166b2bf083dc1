import { useRef } from 'react';
import { ApiFailure } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { useWords } from './use-words.ts';
import './definitions.css';

interface Problem {
  readonly message: string;
  readonly line?: number;
}

/** A checklist or template as text, and what is wrong with it, each with the way to its line. */
export function Editor({
  text,
  isFixed = false,
  error,
  onChange,
}: {
  readonly text: string;
  readonly isFixed?: boolean;
  /** Why the service did not take it. */
  readonly error: unknown;
  readonly onChange: (text: string) => void;
}) {
  const say = useWords();
  const area = useRef<HTMLTextAreaElement>(null);
  const problems = problemsIn(error);
  const goTo = (line: number): void => {
    const lines = text.split('\n');
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const field = area.current!;
    field.focus();
    field.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
    field.scrollTop = ((line - 4) * field.scrollHeight) / Math.max(1, lines.length);
  };
  return (
    <>
      <Field label={say('text')} hint={say('text_hint')}>
        <textarea
          ref={area}
          className="input mono definition-text"
          spellCheck={false}
          rows={Math.min(28, Math.max(12, text.split('\n').length + 1))}
          readOnly={isFixed}
          aria-invalid={problems.length > 0 || undefined}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      {problems.length > 0 ? (
        <Problems of={problems} onLine={goTo} />
      ) : error ? (
        <Failure error={error} />
      ) : null}
    </>
  );
}

/** What is wrong with a text or a file, one line each. */
export function Problems({
  of,
  onLine,
}: {
  readonly of: readonly Problem[];
  readonly onLine?: (line: number) => void;
}) {
  const say = useWords();
  return (
    <div className="notice" data-kind="error" role="alert">
      <div className="notice-text">
        <strong>{say.count('problems', of.length)}</strong>
        <ul className="definition-problems">
          {of.map(({ message, line }) => (
            <li key={`${line} ${message}`}>
              <bdi>{message}</bdi>
              {line !== undefined && onLine && (
                <Button kind="quiet" onClick={() => onLine(line)}>
                  {say('to_line', { line })}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

export function problemsIn(error: unknown): readonly Problem[] {
  if (!(error instanceof ApiFailure) || !Array.isArray(error.details.issues)) return [];
  return error.details.issues as readonly Problem[];
}
