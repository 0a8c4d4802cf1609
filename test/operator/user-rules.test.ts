// Rules of Kubernetes' roles on the kinds. The lists here are the test's own: it does not read src/azure/access-control-kinds.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Catalog } from '../../src/catalog/catalog';
import type { KindInUse } from '../../src/operator/kinds-in-use';
import { userRules, type UserRole } from '../../src/operator/rbac/user-rules';

const inUse = new Map(Catalog.default().allKinds.map((kind): [string, KindInUse] => [kind.crdName, { kind, versions: [], listed: true }]));

/** `group/plural` of everything that a role may write. */
function written(role: UserRole): Set<string> {
  return new Set((userRules(inUse).get(role) ?? []).filter(({ verbs }) => verbs.includes('create'))
    .flatMap(({ apiGroups, resources }) => resources.map((resource) => `${apiGroups[0]}/${resource}`)));
}

/** By the names of kinds: what gives rights is called so. */
const NAMES = /RoleAssignment|RoleDefinition|RoleBinding|PrincipalAssignment|AccessPolic|FederatedIdentity|Administrator|ADOnlyAuthentication|AuthorizationRule|UserDefinition|^User$|^SecurityGroup$|AuthConfig/;
/** By the names of properties of their specs: where principals get rights. */
const PROPERTIES = /^(principalId|objectId|accessPolicies|administrators|adminGroupObjectIDs|trustedExternalTenants|initialWorkspaceAdminObjectId|authorizationPolicies)$/;
/** Kinds with such a property that grants no access. */
const HARMLESS: Readonly<Record<string, string>> = {
  'compute.azure.com/VirtualMachine': 'the identity of the machine',
  'containerregistry.azure.com/Registry': 'the identity of the registry',
  'dbforpostgresql.azure.com/FlexibleServer': 'the identity of the server',
  'insights.azure.com/ActionGroup': 'the application with which a webhook is called',
  'machinelearningservices.azure.com/WorkspacesCompute': 'for whom a machine of the workspace is made',
};

interface KindFacts {
  readonly plural: string;
  readonly versions: Record<string, { readonly spec?: string; readonly sameAs?: string }>;
}

interface Facts {
  readonly group: string;
  readonly kinds: Record<string, KindFacts>;
  readonly types: Record<string, Record<string, { readonly props: Record<string, { readonly type: unknown }> }>>;
}

/** The properties of a spec at any depth, but for `operatorSpec`, read from the catalog's files. */
function propertiesOf(types: Facts['types'][string], name: string, seen = new Set<string>()): string[] {
  if (seen.has(name) || !types[name]) return [];
  seen.add(name);
  return Object.entries(types[name].props).flatMap(([property, { type }]) =>
    property === 'operatorSpec'
      ? []
      : [property, ...[...JSON.stringify(type).matchAll(/"ref":"([^"]+)"/g)].flatMap(([, ref]) => propertiesOf(types, ref!, seen))],
  );
}

const folder = join(__dirname, '../../catalog');
const files = readdirSync(folder).filter((file) => file.endsWith('.json') && !file.startsWith('_') && !file.includes('.status'));
const kinds = files
  .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Facts)
  .filter(({ kinds: all }) => all !== undefined)
  .flatMap(({ group, kinds: all, types }) =>
    Object.entries(all).map(([kind, { plural, versions }]) => {
      const properties = Object.entries(versions).flatMap(([version, { spec, sameAs }]) =>
        propertiesOf(types[sameAs ?? version] ?? {}, spec ?? versions[sameAs ?? version]?.spec ?? ''),
      );
      return { group, kind, plural, properties };
    }),
  );

const [edit, admin, view] = [written('edit'), written('admin'), userRules(inUse).get('view')!];

it('reads all kinds of the catalog', () => {
  expect(kinds.length).toBe(inUse.size);
  expect(kinds.length).toBeGreaterThan(280);
});

it.each(kinds.filter(({ kind }) => NAMES.test(kind)).map(({ group, kind, plural }) => [`${group}/${kind}`, `${group}/${plural}`]))(
  '%s is not for edit, but for admin',
  (_, resource) => {
    expect(edit).not.toContain(resource);
    expect(admin).toContain(resource);
  },
);

it.each(
  kinds
    .filter(({ properties }) => properties.some((property) => PROPERTIES.test(property)))
    .map(({ group, kind, plural, properties }) => [
      `${group}/${kind}`,
      [...new Set(properties.filter((property) => PROPERTIES.test(property)))].join(', '),
      `${group}/${plural}`,
    ]),
)('%s names principals in %s: not for edit', (kind, _, resource) => {
  if (Object.hasOwn(HARMLESS, kind)) expect(edit).toContain(resource);
  else expect(edit).not.toContain(resource);
});

it.each([
  'authorization.azure.com/roleassignments',
  'managedidentity.azure.com/federatedidentitycredentials',
  'entra.azure.com/securitygroups',
  'dbformysql.azure.com/users',
  'dbforpostgresql.azure.com/users',
  'sql.azure.com/users',
  'documentdb.azure.com/sqlroleassignments',
  'documentdb.azure.com/mongodbuserdefinitions',
  'kusto.azure.com/clusterprincipalassignments',
  'kusto.azure.com/principalassignments',
  'keyvault.azure.com/vaults',
  'cache.azure.com/redisaccesspolicyassignments',
  'sql.azure.com/servers',
  'containerservice.azure.com/managedclusters',
])('%s is not for edit', (resource) => expect(edit).not.toContain(resource));

it('edit keeps what changes no access, and every kind is for one of the two', () => {
  for (const resource of [
    'storage.azure.com/storageaccounts',
    'resources.azure.com/resourcegroups',
    'servicebus.azure.com/namespacesqueues',
    'managedidentity.azure.com/userassignedidentities',
  ]) {
    expect(edit).toContain(resource);
  }
  for (const { group, plural } of kinds) expect([edit, admin].filter((role) => role.has(`${group}/${plural}`))).toHaveLength(1);
});

it('no role writes a status, and view reads all', () => {
  const rules = [...userRules(inUse).values()].flat();
  expect(JSON.stringify(rules)).not.toMatch(/\/status|\*/);
  expect(view.flatMap(({ resources }) => resources)).toHaveLength(kinds.length);
});
