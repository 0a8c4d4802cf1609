import { hasTarget, SUBSCRIPTION, targetOf, type ArmNode, type NodePath } from './arm-path';
import { AzureError } from './errors';
import { checkParents, exists, notFound } from './existence';
import { provider } from './reads';
import type { KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import type { Answer } from '../model/answer';
import type { ArmCall, Simulation } from '../model/simulation';
import { type Json } from '../model/store';

/** The kubeconfig of clusters behind which there is none. */
const NO_CLUSTER = 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n';

/** POST: key lists with the values that the catalog reads from them, and the registration of providers. No other action is simulated. */
export function act(simulation: Simulation, call: ArmCall): Answer {
  const { nodes, tail } = call.path;
  const registration = register(simulation, call);
  if (registration) return registration;
  const action = tail[tail.length - 1] ?? '';
  if (hasTarget(nodes) && tail.length === 1) {
    checkParents(simulation, nodes, 'read');
    if (!exists(simulation, nodes)) throw notFound(nodes);
    const answer = keyList(simulation, nodes, action);
    if (answer) return { status: 200, body: answer };
  }
  throw new AzureError(404, 'ActionNotSimulated', `The sandbox does not simulate the action '${action}' of '${nodes.at(-1)?.type ?? ''}'.`);
}

function register(simulation: Simulation, { path: { nodes, tail } }: ArmCall): Answer | undefined {
  const [subscription] = nodes;
  const [word, namespace, verb] = tail;
  if (nodes.length !== 1 || subscription?.type !== SUBSCRIPTION || tail.length !== 3) return undefined;
  if (word?.toLowerCase() !== 'providers' || namespace === undefined || verb?.toLowerCase() !== 'register') return undefined;
  simulation.unregistered.delete(`${subscription.name.toLowerCase()}/${namespace.toLowerCase()}`);
  simulation.unregistered.delete(`*/${namespace.toLowerCase()}`);
  return { status: 200, body: provider(simulation, subscription.name, namespace) };
}

/** The answer of a key list: all values that any kind reads from this call, generated but stable. */
function keyList(simulation: Simulation, nodes: NodePath, action: string): Json | undefined {
  const target = targetOf(nodes);
  const isList = /^list/i.test(action) || /keys$/i.test(action);
  // The call may belong to an ancestor: `AuthorizationRules/RootManageSharedAccessKey/listKeys` of a namespace.
  for (const ancestor of [...nodes].reverse()) {
    const version = simulation.catalog.versionOf(ancestor.type);
    const rest = `${target.id.slice(ancestor.id.length + 1)}/${action}`.replace(/^\//, '').toLowerCase();
    const paths = version ? pathsOf(version, rest) : [];
    if (paths.length > 0) return paths.reduce((body, { path, base64 }) => withValue(simulation, target, body, path, base64), {} as Json);
  }
  if (!isList) return undefined;
  return ['primaryKey', 'secondaryKey'].reduce((body, path) => withValue(simulation, target, body, path, false), {} as Json);
}

function pathsOf(version: KindVersion, call: string): { path: string; base64: boolean }[] {
  const sources = version.kind.facts.secretSources;
  const names = Object.entries(sources?.calls ?? {}).filter(([, { path }]) => path.toLowerCase() === call).map(([name]) => name);
  return Object.entries(sources?.values ?? {})
    .filter(([, source]) => names.includes(source.slice(0, source.indexOf(':'))))
    .map(([property, source]) => ({ path: source.slice(source.indexOf(':') + 1), base64: sources?.base64?.includes(property) ?? false }));
}

function withValue(simulation: Simulation, target: ArmNode, body: Json, path: string, base64: boolean): Json {
  const value = madeUp(simulation, target, path);
  return set(body, path.split('/'), base64 ? Buffer.from(value).toString('base64') : value);
}

/** Sets the value at a source path of the catalog: `keys[keyName=key1]/value`, `kubeconfigs[0]/value`. */
function set(body: Json, [segment = '', ...rest]: string[], value: string): Json {
  const element = /^([^[]+)\[(?:(\d+)|([^=]+)=(.*))\]$/.exec(segment);
  const [, name, index, property, text] = element ?? [];
  if (name === undefined) {
    return { ...body, [segment]: rest.length === 0 ? value : set(isRecord(body[segment]) ? body[segment] : {}, rest, value) };
  }
  const elements = Array.isArray(body[name]) ? [...(body[name] as Json[])] : [];
  const wanted = text === 'null' ? null : text;
  const found = property === undefined ? Number(index) : elements.findIndex((other) => other[property] === wanted);
  const at = found >= 0 && found < elements.length ? found : elements.length;
  const before = elements[at] ?? (property === undefined ? {} : { [property]: wanted });
  elements[at] = set(before, rest, value);
  return { ...body, [name]: elements };
}

function madeUp(simulation: Simulation, target: ArmNode, path: string): string {
  const key = simulation.values.key(target.id.toLowerCase(), path.replace(/connectionstring/i, 'key').toLowerCase());
  if (/connectionstring/i.test(path)) {
    return `Endpoint=sb://${target.id.split('/')[8] ?? target.name}.servicebus.windows.net/;SharedAccessKeyName=${target.name};SharedAccessKey=${key}`;
  }
  if (/kubeconfig/i.test(path)) return simulation.aksKubeconfig ?? NO_CLUSTER;
  if (/user(name)?$/i.test(path)) return 'sandbox';
  return key;
}
