/** The milliseconds of processor time that some work takes: other programs of a busy machine do not lengthen them. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
