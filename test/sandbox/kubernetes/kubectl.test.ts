import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from './client';
import type { SandboxKubernetes } from '../../../sandbox/kubernetes';
import { startKubernetes } from '../../../sandbox/kubernetes';
import { Catalog } from '../../../src/catalog';

/** The real thing: what people type. Skipped where there is no kubectl. */
const found = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' }).status === 0;
if (!found) console.log('kubectl is not on the PATH: the tests that drive it are skipped');

const BUNDLE = `
apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata: { name: rg, namespace: team }
spec: { location: uksouth }
---
apiVersion: managedidentity.azure.com/v1api20230131
kind: UserAssignedIdentity
metadata: { name: id, namespace: team, finalizers: [serviceoperator.azure.com/finalizer] }
spec: { location: uksouth, owner: { name: rg } }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: workload, namespace: team }
`;

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

(found ? describe : describe.skip)('kubectl', () => {
  let server: SandboxKubernetes;
  let directory: string;

  const file = (name: string, content: string): string => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  const kubectl = (...args: string[]) =>
    new Promise<Run>((resolve) => {
      const env = { ...process.env, KUBECONFIG: join(directory, 'kubeconfig'), HOME: directory };
      execFile('kubectl', args, { env, timeout: 50_000 }, (error, out, err) => resolve({ code: error ? 1 : 0, out, err }));
    });
  const status = (plural: string, name: string, value: string) =>
    send(
      server.url,
      'PATCH',
      `${plural}/${name}/status`,
      { status: { conditions: [{ type: 'Ready', status: value, reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z' }] } },
      { 'Content-Type': 'application/merge-patch+json' },
    );
  const GROUPS = '/apis/resources.azure.com/v1api20200601/namespaces/team/resourcegroups';
  const IDENTITIES = '/apis/managedidentity.azure.com/v1api20230131/namespaces/team/userassignedidentities';

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kubectl-'));
    server = await startKubernetes({ crds: [...Catalog.default().kindsOf('resources'), ...Catalog.default().kindsOf('managedidentity')] });
    file('kubeconfig', server.kubeconfig());
    expect((await kubectl('create', 'namespace', 'team')).out).toContain('namespace/team created');
  });
  afterEach(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  test('apply, get, wait, delete', async () => {
    const bundle = file('bundle.yaml', BUNDLE);
    expect(await kubectl('apply', '-f', bundle)).toMatchObject({
      code: 0,
      out: expect.stringContaining('userassignedidentity.managedidentity.azure.com/id created'),
    });
    expect((await kubectl('apply', '-f', bundle)).out).toContain('resourcegroup.resources.azure.com/rg unchanged');

    const waiting = kubectl('wait', '-n', 'team', '--for=condition=Ready', 'resourcegroup,userassignedidentity', '--all', '--timeout=20s');
    await status(GROUPS, 'rg', 'True');
    await status(IDENTITIES, 'id', 'True');
    expect((await waiting).out).toContain('userassignedidentity.managedidentity.azure.com/id condition met');

    const { out } = await kubectl('get', 'azure', '-A');
    expect(out).toMatch(/NAMESPACE +NAME +READY +SEVERITY +REASON +MESSAGE +AGE/);
    expect(out).toMatch(/team +resourcegroup\.resources\.azure\.com\/rg +True +Succeeded +\d+s/);

    let gone = false;
    const deleting = kubectl('delete', '-f', bundle, '--timeout=30s').then((run) => {
      gone = true;
      return run;
    });
    const finalized = async (): Promise<void> => {
      const { body } = await send(server.url, 'GET', `${IDENTITIES}/id`);
      if (!body.metadata.deletionTimestamp) return new Promise((resolve) => setTimeout(() => resolve(finalized()), 50));
      await new Promise((resolve) => setTimeout(resolve, 300));
      return undefined;
    };
    await finalized();
    expect(gone).toBe(false);
    await kubectl(
      'patch',
      'userassignedidentity',
      'id',
      '-n',
      'team',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/metadata/finalizers"}]',
    );
    expect(await deleting).toMatchObject({ code: 0 });
    expect((await kubectl('get', 'azure', '-A')).err).toContain('No resources found');
  });

  test('what is wrong is refused before anything is stored', async () => {
    const bad = BUNDLE.replace('location: uksouth }', 'locaton: uksouth }');
    const run = await kubectl('apply', '-f', file('bad.yaml', bad));
    expect(run.code).toBe(1);
    expect(run.err).toContain('strict decoding error: unknown field "spec.locaton"');
    const lax = await kubectl('apply', '--validate=ignore', '-f', file('bad.yaml', bad));
    expect(lax.err).toContain('The ResourceGroup "rg" is invalid: spec.location: Required value');
  });

  test('server-side apply, and its conflicts', async () => {
    const group = (location: string) => file('rg.yaml', BUNDLE.split('---')[0]!.replace('uksouth', location));
    expect((await kubectl('apply', '--server-side', '-f', group('uksouth'))).out).toContain('serverside-applied');
    const conflict = await kubectl('apply', '--server-side', '--field-manager=other', '-f', group('ukwest'));
    expect(conflict.err).toContain('Apply failed with 1 conflict: conflict with "kubectl": .spec.location');
    expect((await kubectl('apply', '--server-side', '--force-conflicts', '--field-manager=other', '-f', group('ukwest'))).code).toBe(0);
    expect((await kubectl('get', 'resourcegroup', 'rg', '-n', 'team', '-o', 'jsonpath={.spec.location}')).out).toBe('ukwest');
  });

  test('typed clients, which send protocol buffers', async () => {
    expect((await kubectl('-n', 'team', 'create', 'secret', 'generic', 's', '--from-literal=k=v')).out).toContain('secret/s created');
    expect((await kubectl('-n', 'team', 'create', 'configmap', 'c', '--from-literal=k=v')).code).toBe(0);
    expect((await kubectl('-n', 'team', 'create', 'rolebinding', 'b', '--clusterrole=view', '--serviceaccount=team:x')).code).toBe(0);
    expect(server.store.get('secrets', 'team', 's')).toMatchObject({ data: { k: 'dg==' }, type: 'Opaque' });
    expect(server.store.get('rolebindings.rbac.authorization.k8s.io', 'team', 'b')).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'team' }],
    });
    expect((await kubectl('auth', 'can-i', 'create', 'secrets')).out).toBe('yes\n');
    expect((await kubectl('-n', 'team', 'create', 'deployment', 'd', '--image=i')).err).toContain(
      'Deployment as a protocol buffer is not understood by this sandbox; send it as JSON or YAML',
    );
  });

  test('describe, edit, label, diff, api-resources, delete namespace', async () => {
    const bundle = file('bundle.yaml', BUNDLE.replace(', finalizers: [serviceoperator.azure.com/finalizer]', ''));
    await kubectl('apply', '-f', bundle);
    const { uid } = server.store.get('resourcegroups.resources.azure.com', 'team', 'rg')!.metadata;
    await send(server.url, 'POST', '/api/v1/namespaces/team/events', {
      metadata: { generateName: 'rg.' },
      involvedObject: { kind: 'ResourceGroup', name: 'rg', namespace: 'team', uid },
      type: 'Warning',
      reason: 'Reported',
      message: 'something happened',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
    });
    expect((await kubectl('describe', 'resourcegroup', 'rg', '-n', 'team')).out).toMatch(/Events:[^]*Warning +Reported[^]*something happened/);
    const editor = file('editor.sh', '#!/bin/sh\nsed -i s/uksouth/ukwest/ "$1"\n');
    spawnSync('chmod', ['+x', editor]);
    process.env.KUBE_EDITOR = editor;
    expect((await kubectl('edit', 'resourcegroup', 'rg', '-n', 'team')).out).toContain('edited');
    delete process.env.KUBE_EDITOR;
    expect(server.store.get('resourcegroups.resources.azure.com', 'team', 'rg')!.spec).toEqual({ location: 'ukwest' });
    expect((await kubectl('diff', '-f', bundle)).out).toMatch(/^-\s+location: ukwest\n\+\s+location: uksouth$/m);
    await kubectl('label', 'resourcegroup', 'rg', '-n', 'team', 'tier=a');
    expect((await kubectl('get', 'resourcegroup', '-A', '-l', 'tier=a', '-o', 'name')).out).toBe('resourcegroup.resources.azure.com/rg\n');
    expect((await kubectl('api-resources', '--categories=azure', '-o', 'name')).out).toContain(
      'userassignedidentities.managedidentity.azure.com',
    );
    expect((await kubectl('delete', 'namespace', 'team', '--timeout=20s')).code).toBe(0);
    expect(server.store.list('resourcegroups.resources.azure.com')).toEqual([]);
  });
});
