import { misfitOf } from '../../../cli/migrate/install-fits';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import { asoCrd } from '../../e2e/migration/aso-crd';

const account = Catalog.default().kind('storage.azure.com', 'StorageAccount')!;
const asObject = (value: unknown) => value as KubernetesObject;
const deployment = asObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } });
const ours = asObject(crdManifest(account));
const asos = asObject(asoCrd(account, { port: 443, caBundle: '' }));
const { storageVersion } = account.facts;
const kind = { crd: account.crdName, group: account.group, kind: account.kind, plural: account.facts.plural };
const away = { direction: 'from-aso', kinds: [{ ...kind, from: `${storageVersion}storage`, to: storageVersion }] } as const;
const back = { direction: 'to-aso', kinds: [{ ...kind, from: storageVersion, to: `${storageVersion}storage` }] } as const;

test('manifests of a migration in its middle', () => {
  expect(misfitOf(away, [deployment, ours])).toBeUndefined();
  expect(misfitOf(away, [deployment])).toBeUndefined();
  expect(misfitOf(back, [deployment, asos])).toBeUndefined();
  expect(misfitOf({ ...back, installedByUser: true }, [])).toBeUndefined();
});

test.each([
  [away, [ours], 'they have no Deployment'],
  [away, [deployment, asos], `stores ${storageVersion}storage, and objects are stored in ${storageVersion}`],
  [back, [deployment], `the CRD ${account.crdName} is not there`],
  [back, [deployment, ours], `stores ${storageVersion}, and objects are stored in ${storageVersion}storage`],
])('other manifests', (state, install, message) => expect(misfitOf(state, install)).toContain(message));
