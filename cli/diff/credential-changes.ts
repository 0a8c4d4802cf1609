import { advice } from './advice';
import type { CredentialChange, PropertyChange } from './changes';
import { valueChanges } from './property-changes';
import { policyAtRemoval, type Comparison } from './resource-changes';
import { annotationOf, NAMESPACE_CREDENTIAL, type AzureItem, type Synth, type SynthObject } from './synth';
import { CREDENTIAL_FROM, WORKLOAD_IDENTITY_PREFIX } from '../../src/azure/annotations';
import { struct } from '../../src/util/records';
import { secretText } from '../../src/util/secret-data';
import { counted, firstOf } from '../../src/util/words';

/** Keys of a credential that are not secret; for all other keys only the fact of a change is reported. */
const READABLE_KEYS: ReadonlySet<string> = new Set([
  'AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AUTH_MODE', 'USE_WORKLOAD_IDENTITY_AUTH', 'AZURE_ADDITIONAL_TENANTS',
  'AZURE_AUTHORITY_HOST', 'AZURE_RESOURCE_MANAGER_ENDPOINT', 'AZURE_RESOURCE_MANAGER_AUDIENCE',
]);
const SUBSCRIPTION = 'AZURE_SUBSCRIPTION_ID';
const CONTROLLER_SETTINGS = 'aso-controller-settings';
/** The most names in one message. */
const NAMED = 3;

/** Changes of the credentials of operator, namespaces and resources, and of the identities of pods. */
export function credentialChanges(comparison: Comparison): CredentialChange[] {
  return [...secretChanges(comparison), ...assignmentChanges(comparison), ...serviceAccountChanges(comparison)];
}

/** Keys of the Secrets that are used as credentials. */
export function credentialSecrets(sides: readonly Synth[]): Set<string> {
  const used = new Set(sides.flatMap((side) => side.azure.flatMap((item) => side.credentialOf(item).secret?.key ?? [])));
  for (const side of sides) {
    for (const { group, kind, name, key, object } of side.others) {
      if (group !== '' || kind !== 'Secret') continue;
      if (name === NAMESPACE_CREDENTIAL || name === CONTROLLER_SETTINGS || keysOf(object).includes(SUBSCRIPTION)) used.add(key);
    }
  }
  return used;
}

function secretChanges(comparison: Comparison): CredentialChange[] {
  const { old, next } = comparison;
  const keys = credentialSecrets([old, next]);
  const [before, after] = [byKey(old, keys), byKey(next, keys)];
  const [oldUsers, newUsers] = [usersOf(old), usersOf(next)];
  return [...keys].sort().flatMap((key): CredentialChange[] => {
    const [was, is] = [before.get(key), after.get(key)];
    const properties = secretProperties(was, is);
    const subject = `Secret ${(is ?? was)!.namespace ?? 'default'}/${(is ?? was)!.name}`;
    const change = { of: 'secret', subject, properties } as const;
    if (!was) return [{ ...change, change: 'added', advice: isForNamespace(is!) ? ofUsers(newUsers.get(key), advice.ownCredential) : [] }];
    if (!is) {
      const users = oldUsers.get(key);
      const fallBack = isForNamespace(was) ? ofUsers(staying(users, next), advice.credentialGone) : [];
      const leaving = users?.filter((item) => !next.azureAt(item.key) && policyAtRemoval(item, comparison) === 'manage');
      return [{ ...change, change: 'removed', advice: [...fallBack, ...ofUsers(leaving, advice.credentialGoesFirst)] }];
    }
    if (properties.length === 0) return [];
    const moves = properties.some(({ path }) => path === SUBSCRIPTION);
    return [{ ...change, change: 'changed', advice: moves ? ofUsers(staying(oldUsers.get(key), next), advice.subscriptionMismatch) : [] }];
  });
}

function isForNamespace({ name }: SynthObject): boolean {
  return name === NAMESPACE_CREDENTIAL;
}

function ofUsers(users: readonly AzureItem[] | undefined, make: typeof advice.ownCredential): CredentialChange['advice'] {
  return users && users.length > 0 ? [make(users.length)] : [];
}

function staying(users: readonly AzureItem[] | undefined, next: Synth): AzureItem[] {
  return (users ?? []).filter(({ key }) => next.azureAt(key));
}

