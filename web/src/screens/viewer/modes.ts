import { useCallback, useState } from 'react';

/** How a document is shown: as the file draws it, as it was read, a workbook with its rows and columns. */
export type Mode = 'page' | 'text' | 'grid';

/** The modes that a document has, its own one first; undefined until that is known. */
export function modesOf(
  pages: number | undefined,
  hasSheets: boolean | undefined,
): readonly Mode[] | undefined {
  if (pages !== undefined && pages > 0) return ['page', 'text'];
  if (hasSheets === true) return ['grid', 'text'];
  return pages === undefined || hasSheets === undefined ? undefined : ['text'];
}

const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6];

/** How large pages are; 1 is as wide as the window. A step of 0 goes back to that. */
export function useZoom(): readonly [number, (step: 1 | -1 | 0) => void, (atLeast: number) => void] {
  const [zoom, setZoom] = useState(1);
  const step = useCallback(
    (by: 1 | -1 | 0) => setZoom((before) => (by === 0 ? 1 : (ZOOMS[ZOOMS.indexOf(before) + by] ?? before))),
    [],
  );
  const enlarge = useCallback(
    (atLeast: number) =>
      setZoom((before) => ZOOMS.find((one) => one >= Math.max(atLeast, before)) ?? ZOOMS.at(-1)!),
    [],
  );
  return [zoom, step, enlarge];
}
