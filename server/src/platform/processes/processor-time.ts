/** Seconds of processor time that this process has taken, all its threads together. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Whether the second of processor time has passed that another thread wrote; 0 there means none. It is looked at once: that thread
 * may be done, and write 0, while this one asks for the time.
 */
export function hasPassed(endsAt: Float64Array, seconds: () => number = processorSeconds): boolean {
  const end = endsAt[0]!;
  return end > 0 && seconds() > end;
}
