import { useEffect } from 'react';
import { type Api, api, take } from '../api/client.ts';
import { changeLook, type Look, look, watchLook } from '../look/look.ts';

const toPreferences = ({
  language,
  theme,
  shortcuts,
  railIsNarrow,
  density,
  timeZone,
  startPage,
}: Look): Api['PreferencesChange'] => ({
  language,
  theme,
  shortcuts,
  rail_is_narrow: railIsNarrow,
  density,
  time_zone: timeZone,
  start_page: startPage,
});

/** What a person chose on any machine holds here, and what is chosen here holds there. */
export function useOwnLook(person: string | undefined): void {
  useEffect(() => {
    if (person === undefined) return;
    const stopping = new AbortController();
    let known = toPreferences(look());
    const keep = (): void => {
      const chosen = toPreferences(look());
      const change = Object.fromEntries(
        Object.entries(chosen).filter(([name, value]) => known[name as keyof typeof known] !== value),
      );
      known = chosen;
      if (Object.keys(change).length === 0) return;
      // It holds here in any case; what is not kept now is kept with the next choice.
      take(api.PATCH('/auth/me/preferences', { body: change })).catch(() => undefined);
    };
    const follow = async (): Promise<void> => {
      const { data } = await api.GET('/auth/me/preferences', { signal: stopping.signal });
      if (!data || stopping.signal.aborted) return;
      const {
        language,
        theme,
        shortcuts,
        rail_is_narrow: railIsNarrow,
        density,
        time_zone: timeZone,
        start_page: startPage,
      } = data;
      // Nobody chose anything anywhere. What was chosen before versions were counted has none.
      const isUntouched =
        data.version === 0 && language === null && theme === 'system' && shortcuts && !railIsNarrow;
      if (isUntouched) return;
      changeLook({
        theme,
        shortcuts,
        railIsNarrow,
        density,
        timeZone,
        startPage,
        ...(language && { language }),
      });
      known = toPreferences(look());
    };
    const stopWatching = watchLook(keep);
    follow().catch(() => undefined);
    return () => {
      stopping.abort();
      stopWatching();
    };
  }, [person]);
}
