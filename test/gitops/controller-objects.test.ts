import { describeWithEvaluators, verdictsOn } from './evaluators';
import type { ResourceType } from '../../engine/kubernetes/types';
import { RECONCILE_POLICY } from '../../src/azure/annotations';
import { ArgoHealth, FluxHealth } from '../../src/gitops';
import { settled } from '../controller/reconcile/fake-clock';
import {
  group, GROUP_ID, GROUPS, IDENTITIES, identity, inSeparateEnvironments, object, TestEnvironment,
} from '../controller/reconcile/harness';

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const settings = {
  configMap: ArgoHealth.settings(),
  expressions: [GROUPS, IDENTITIES].map(({ group: name, version, kind }) => FluxHealth.expressionsFor(`${name}/${version}`, kind)),
};
/** `Argo CD, Flux, Flux without expressions` on an object as it is now. */
function verdict(type: ResourceType, name: string): string {
  const [found] = verdictsOn([environment.stored(type, name)!], settings);
  return [found!.argo.status, found!.flux.status, found!.kstatus.status].join(', ');
}
const refuse = (code: string, status: number, refused = 'PUT') =>
  (environment.azure.intercept = ({ method }) => (method === refused ? { status, body: { error: { code, message: 'no' } } } : undefined));

describeWithEvaluators('objects as the controller writes them', () => {
  test('from the first apply to Ready: nothing is ready too early', async () => {
    environment.azure.polls = 2;
    await environment.cluster.create(IDENTITIES, identity());
    expect(verdict(IDENTITIES, 'id')).toBe('Progressing, Unknown, Current');
    await environment.start();
    expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ reason: 'WaitingForOwner' });
    expect(verdict(IDENTITIES, 'id')).toBe('Progressing, InProgress, InProgress');
    await environment.cluster.create(GROUPS, group());
    await settled();
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'Reconciling' });
    expect(verdict(GROUPS, 'rg')).toBe('Progressing, InProgress, InProgress');
    await environment.clock.advance(120_000);
    for (const [type, name] of [[GROUPS, 'rg'], [IDENTITIES, 'id']] as const) expect(verdict(type, name)).toBe('Healthy, Current, Current');
  });

  test('a change of the spec that the controller has not seen yet', async () => {
    await environment.cluster.create(GROUPS, group());
    await environment.start();
    expect(verdict(GROUPS, 'rg')).toBe('Healthy, Current, Current');
    await environment.kill();
    await environment.cluster.edit(GROUPS, 'default', 'rg', { location: 'westeurope', tags: { a: 'b' } });
    expect(verdict(GROUPS, 'rg')).toBe('Progressing, InProgress, Current');
    await environment.start();
    expect(verdict(GROUPS, 'rg')).toBe('Healthy, Current, Current');
  });

  test.each([['AuthorizationFailed', 403, 'Degraded, InProgress, InProgress'], ['LocationRequired', 400, 'Degraded, Failed, InProgress']])(
    'Azure refuses with %s', async (code, status, expected) => {
      refuse(code, status);
      await environment.cluster.create(GROUPS, group());
      await environment.start();
      expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: code });
      expect(verdict(GROUPS, 'rg')).toBe(expected);
    });

  test('the policy skip, with and without the resource in Azure', async () => {
    environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
    const skipped = (name: string) => object(GROUPS, name, { location: 'westeurope' }, { [RECONCILE_POLICY]: 'skip' });
    await environment.cluster.create(GROUPS, skipped('rg'));
    await environment.cluster.create(GROUPS, skipped('absent'));
    await environment.start();
    expect(verdict(GROUPS, 'rg')).toBe('Suspended, Current, Current');
    expect(verdict(GROUPS, 'absent')).toBe('Degraded, InProgress, InProgress');
  });

  test('a deletion that Azure refuses', async () => {
    await environment.cluster.create(GROUPS, group());
    await environment.start();
    refuse('ScopeLocked', 409, 'DELETE');
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'ScopeLocked' });
    expect(verdict(GROUPS, 'rg')).toBe('Progressing, InProgress, Terminating');
  });
});
