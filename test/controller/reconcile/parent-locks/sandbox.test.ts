import type { ArmRequest, ArmResponse } from '../../../../engine/arm/types';
import { answerArm } from '../../../../sandbox/azure/arm/answer-arm';
import { CatalogIndex } from '../../../../sandbox/azure/model/catalog-index';
import { Deterministic } from '../../../../sandbox/azure/model/deterministic';
import { Operations } from '../../../../sandbox/azure/model/operations';
import type { Simulation } from '../../../../sandbox/azure/model/simulation';
import { ResourceStore } from '../../../../sandbox/azure/model/store';
import { FEDERATIONS, group, GROUPS, identity, IDENTITIES, NETWORKS, object, SUBNETS, TestEnvironment } from '../harness';

const CREDENTIALS = 20;
const SUBNET_COUNT = 30;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** The simulated Azure in the time of the environment, in Azure's own seconds; answers what it was asked, with the status. */
function simulated(environment: TestEnvironment): string[] {
  const log: string[] = [];
  const simulation = {
    store: new ResourceStore(),
    operations: new Operations(),
    catalog: new CatalogIndex(),
    values: new Deterministic('turns'),
    clock: environment.clock,
    timeScale: 1,
    tenantId: 'tenant',
    allowForeignScopes: false,
    unregistered: new Set<string>(),
    principals: new Map<string, number>(),
    clients: new Map<string, string>(),
    federatedWrites: new Set<string>(),
    baseUrl: environment.azure.endpoint,
  } as unknown as Simulation;
  environment.azure.send = async ({ method, url, apiVersion, body }: ArmRequest): Promise<ArmResponse> => {
    const target = new URL(url, environment.azure.endpoint);
    if (!target.searchParams.has('api-version') && apiVersion) target.searchParams.set('api-version', apiVersion);
    const answer = answerArm(simulation, method, target, body === undefined ? '' : JSON.stringify(body));
    await environment.clock.sleep((answer.seconds ?? 0.1) * 1_000);
    answer.finish?.();
    log.push(`${answer.status} ${method} ${target.pathname}`);
    const headers = Object.fromEntries(Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
    return { status: answer.status, headers, body: answer.body, text: answer.body === undefined ? '' : JSON.stringify(answer.body) };
  };
  return log;
}

const refusedIn = (log: readonly string[]) => log.filter((line) => line.startsWith('409') || line.startsWith('429'));

async function until(environment: TestEnvironment, done: () => boolean, seconds: number): Promise<void> {
  for (let second = 0; second < seconds && !done(); second += 1) await environment.clock.advance(1_000);
  expect(done()).toBe(true);
}

test(`${CREDENTIALS} credentials of one identity and ${SUBNET_COUNT} subnets of one network get Ready, and go, and Azure refuses none of them`, async () => {
  const environment = new TestEnvironment();
  const log = simulated(environment);
  const children = [
    ...range(CREDENTIALS).map(
      (index) =>
        [
          FEDERATIONS,
          object(FEDERATIONS, `c${index}`, {
            owner: { name: 'id' },
            issuer: 'https://issuer.test',
            subject: `subject-${index}`,
            audiences: ['api://AzureADTokenExchange'],
          }),
        ] as const,
    ),
    ...range(SUBNET_COUNT).map(
      (index) => [SUBNETS, object(SUBNETS, `s${index}`, { owner: { name: 'net' }, addressPrefix: `10.0.${index}.0/24` })] as const,
    ),
  ];
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(IDENTITIES, identity());
  await environment.cluster.create(
    NETWORKS,
    object(NETWORKS, 'net', { owner: { name: 'rg' }, location: 'westeurope', addressSpace: { addressPrefixes: ['10.0.0.0/8'] } }),
  );
  for (const [type, child] of children) await environment.cluster.create(type, child);
  await environment.start();

  await until(environment, () => children.every(([type, { metadata: { name } }]) => environment.ready(type, name)?.status === 'True'), 300);
  expect(refusedIn(log)).toEqual([]);
  expect(log.filter((line) => / PUT .*(subnets|federatedIdentityCredentials)/.test(line))).toHaveLength(children.length);

  for (const [type, { metadata: { name } }] of children) await environment.cluster.delete(type, name, 'default');
  await until(environment, () => children.every(([type, { metadata: { name } }]) => environment.stored(type, name) === undefined), 900);
  expect(refusedIn(log)).toEqual([]);
  expect(log.filter((line) => line.includes(' DELETE '))).toHaveLength(children.length);
  await environment.kill();
});
