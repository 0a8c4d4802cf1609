import type { ArmRequest, ArmResponse } from '../../engine/arm/types';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { settled } from '../controller/reconcile/fake-clock';
import {
  ACCOUNTS,
  group,
  GROUP_ID,
  GROUPS,
  object,
  SECRETS,
  type TestEnvironment,
  type EnvironmentSettings,
} from '../controller/reconcile/harness';

/** Common set-up of several tables' tests. */

export const POLICY = 'serviceoperator.azure.com/reconcile-policy';
export const OTHER_SUBSCRIPTION = '22222222-2222-2222-2222-222222222222';
export const HOUR = 3_600_000;
export const ACCOUNT_ID = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa`;

export const account = (spec: Record<string, unknown> = {}) =>
  object(ACCOUNTS, 'sa', { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' }, ...spec });

export const secret = (name: string, values: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1', kind: SECRETS.kind, metadata: { name, namespace: 'default' }, stringData: values,
});

export const configMap = (name: string, data: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data,
});

export const namespaced = (annotations: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'default', annotations },
});

export const failing = (code: string, message = 'said by Azure', more: Record<string, unknown> = {}) => ({
  error: { code, message, ...more },
});

export function typed(api: string, version: string, plural: string, kind: string): ResourceType {
  return { group: api, version, plural, kind, namespaced: true };
}
/** Kinds with something of their own; put them into `TestEnvironment.types`. */
export const AGENT_POOLS = typed('containerservice.azure.com', 'v1api20240901', 'managedclustersagentpools', 'ManagedClustersAgentPool');
export const ENDPOINTS = typed('network.azure.com', 'v1api20220701', 'privateendpoints', 'PrivateEndpoint');
export const SERVERS = typed('dbforpostgresql.azure.com', 'v1api20240801', 'flexibleservers', 'FlexibleServer');
export const ADMINISTRATORS = typed(
  'dbforpostgresql.azure.com',
  'v20250801',
  'flexibleserversadministrators',
  'FlexibleServersAdministrator',
);
export const ALIASES = typed('subscription.azure.com', 'v20211001', 'aliases', 'Alias');
export const PRODUCT_APIS = typed('apimanagement.azure.com', 'v20240501', 'productapis', 'ProductApi');

/** A database server whose password is in a Secret. */
export const server = () => object(SERVERS, 'db', {
  location: 'westeurope', owner: { name: 'rg' }, administratorLogin: 'me', administratorLoginPassword: { name: 'passwords', key: 'db' },
});

/** A server in a group that is there; it waits for the Secret with its password. */
export async function serverWithoutSecret(environment: TestEnvironment, name = 'db'): Promise<void> {
  environment.types.push(SERVERS);
  await environment.cluster.create(SERVERS, object(SERVERS, name, { ...server().spec, owner: { armId: GROUP_ID } }));
}

/** Azure's answer to requests of a method, for as long as it is not given back. */
export function answering(
  environment: TestEnvironment,
  method: ArmRequest['method'],
  answer: Partial<ArmResponse>,
  urlPart = '',
): () => void {
  const before = environment.azure.intercept;
  environment.azure.intercept = (request) => (request.method === method && request.url.includes(urlPart) ? answer : before(request));
  return () => void (environment.azure.intercept = before);
}

/** Azure answers PUTs with an operation, which runs. */
export const running = (environment: TestEnvironment) =>
  answering(environment, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });

/** A resource group that Azure refuses with this. */
export async function refusedGroup(
  environment: TestEnvironment,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<void> {
  answering(environment, 'PUT', { status, body, headers });
  await createdGroup(environment);
}

export async function createdGroup(
  environment: TestEnvironment, annotations?: Record<string, string>, settings?: EnvironmentSettings,
): Promise<void> {
  const created = group();
  await environment.cluster.create(GROUPS, annotations ? { ...created, metadata: { ...created.metadata, annotations } } : created);
  await environment.start(settings);
}

/** A ready resource group, by a PUT. */
export async function readyGroup(environment: TestEnvironment, settings?: EnvironmentSettings): Promise<void> {
  await createdGroup(environment, undefined, settings);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
}

/** A ready resource group, and one more object. */
export async function inReadyGroup(environment: TestEnvironment, type: ResourceType, child: KubernetesObject): Promise<void> {
  await readyGroup(environment);
  await environment.cluster.create(type, child);
  await settled();
}

export async function deleted(environment: TestEnvironment, type = GROUPS, name = 'rg'): Promise<void> {
  await environment.cluster.delete(type, name, 'default');
  await settled();
}

export async function annotate(
  environment: TestEnvironment,
  annotations: Record<string, string | null>,
  type = GROUPS,
  name = 'rg',
): Promise<void> {
  await environment.cluster.annotate(type, type.namespaced ? 'default' : undefined, name, annotations);
  await settled();
}

export async function edit(environment: TestEnvironment, spec: Record<string, unknown>, type = GROUPS, name = 'rg'): Promise<void> {
  await environment.cluster.edit(type, 'default', name, spec);
  await settled();
}

/** In how many milliseconds after each reconcile so far the next one was due. */
export const waits = (environment: TestEnvironment) => environment.reconciles.map(({ nextIn }) => nextIn);

/** An operation that answers these one after the other, the last one from then on. */
export function operation(environment: TestEnvironment, ...answers: Partial<ArmResponse>[]): void {
  let next = 0;
  const before = environment.azure.intercept;
  environment.azure.intercept = (request) =>
    request.url.includes('/operations/') ? answers[Math.min(next++, answers.length - 1)] : before(request);
}
