import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, take } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, textsOf } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';

/** The approval of where a standard stands, by somebody who judged nothing of it. */
export function Release({ workspace, standard }: { readonly workspace: string; readonly standard: string }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const release = useMutation({
    mutationFn: (comment: string) =>
      take(
        api.POST('/analysis/standards/{id}/releases', {
          params: { path: { id: standard } },
          body: { comment },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['standards', workspace] });
      setOpen(false);
    },
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('release')}</Button>
      {isOpen && (
        <Dialog title={say('release_title')} onClose={() => setOpen(false)}>
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault();
              release.mutate(textsOf(event.currentTarget).comment ?? '');
            }}
          >
            <p>{say('release_text')}</p>
            <Field label={say('comment')}>
              <textarea className="input" name="comment" maxLength={4000} />
            </Field>
            {release.error && <Failure error={release.error} />}
            <div className="dialog-actions">
              <Button onClick={() => setOpen(false)}>{common('cancel')}</Button>
              <Button type="submit" kind="primary" disabled={release.isPending}>
                {say('release')}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
