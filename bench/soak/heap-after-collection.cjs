// Loaded into the measured process by --require, with --expose-gc: at SIGUSR2 it collects its garbage and says what is left, in bytes.
process.on('SIGUSR2', () => {
  globalThis.gc();
  process.stderr.write(`${JSON.stringify({ msg: 'heap', used: process.memoryUsage().heapUsed })}\n`);
});
