import { useCallback, useState } from 'react';

type Panel = 'side' | 'margin';
type Shown = 'shown' | 'hidden';

/** As wide as the window has to be for the outline to stand beside the document by itself. */
const WIDE = '(min-width: 1280px)';

/** Which panels of the viewer somebody opened or closed by a key; the others stand as wide as the window lets them. */
export function usePanels() {
  const [panels, set] = useState<Readonly<Partial<Record<Panel, Shown>>>>({});
  const toggle = useCallback(
    (panel: Panel) =>
      set((before) => {
        const isShown = before[panel]
          ? before[panel] === 'shown'
          : panel === 'margin' || window.matchMedia(WIDE).matches;
        return { ...before, [panel]: isShown ? 'hidden' : 'shown' };
      }),
    [],
  );
  return { panels, toggle };
}
