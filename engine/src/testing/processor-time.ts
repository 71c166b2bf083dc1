/** Milliseconds of processor time that this process took meanwhile: what a busy machine does not change. */
export function processorTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
