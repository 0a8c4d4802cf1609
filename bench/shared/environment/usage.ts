import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The resources that a process has used so far, as Linux counts them. */
export interface Usage {
  /** Processor time, of all threads. */
  readonly cpuSeconds: number;
  readonly residentMiB: number;
  /** The most that was resident since the last `forgetPeak`. */
  readonly peakMiB: number;
}

const TICKS_PER_SECOND = 100;

/** @throws Error when the process is gone */
export function usageOf(pid: number): Usage {
  // The second field is the name in brackets, which may have blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) / 1024;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    residentMiB: mebibytes('VmRSS'),
    peakMiB: mebibytes('VmHWM'),
  };
}

export interface Descriptors {
  readonly all: number;
  readonly sockets: number;
}

/** Open files of a process, and how many of them are sockets. */
export function descriptorsOf(pid: number): Descriptors {
  const targets = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return ''; // closed in this moment
    }
  });
  return { all: targets.length, sockets: targets.filter((target) => target.startsWith('socket:')).length };
}
