import { settled } from './fake-clock';
import { group, GROUP_ID, GROUPS, inSeparateEnvironments, object, TestEnvironment } from './harness';
import type { ArmRequest, ArmResponse } from '../../../engine/arm/types';
import type { ResourceType } from '../../../engine/kubernetes/types';

const HOUR = 3_600_000;
const azureType = (group_: string, version: string, plural: string, kind: string): ResourceType => ({
  group: `${group_}.azure.com`,
  version,
  plural,
  kind,
  namespaced: true,
});
const BALANCERS = azureType('network', 'v1api20240301', 'loadbalancers', 'LoadBalancer');
const NAT_RULES = azureType('network', 'v1api20240301', 'loadbalancersinboundnatrules', 'LoadBalancersInboundNatRule');
const SCALE_SETS = azureType('compute', 'v1api20220301', 'virtualmachinescalesets', 'VirtualMachineScaleSet');
const EXTENSIONS = azureType('compute', 'v1api20220301', 'virtualmachinescalesetsextensions', 'VirtualMachineScaleSetsExtension');
const NETWORKS = azureType('network', 'v1api20240301', 'virtualnetworks', 'VirtualNetwork');
const ROUTE_TABLES = azureType('network', 'v1api20240301', 'routetables', 'RouteTable');
const SECURITY_GROUPS = azureType('network', 'v1api20240301', 'networksecuritygroups', 'NetworkSecurityGroup');

let environment: TestEnvironment;
inSeparateEnvironments((made) => {
  made.types.push(BALANCERS, NAT_RULES, SCALE_SETS, EXTENSIONS, ROUTE_TABLES, SECURITY_GROUPS);
  environment = made;
});

type Json = Record<string, unknown>;
const pathOf = (type: string, name: string) => `${GROUP_ID}/providers/${type}/${name}`;

/** Azure keeps an etag, and lets a PUT with `If-Match` through only for that. */
class Etags {
  public version = 1;
  public readonly refused: string[] = [];
  public readonly matched: string[] = [];
  /** Called before each PUT. */
  public beforePut: (() => void) | undefined;

  public constructor(private readonly path: string) {
    const send = environment.azure.send.bind(environment.azure);
    environment.azure.send = async (request: ArmRequest): Promise<ArmResponse> => {
      const isOurs = request.url.toLowerCase().startsWith(path.toLowerCase()) && !request.url.slice(path.length).startsWith('/');
      if (isOurs && request.method === 'PUT') {
        this.beforePut?.();
        const wanted = request.headers?.['if-match'];
        if (wanted) this.matched.push(wanted);
        if (wanted !== undefined && wanted !== this.etag) {
          this.refused.push(wanted);
          const body = { error: { code: 'PreconditionFailed', message: 'Precondition failed.' } };
          return { status: 412, headers: {}, body, text: JSON.stringify(body) };
        }
        this.version += 1;
      }
      const answer = await send(request);
      return isOurs && answer.status < 300 && request.method === 'GET'
        ? { ...answer, body: { ...(answer.body as Json), etag: this.etag } }
        : answer;
    };
  }

  public get etag(): string {
    return `W/"${this.version}"`;
  }

  /** Another client creates a child of the resource. */
  public change(path: readonly string[], child: Json): void {
    this.version += 1;
    const resource = environment.azure.resources.get(this.path.toLowerCase())!;
    resource.body = withChild(resource.body, path, child);
  }
}

function withChild(body: Json, [first = '', ...rest]: readonly string[], child: Json): Json {
  if (rest.length > 0) return { ...body, [first]: withChild((body[first] ?? {}) as Json, rest, child) };
  return { ...body, [first]: [...(body[first] as Json[] | undefined ?? []), child] };
}

function childrenOf(path: string, [...way]: readonly string[]): unknown[] {
  const found = way.reduce<unknown>(
    (inner, key) => (inner as Json | undefined)?.[key],
    environment.azure.resources.get(path.toLowerCase())!.body,
  );
  return ((found as Json[] | undefined) ?? []).map(({ name }) => name);
}

