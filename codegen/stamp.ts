import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Hashes of the inputs and outputs of a run, to skip runs that would change nothing. */
export class Stamp {
  public constructor(
    private readonly root: string,
    private readonly file: string,
    private readonly inputs: string[],
    private readonly outputs: string[],
  ) {}

  /** Whether inputs and outputs are unchanged since the last run. */
  public get fresh(): boolean {
    const path = join(this.root, this.file);
    return existsSync(path) && readFileSync(path, 'utf8') === this.content();
  }

  /** The content of the stamp for the current files. */
  public content(): string {
    return `${this.digest(this.inputs)}\n${this.digest(this.outputs)}\n`;
  }

  private digest(paths: string[]): string {
    const hash = createHash('sha256');
    for (const file of paths.flatMap((path) => filesBelow(join(this.root, path)))) {
      const path = relative(this.root, file).split(sep).join('/');
      if (path !== this.file) hash.update(`${path}\0`).update(readFileSync(file)).update('\0');
    }
    return hash.digest('hex');
  }
}

/** A file, or all files in a folder and its subfolders, sorted. */
export function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = /\.[a-z]+$/.test(path) ? undefined : readdirSync(path, { withFileTypes: true, recursive: true });
  return entries ? entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort() : [path];
}
