import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useMay } from '../../app/workspace.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { AddLink } from './add-link.tsx';
import type { ArtifactType, Duty } from './types.ts';
import { useWords } from './use-words.ts';

/** What an artifact lacks, where the missing one would stand: to be linked here, or seen as a gap of an analysis. */
export function Lacks({
  workspace,
  id,
  type,
  duties,
}: {
  readonly workspace: string;
  /** As the documents write it. */
  readonly id: string;
  readonly type: ArtifactType;
  readonly duties: readonly Duty[];
}) {
  const say = useWords();
  const may = useMay(workspace);
  const [adding, setAdding] = useState<Duty>();
  const filter = { search: id, analysis_type: ['traceability' as const] };
  const gaps = useQuery({
    queryKey: ['gaps', workspace, 'of-artifact', id],
    enabled: duties.length > 0,
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/gaps/summaries', {
          params: { query: { workspace_id: workspace, ...filter, limit: 1 } },
          signal,
        }),
      ),
  });
  const total = gaps.data?.total ?? 0;
  return (
    <>
      {duties.map((duty) => (
        <p key={duty} className="column-lack">
          <span>
            <StateGlyph of="missing" /> {say(`lacks_${duty}`)}
          </span>
          <span className="row">
            {may('trace-links.write') && (
              <Button
                aria-label={`${say(`lacks_${duty}`)}: ${say('to_link')}`}
                onClick={() => setAdding(duty)}
              >
                {say('to_link')}
              </Button>
            )}
            {total > 0 && (
              <Link
                href={`/w/${workspace}/gaps?analysis_type=traceability&q=${encodeURIComponent(id)}&status=open,in_progress,resolved,accepted`}
              >
                {say.count('gap_count', total)}
              </Link>
            )}
          </span>
        </p>
      ))}
      {adding && (
        <AddLink workspace={workspace} of={{ id, type, duty: adding }} onClose={() => setAdding(undefined)} />
      )}
    </>
  );
}
