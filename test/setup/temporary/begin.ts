import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of jest one temporary directory, which goes with the run: tests and their programs leave thousands of files. */
export default function begin(): void {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-test-'));
  // Database servers run as a user of their own, in directories below this one.
  chmodSync(directory, 0o711);
  process.env.CDK8S_ASO_TEST_TMPDIR = process.env.TMPDIR = directory;
}
