import { FROM, IDS, secret, setUp } from './resolver';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const values = { ...IDS, AZURE_CLIENT_SECRET: 's3cret-value' };
const owned = (apiVersion: string, kind: string): KubernetesObject => {
  const made = secret(values);
  return { ...made, metadata: { ...made.metadata, ownerReferences: [{ apiVersion, kind, name: 'id', uid: '1' }] } };
};
const object = { metadata: { namespace: 'ns', annotations: { [FROM]: 'own' } } };

test('a Secret that an Azure object owns, and so may write by an export, is no credential', () => {
  const { resolver } = setUp({ 'ns/own': owned('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity') });
  expect(() => resolver.resolve(object)).toThrow(/"ns\/own" belongs to UserAssignedIdentity id.*allows-credential-exports/);
});

test('nor under the name of the namespace\'s credential, and the global one does not take its place', () => {
  const { resolver } = setUp({ 'ns/aso-credential': owned('resources.azure.com/v1api20200601', 'ResourceGroup') });
  expect(() => resolver.resolve({ metadata: { namespace: 'ns' } })).toThrow(/belongs to ResourceGroup id/);
});

test('unless the platform allows it', () => {
  const allowed: string[] = [];
  const allowsExported = (namespace: string, name: string) => allowed.push(`${namespace}/${name}`) > 0;
  const { resolver } = setUp({ 'ns/own': owned('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity') }, undefined, {
    allowsExported,
  });
  expect(resolver.resolve(object).source).toBe('ns/own');
  expect(allowed).toEqual(['ns/own']);
});

test.each([
  ['external-secrets.io/v1', 'ExternalSecret'],
  ['v1', 'Pod'],
  ['bitnami.com/v1alpha1', 'SealedSecret'],
])('owners of other groups (%s) say nothing', (apiVersion, kind) => {
  const { resolver } = setUp({ 'ns/own': owned(apiVersion, kind) });
  expect(resolver.resolve(object).source).toBe('ns/own');
});
