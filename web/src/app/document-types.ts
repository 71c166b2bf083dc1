import { useQuery } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';
import { look } from '../look/look.ts';

/** All document types; they change with the version of the service only. */
export const useDocumentTypes = () =>
  useQuery({
    queryKey: ['document-types'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => take(api.GET('/work-products/types', { signal })),
  });

/** What people call a document type; a type of somebody’s own by its id. */
export function useDocumentTypeName(): (id: string) => string {
  const { data } = useDocumentTypes();
  return (id) => data?.types.find((one) => one.id === id)?.name[look().language] ?? id.replaceAll('_', ' ');
}
