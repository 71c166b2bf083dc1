import { useEffect } from 'react';
import { type Api, api, take } from '../api/client.ts';
import { changeLook, type Look, look, watchLook } from '../look/look.ts';

type Change = Api['PreferencesChange'];

/** What is called otherwise here and there. */
const NAMES = {
  language: 'language',
  theme: 'theme',
  shortcuts: 'shortcuts',
  railIsNarrow: 'rail_is_narrow',
  density: 'density',
  timeZone: 'time_zone',
  startPage: 'start_page',
} as const satisfies Partial<Record<keyof Look, keyof Change>>;

/** What was chosen between the two; undefined: nothing that is kept with the account. */
function changeOf(before: Look, after: Look): Change | undefined {
  const names = Object.entries(NAMES) as [keyof typeof NAMES, keyof Change][];
  const panels = Object.keys({ ...before.panels, ...after.panels }).filter(
    (panel) => before.panels[panel] !== after.panels[panel],
  );
  const change = {
    ...Object.fromEntries(
      names.filter(([own]) => before[own] !== after[own]).map(([own, name]) => [name, after[own]]),
    ),
    ...(panels.length > 0 && {
      panels: Object.fromEntries(panels.map((panel) => [panel, after.panels[panel] ?? null])),
    }),
    ...(after.hintsSeen && after.hintsSeen !== before.hintsSeen && { tour: { seen: [...after.hintsSeen] } }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Panels of an account may tell more than how wide they are. */
const widthsOf = (panels: Api['Preferences']['panels']): Look['panels'] =>
  Object.fromEntries(
    Object.entries(panels).filter((panel): panel is [string, number] => typeof panel[1] === 'number'),
  );

/** What a person chose on any machine holds here, and what is chosen here holds there. */
export function useOwnLook(person: string | undefined): void {
  useEffect(() => {
    if (person === undefined) return;
    const stopping = new AbortController();
    let known = look();
    // One after the other: what was chosen last stays.
    let kept: Promise<unknown> = Promise.resolve();
    const keep = (): void => {
      const change = changeOf(known, look());
      known = look();
      // It holds here in any case; what is not kept now is kept with the next choice.
      if (!change) return;
      const send = () => take(api.PATCH('/auth/me/preferences', { body: change }));
      kept = kept.then(send).catch(() => undefined);
    };
    const hold = (kept: Partial<Look>): void => {
      known = { ...look(), ...kept };
      changeLook(kept);
    };
    const follow = async (): Promise<void> => {
      const { data } = await api.GET('/auth/me/preferences', { signal: stopping.signal });
      if (!data || stopping.signal.aborted) return;
      const { language, theme, shortcuts, rail_is_narrow: railIsNarrow, version, tour } = data;
      // Nobody chose anything anywhere. What was chosen before versions were counted has none.
      const isUntouched =
        version === 0 && language === null && theme === 'system' && shortcuts && !railIsNarrow;
      hold({
        hintsSeen: tour.seen,
        ...(!isUntouched && {
          theme,
          shortcuts,
          railIsNarrow,
          density: data.density,
          timeZone: data.time_zone,
          startPage: data.start_page,
          panels: widthsOf(data.panels),
          ...(language && { language }),
        }),
      });
    };
    const stopWatching = watchLook(keep);
    follow().catch(() => undefined);
    return () => {
      stopping.abort();
      stopWatching();
    };
  }, [person]);
}
