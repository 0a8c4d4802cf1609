import { Azure, GROUP } from './client';
import { fromArm } from '../../../engine/convert';
import { createCelEngine } from '../../../engine/export/cel';
import { Catalog, type Kind } from '../../../src/catalog';
import { templateExpression } from '../../../src/core/exports/template';

/** Every output of the catalog has a value as soon as the simulator has made the resource. */
const catalog = Catalog.default();
const engine = createCelEngine();
const kinds = catalog.allKinds.filter(({ facts, latest }) => latest.isArm && (facts.outputs ?? facts.secretOutputs));

/** The properties without which Azure has no value for an output; other kinds need none. */
const NEEDED: Readonly<Record<string, object>> = {
  'app.azure.com/ContainerApp': { configuration: { ingress: { targetPort: 80 } } },
  'containerinstance.azure.com/ContainerGroup': { ipAddress: { type: 'Public', dnsNameLabel: 'shop' } },
  'containerservice.azure.com/ManagedCluster': { apiServerAccessProfile: { enablePrivateCluster: true }, oidcIssuerProfile: { enabled: true } },
  'dbformysql.azure.com/FlexibleServer': { administratorLogin: 'shopadmin' },
  'dbforpostgresql.azure.com/FlexibleServer': { administratorLogin: 'shopadmin' },
  'network.azure.com/PublicIPAddress': { publicIPAllocationMethod: 'Static', dnsSettings: { domainNameLabel: 'shop' } },
  'sql.azure.com/Server': { administratorLogin: 'shopadmin' },
};
/** Asked of another resource by a request of its own, see docs/spec/exports.md#export-steps. */
const HAND_WRITTEN = new Set(['network.azure.com/PrivateEndpoint primaryNicPrivateIpAddress']);

let azure: Azure;
beforeAll(async () => {
  azure = await Azure.start();
  await azure.group();
});
afterAll(() => azure.close());

const nameOf = (kind: Kind) => `${kind.group} ${kind.kind}`;
const lastOf = (path: string, status: unknown) => path.split('.').reduce<any>((value, step) => value?.[step], status);

/** A resource below parents that are made as well, all called `shop`. */
async function make(kind: Kind): Promise<string> {
  const [namespace, ...types] = kind.latest.facts.arm!.type.split('/');
  let id = `${GROUP}/providers/${namespace}`;
  for (const [index, type] of types.entries()) {
    id = `${id}/${type}/shop`;
    const own = index === types.length - 1;
    const properties = own ? NEEDED[`${kind.group}/${kind.kind}`] ?? {} : {};
    const { status, body } = await azure.put(id, { location: 'uksouth', properties, ...(own && { identity: { type: 'SystemAssigned' } }) });
    expect([status, JSON.stringify(body)]).toEqual([expect.any(Number), expect.not.stringContaining('"error"')]);
    azure.clock.advance(7_200);
    await azure.login();
  }
  return id;
}

test('there are outputs of forty kinds', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(40);
});

test.each(kinds.map((kind) => [nameOf(kind), kind] as const))('%s', async (_name, kind) => {
  const id = await make(kind);
  const status = fromArm(kind.latest, (await azure.get(id)).body);
  const self = { apiVersion: kind.latest.apiVersion, kind: kind.kind, metadata: { name: 'shop' }, spec: { azureName: 'shop' }, status };
  const valueOf = (name: string, value: string | undefined): unknown => {
    if (value !== undefined) {
      const compiled = engine.compile(kind.latest, templateExpression(value).text);
      return compiled.evaluate({ self, secret: Object.fromEntries(compiled.secretNames.map((key) => [key, 'key'])) });
    }
    const source = kind.latest.facts.exports?.configMaps?.[name] ?? kind.facts.secretSources?.values[name]?.replace(/^status:/, '');
    // Keys have a request of their own.
    return source === undefined || source.includes(':') ? 'key' : lastOf(source, status);
  };
  const values = Object.fromEntries(Object.entries({ ...kind.facts.outputs, ...kind.facts.secretOutputs })
    .filter(([name]) => !HAND_WRITTEN.has(`${kind.group}/${kind.kind} ${name}`))
    .map(([name, { value }]) => [name, valueOf(name, value)]));
  expect(Object.entries(values).filter(([, value]) => typeof value !== 'number' && !/^(?!https:\/\/\/).+/.test(String(value ?? '')))).toEqual([]);
  expect(JSON.stringify(values)).not.toContain('sandbox.invalid');
});

test('a cluster that is asked for no issuer has none', async () => {
  const id = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/plain`;
  await azure.put(id, { location: 'uksouth', properties: {}, identity: { type: 'SystemAssigned' } });
  azure.clock.advance(7_200);
  await azure.login();
  expect(JSON.stringify((await azure.get(id)).body)).not.toContain('issuerURL');
});
