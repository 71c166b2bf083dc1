import { useQuery } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';

const MOST_NAMES = 100;

/** Documents of a workspace by name, the first hundred. */
export const useDocuments = (workspace: string): readonly { readonly id: string; readonly name: string }[] =>
  useNamed(workspace).data?.items ?? NONE;
const NONE: readonly never[] = [];

const useNamed = (workspace: string) =>
  useQuery({
    queryKey: ['documents', workspace, 'names'],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products', {
          params: { query: { workspace_id: workspace, limit: MOST_NAMES, sort: 'name' } },
          signal,
        }),
      ),
  });

/** Names of the documents of a workspace, for quotes; a document that is not among them is called by its id's beginning. */
export function useDocumentNames(workspace: string): (id: string) => string {
  const { data } = useNamed(workspace);
  return (id) => data?.items.find((one) => one.id === id)?.name ?? id.slice(0, 8);
}
