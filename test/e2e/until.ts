/** Waits until a condition holds. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const began = performance.now();
    if (await condition()) return;
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s in vain until ${what}`);
    // A look with kubectl takes a tenth of a processor's second, which the programs that are waited for need.
    await new Promise((resolve) => setTimeout(resolve, Math.max(50, performance.now() - began)));
  }
}
