// Preloaded into the measured process: at its end, writes what it has used to the file that BENCH_USAGE names.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ memoryMiB: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }));
});