const EXTENSION_PATH = ['properties', 'virtualMachineProfile', 'extensionProfile', 'extensions'];
const cases: readonly (readonly [ResourceType, string, readonly string[], Json])[] = [
  [BALANCERS, 'Microsoft.Network/loadBalancers', ['properties', 'inboundNatRules'], { frontendIPConfigurations: [{ name: 'front' }] }],
  [
    SCALE_SETS,
    'Microsoft.Compute/virtualMachineScaleSets',
    EXTENSION_PATH,
    { sku: { name: 'Standard_B1s', capacity: 1 }, virtualMachineProfile: { priority: 'Regular' } },
  ],
  [NETWORKS, 'Microsoft.Network/virtualNetworks', ['properties', 'subnets'], { addressSpace: { addressPrefixes: ['10.0.0.0/8'] } }],
  [ROUTE_TABLES, 'Microsoft.Network/routeTables', ['properties', 'routes'], { disableBgpRoutePropagation: true }],
  [SECURITY_GROUPS, 'Microsoft.Network/networkSecurityGroups', ['properties', 'securityRules'], { flushConnection: true }],
];

describe.each(cases)('$kind: children that were made separately', (type, armType, way, spec) => {
  const path = pathOf(armType, 'parent');
  async function ready(): Promise<Etags> {
    const etags = new Etags(path);
    await environment.cluster.create(GROUPS, group());
    await environment.cluster.create(type, object(type, 'parent', { owner: { name: 'rg' }, location: 'westeurope', ...spec }));
    await environment.start();
    expect(environment.ready(type, 'parent')).toMatchObject({ status: 'True' });
    return etags;
  }

  test('are kept by a PUT of the parent', async () => {
    const etags = await ready();
    etags.change(way, { name: 'theirs', properties: {} });
    await environment.cluster.edit(type, 'default', 'parent', { tags: { a: 'b' } });
    await settled();
    expect(environment.ready(type, 'parent')).toMatchObject({ status: 'True', observedGeneration: 2 });
    expect(childrenOf(path, way)).toEqual(['theirs']);
    expect(etags.matched).toEqual([`W/"${etags.version - 1}"`]);
  });

  test('and one that is made between the read and the PUT is too', async () => {
    const etags = await ready();
    etags.beforePut = () => {
      etags.beforePut = undefined;
      etags.change(way, { name: 'late', properties: {} });
    };
    await environment.cluster.edit(type, 'default', 'parent', { tags: { a: 'b' } });
    await settled();
    expect(etags.refused).toHaveLength(1);
    expect(environment.ready(type, 'parent')).toMatchObject({ severity: 'Warning', reason: 'PreconditionFailed' });
    await environment.clock.advance(10_000);
    expect(environment.ready(type, 'parent')).toMatchObject({ status: 'True', observedGeneration: 2 });
    expect(childrenOf(path, way)).toEqual(['late']);
  });

  test('are no drift', async () => {
    const etags = await ready();
    etags.change(way, { name: 'theirs', properties: {} });
    const puts = environment.azure.count('PUT');
    await environment.clock.advance(3 * HOUR);
    expect(environment.azure.count('PUT')).toBe(puts);
  });
});

test.each([
  [BALANCERS, NAT_RULES, cases[0]![3], { protocol: 'Tcp', frontendPort: 80, backendPort: 80 }],
  [SCALE_SETS, EXTENSIONS, cases[1]![3], { publisher: 'p', type: 't', typeHandlerVersion: '1.0' }],
])('$kind: the parent and its children are written one at a time', async (parentType, childType, spec, child) => {
  environment.azure.polls = 3;
  const writing = new Set<string>();
  let most = 0;
  environment.azure.after = ({ method, url }) => {
    const path = url.split('?')[0]!.toLowerCase();
    if (method === 'PUT' && path.includes('/parent')) writing.add(path);
    for (const one of writing) if ((environment.azure.resources.get(one)?.polls ?? 0) === 0) writing.delete(one);
    most = Math.max(most, writing.size);
  };
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(parentType, object(parentType, 'parent', { owner: { name: 'rg' }, location: 'westeurope', ...spec }));
  for (const name of ['a', 'b', 'c']) {
    await environment.cluster.create(childType, object(childType, name, { owner: { name: 'parent' }, ...child }));
  }
  await environment.start();
  await environment.clock.advance(20 * 60_000);
  for (const name of ['a', 'b', 'c']) expect(environment.ready(childType, name)).toMatchObject({ status: 'True' });
  await environment.cluster.edit(parentType, 'default', 'parent', { tags: { a: 'b' } });
  for (const name of ['a', 'b']) {
    await environment.cluster.edit(childType, 'default', name, {
      owner: { name: 'parent' },
      ...child,
      ...(childType === NAT_RULES ? { backendPort: 81 } : { forceUpdateTag: 'x' }),
    });
  }
  await environment.clock.advance(20 * 60_000);
  expect(environment.ready(parentType, 'parent')).toMatchObject({ status: 'True', observedGeneration: 2 });
  expect(most).toBe(1);
});
