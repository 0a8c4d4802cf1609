import { statedRoles } from './annotations';
import type { CredentialSource } from './credential-source';
import { CredentialMode } from './facts';
import {
  ACCEPTS_CREDENTIALS_FROM,
  CREDENTIAL_IDENTITY,
  CREDENTIAL_PRINCIPAL,
  CREDENTIAL_ROLES,
  PROPAGATE_TO,
} from '../../../azure/annotations';
import { acceptsPropagation, propagationSources, PropagationTarget, propagationTargets } from '../../../azure/credential-propagation';
import { isText, member, struct, text } from '../../../util/records';
import { decodeSecretValue } from '../../../util/secret-data';
import { AzureObject, CredentialSet, SetObject, titleOf } from '../../rules/set-object';

export const NAMESPACE_SECRET = 'aso-credential';
export const SETTINGS_SECRET = 'aso-controller-settings';

const ID_KEYS = { subscriptionId: 'AZURE_SUBSCRIPTION_ID', tenantId: 'AZURE_TENANT_ID', clientId: 'AZURE_CLIENT_ID' } as const;

/** The keys whose values are read. No other value of a Secret is read. */
const PLAIN_KEYS: readonly string[] = [
  ...Object.values(ID_KEYS),
  'AUTH_MODE',
  'USE_WORKLOAD_IDENTITY_AUTH',
  'AZURE_WORKLOAD_IDENTITY_AUTH_MODE',
];

/**
 * All objects of the set that write a Secret with a credential.
 * @param names the Secrets that objects name, as `namespace/name`
 */
export function sourcesIn(set: CredentialSet, names: ReadonlySet<string>): CredentialSource[] {
  const isCredential = (namespace: string | undefined, name: string) =>
    name === NAMESPACE_SECRET || name === SETTINGS_SECRET || names.has(`${namespace ?? ''}/${name}`);
  return [
    ...set.objects.flatMap((object) => {
      if (object.group === '' && object.kind === 'Secret' && isCredential(object.namespace, object.name)) return [manifestSource(object)];
      if (object.group === 'external-secrets.io' && object.kind === 'ExternalSecret') return externalSecret(object, isCredential);
      if (object.group === 'bitnami.com' && object.kind === 'SealedSecret') return sealedSecret(object, isCredential);
      return [];
    }),
    ...set.azure.flatMap((object) => [...exportedSources(object, isCredential), ...propagatedSources(object, set)]),
  ];
}

type IsCredential = (namespace: string | undefined, name: string) => boolean;

function manifestSource(object: SetObject): CredentialSource {
  const { data, stringData } = object.manifest;
  const values: Record<string, string | undefined> = {};
  // For all other keys, only whether they have a value is read.
  const read = (key: string, value: unknown, decode: (encoded: string) => string) => {
    if (!isText(value) || value === '') return isText(value) ? '' : '?';
    return PLAIN_KEYS.includes(key) ? decode(value) : '?';
  };
  for (const [key, value] of Object.entries(struct(data) ?? {})) values[key] = read(key, value, decoded);
  for (const [key, value] of Object.entries(struct(stringData) ?? {})) values[key] = read(key, value, (plain) => plain);
  return { ...declaredBy(object), ...valuesOf(values, object.name === SETTINGS_SECRET), writtenBy: 'the manifest', merges: false };
}

/** The External Secrets Operator: values of the Secret's template without a template expression are ids, which are public. */
function externalSecret(object: SetObject, isCredential: IsCredential): CredentialSource[] {
  const target = member(object.spec, 'target');
  const name = text(target, 'name') ?? object.name;
  if (!isCredential(object.namespace, name)) return [];
  const template = struct(member(member(target, 'template'), 'data')) ?? {};
  const keys = Array.isArray(object.spec.data) ? object.spec.data.flatMap((entry) => text(entry, 'secretKey') ?? []) : [];
  // With a template the Secret has only the template's keys, else the fetched ones; `dataFrom` may add any key.
  const whole = Object.keys(template).length > 0 ? Object.entries(template) : keys.map((key) => [key, '{{}}'] as const);
  const values = Object.fromEntries(
    whole.map(([key, value]) => [key, isText(value) && PLAIN_KEYS.includes(key) && !value.includes('{{') ? value : '?']),
  );
  const open = Array.isArray(object.spec.dataFrom) || whole.length === 0;
  const merges = text(target, 'creationPolicy') === 'Merge';
  const read = valuesOf(values);
  const mode = open ? CredentialMode.UNKNOWN : read.mode;
  return [{ ...declaredBy(object), name, ...read, mode, missing: open || merges ? [] : read.missing, writtenBy: titleOf(object), merges }];
}

function sealedSecret(object: SetObject, isCredential: IsCredential): CredentialSource[] {
  const name = text(member(member(object.spec, 'template'), 'metadata'), 'name') ?? object.name;
  if (!isCredential(object.namespace, name)) return [];
  const keys = Object.keys(struct(member(object.spec, 'encryptedData')) ?? {});
  return [
    { ...declaredBy(object), name, ...valuesOf(Object.fromEntries(keys.map((key) => [key, '?']))), writtenBy: titleOf(object), merges: false },
  ];
}

