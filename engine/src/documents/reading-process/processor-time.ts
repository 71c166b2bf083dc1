/** Seconds of processor time that this process has taken, all its threads together. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