/** Key of a Secret → the resources that authenticate with it. */
function usersOf(side: Synth): Map<string, AzureItem[]> {
  const users = new Map<string, AzureItem[]>();
  for (const item of side.azure) {
    const { secret } = side.credentialOf(item);
    if (!secret) continue;
    const known = users.get(secret.key);
    if (known) known.push(item);
    else users.set(secret.key, [item]);
  }
  return users;
}

function byKey(side: Synth, keys: ReadonlySet<string>): Map<string, SynthObject> {
  return new Map(side.others.filter(({ key }) => keys.has(key)).map((object) => [object.key, object]));
}

/** Ids and modes with their values; for every other key only the fact of a change. */
export function secretProperties(old: SynthObject | undefined, next: SynthObject | undefined): PropertyChange[] {
  const keys = [...new Set([...keysOf(old?.object), ...keysOf(next?.object)])].sort();
  return keys.flatMap((key): PropertyChange[] => {
    const [was, is] = [valueOf(old?.object, key), valueOf(next?.object, key)];
    if (was === is) return [];
    if (!READABLE_KEYS.has(key)) return [{ path: key, secret: 'value' }];
    return [{ path: key, ...(was === undefined ? {} : { old: was }), ...(is === undefined ? {} : { new: is }) }];
  });
}

function keysOf(object: SynthObject['object'] | undefined): string[] {
  return Object.keys({ ...struct(object?.data), ...struct(object?.stringData) });
}

/** A value in `stringData` equals the same value encoded in `data`. */
function valueOf(object: SynthObject['object'] | undefined, key: string): string | undefined {
  return object && secretText(object, key);
}

/** Resources of a namespace that change from one credential to another. */
interface Reassigned {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly inNamespace: string;
  readonly items: AzureItem[];
}

/** Changes of the credential that resources refer to; resources of a namespace that change alike share one entry. */
function assignmentChanges({ pairing }: Comparison): CredentialChange[] {
  const groups = new Map<string, Reassigned>();
  for (const [was, is] of pairing.both) {
    const [before, after] = [asked(was), asked(is)];
    if (before === after) continue;
    const key = [is.inNamespace, before ?? '', after ?? ''].join('\n');
    const group = groups.get(key);
    if (group) group.items.push(is);
    else groups.set(key, { before, after, inNamespace: is.inNamespace, items: [is] });
  }
  return [...groups.values()].map((group): CredentialChange => ({
    of: 'assignment',
    change: 'changed',
    subject: subjectOf(group),
    properties: [{ path: 'credential', old: nameOfCredential(group.before, group), new: nameOfCredential(group.after, group) }],
    advice: [],
  }));
}

function asked({ object }: AzureItem): string | undefined {
  return annotationOf(object, CREDENTIAL_FROM) || undefined;
}

function nameOfCredential(name: string | undefined, { inNamespace }: Reassigned): string {
  return name === undefined ? `that of namespace ${inNamespace}` : `Secret ${inNamespace}/${name}`;
}

function subjectOf({ inNamespace, items }: Reassigned): string {
  const names = items.map(({ kind, name }) => `${kind} ${name}`).sort();
  return `${counted(items.length, 'resource')} in ${inNamespace}: ${firstOf(names, NAMED)}`;
}

/** The Azure identities of pods, from the annotations of their service accounts. */
function serviceAccountChanges({ old, next }: Comparison): CredentialChange[] {
  const accounts = (side: Synth) =>
    new Map(side.others.filter(({ group, kind }) => group === '' && kind === 'ServiceAccount').map((object) => [object.key, object]));
  const [before, after] = [accounts(old), accounts(next)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key): CredentialChange[] => {
    const [was, is] = [before.get(key), after.get(key)];
    const properties = valueChanges(identityOf(was), identityOf(is));
    if (properties.length === 0) return [];
    const { namespace, name } = (is ?? was)!;
    const change = !was ? 'added' : is ? 'changed' : 'removed';
    return [{ of: 'serviceAccount', change, subject: `ServiceAccount ${namespace ?? 'default'}/${name}`, properties, advice: [] }];
  });
}

function identityOf(account: SynthObject | undefined): Record<string, string> {
  const annotations = Object.entries(account?.object.metadata.annotations ?? {}).filter(([key]) =>
    key.startsWith(WORKLOAD_IDENTITY_PREFIX),
  );
  return Object.fromEntries(annotations.map(([key, value]) => [key.slice(WORKLOAD_IDENTITY_PREFIX.length), value]));
}
