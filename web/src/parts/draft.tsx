import { type TextareaHTMLAttributes, useCallback, useState } from 'react';
import { DRAFTS } from '../api/session.ts';

/**
 * A text that somebody is writing: it stays in this tab until it is sent, also when the page is left or loaded anew. `id` says what
 * it is about; an empty text is forgotten.
 */
export function useDraft(id: string): readonly [text: string, write: (text: string) => void] {
  const key = DRAFTS + id;
  const [written, setWritten] = useState({ key, text: sessionStorage.getItem(key) ?? '' });
  const text = written.key === key ? written.text : (sessionStorage.getItem(key) ?? '');
  const write = useCallback(
    (next: string) => {
      setWritten({ key, text: next });
      if (next === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    },
    [key],
  );
  return [text, write];
}

/** A field of a form for a text that is kept while it is written; `forgetDraft` when the form was sent. */
export function DraftArea({
  draft,
  ...properties
}: { readonly draft: string } & Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'value' | 'defaultValue' | 'onChange'
>) {
  const [text, write] = useDraft(draft);
  return (
    <textarea
      className="input"
      {...properties}
      value={text}
      onChange={(event) => write(event.target.value)}
    />
  );
}

export const forgetDraft = (id: string): void => sessionStorage.removeItem(DRAFTS + id);
