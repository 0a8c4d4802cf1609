import * as kplus from 'cdk8s-plus-27';
import { account, chart, FederatedCredential, findings, group, identity, PostgresServer, SecurityGroup, synth } from './kinds';
import { ConfigMapValue, SecretMap, SecretValue } from '../../src/core';

describe('outputs', () => {
  test('asking for one makes the resource export it, and the reader import it', () => {
    const scope = chart();
    const id = identity(scope, 'app-id', group(scope));
    expect(synth(scope)[1].spec.operatorSpec).toBeUndefined();
    new FederatedCredential(scope, 'fic', { owner: id, audiences: ['a'], issuerFromConfig: id.output('tenantId'), subject: 's' });
    const [, exporter, importer] = synth(scope);
    expect(exporter.spec.operatorSpec).toEqual({ configMaps: { tenantId: { name: 'app-id-outputs', key: 'tenantId' } } });
    expect(importer.spec.issuerFromConfig).toEqual({ name: 'app-id-outputs', key: 'tenantId' });
  });

  test('a destination of the user\'s is used as it is', () => {
    const scope = chart();
    const id = identity(scope, 'app-id', group(scope), {
      operatorSpec: { configMaps: { clientId: { name: 'team-credential', key: 'client' } } },
    });
    const output = id.output('clientId');
    id.output('principalId');
    expect([output.configMapName, output.key]).toEqual(['team-credential', 'client']);
    expect(synth(scope)[1].spec.operatorSpec.configMaps).toEqual({
      clientId: { name: 'team-credential', key: 'client' }, principalId: { name: 'app-id-outputs', key: 'principalId' },
    });
  });

  test('are the same however often they are asked for', () => {
    const id = identity(chart(), 'app-id', group(chart()));
    expect(id.output('clientId')).toBe(id.output('clientId'));
  });

  test('that do not exist are refused at once, with what there is', () => {
    const scope = chart();
    expect(() => identity(scope, 'app-id', group(scope)).output('clientID')).toThrow(
      "[chart/app-id] UserAssignedIdentity has no output 'clientID'. Did you mean 'clientId'? It has: clientId, principalId, tenantId.",
    );
    expect(() => group(scope, 'rg2').output('id')).toThrow('It has none; operatorSpec.configMapExpressions');
  });

  test('go where the kind keeps its destinations', () => {
    const scope = chart();
    new SecurityGroup(scope, 'g', { displayName: 'g', mailNickname: 'g' }).output('entraID');
    expect(synth(scope)[0].spec).toEqual({
      displayName: 'g',
      mailNickname: 'g',
      operatorSpec: { configmaps: { entraID: { name: 'g-outputs', key: 'entraID' } } },
    });
  });

  test('secrets are exported to a Secret', () => {
    const scope = chart();
    const storage = account(scope, 'sa1', group(scope), { operatorSpec: { secrets: { key2: { name: 'mine', key: 'k' } } } });
    expect(storage.secretOutput('key1')).toMatchObject({ secretName: 'sa1-secrets', key: 'key1' });
    expect(storage.secretOutput('key2')).toMatchObject({ secretName: 'mine', key: 'k' });
    expect(synth(scope)[1].spec.operatorSpec.secrets).toEqual({
      key1: { name: 'sa1-secrets', key: 'key1' },
      key2: { name: 'mine', key: 'k' },
    });
  });

  test('feed the environment of containers', () => {
    const scope = chart();
    const storage = account(scope, 'sa1', group(scope));
    new kplus.Pod(scope, 'pod', {
      containers: [
        {
          image: 'app',
          envVariables: {
            ENDPOINT: storage.output('blobEndpoint').envValue,
            KEY: storage.secretOutput('key1').envValue,
            OTHER: ConfigMapValue.fromConfigMap('c', 'k').envValue,
          },
        },
      ],
    });
    const pod = synth(scope).find((manifest) => manifest.kind === 'Pod');
    expect(pod.spec.containers[0].env).toEqual([
      { name: 'ENDPOINT', valueFrom: { configMapKeyRef: { name: 'sa1-outputs', key: 'blobEndpoint' } } },
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 'sa1-secrets', key: 'key1' } } },
      { name: 'OTHER', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
    ]);
  });
});

describe('secrets', () => {
  test('go in by reference only, and a value given by mistake is not shown', () => {
    const scope = chart();
    new PostgresServer(scope, 'ps1', { owner: group(scope), location: 'uksouth', administratorLoginPassword: 'hunter2' });
    const [finding] = findings(scope);
    expect(finding).toContain(
      '[chart/ps1] FlexibleServer administratorLoginPassword: has to be a reference to a secret, SecretValue.fromSecret(name, key)',
    );
    expect(finding).not.toContain('hunter2');
  });

  test('are written as the operator reads them', () => {
    const scope = chart();
    new PostgresServer(scope, 'ps1', {
      owner: group(scope),
      location: 'uksouth',
      administratorLogin: 'shopadmin',
      administratorLoginPassword: SecretValue.fromSecret('admin', 'password'),
    });
    expect(synth(scope)[1].spec.administratorLoginPassword).toEqual({ name: 'admin', key: 'password' });
    expect(SecretMap.fromSecret('all').secretName).toBe('all');
  });
});
