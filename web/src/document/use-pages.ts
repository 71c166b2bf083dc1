import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, take } from '../api/client.ts';

/** What was read of a version does not change. */
const FOR_EVER = Number.POSITIVE_INFINITY;
/** Pictures that are in no window any more stay for this long. */
const PICTURE_MILLISECONDS = 120_000;
export const THUMBNAIL_WIDTH = 400;
const WIDTHS = [400, 800, 1200, 1600, 3200] as const;

/** The pages of a version with their sizes; none for formats that have no pages of their own. */
export const usePages = (workProduct: string, version: number | undefined) =>
  useQuery({
    queryKey: ['pages', workProduct, version],
    enabled: version !== undefined,
    staleTime: FOR_EVER,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/versions/{version}/pages', {
          params: { path: { id: workProduct, version: version! } },
          signal,
        }),
      ),
  });

export const linesOfPage = (workProduct: string, version: number, page: number) =>
  queryOptions({
    queryKey: ['lines', workProduct, version, page],
    staleTime: FOR_EVER,
    queryFn: async ({ signal }) => {
      const path = { id: workProduct, version, page };
      const answer = await take(
        api.GET('/work-products/{id}/versions/{version}/pages/{page}/lines', { params: { path }, signal }),
      );
      return answer.lines;
    },
  });

/** The smallest width of a picture that is sharp at this width on the screen. */
export const sharpWidth = (pixels: number): number =>
  WIDTHS.find((width) => width >= pixels * Math.min(devicePixelRatio, 2)) ?? WIDTHS.at(-1)!;

/** How wide the last picture was: `public/first-paint.js` asks for the first one of the next visit before anything is drawn. */
export function rememberWidth(width: number): void {
  try {
    localStorage.setItem('normtrace.picture', String(width));
  } catch {
    // Forbidden storage: the picture is asked for when there is room for it.
  }
}

interface PageOf {
  readonly workProduct: string;
  readonly version: number;
  readonly page: number;
}

export const pictureOfPage = ({ workProduct, version, page }: PageOf, width: number) =>
  queryOptions({
    queryKey: ['picture', workProduct, version, page, width],
    staleTime: FOR_EVER,
    gcTime: PICTURE_MILLISECONDS,
    queryFn: ({ signal }): Promise<Blob> =>
      take(
        api.GET('/work-products/{id}/versions/{version}/pages/{page}/image', {
          params: {
            path: { id: workProduct, version, page },
            query: { width: String(width) as '400' | '800' | '1200' | '1600' | '3200' },
          },
          parseAs: 'blob',
          signal,
        }) as never,
      ),
  });

/** Address of a page's picture, in the memory of this tab only; undefined until it is there. */
export function usePicture(
  { workProduct, version, page }: PageOf,
  { width, enabled }: { readonly width: number; readonly enabled: boolean },
): { readonly address: string | undefined; readonly error: Error | null } {
  const { data, error } = useQuery({ ...pictureOfPage({ workProduct, version, page }, width), enabled });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return { address, error };
}
