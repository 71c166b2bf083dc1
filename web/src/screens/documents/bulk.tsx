import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, ApiFailure, api, take } from '../../api/client.ts';
import { useDocumentTypes } from '../../app/document-types.ts';
import { useMay } from '../../app/workspace.ts';
import { Asking } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** Documents by their ids, or all that a filter matches. */
export type Target = Pick<Api['WorkProductsChange'], 'ids' | 'filter' | 'expected_total'>;

/** What can be done with everything that is selected. */
export function Bulk({
  workspace,
  target,
  count,
  total,
  isAll,
  tags,
  onAll,
  onNone,
}: {
  readonly workspace: string;
  readonly target: Target;
  readonly count: number;
  readonly total: number;
  readonly isAll: boolean;
  /** Those that the selected ones have, to be taken away. */
  readonly tags: readonly string[];
  readonly onAll: () => void;
  readonly onNone: () => void;
}) {
  const say = useWords();
  const may = useMay(workspace);
  const [asked, ask] = useState<'change' | 'delete'>();
  const dialog = { workspace, target, count, onClose: () => ask(undefined), onDone: onNone };
  return (
    <section className="document-bulk" aria-label={say.count('selected', count)}>
      <strong role="status">{say.count('selected', count)}</strong>
      {!isAll && count < total && (
        <Button kind="quiet" onClick={onAll}>
          {say('select_all', { total: number(total, say.language) })}
        </Button>
      )}
      <Button kind="quiet" onClick={onNone}>
        {say('unselect')}
      </Button>
      <span className="document-bulk-actions">
        <Button onClick={() => ask('change')}>{say('change')}</Button>
        {may('work-products.delete') && (
          <Button kind="danger" onClick={() => ask('delete')}>
            {say('delete')}
          </Button>
        )}
      </span>
      {asked === 'change' && <ChangeDialog {...dialog} tags={tags} />}
      {asked === 'delete' && <DeleteDialog {...dialog} />}
    </section>
  );
}

interface Asked {
  readonly workspace: string;
  readonly target: Target;
  readonly count: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const AS_IT_IS = '';
const DETECTED = '-';

function ChangeDialog({
  workspace,
  target,
  count,
  tags,
  onClose,
  onDone,
}: Asked & { readonly tags: readonly string[] }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const types = useDocumentTypes().data?.types ?? [];
  const change = useMutation({
    mutationFn: (change: Api['WorkProductsChange']['change']) =>
      take(api.PATCH('/work-products', { body: { workspace_id: workspace, ...target, change } })),
    onSuccess: ({ changed }) => {
      toast(say.count('changed_count', changed));
      void client.invalidateQueries({ queryKey: ['documents', workspace] });
      onClose();
      onDone();
    },
  });
  const [category, setCategory] = useState(AS_IT_IS);
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const add = added
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const isEmpty = category === AS_IT_IS && add.length === 0 && removed.length === 0;
  return (
    <Dialog title={say.count('change_title', count)} onClose={onClose}>
      <Asking
        verb={common('save')}
        doing={change}
        isReady={!isEmpty}
        onSubmit={() =>
          change.mutate({
            ...(category !== AS_IT_IS && { category: category === DETECTED ? null : category }),
            ...(add.length > 0 && { add_tags: add }),
            ...(removed.length > 0 && { remove_tags: [...removed] }),
          })
        }
        onClose={onClose}
      >
        <Field label={say('type')} hint={say('type_hint')}>
          <select className="input" value={category} onChange={(event) => setCategory(event.target.value)}>
            <option value={AS_IT_IS}>{say('as_it_is')}</option>
            <option value={DETECTED}>{say('as_detected')}</option>
            {types
              .toSorted((a, b) => a.name[say.language].localeCompare(b.name[say.language], say.language))
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name[say.language]}
                </option>
              ))}
          </select>
        </Field>
        <Field label={say('add_tags')} hint={say('add_tags_hint')}>
          <Input value={added} maxLength={500} onChange={(event) => setAdded(event.target.value)} />
        </Field>
        {tags.length > 0 && (
          <fieldset className="stack">
            <legend>{say('remove_tags')}</legend>
            <div className="row">
              {tags.map((tag) => (
                <label key={tag} className="check">
                  <input
                    type="checkbox"
                    checked={removed.includes(tag)}
                    onChange={() =>
                      setRemoved(
                        removed.includes(tag) ? removed.filter((one) => one !== tag) : [...removed, tag],
                      )
                    }
                  />
                  <bdi>{tag}</bdi>
                </label>
              ))}
            </div>
          </fieldset>
        )}
      </Asking>
    </Dialog>
  );
}

function DeleteDialog({ workspace, target, count, onClose, onDone }: Asked) {
  const say = useWords();
  const client = useQueryClient();
  const [documents, setDocuments] = useState<'keep' | 'delete'>();
  const remove = useMutation({
    mutationFn: () =>
      take(
        api.POST('/work-products/deletions', {
          body: { workspace_id: workspace, ...target, ...(documents && { documents }) },
        }),
      ),
    onSuccess: ({ deleted }) => {
      toast(say.count('deleted_count', deleted));
      void client.invalidateQueries({ queryKey: ['documents', workspace] });
      onClose();
      onDone();
    },
  });
  const { error } = remove;
  const asksForDocuments =
    documents !== undefined ||
    (error instanceof ApiFailure && error.details.reason === 'archive_has_documents');
  return (
    <Confirm
      title={say.count('delete_title', count)}
      verb={say('delete')}
      doing={{ isPending: remove.isPending, error: asksForDocuments ? null : error }}
      isReady={!asksForDocuments || documents !== undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{say('delete_text')}</p>
      {asksForDocuments && (
        <fieldset className="stack">
          <legend>{say('extracted')}</legend>
          {(['keep', 'delete'] as const).map((one) => (
            <label key={one} className="check">
              <input
                type="radio"
                name="documents"
                checked={documents === one}
                onChange={() => setDocuments(one)}
              />
              {say(`extracted_${one}`)}
            </label>
          ))}
        </fieldset>
      )}
    </Confirm>
  );
}
