import { api, take } from '../../api/client.ts';
import { Approval } from '../../parts/approval.tsx';
import { useWords } from './use-words.ts';

/** The approval of where a standard stands, by somebody who judged nothing of it. */
export function Release({ workspace, standard }: { readonly workspace: string; readonly standard: string }) {
  const say = useWords();
  return (
    <Approval
      words={{
        button: say('release'),
        title: say('release_title'),
        text: say('release_text'),
        comment: say('comment'),
      }}
      approve={(comment) =>
        take(
          api.POST('/analysis/standards/{id}/releases', {
            params: { path: { id: standard } },
            body: { comment },
          }),
        )
      }
      stale={['standards', workspace]}
    />
  );
}
