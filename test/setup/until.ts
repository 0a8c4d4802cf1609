/** A wait that goes on for so long has hung, on a machine with any load. Seconds. */
const LONGEST = 300;

/** Texts for the message of a wait in vain, such as the last lines of programs at work. */
const witnesses = new Set<() => string>();

/** Has a message of each wait in vain say something more. Answers what ends that. */
export function addWitness(witness: () => string): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/**
 * Waits until a condition holds. How long that takes is no verdict: only what never comes fails.
 * @param seconds for benches, whose work is of any size
 */
export async function until(what: string, condition: () => boolean | Promise<boolean>, seconds = LONGEST): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (let pause = 5; ; pause = Math.min(2 * pause, 50)) {
    const began = performance.now();
    if (await condition()) return;
    if (Date.now() > deadline) {
      const more = Array.from(witnesses, (witness) => `\n${witness()}`).join('');
      throw new Error(`waited ${seconds} s in vain until ${what}${more}`);
    }
    // A look with kubectl takes a tenth of a processor's second, which the programs that are waited for need.
    await new Promise((resolve) => setTimeout(resolve, Math.max(pause, performance.now() - began)));
  }
}
