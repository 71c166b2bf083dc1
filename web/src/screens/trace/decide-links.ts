import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Api, api, take } from '../../api/client.ts';
import { useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useWords } from './use-words.ts';

/** What a person says to links: of one whether it is right, of many that they are. */
export function useDecideLinks(workspace: string) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const done = (said: string): void => {
    void client.invalidateQueries({ queryKey: ['trace', workspace] });
    toast(said);
  };
  const onError = (error: Error): void => toast(words(error));
  const decide = useMutation({
    mutationFn: async ({ id, isRight }: { readonly id: string; readonly isRight: boolean }) => {
      const params = { path: { id } };
      if (isRight) await take(api.POST('/traceability/links/{id}/confirm', { params }));
      else await take(api.DELETE('/traceability/links/{id}', { params }));
      done(say(isRight ? 'confirmed' : 'rejected'));
    },
    onError,
  });
  const confirmMany = useMutation({
    mutationFn: (which: Omit<Api['LinkConfirmation'], 'workspace_id'>) =>
      take(api.POST('/traceability/links/confirm', { body: { workspace_id: workspace, ...which } })),
    onSuccess: ({ confirmed }) => done(say.count('confirmed_many', confirmed)),
    onError,
  });
  return {
    decide: decide.mutate,
    confirmMany: confirmMany.mutate,
    isBusy: decide.isPending || confirmMany.isPending,
  };
}
