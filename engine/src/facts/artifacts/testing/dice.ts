/** Chooses one of several, or a number below one. */
export interface Dice {
  (): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Numbers that repeat (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return Object.assign(roll, {
    pick: <Value>(values: readonly Value[]): Value => values[Math.floor(roll() * values.length)]!,
  });
}
