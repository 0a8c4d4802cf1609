import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of this package's `package.json` that apps are made from. */
export interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export function ownPackage(): OwnPackage {
  // This file is bundled into lib/programs: in both places the root of the package is two folders above.
  return JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as OwnPackage;
}

/** The versions of tools with which this package is built and tested. */
export function toolVersions(tools: readonly string[]): Record<string, string> {
  const { devDependencies } = ownPackage();
  return Object.fromEntries(tools.map((tool) => {
    const version = devDependencies[tool];
    if (version === undefined) throw new RangeError(`package.json has no ${tool}`);
    return [tool, version];
  }));
}
