import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The part of an address after the question mark, and how a value of it is set or taken away. */
export function useAddress() {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (values: Readonly<Record<string, string>>, options: { readonly replace: boolean } = { replace: true }) =>
      setSearch((before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      }, options),
    [setSearch],
  );
  return [search, set, setSearch] as const;
}
