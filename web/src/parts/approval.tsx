import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Asking } from './asking.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field, textsOf } from './field.tsx';

/** The button and dialog by which somebody who judged nothing of it approves a state, with a comment. */
export function Approval({
  words,
  approve,
  stale,
}: {
  readonly words: Readonly<Record<'button' | 'title' | 'text' | 'comment', string>>;
  approve(comment: string): Promise<unknown>;
  /** Key of what is to be asked for again. */
  readonly stale: readonly string[];
}) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const release = useMutation({
    mutationFn: approve,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: stale });
      setOpen(false);
    },
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.button}</Button>
      {isOpen && (
        <Dialog title={words.title} onClose={() => setOpen(false)}>
          <Asking
            verb={words.button}
            doing={release}
            onSubmit={(form) => release.mutate(textsOf(form).comment ?? '')}
            onClose={() => setOpen(false)}
          >
            <p>{words.text}</p>
            <Field label={words.comment}>
              <textarea className="input" name="comment" maxLength={4000} />
            </Field>
          </Asking>
        </Dialog>
      )}
    </>
  );
}
