import { useQuery } from '@tanstack/react-query';
import { type Api, api, take } from '../../api/client.ts';
import { columnsOf } from './columns.ts';

export type View = Api['View'];

export const viewsKey = (workspace: string) => ['views', workspace, 'gaps'] as const;

/** One's own views of the list and those that others share. */
export const useViews = (workspace: string) =>
  useQuery({
    queryKey: viewsKey(workspace),
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/views', {
          params: { path: { id: workspace }, query: { screen: 'gaps', sort: 'name', limit: 100 } },
          signal,
        }),
      ),
  });

/** The list as a view keeps it, as the part of an address. */
export function addressOf({ query, columns, sort }: Pick<View, 'query' | 'columns' | 'sort'>): string {
  const address = new URLSearchParams(query);
  if (sort) address.set('sort', sort);
  if (columns) address.set('columns', columns.join(','));
  return decodeURIComponent(address.toString());
}

/** What a view keeps of an address. */
export function viewOf(address: string): Pick<View, 'query' | 'columns' | 'sort'> {
  const search = new URLSearchParams(address);
  const columns = search.has('columns') ? [...columnsOf(search)] : null;
  const sort = search.get('sort');
  for (const name of ['columns', 'sort', 'open']) search.delete(name);
  return { query: search.toString(), columns, sort };
}

/** Whether two addresses show the same, in whatever order they say it. */
export const isSameAddress = (a: string, b: string): boolean => ordered(a) === ordered(b);

const ordered = (address: string): string => JSON.stringify([...new URLSearchParams(address)].sort());
