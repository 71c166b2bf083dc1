import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { Failure, Skeleton, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { Choice } from './choice.tsx';
import { type ArtifactType, type Duty, TYPES, USUALLY_ABOVE, USUALLY_BELOW } from './types.ts';
import { useWords } from './use-words.ts';

/** Found artifacts that are listed; more are found by more words. */
const FOUND = 20;

/** What is to be linked, and what for. */
export interface Unlinked {
  /** As the documents write it. */
  readonly id: string;
  readonly type: ArtifactType;
  readonly duty: Duty;
}

/** Types of what can meet what an artifact owes; the usual one first. */
export function typesFor({ type, duty }: Pick<Unlinked, 'type' | 'duty'>): readonly ArtifactType[] {
  if (duty === 'verification') return ['test'];
  if (duty === 'evidence') return ['evidence'];
  const isUp = duty === 'upstream';
  const at = TYPES.indexOf(type);
  const usual = (isUp ? USUALLY_ABOVE : USUALLY_BELOW)[type];
  const others = TYPES.filter(
    (one, place) =>
      one !== 'unknown' && (isUp ? place < at : place > at && one !== 'test' && one !== 'evidence'),
  );
  return [...new Set([...(usual ? [usual] : []), ...others])];
}

/** The link that says that one artifact stands directly above another one. */
export function linkBetween(
  above: string,
  below: { readonly id: string; readonly type: ArtifactType },
): Pick<Api['NewTraceLink'], 'source_id' | 'target_id' | 'link_type'> {
  const { id, type } = below;
  if (type === 'test') return { source_id: above, link_type: 'verified_by', target_id: id };
  if (type === 'evidence') return { source_id: above, link_type: 'evidenced_by', target_id: id };
  if (type === 'design') return { source_id: above, link_type: 'allocated_to', target_id: id };
  return { source_id: id, link_type: 'derives_from', target_id: above };
}

type Found = Pick<Api['Artifact'], 'artifact_id' | 'type' | 'text'>;

/** Finds what an artifact should be linked with, proposals first, and links it. */
export function AddLink({
  workspace,
  of,
  onClose,
}: {
  readonly workspace: string;
  readonly of: Unlinked;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const types = typesFor(of);
  const [type, setType] = useState(types[0]!);
  const [search, setSearch] = useState('');
  const asked = useDeferredValue(search.trim());
  const isUp = of.duty === 'upstream';
  const proposed = useQuery({
    queryKey: ['trace', workspace, 'proposals', of.id],
    enabled: isUp,
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/suggestions', {
          params: { query: { workspace_id: workspace, artifact_id: of.id, limit: 1 } },
          signal,
        }),
      ),
  });
  const found = useQuery({
    queryKey: ['trace', workspace, 'to-link', type, asked],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/artifacts', {
          params: {
            query: {
              workspace_id: workspace,
              type: [type],
              limit: FOUND,
              sort: 'artifact_id',
              ...(asked && { search: asked }),
            },
          },
          signal,
        }),
      ),
  });
  const link = useMutation({
    mutationFn: (one: Pick<Api['NewTraceLink'], 'source_id' | 'target_id' | 'link_type'>) =>
      take(api.POST('/traceability/links', { body: { workspace_id: workspace, ...one } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['trace', workspace] });
      toast(say('link_made'));
      onClose();
    },
    onError: (error) => toast(words(error)),
  });
  const made = (one: Found) =>
    isUp ? linkBetween(one.artifact_id, of) : linkBetween(of.id, { id: one.artifact_id, type: one.type });
  const candidates = proposed.data?.items[0]?.candidates ?? [];
  return (
    <Dialog title={say('link_of', { id: of.id })} onClose={onClose}>
      <p className="quiet">{say(`add_${of.duty}`)}</p>
      <div className="row">
        <Field label={say('find')}>
          <Input
            type="search"
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.target.value)}
          />
        </Field>
        {types.length > 1 && (
          <Choice
            label={say('type')}
            value={type}
            values={types}
            word={(one) => say(`type_${one}`)}
            onChoose={(value) => value && setType(value)}
          />
        )}
      </div>
      {candidates.length > 0 && (
        <Candidates
          title={say('proposals')}
          items={candidates.map((one) => ({ ...one, onLink: () => link.mutate(one.link) }))}
          isBusy={link.isPending}
        />
      )}
      {found.data ? (
        <Candidates
          title={say(`type_${type}`)}
          items={found.data.items
            .filter(({ artifact_id }) => artifact_id !== of.id)
            .map((one) => ({ ...one, onLink: () => link.mutate(made(one)) }))}
          isBusy={link.isPending}
          rest={found.data.total - found.data.items.length}
        />
      ) : found.error ? (
        <Failure error={found.error} onAgain={() => void found.refetch()} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Dialog>
  );
}

function Candidates({
  title,
  items,
  isBusy,
  rest = 0,
}: {
  readonly title: string;
  readonly items: readonly (Found & { readonly onLink: () => void })[];
  readonly isBusy: boolean;
  /** How many more there are. */
  readonly rest?: number;
}) {
  const say = useWords();
  const name = useId();
  return (
    <section aria-labelledby={name}>
      <h3 id={name}>{title}</h3>
      {items.length === 0 && <p className="quiet">{say('none_so')}</p>}
      <ul className="stack">
        {items.map((one) => (
          <li key={`${one.type} ${one.artifact_id}`} className="proposal">
            <span>
              <bdi className="mono">{one.artifact_id}</bdi>
              <br />
              <bdi>{one.text}</bdi>
            </span>
            <Button
              disabled={isBusy}
              aria-label={say('link_with', { id: one.artifact_id })}
              onClick={one.onLink}
            >
              {say('link')}
            </Button>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="small">{say.count('more_found', rest)}</p>}
    </section>
  );
}
