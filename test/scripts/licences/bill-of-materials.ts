import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bundled-packages';

export interface Component {
  readonly 'type': string;
  readonly 'bom-ref': string;
  readonly 'group'?: string;
  readonly 'name': string;
  readonly 'version'?: string;
  readonly 'components'?: Component[];
}

export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: Component[];
  readonly dependencies: { readonly ref: string; readonly dependsOn?: string[] }[];
}

/** The text of a file that `npm run make` writes. */
export const madeText = (file: string) => readFileSync(join(ROOT, file), 'utf8');
export const sbom = (file: string) => JSON.parse(madeText(file)) as Sbom;
const titleOf = ({ group, name, version }: Component) => `${group === undefined ? '' : `${group}/`}${name} ${version}`;
/** `name version` of the packages in a list. */
export const librariesOf = (file: string) => sbom(file).components.filter(({ type }) => type === 'library').map(titleOf).sort();
