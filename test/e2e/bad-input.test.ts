import { badAnswers, badObjects, lostOperations, NAMESPACE, objectOf, VERSIONS, type Case } from './bad-input/cases';
import { installCrds } from './install-crds';
import { realEnvironment, sandboxEnvironment, type TestEnvironment } from './kill/environment';
import { isSettled } from './kill/losses';
import { MortalController } from './kill/mortal-controller';
import { tree } from './kill/tree';
import { realKubernetes } from './real-kubernetes';
import { readyOf } from '../../controller/reconcile/core/conditions';
import type { Condition, KubernetesObject, ResourceType } from '../../engine/kubernetes';
import { Catalog } from '../../src/catalog';
import { crdManifest, type CustomResourceDefinition } from '../../src/catalog/crd';
import { until } from '../setup/until';

const TIME_SCALE = 60;
const PASSWORD = 'hunter2~hunter2';
const others = tree(18);

/** The CRD of a kind that takes everything for a spec. */
function openCrd(apiVersion: string, kind: string): CustomResourceDefinition {
  const crd = crdManifest(Catalog.default().kind(apiVersion.split('/')[0]!, kind)!);
  const schema = { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    ...crd,
    spec: { ...crd.spec, versions: crd.spec.versions.map((version) => ({ ...version, schema })) },
  } as CustomResourceDefinition;
}

describe.each(realKubernetes ? (['sandbox', 'real'] as const) : (['sandbox'] as const))(
  'bad input that no schema has stopped, and bad answers (%s)',
  (on) => {
    let environment: TestEnvironment;
    let controller: MortalController;
    let types: ResourceType[];
    const typeOf = ({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>) =>
      types.find((type) => `${type.group ? `${type.group}/` : ''}${type.version}` === apiVersion && type.kind === kind)!;
    const create = (object: KubernetesObject) => environment.client.create(typeOf(object), object);
    const readyNow = async ({ kind, name }: Case): Promise<Condition | undefined> =>
      readyOf(await environment.client.get(typeOf({ apiVersion: VERSIONS[kind]!, kind }), name, NAMESPACE));

    async function becomes(one: Case, wanted: (ready: Condition) => boolean): Promise<Condition> {
      let last: Condition | undefined;
      await until('', async () => {
        last = await readyNow(one);
        return last !== undefined && wanted(last);
      }).catch(() => {
        throw new Error(`${one.name} is ${JSON.stringify(last)?.slice(0, 600)}`);
      });
      return last!;
    }

    async function isTold(one: Case): Promise<void> {
      if (!one.reported) return void (await becomes(one, ({ status }) => status === 'True'));
      const [reason, message] = one.reported;
      const ready = await becomes(
        one,
        ({ status, reason: current }) => status === 'False' && current !== 'Reconciling' && current !== 'WaitingForOwner',
      );
      expect([one.name, ready.reason, ready.message]).toEqual([one.name, expect.stringMatching(reason), expect.stringMatching(message)]);
      expect(ready.message).not.toContain(PASSWORD);
    }

    beforeAll(async () => {
      environment = on === 'real' ? await realEnvironment([], TIME_SCALE) : await sandboxEnvironment([], TIME_SCALE, 'bad input');
      const kinds = new Map([...others.map(({ apiVersion, kind }) => [kind, apiVersion] as const), ...Object.entries(VERSIONS)]);
      await installCrds(
        environment.connection,
        [...kinds].map(([kind, apiVersion]) => openCrd(apiVersion, kind)),
      );
      types = await environment.client.discover();
      for (const name of [NAMESPACE, others[0]!.metadata.namespace!]) {
        await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      }
      await create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'password', namespace: NAMESPACE },
        stringData: { key: PASSWORD },
      });
      await create({
        apiVersion: VERSIONS.ResourceGroup!,
        kind: 'ResourceGroup',
        metadata: { name: 'base', namespace: NAMESPACE },
        spec: { location: 'uksouth' },
      });
      for (const { fault } of [...badAnswers, ...lostOperations]) if (fault) await environment.fault(fault);
      // The controller retries permanent refusals each sync period: use a short one, or the last test waits too long.
      const settings = { ...environment.environment, AZURE_SYNC_PERIOD: '10m', AZURE_SYNC_PERIODE: '2h' };
      controller = new MortalController({ environment: settings, timeScale: TIME_SCALE });
      controller.start();
      // The bad ones first: nothing of what comes later may wait for them.
      for (const one of [...badObjects, ...badAnswers, ...lostOperations]) await create(objectOf(one));
      for (const object of others) await create(object);
    });
    afterAll(async () => {
      await controller?.stop();
      await environment?.close();
    });

    test.each(badObjects.map((one) => [one.name, one] as const))('object: %s', (_, one) => isTold(one));
    test.each(badAnswers.map((one) => [one.name, one] as const))('answer: %s', (_, one) => isTold(one));
    test.each(lostOperations.map((one) => [one.name, one] as const))('operation: %s', (_, one) => isTold(one));

    test('all others are Ready', async () => {
      await until('the others are Ready', async () => {
        const found = await Promise.all(others.map((object) => (
          environment.client.get(typeOf(object), object.metadata.name, object.metadata.namespace))));
        return found.every((object) => object && isSettled(object));
      });
    });

    test('when Azure answers again, what it had answered badly becomes Ready; nothing was made twice', async () => {
      await environment.fault();
      for (const one of badAnswers) await becomes(one, ({ status }) => status === 'True');
      const created = (await environment.requests()).filter((request) => request.created).map(({ path }) => path.toLowerCase());
      expect(new Set(created).size).toBe(created.length);
    });

    test('the controller has lived through it, has told of the setting that there is not, and of no secret', () => {
      expect(controller.endings).toEqual([]);
      expect(controller.starts).toBe(1);
      expect(controller.log).toMatch(/AZURE_SYNC_PERIODE is no setting.*AZURE_SYNC_PERIOD may be meant/);
      expect(controller.log).not.toContain(PASSWORD);
      expect(controller.log).not.toMatch(/TypeError|is not a function|cannot read prop/i);
    });
  });
