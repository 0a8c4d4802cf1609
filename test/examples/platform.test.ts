import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Testing, type Chart } from 'cdk8s';
import { workshop } from '../../examples/developer-namespaces/workshop';
import { dev, prd } from '../../examples/platform/environments';
import { orchard } from '../../examples/platform/platform';
import { ledger } from '../../examples/single-team/ledger';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Record<string, string> };
  readonly spec?: any;
  readonly stringData?: Record<string, string>;
}

const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-examples-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const objectsOf = (app: App): Manifest[] => app.node.children.flatMap((chart) => Testing.synth(chart as Chart) as Manifest[]);
const titles = (objects: Manifest[]) =>
  objects.map(({ kind, metadata }) => [metadata.namespace, kind, metadata.name].filter(Boolean).join(' ')).sort();
const policyOf = ({ metadata }: Manifest) => metadata.annotations?.['serviceoperator.azure.com/reconcile-policy'];
const isAzure = ({ apiVersion, kind }: Manifest) => /\.azure\.com\//.test(apiVersion) && kind !== 'AzureAppConfigurationProvider';

describe('three teams in two environments', () => {
  const platform = orchard(directory);
  const [first, active, passive] = platform.clusters.map(({ app }) => objectsOf(app));

  test('each cluster gets what was reviewed', () => {
    expect(platform.clusters.map(({ id }) => id)).toEqual(['dev/aks-orchard-dev', 'prd/aks-orchard-prd-a', 'prd/aks-orchard-prd-b']);
    expect(titles(first!)).toMatchSnapshot();
  });

  test('everything is valid, and no two clusters manage one resource', () => {
    expect(() => platform.synth()).not.toThrow();
  });

  test('what stands by only watches; what manages does not', () => {
    expect(passive!.filter(isAzure).map(policyOf)).toEqual(passive!.filter(isAzure).map(() => 'skip'));
    expect(active!.filter(isAzure).filter((object) => policyOf(object) === 'skip')).toEqual([]);
    expect(titles(passive!)).toEqual(titles(active!));
  });

  test('two clusters that both manage are refused', () => {
    const changed = orchard(directory);
    for (const resource of changed.clusters[2]!.app.node.findAll()) {
      const { metadata } = resource as { metadata?: { addAnnotation(key: string, value: string): void } };
      if (resource.node.id === 'Resource' || metadata === undefined) continue;
      metadata.addAnnotation('serviceoperator.azure.com/reconcile-policy', 'manage');
    }
    expect(() => changed.synth()).toThrow(/is managed by '.*' of prd\/aks-orchard-prd-b and by '.*' of prd\/aks-orchard-prd-a/);
  });

  test('promotion is one switch', () => {
    const promoted = prd.withActive('aks-orchard-prd-b');
    expect(promoted.activeCluster.name).toBe('aks-orchard-prd-b');
    expect(promoted.clusters.map(({ mode }) => mode)).toEqual(['passive', 'active']);
    expect(() => prd.withActive('other')).toThrow("'other' is none of them. The environment has 'aks-orchard-prd-a', 'aks-orchard-prd-b'.");
    expect(dev.clusters).toHaveLength(1);
  });

  test('no credential has a value that is empty or made up', () => {
    for (const secret of first!.filter(({ kind }) => kind === 'Secret')) {
      expect(secret.metadata.namespace).toBe('platform');
      expect(Object.values(secret.stringData!).every((value) => value !== '')).toBe(true);
    }
  });
});

test('a single team on plain Azure Service Operator', () => {
  expect(titles(objectsOf(ledger(directory)))).toMatchSnapshot();
});

test('a namespace for each developer', () => {
  const platform = workshop(directory);
  expect(() => platform.synth()).not.toThrow();
  expect(titles(objectsOf(platform.clusters[0]!.app))).toMatchSnapshot();
});
