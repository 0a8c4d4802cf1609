import { rm } from 'node:fs/promises';

/** Removes the temporary directory of the run. */
export default async function end(): Promise<void> {
  await rm(process.env.CDK8S_ASO_TEST_TMPDIR!, { recursive: true, force: true, maxRetries: 3 });
}
