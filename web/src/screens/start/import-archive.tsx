import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, take } from '../../api/client.ts';
import { putFile } from '../../api/put-file.ts';
import { Asking } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

const ASK_AGAIN_MILLISECONDS = 1000;

/** A workspace from an archive that this or another installation made: sent, taken in, and what of it waits. */
export function ImportArchive({ onClose }: { readonly onClose: () => void }) {
  const say = useWords();
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState<number>();
  const [sent, setSent] = useState<string>();
  const send = useMutation({
    mutationFn: async (name: string) => {
      const { import_id, ...session } = await take(
        api.POST('/workspace-imports', { body: { size: file!.size, ...(name && { name }) } }),
      );
      await putFile(session, file!, setShare);
      await take(api.POST('/workspace-imports/{import_id}/complete', { params: { path: { import_id } } }));
      return import_id;
    },
    onSuccess: setSent,
    onSettled: () => setShare(undefined),
  });
  return (
    <Dialog title={say('import')} onClose={onClose}>
      {sent === undefined ? (
        <Asking
          verb={
            share === undefined
              ? say('import_verb')
              : say('import_share', { share: percent(100 * share, say.language) })
          }
          doing={send}
          onSubmit={(form) => send.mutate(textsOf(form).name?.trim() ?? '')}
          onClose={onClose}
        >
          <p className="hint">{say('import_text')}</p>
          <Field label={say('import_file')}>
            <input type="file" required accept=".zip" onChange={({ target }) => setFile(target.files?.[0])} />
          </Field>
          <Field label={say('import_name')}>
            <Input name="name" maxLength={200} autoComplete="off" />
          </Field>
        </Asking>
      ) : (
        <Progress id={sent} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Progress({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const read = useQuery({
    queryKey: ['workspace-import', id],
    queryFn: async ({ signal }) => {
      const one = await take(
        api.GET('/workspace-imports/{import_id}', { params: { path: { import_id: id } }, signal }),
      );
      if (one.workspace_id !== null) void client.invalidateQueries({ queryKey: ['workspaces'] });
      return one;
    },
    refetchInterval: ({ state }) =>
      ['completed', 'failed'].includes(state.data?.status ?? '') ? false : ASK_AGAIN_MILLISECONDS,
  });
  return (
    <Loaded query={read} lines={2}>
      {({ status, error, workspace_id, invited, remaining, problems }) => (
        <div className="stack">
          <p role="status">{say(`import_${status}`)}</p>
          {error !== null && (
            <p className="notice" data-kind="error" role="alert">
              <bdi className="notice-text">{error}</bdi>
            </p>
          )}
          {status === 'completed' && (
            <ul className="import-facts">
              {remaining.analyses > 0 && <li>{say.count('import_analyses', remaining.analyses)}</li>}
              {remaining.gap_decisions > 0 && (
                <li>{say.count('import_decisions', remaining.gap_decisions)}</li>
              )}
              {remaining.checklist_answers > 0 && (
                <li>{say.count('import_answers', remaining.checklist_answers)}</li>
              )}
              {invited.length > 0 && (
                <li>
                  {say('import_invited')} <bdi>{invited.join(', ')}</bdi>
                </li>
              )}
              {problems.map((problem) => (
                <li key={problem}>
                  <bdi>{problem}</bdi>
                </li>
              ))}
            </ul>
          )}
          <div className="dialog-actions">
            <Button onClick={onClose}>{common('close')}</Button>
            {workspace_id !== null && (
              <Link className="button" data-kind="primary" href={`/w/${workspace_id}`}>
                {say('import_open')}
              </Link>
            )}
          </div>
        </div>
      )}
    </Loaded>
  );
}
