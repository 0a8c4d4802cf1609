import { AREAS } from './areas';
import { common, LOGS, SHOP, type Put } from './areas/put';
import { SHOP_IDENTITY, shopGroup } from './shop-group';
import { runImport, type ImportCommandOptions } from '../../../cli/import/run';
import type { Terminal } from '../../../cli/output/terminal';
import type { ArmClient } from '../../../engine/arm/types';
import type { AzureOptions } from '../../../sandbox/azure';
import { Azure } from '../../sandbox/azure/client';

const DEFAULTS: ImportCommandOptions = {
  query: [], terraformState: [], deployment: [], children: true, defaults: true, format: 'typescript', policy: 'detach-on-delete', label: {}, annotation: {}, verify: false, workers: 4,
};
const plain = (text: string) => text;
const style = { bold: plain, dim: plain, good: plain, bad: plain, warn: plain };

/** A terminal that keeps what it gets. */
function captured(): {
  readonly terminal: Terminal; readonly printed: string[]; readonly errors: string[]; readonly notes: string[];
} {
  const [printed, errors, notes]: [string[], string[], string[]] = [[], [], []];
  const into = (lines: string[]) => (text: string) => void lines.push(text);
  return { printed, errors, notes, terminal: { style, print: into(printed), error: into(errors), note: into(notes) } };
}

/** The simulator as the import reads it, with the methods of all requests, and the ids of the resources that were read one by one. */
export function clientOf(azure: Azure): ArmClient & { readonly methods: string[]; readonly read: Set<string> } {
  const { endpoint } = azure.simulator;
  const methods: string[] = [];
  const read = new Set<string>();
  return {
    subscriptionId: '',
    endpoint,
    methods,
    read,
    send: async ({ method, url, apiVersion, body }) => {
      methods.push(method);
      const path = url.startsWith('http') ? url.slice(endpoint.length) : url;
      const versioned = path.includes('api-version=') ? path : `${path}${path.includes('?') ? '&' : '?'}api-version=${apiVersion}`;
      const reply = await azure.send(method, versioned, body);
      if (reply.status === 200 && typeof reply.body.id === 'string') read.add(reply.body.id);
      return { ...reply, text: JSON.stringify(reply.body) };
    },
  } as ArmClient & { methods: string[]; read: Set<string> };
}

/** Puts a resource, and waits until it is there. */
export async function make(azure: Azure, id: string, apiVersion: string, body: object): Promise<void> {
  const { status, body: answer } = await azure.put(`${id}?api-version=${apiVersion}`, body);
  if (status >= 300) throw new Error(`${id}: ${status} ${JSON.stringify(answer)}`);
  // The token is good for an hour.
  azure.clock.advance(1800);
  await azure.login();
}

/** A simulator with the group of the shop. */
export async function shopAzure(options: AzureOptions = {}): Promise<Azure> {
  const azure = await Azure.start({ rules: true, existing: [LOGS], ...options });
  await closedOnError(azure, () => makeShop(azure));
  return azure;
}

/** A simulator with many such groups and all that belongs to each, and the ids of all groups: 7 with 150 resources a shop. */
export async function shopsAzure(count: number): Promise<{ readonly azure: Azure; readonly groups: string[] }> {
  const azure = await Azure.start({ rules: true, existing: [LOGS] });
  const groups: string[] = [];
  await closedOnError(azure, async () => {
    for (let index = 0; index < count; index += 1) {
      const principalId = await makeShop(azure, index);
      for (const { group, resources } of AREAS) await makeGroup(azure, index, group, resources(principalId));
      groups.push(...[SHOP, ...AREAS.map(({ group }) => group)].map((group) => own(group, index)));
    }
  });
  return { azure, groups };
}

/** A simulator that goes on would keep the test's process alive. */
async function closedOnError(azure: Azure, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    await azure.close();
    throw error;
  }
}

/** The names of one shop in the text: the index is part of all names that have to be unique. */
const own = (text: string, index: number) => (index === 0 ? text : text.replaceAll('shop-prod', `shop-prod-${index}`).replaceAll('4711', String(4711 + index)));

async function makeOwn(azure: Azure, index: number, { id, apiVersion, body }: Put): Promise<void> {
  await make(azure, own(id, index), apiVersion, JSON.parse(own(JSON.stringify(body), index)) as object);
}

async function makeGroup(azure: Azure, index: number, group: string, resources: readonly Put[]): Promise<void> {
  for (const resource of [{ id: group, apiVersion: '2021-04-01', body: common }, ...resources]) await makeOwn(azure, index, resource);
}

/** Answers the principal of the shop's identity. */
async function makeShop(azure: Azure, index = 0): Promise<string> {
  await makeGroup(azure, index, SHOP, [SHOP_IDENTITY]);
  const { body } = await azure.get(`${own(SHOP_IDENTITY.id, index)}?api-version=${SHOP_IDENTITY.apiVersion}`);
  const { principalId } = body.properties;
  for (const resource of shopGroup(principalId)) await makeOwn(azure, index, resource);
  return principalId;
}

/** Runs `import` on a simulator. */
export async function importFrom(azure: Azure, given: readonly string[], options: Partial<ImportCommandOptions> = {}) {
  const { terminal, printed, errors, notes } = captured();
  const client = clientOf(azure);
  const status = await runImport(given, { ...DEFAULTS, ...options }, terminal, {}, () => ({ client, signIn: async () => undefined }));
  return { status, printed: printed.join('\n'), errors, notes, methods: client.methods, read: client.read };
}
