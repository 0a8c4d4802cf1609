import { App, Chart, Testing } from 'cdk8s';
import { resources, storage } from '../../src';
import { BundledController, type BundledControllerProps } from '../../src/operator';

export const IMAGE = 'registry.example.com/cdk8s-aso-controller:1.2.3';
export const IDS = {
  subscriptionId: '11111111-2222-3333-4444-555555555555',
  tenantId: '66666666-7777-8888-9999-000000000000',
  clientId: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
};

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [key: string]: any;
}

export interface Installed {
  readonly app: App;
  readonly chart: Chart;
  readonly controller: BundledController;
  /** The manifests of the controller's chart. */
  synth(): Manifest[];
}

/** A controller in a chart of its own, beside a resource group and a storage account. */
export function install(props: Partial<BundledControllerProps> = {}): Installed {
  const app = Testing.app();
  const chart = new Chart(app, 'controller');
  const controller = new BundledController(chart, 'controller', { image: IMAGE, ...props });
  const team = new Chart(app, 'team', { namespace: 'team' });
  const owner = new resources.ResourceGroup(team, 'group', { location: 'uksouth' });
  new storage.StorageAccount(team, 'account', {
    owner,
    azureName: 'teamaccount',
    location: 'uksouth',
    kind: storage.StorageAccountKind.STORAGE_V2,
    sku: { name: storage.SkuName.STANDARD_LRS },
  });
  return { app, chart, controller, synth: () => Testing.synth(chart) as Manifest[] };
}

export function one(manifests: readonly Manifest[], kind: string, name?: string): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind && (name === undefined || manifest.metadata.name === name));
  if (found.length !== 1) throw new Error(`${found.length} objects are ${kind} ${name ?? ''}: ${manifests.map((manifest) => `${manifest.kind} ${manifest.metadata.name}`).join(', ')}`);
  return found[0]!;
}

/** The container of the controller. */
export function container(manifests: readonly Manifest[]): any {
  return one(manifests, 'Deployment').spec.template.spec.containers[0];
}
