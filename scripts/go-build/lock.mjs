import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes this process the only one that builds: others wait for it, and take over when it died.
 * @param directory the lock: a directory with the number of the process
 * @returns a function that releases the lock
 */
export async function lock(directory, say) {
  const mine = `${directory}.${process.pid}`;
  const removed = [mine];
  const cleanUp = () => removed.forEach((path) => rmSync(path, { recursive: true, force: true }));
  process.once('exit', cleanUp);
  mkdirSync(mine, { recursive: true });
  writeFileSync(join(mine, 'pid'), String(process.pid));
  for (let waiting = false; ; waiting = true) {
    // The lock is there with its owner's name in it, or not at all: no directory can be renamed to one that has something in it.
    if (renamed(mine, directory)) {
      removed.push(directory);
      return cleanUp;
    }
    const pid = ownerOf(directory);
    // Of several that find a dead one's lock, the first moves it away; its new name keeps the others from doing so with the first one's lock.
    const grave = `${directory}.dead-${pid}`;
    if (pid !== undefined && !isAlive(pid) && renamed(directory, grave)) {
      removed.push(grave);
      continue;
    }
    if (!waiting) say(`waiting for process ${pid ?? '?'}, which builds it (${directory})`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function renamed(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) return false;
    throw error;
  }
}

function ownerOf(directory) {
  try {
    return Number(readFileSync(join(directory, 'pid'), 'utf8'));
  } catch {
    return undefined; // given back in this moment
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
