import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useMay } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { OwnStandard } from './own-standard.tsx';
import { useWords } from './use-words.ts';

/** What a standard still needs, and its end: its file, the declaration, reading it again, withdrawing, deleting. */
export function StandardActions({ of }: { readonly of: Api['Standard'] }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const may = useMay(of.workspace_id);
  const [isOpen, open] = useState(false);
  const [asked, ask] = useState<'withdraw' | 'delete'>();
  const params = { params: { path: { id: of.id } } };
  const refresh = (): void => {
    ask(undefined);
    for (const what of ['standards', 'overview', 'gaps']) {
      void client.invalidateQueries({ queryKey: [what, of.workspace_id] });
    }
  };
  const again = useMutation({
    mutationFn: () => take(api.POST('/standards/{id}/reprocess', params)),
    onError: (error) => toast(words(error)),
    onSettled: refresh,
  });
  const withdraw = useMutation({
    mutationFn: () => take(api.DELETE('/standards/{id}/attest', params)),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => take(api.DELETE('/standards/{id}', params)),
    onSuccess: refresh,
  });
  const { processing_status: status, catalog_id, attested } = of;
  const isWaiting = status === 'pending_upload' || status === 'awaiting_attestation';
  return (
    <>
      {isWaiting && may('standards.write') && (
        <Button kind="primary" onClick={() => open(true)}>
          {say(status === 'pending_upload' ? 'give_file' : 'declare')}
        </Button>
      )}
      {status === 'failed' && catalog_id === null && may('standards.write') && (
        <Button disabled={again.isPending} onClick={() => again.mutate()}>
          {say('read_again')}
        </Button>
      )}
      {attested && may('attestations.revoke') && (
        <Button kind="quiet" onClick={() => ask('withdraw')}>
          {say('withdraw')}
        </Button>
      )}
      {may('standards.delete') && (
        <Button kind="quiet" onClick={() => ask('delete')}>
          {say('delete')}
          <span className="visually-hidden">
            <bdi>{of.name}</bdi>
          </span>
        </Button>
      )}
      {isOpen && <OwnStandard workspace={of.workspace_id} standard={of} onClose={() => open(false)} />}
      {asked && (
        <Confirm
          title={say(`${asked}_title`, { name: of.name })}
          verb={say(asked)}
          doing={asked === 'withdraw' ? withdraw : remove}
          onConfirm={() => (asked === 'withdraw' ? withdraw : remove).mutate()}
          onClose={() => ask(undefined)}
        >
          <p>{say(`${asked}_text`)}</p>
        </Confirm>
      )}
    </>
  );
}
