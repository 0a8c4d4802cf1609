import { ApiObject, Chart } from 'cdk8s';
import { install, one, type Installed } from './app';
import { cellsOf, nameOf } from './cells';
import { managedidentity, resources } from '../../src';
import { ControllerKinds, type BundledControllerProps } from '../../src/operator';

const PROPAGATE_TO = 'aso.cdk8s.io/propagate-credentials-to';

function withPropagation(targets: string | undefined, props: Partial<BundledControllerProps> = {}): Installed {
  const installed = install(props);
  const platform = new Chart(installed.app, 'platform', { namespace: 'platform' });
  const metadata = targets === undefined ? {} : { annotations: { [PROPAGATE_TO]: targets } };
  new ApiObject(platform, 'identity', {
    apiVersion: 'managedidentity.azure.com/v1api20230131',
    kind: 'UserAssignedIdentity',
    metadata,
    spec: { location: 'uksouth' },
  });
  return installed;
}

const cells = ({ synth }: Installed): string[] =>
  cellsOf(one(synth(), 'ClusterRole', 'azureserviceoperator-manager-role').rules).map(nameOf);
/** Additional rights of the controller with credential propagation. */
const more = (installed: Installed): string[] => {
  const without = cells(withPropagation(undefined, { credentialPropagation: false }));
  return cells(installed).filter((cell) => !without.includes(cell)).sort();
};

const ACCOUNTS = ['list serviceaccounts', 'patch serviceaccounts', 'watch serviceaccounts'];
const ALL = ['delete configmaps', 'delete secrets', ...ACCOUNTS];

test.each([
  ['nothing', undefined, {}, []],
  ['a Secret', 'Secret/team-a/aso-credential', {}, ['delete secrets']],
  ['a ConfigMap', 'ConfigMap/team-a/ids', {}, ['delete configmaps']],
  ['a service account', 'ServiceAccount/team-a/app', {}, ACCOUNTS],
  ['all of them', 'Secret/a/b,ServiceAccount/a/b,ConfigMap/a/b', {}, ALL],
  ['nothing that can be read', 'Pod/a/b', {}, []],
  ['what the app does not show', undefined, { credentialPropagation: true }, ALL],
  ['a Secret, against the will of who installs', 'Secret/a/b', { credentialPropagation: false }, []],
  [
    'a Secret, with named kinds',
    'Secret/a/b',
    { kinds: ControllerKinds.of('UserAssignedIdentity', 'storage.azure.com/*', 'resources.azure.com/*') },
    ['delete secrets'],
  ],
] as [string, string | undefined, Partial<BundledControllerProps>, string[]][])(
  'rights where an identity propagates to %s',
  (_, targets, props, expected) => {
    const named = props.kinds ? cells(withPropagation(undefined, { ...props, credentialPropagation: false })) : undefined;
    const installed = withPropagation(targets, props);
    expect(
      named
        ? cells(installed)
          .filter((cell) => !named.includes(cell))
          .sort()
        : more(installed),
    ).toEqual(expected);
  },
);

test('a typed identity, made after the controller, counts too', () => {
  const installed = install();
  const platform = new Chart(installed.app, 'platform', { namespace: 'platform' });
  const owner = new resources.ResourceGroup(platform, 'group', { location: 'uksouth' });
  const identity = new managedidentity.UserAssignedIdentity(platform, 'identity', { location: 'uksouth', owner });
  identity.metadata.addAnnotation(PROPAGATE_TO, 'Secret/team-a/aso-credential');
  expect(cells(installed)).toContain('delete secrets');
});

test('in the namespaces that are watched, where they are named', () => {
  const roles = withPropagation('ServiceAccount/team/app', { settings: { targetNamespaces: ['team', 'platform'] } })
    .synth()
    .filter(({ kind }) => kind === 'Role');
  const granted = roles
    .filter(({ rules }) => cellsOf(rules).map(nameOf).includes('patch serviceaccounts'))
    .map(({ metadata }) => metadata.namespace);
  expect(granted.sort()).toEqual(['platform', 'team']);
});