/** The Secrets of its own namespace into which a resource exports its ids. */
function exportedSources(object: AzureObject, isCredential: IsCredential): CredentialSource[] {
  const written = new Map<string, Set<string | undefined>>();
  for (const { store, name, key } of object.facts.writes) {
    if (store === 'Secret' && isCredential(object.namespace, name)) written.set(name, (written.get(name) ?? new Set()).add(key));
  }
  return [...written].map(([name, keys]) => ({
    ...declaredBy(object),
    name,
    // An expression that gives a map may add any key.
    ...valuesOf(Object.fromEntries([...keys, ...(keys.has(undefined) ? Object.values(ID_KEYS) : [])].map((key) => [key ?? '', '?']))),
    propagatedFrom: isIdentity(object) ? object : undefined,
    stated: undefined,
    writtenBy: titleOf(object),
    merges: false,
  }));
}

/** The Secrets of any namespace into which the controller propagates the ids of an identity. */
function propagatedSources(object: AzureObject, set: CredentialSet): CredentialSource[] {
  return propagationTargetsOf(object)
    .filter(({ kind }) => kind === 'Secret')
    .map(({ namespace, name }) => {
      const values = Object.fromEntries(Object.values(ID_KEYS).map((key) => [key, '?']));
      const writtenBy = `the controller, from ${titleOf(object)}`;
      const problem = refusal(object, namespace, set);
      return {
        ...declaredBy(object),
        namespace,
        name,
        ...valuesOf(values),
        propagatedFrom: object,
        stated: undefined,
        writtenBy,
        merges: false,
        problem,
      };
    });
}

/** The Secrets and ConfigMaps into which the controller propagates the ids of an identity. */
export function propagationTargetsOf(object: SetObject): readonly PropagationTarget[] {
  const targets = Object.hasOwn(object.annotations, PROPAGATE_TO) ? object.annotations[PROPAGATE_TO] : undefined;
  return targets !== undefined && isIdentity(object) ? propagationTargets(targets).entries : [];
}

/** The problem if a namespace of the set does not accept the propagated ids. */
function refusal(object: AzureObject, to: string, set: CredentialSet): string | undefined {
  const { namespace = '', name } = object;
  const target = set.namespaceOf({ ...object, namespace: to });
  if (namespace === to || !target) return undefined;
  const { [ACCEPTS_CREDENTIALS_FROM]: accepted = '' } = target.annotations;
  if (acceptsPropagation(propagationSources(accepted).entries, { namespace, name })) return undefined;
  return `the namespace ${to} does not accept the ids of UserAssignedIdentity ${namespace}/${name}, so the Secret is not written. Annotate the Namespace ${ACCEPTS_CREDENTIALS_FROM}: ${namespace}/${name}`;
}

export function isIdentity({ group, kind }: SetObject): boolean {
  return group === 'managedidentity.azure.com' && kind === 'UserAssignedIdentity';
}

type DeclaredIdentity = Pick<CredentialSource, 'namespace' | 'name' | 'identity' | 'principalId' | 'stated' | 'object'>;

function declaredBy(object: SetObject): DeclaredIdentity {
  const { annotations, namespace = '', name } = object;
  const annotationOf = (key: string) => (Object.hasOwn(annotations, key) ? annotations[key] : undefined);
  const roles = annotationOf(CREDENTIAL_ROLES);
  const stated = roles === undefined ? undefined : statedRoles(roles);
  return { namespace, name, identity: annotationOf(CREDENTIAL_IDENTITY), principalId: annotationOf(CREDENTIAL_PRINCIPAL), stated, object };
}

type ReadValues = Pick<CredentialSource, 'subscriptionId' | 'tenantId' | 'clientId' | 'mode' | 'workloadMode' | 'missing'>;

/** The facts of a credential from its keys and values; `?` stands for a value that exists but is unknown. */
function valuesOf(values: Readonly<Record<string, string | undefined>>, global = false): ReadValues {
  const known = (key: string) => (values[key] === '?' || values[key] === '' || values[key]?.includes('${') ? undefined : values[key]);
  return {
    subscriptionId: known(ID_KEYS.subscriptionId),
    tenantId: known(ID_KEYS.tenantId),
    clientId: known(ID_KEYS.clientId)?.toLowerCase(),
    mode: modeOf(values, global),
    workloadMode: known('AZURE_WORKLOAD_IDENTITY_AUTH_MODE'),
    missing: Object.values(ID_KEYS).filter((key) => (values[key] ?? '') === ''),
  };
}

/** The first match decides, as in the controller. */
function modeOf(values: Readonly<Record<string, string | undefined>>, global: boolean): CredentialMode {
  // In the controller's own settings an empty value counts as absent, and workload identity has to be switched on.
  const has = (key: string) => Object.hasOwn(values, key) && (!global || values[key] !== '');
  if (global && values.USE_WORKLOAD_IDENTITY_AUTH === 'true') return CredentialMode.WORKLOAD_IDENTITY;
  if (has('AZURE_CLIENT_SECRET')) return CredentialMode.CLIENT_SECRET;
  if (has('AZURE_CLIENT_CERTIFICATE')) return CredentialMode.CLIENT_CERTIFICATE;
  if (has('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS')) return CredentialMode.IDENTITY_FILE;
  return values.AUTH_MODE === 'podidentity' || global ? CredentialMode.MANAGED_IDENTITY : CredentialMode.WORKLOAD_IDENTITY;
}

function decoded(value: string): string {
  return decodeSecretValue(value).trim();
}
