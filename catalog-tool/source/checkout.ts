import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GoPackage } from './go-package';
import { elementAt } from '../../src/util/elements';
import { HOOKS } from '../facts/extensions';
import type { GoParser } from '../go/parse';

/** The functions that contain facts for the catalog. All others are skipped. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'AzureName', 'ConvertTo', 'ConvertToARM', 'ExportKubernetesConfigMaps', 'GetAPIVersion', 'GetExtendedResources', 'GetResourceScope',
  'GetSupportedOperations', 'GetType', 'MarshalJSON', 'PopulateFromARM', 'UnmarshalJSON', ...Object.keys(HOOKS),
]);

/** The packages of one version of a service: its types, and the bodies of ARM's requests and responses. */
export interface VersionPackages {
  readonly version: string;
  readonly types: GoPackage;
  /** Absent for kinds that are no ARM resources. */
  readonly arm?: GoPackage;
  readonly webhookMarkers: readonly string[];
}

/** A checkout of ASO's source, or the part that the catalog needs. */
export class Checkout {
  public constructor(private readonly root: string, private readonly parser: GoParser) {
    if (!existsSync(this.apiDirectory)) throw new Error(`${root} is no checkout of Azure Service Operator: it has no v2/api.`);
  }

  public get services(): string[] {
    return directoriesIn(this.apiDirectory);
  }

  /** The versions of a service that have separate Go types. */
  public versions(service: string): VersionPackages[] {
    const directory = join(this.apiDirectory, service);
    return directoriesIn(directory)
      .filter((name) => name !== 'customizations' && goFilesIn(join(directory, name)).some((file) => file.startsWith('groupversion_info')))
      .map((version) => this.version(join(directory, version), version));
  }

  /** ASO's hand-written code for kinds of a service. */
  public customizations(service: string): GoPackage {
    return this.package(join(this.apiDirectory, service, 'customizations'));
  }

  /** The packages with the types that all services share. */
  public get commonPackages(): GoPackage[] {
    const runtime = join(this.root, 'v2', 'pkg', 'genruntime');
    return ['', 'conditions', 'core'].map((folder) => this.package(join(runtime, folder)));
  }

  /** The reference page with the first release of each version of a service. */
  public referencePage(service: string): string | undefined {
    const file = join(this.root, 'docs', 'hugo', 'content', 'reference', service, '_index.md');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  private get apiDirectory(): string {
    return join(this.root, 'v2', 'api');
  }

  private version(directory: string, version: string): VersionPackages {
    const arm = join(directory, 'arm');
    const webhook = join(directory, 'webhook');
    const texts = goFilesIn(webhook).map((file) => readFileSync(join(webhook, file), 'utf8'));
    return {
      version,
      types: this.package(directory),
      ...(existsSync(arm) ? { arm: this.package(arm) } : {}),
      webhookMarkers: texts.flatMap((text) => [...text.matchAll(/^\/\/ \+kubebuilder:webhook:(.*)$/gm)].map((match) => elementAt(match, 1))),
    };
  }

  private package(directory: string): GoPackage {
    return new GoPackage(goFilesIn(directory).map((name) => {
      const file = join(directory, name);
      return this.parser.parse(readFileSync(file, 'utf8'), (wanted) => FUNCTIONS.has(wanted), file);
    }));
  }
}

function directoriesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
}

function goFilesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).filter((file) => file.endsWith('.go') && !file.endsWith('_test.go') && !file.startsWith('zz_')).sort();
}
