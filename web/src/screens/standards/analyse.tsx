import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { STARTED } from '../../app/runs.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useWords } from './use-words.ts';

/** Starts a gap analysis over all documents that have been read. */
export function Analyse({ workspace, standard }: { readonly workspace: string; readonly standard: string }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const start = useMutation({
    mutationFn: () =>
      take(
        api.POST('/analysis/gaps', {
          body: {
            workspace_id: workspace,
            standard_id: standard,
            ...STARTED,
          },
        }),
      ),
    onSuccess: ({ from_store }) => {
      void client.invalidateQueries({ queryKey: ['runs', workspace] });
      toast(say(from_store ? 'from_store' : 'started'));
    },
    onError: (error) => toast(words(error)),
  });
  return (
    <Button disabled={start.isPending} onClick={() => start.mutate()}>
      <Icon name="runs" /> {say('analyse')}
    </Button>
  );
}
