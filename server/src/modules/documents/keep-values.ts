/** Keeps what was made of objects of the storage for one request after the other about them. */
export type KeptValues<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

/**
 * What is made once is kept until others need the room, those that were asked for last the longest; who asks while it is being
 * made gets the same. What fails is not kept. The object of a key is never written to again.
 */
export function keepValues<Value>({
  most,
  weightOf,
}: {
  readonly most: number;
  readonly weightOf: (value: Value) => number;
}): KeptValues<Value> {
  const kept = new Map<string, { readonly value: Promise<Value>; weight: number }>();

  function makeRoom(newest: string): void {
    let weight = [...kept.values()].reduce((sum, one) => sum + one.weight, 0);
    for (const [key, one] of kept) {
      if (weight <= most) return;
      if (key === newest) continue;
      kept.delete(key);
      weight -= one.weight;
    }
  }

  return (key, make) => {
    const known = kept.get(key);
    kept.delete(key);
    if (known) {
      kept.set(key, known);
      return known.value;
    }
    const entry = { value: make(), weight: 0 };
    kept.set(key, entry);
    entry.value.then(
      (value) => {
        entry.weight = weightOf(value);
        makeRoom(key);
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key);
      },
    );
    return entry.value;
  };
}
