import { useLook } from '../look/use-look.ts';

/** Height of the rows of a list that draws those in sight, as dense as somebody chose. */
export function useRowPixels({
  comfortable,
  compact,
  narrow,
}: {
  readonly comfortable: number;
  readonly compact: number;
  /** On a phone, where a row has more lines. */
  readonly narrow?: number;
}): number {
  const { density } = useLook();
  if (narrow !== undefined && globalThis.matchMedia('(max-width: 899px)').matches) return narrow;
  return density === 'compact' ? compact : comfortable;
}
