// Laws of names: Kubernetes and Azure take them, and what differs keeps differing, however long it is.
import fc from 'fast-check';
import { environment } from './onboarding-fixture';
import { ClusterMode, DefaultPlatformNaming, FederationPurpose, PlatformPreset, Team } from 'cdk8s-aso/platform';

const OBJECT = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const naming = new DefaultPlatformNaming();
const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const word = fc.stringMatching(/^[A-Za-z0-9][-A-Za-z0-9_. ]{0,90}[A-Za-z0-9]$/);
const cluster = (name: string) => ({ name, oidcIssuerUrl: 'https://issuer.example/' });

function namesOf(team: string, place: string, clusterName: string): Record<string, string> {
  const one = new Team({ name: team, namespace: 'team' }).in(
    environment({ name: place, subscriptionName: place, clusters: [cluster(clusterName)] }),
  );
  return {
    resourceGroup: one.resourceGroup,
    identity: naming.teamIdentity(one),
    exports: naming.teamIdentityExports(one),
    federation: naming.teamFederation(one, FederationPurpose.DATABASE_ADMINISTRATOR, clusterName),
    groupRole: naming.groupRole(one, one.resourceGroup),
    grantRole: naming.grantRole(one, one.grants[0] ?? { id: 'service-bus' } as never),
  };
}

const LIMITS: Readonly<Record<string, number>> = {
  resourceGroup: 90,
  identity: 120,
  exports: 253,
  federation: 120,
  groupRole: 253,
  grantRole: 253,
};

test('default names are names, and not too long', () => {
  fc.assert(fc.property(label, word, word, (team, place, clusterName) => {
    for (const [what, name] of Object.entries(namesOf(team, place, clusterName))) {
      expect([what, name, OBJECT.test(name)]).toEqual([what, name, true]);
      expect([what, name.length <= LIMITS[what]!]).toEqual([what, true]);
    }
  }));
});

test('two teams of an environment never have a name in common', () => {
  fc.assert(fc.property(label, label, word, (one, other, place) => {
    fc.pre(one !== other);
    const theirs = new Set(Object.values(namesOf(other, place, 'aks')));
    expect(Object.values(namesOf(one, place, 'aks')).filter((name) => theirs.has(name))).toEqual([]);
  }));
});

test('the same names each time', () => {
  fc.assert(fc.property(label, word, word, (...words) => expect(namesOf(...words)).toEqual(namesOf(...words))));
});

describe('names with prefixes', () => {
  const model = PlatformPreset.prefixedNames({ identityPrefix: 'devmid1401', sharedResourceGroup: 'devrg1401' }).environment({
    name: 'dev',
    location: 'uksouth',
    subscriptionId: '4522538c-3f65-5b38-abd9-b80113019d32',
    subscriptionName: 'AZR-PLT-DEV1',
    tenantId: '83daace9-3f02-5f8c-a35d-5a6b9c697e86',
    clusters: [
      { name: 'DEVAK1401', oidcIssuerUrl: 'https://issuer.example/one/' },
      { name: 'DEVAK1402', oidcIssuerUrl: 'https://issuer.example/two/', mode: ClusterMode.PASSIVE },
    ],
  });
  const team = new Team({ name: 'agri-permits' }).in(model);

  test('the first cluster keeps its names when another comes, whichever is active', () => {
    const names = (of: typeof model) => {
      const member = new Team({ name: 'agri-permits' }).in(of);
      return of.clusters.map(({ name }) => of.naming.teamFederation(member, FederationPurpose.OPERATOR, name));
    };
    expect(names(model)).toEqual(['devmid1401-agri-permits-aso', 'devmid1401-agri-permits-devak1402-aso']);
    expect(names(model.withActive('DEVAK1402'))).toEqual(names(model));
  });

  test('names of roles are in lower-case letters and have the team in them', () => {
    const on = {
      azureResourceRef: {
        armId: '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/DEVRG1401/providers/Microsoft.KeyVault/vaults/DEVVT1401',
      },
    };
    expect(model.naming.groupRole(team, team.resourceGroup)).toBe('azr-plt-dev1-devrg1401-agri-permits-aso-rg-rbac');
    expect(model.naming.grantRole(team, { id: 'vault', on, role: on })).toBe(
      'azr-plt-dev1-devrg1401-devvt1401-agri-permits-aso-vault-rbac',
    );
    expect(model.naming.grantRole(team, { id: 'vault', on, role: on, name: 'mine' })).toBe('mine');
  });
});
