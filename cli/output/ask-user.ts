import { createInterface } from 'node:readline/promises';

/** Asks a question on the terminal of the process. Anything but yes is no. */
export async function askUser(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
