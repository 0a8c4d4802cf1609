import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

/** A project with a definition's module: kind Note, whose claims are ConfigMaps. Answers the path of the module. */
export function noteProject(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-project-'));
  mkdirSync(join(directory, 'node_modules'));
  for (const name of ['cdk8s', 'constructs', 'zod', 'esbuild']) symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  symlinkSync(root, join(directory, 'node_modules', 'cdk8s-aso'));
  const file = join(directory, 'note.ts');
  writeNote(file, text);
  return file;
}

/**
 * Writes the module.
 * @param change of the source
 */
export function writeNote(file: string, text: string, change: (source: string) => string = (source) => source): void {
  writeFileSync(file, change(`import { ApiObject } from 'cdk8s';
import { defineApi } from 'cdk8s-aso/platform-api';
import * as z from 'zod';

export default defineApi({
  group: 'platform.example.com',
  kind: 'Note',
  version: 'v1',
  schema: z.object({ lines: z.array(z.string().max(20)).max(20), secret: z.string().max(20).optional() }),
  composes: [{ group: '', kind: 'ConfigMap' }, { group: '', kind: 'Secret' }],
  compose(scope, claim) {
    if (claim.spec.lines.includes('bad')) throw new Error('no bad lines');
    claim.spec.lines.forEach((line, index) => new ApiObject(scope, 'line-' + index, {
      apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: claim.name + '-' + index }, data: { line, text: '${text}' },
    }));
    if (claim.spec.secret !== undefined) {
      new ApiObject(scope, 'secret', { apiVersion: 'v1', kind: 'Secret', metadata: { name: claim.name }, stringData: { value: claim.spec.secret } });
    }
  },
});
`));
}
