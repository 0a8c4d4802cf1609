import { account, advised, assignment, changesOf, detach, federation, group, identity, namespace, object, POLICY, skip } from './objects';
import type { Changes } from '../../../cli/diff/changes';
import { reportOf } from '../../../cli/diff/report';

/** Access that stays in Azure when objects are removed, e.g. those of a team that leaves while its data stays. */

const RETAINED = { [POLICY]: 'detach-on-delete' };
const TEAM = [group(), account(), identity(), federation(), assignment()];
const warned = ({ warnings }: Changes) => warnings.map((warning) => advised({ advice: [warning] }));

describe('objects that a team has made itself, under the policy of its namespace', () => {
  const changes = changesOf([namespace('shop', RETAINED), ...TEAM], []);

  test('a role that stays is not revoked', () => {
    expect(changes.roles).toEqual([expect.objectContaining({ change: 'kept', principal: 'UserAssignedIdentity shop/api', role: 'Storage Blob Data Reader' })]);
    expect(changes.summary).toMatchObject({ rolesRevoked: 0, accessKept: 3 });
  });

  test('tokens are accepted as before', () => {
    expect(changes.credentials).toEqual([expect.objectContaining({ of: 'federation', change: 'kept' })]);
  });

  test('a warning names them, and says how they end', () => {
    const [own, others] = warned(changes) as [string, string];
    expect(own).toContain(
      'access stays in Azure: FederatedIdentityCredential shop/pods, RoleAssignment shop/reads, UserAssignedIdentity shop/api;',
    );
    expect(own).toContain('to end it, apply serviceoperator.azure.com/reconcile-policy: manage to these objects, and remove them then');
    expect(others).toContain('Namespace shop is removed under detach-on-delete');
    expect(others).toContain('kubectl get roleassignments.authorization.azure.com,federatedidentitycredentials.managedidentity.azure.com,userassignedidentities.managedidentity.azure.com -n shop');
  });

  test('the report says so', () => {
    const { sections, summary } = reportOf(changes, false);
    const heads = sections.flatMap(({ entries }) => entries.map(({ head }) => head.map((part) => (typeof part === 'string' ? part : part.name)).join('')));
    expect(heads).toContain('UserAssignedIdentity shop/api keeps Storage Blob Data Reader on StorageAccount shop/files');
    expect(heads).toContain('tokens accepted by UserAssignedIdentity shop/api (FederatedIdentityCredential shop/pods) kept');
    expect(summary).toContain('access kept 3');
  });
});

test('what is deleted is named as before', () => {
  const changes = changesOf([namespace('shop'), ...TEAM], []);
  expect([changes.warnings, changes.summary.accessKept]).toEqual([[], 0]);
  expect(changes.roles).toEqual([expect.objectContaining({ change: 'revoked' })]);
  expect(changes.credentials).toEqual([expect.objectContaining({ of: 'federation', change: 'removed' })]);
  expect(reportOf(changes, false).summary).not.toContain('access kept');
});

test('trust and roles end with the resource in which they lie, whatever their own policy is', () => {
  const changes = changesOf([group(), account(), identity(), federation('pods', {}, detach), assignment('reads', {}, detach)], [group()]);
  expect(changes.credentials).toEqual([expect.objectContaining({ of: 'federation', change: 'removed' })]);
  expect(changes.roles).toEqual([expect.objectContaining({ change: 'revoked' })]);
  expect(changes.warnings).toEqual([]);
});

test('an object that only watched has given nothing, and takes nothing', () => {
  const changes = changesOf([group(), account(), identity('api', {}, skip), assignment('reads', {}, skip)], [group(), account()]);
  expect(changes.roles).toEqual([expect.objectContaining({ change: 'kept' })]);
  expect(changes.warnings).toEqual([]);
});

test('access that the spec of kept data names is access too', () => {
  const vault = object('keyvault.azure.com/v1api20230701', 'Vault', 'kv', { owner: { name: 'rg' }, location: 'uksouth' }, detach);
  expect(warned(changesOf([group(), vault], [group()]))).toEqual([expect.stringContaining('access stays in Azure: Vault shop/kv;')]);
});

test('of many only a few are named', () => {
  const many = Array.from({ length: 50 }, (_, index) => identity(`id${index}`, {}, detach));
  const [warning] = warned(changesOf([group(), ...many], [group()]));
  expect(warning).toContain('UserAssignedIdentity shop/id0, UserAssignedIdentity shop/id1,');
  expect(warning).toContain(' and 40 more;');
});
