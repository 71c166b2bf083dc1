import { useQuery } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { useWords } from './use-words.ts';

/** Headings of the document; sheets of a workbook. */
export function Outline({
  workProduct,
  version,
  onPlace,
}: {
  readonly workProduct: string;
  readonly version: number;
  readonly onPlace: (start: number, page: number | undefined) => void;
}) {
  const say = useWords();
  const { data } = useQuery({
    queryKey: ['outline', workProduct, version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/versions/{version}/outline', {
          params: { path: { id: workProduct, version } },
          signal,
        }),
      ),
  });
  return (
    <nav className="viewer-outline" aria-label={say('outline')}>
      <ul>
        {data?.headings.map(({ block, level, title, start, page }) => (
          <li key={block} style={{ paddingLeft: (Math.min(level, 5) - 1) * 12 }}>
            <button type="button" onClick={() => onPlace(start, page)}>
              <bdi>{title}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
