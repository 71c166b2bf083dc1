import { api, take } from '../../api/client.ts';
import { Approval } from '../../parts/approval.tsx';
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
          api.POST('/compliance/checklists/{id}/releases', {
            params: { path: { id: checklist } },
            body: { workspace_id: workspace, comment },
          }),
        )
      }
      stale={['checklists', workspace]}
    />
  );
}
