import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import './parts.css';

/** A labelled field, with a sentence of help where it needs one. */
export function Field({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="field">
      <span className="field-label">{label}</span>
      {children}
      {hint && <span className="field-hint">{hint}</span>}
    </label>
  );
}

export const Input = (
  properties: InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> },
) => <input className="input" {...properties} />;

/** The texts of a form by the names of its fields. */
export const textsOf = (form: HTMLFormElement): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
