import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field, Input } from './field.tsx';
import { ShownOnce } from './shown-once.tsx';
import { Failure } from './states.tsx';
import { useCommonWords } from './use-words.ts';

interface Doing {
  readonly isPending: boolean;
  readonly error: unknown;
}

/** The form of a dialog: what it asks, why it did not work, and the ways out. `verb` is what the button says. */
export function Asking({
  verb,
  doing,
  isReady = true,
  onSubmit,
  onClose,
  children,
}: {
  readonly verb: string;
  readonly doing: Doing;
  readonly isReady?: boolean;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const say = useCommonWords();
  return (
    <form
      className="form"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
      {doing.error !== null && <Failure error={doing.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button kind="primary" type="submit" disabled={doing.isPending || !isReady}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

export const EmailField = ({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => (
  <Field label={label} {...(hint !== undefined && { hint })}>
    <Input
      type="email"
      required
      maxLength={320}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
);

/** What was made and is shown this once. Closed by its button alone, so that nobody loses it by a slip. */
export function HandedOver({
  title,
  text,
  label,
  value,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly value: string;
  readonly onClose: () => void;
}) {
  const say = useCommonWords();
  return (
    <Dialog title={title}>
      <p>{text}</p>
      <ShownOnce label={label} value={value} />
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {say('close')}
        </Button>
      </div>
    </Dialog>
  );
}
