import { EXISTING, GROUP_BODY, SHOP, SHOP_IDENTITY, shopGroup } from './shop-group';
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

/** The simulator as the import reads it. */
export function clientOf(azure: Azure): ArmClient & { readonly methods: string[] } {
  const { endpoint } = azure.simulator;
  const methods: string[] = [];
  return {
    subscriptionId: '',
    endpoint,
    methods,
    send: async ({ method, url, apiVersion, body }) => {
      methods.push(method);
      const path = url.startsWith('http') ? url.slice(endpoint.length) : url;
      const versioned = path.includes('api-version=') ? path : `${path}${path.includes('?') ? '&' : '?'}api-version=${apiVersion}`;
      const reply = await azure.send(method, versioned, body);
      return { ...reply, text: JSON.stringify(reply.body) };
    },
  } as ArmClient & { methods: string[] };
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
  const azure = await Azure.start({ rules: true, existing: EXISTING, ...options });
  try {
    await makeShop(azure);
    return azure;
  } catch (error) {
    await azure.close();
    throw error;
  }
}

/** A simulator with many such groups, and their ids. */
export async function shopsAzure(count: number): Promise<{ readonly azure: Azure; readonly groups: string[] }> {
  const azure = await Azure.start({ rules: true, existing: EXISTING });
  const groups: string[] = [];
  for (let index = 0; index < count; index += 1) groups.push(await makeShop(azure, index));
  return { azure, groups };
}

/** @param index of the group, which is part of all names that have to be unique */
async function makeShop(azure: Azure, index = 0): Promise<string> {
  const own = (text: string) => (index === 0 ? text : text.replaceAll('shop-prod', `shop-prod-${index}`).replaceAll('4711', String(4711 + index)));
  const group = own(SHOP);
  await make(azure, group, '2021-04-01', GROUP_BODY);
  const identity = own(SHOP_IDENTITY.id);
  await make(azure, identity, SHOP_IDENTITY.apiVersion, SHOP_IDENTITY.body);
  const { body } = await azure.get(`${identity}?api-version=${SHOP_IDENTITY.apiVersion}`);
  for (const { id, apiVersion, body: sent } of shopGroup(body.properties.principalId)) {
    await make(azure, own(id), apiVersion, JSON.parse(own(JSON.stringify(sent))) as object);
  }
  return group;
}

/** Runs `import` on a simulator. */
export async function importFrom(azure: Azure, given: readonly string[], options: Partial<ImportCommandOptions> = {}) {
  const { terminal, printed, errors, notes } = captured();
  const client = clientOf(azure);
  const status = await runImport(given, { ...DEFAULTS, ...options }, terminal, {}, () => ({ client, signIn: async () => undefined }));
  return { status, printed: printed.join('\n'), errors, notes, methods: client.methods };
}
