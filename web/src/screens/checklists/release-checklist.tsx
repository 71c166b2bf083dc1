import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, take } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, textsOf } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';

/** The approval of a checklist, by somebody who answered nothing of it. */
export function ReleaseChecklist({
  workspace,
  checklist,
}: {
  readonly workspace: string;
  readonly checklist: string;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const release = useMutation({
    mutationFn: (comment: string) =>
      take(
        api.POST('/compliance/checklists/{id}/releases', {
          params: { path: { id: checklist } },
          body: { workspace_id: workspace, comment },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['checklists', workspace] });
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
