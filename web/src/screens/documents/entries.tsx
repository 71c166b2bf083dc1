import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { More } from '../../parts/more.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useWords } from './use-words.ts';

const PAGE = 100;

/** A ZIP is no document: its files become some. */
export const isArchive = ({ original_filename, format }: Api['WorkProduct']): boolean =>
  format === 'zip' || (format === null && /\.zip$/i.test(original_filename));

/** What became of each file of an archive; open while it is being unpacked. */
export function Entries({ of, workspace }: { readonly of: Api['WorkProduct']; readonly workspace: string }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(of.processing_status !== 'completed');
  return (
    <details
      className="document-entries"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{say('entries')}</summary>
      {isOpen && <List of={of} workspace={workspace} />}
    </details>
  );
}

function List({ of, workspace }: { readonly of: Api['WorkProduct']; readonly workspace: string }) {
  const say = useWords();
  const entries = useInfiniteQuery({
    // Below the documents: an event that tells of one of them makes it stale, too.
    queryKey: ['documents', workspace, of.id, 'entries', of.version],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/work-products/{id}/entries', {
          params: {
            path: { id: of.id },
            query: { limit: PAGE, sort: 'path', ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <Loaded query={entries} lines={2}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        return items.length === 0 ? (
          <p className="field-hint">{say('entries_none')}</p>
        ) : (
          <>
            <ul>
              {items.map(({ path, outcome, work_product_id, version, processing_status, error }) => (
                <li key={`${path} ${outcome}`}>
                  {work_product_id !== null && processing_status === 'completed' ? (
                    <Link href={`/w/${workspace}/documents/${work_product_id}?v=${version ?? ''}`}>
                      <bdi>{path}</bdi>
                    </Link>
                  ) : (
                    <bdi>{path}</bdi>
                  )}
                  <span className="tag">{say(`entry_${outcome}`)}</span>
                  {processing_status !== null && processing_status !== 'completed' && (
                    <span className="field-hint">{say(`status_${processing_status}`)}</span>
                  )}
                  {error !== null && <bdi className="field-hint">{error}</bdi>}
                </li>
              ))}
            </ul>
            <More of={entries} />
          </>
        );
      }}
    </Loaded>
  );
}
