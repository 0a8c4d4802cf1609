import type { AzureModel, Resource } from './azure-model';
import { ID, isReady, objectName, readyOf } from './facts';
import { AZURE_TYPES, CONFIG_MAPS, IDENTITIES, NAMESPACES, SECRETS } from './kinds';
import type { KubeModel } from './kube-model';
import { policyOf, type Stored } from './truth/policy';

/** Problems in a test environment without faults for hours. */
export function unsettled(kube: KubeModel, azure: AzureModel, isStubborn: (path: string) => boolean): string[] {
  return AZURE_TYPES.flatMap((type) => kube.all(type)).flatMap((object) => {
    const says = (text: string) => `${objectName(object)}: ${text}; it is ${JSON.stringify(readyOf(object))}`;
    return problemsOf(object, kube, azure, isStubborn).map(says);
  });
}

/** Problems of objects whose owner is missing, and whose resource was never requested: they wait, and report so. */
export function unsaidWaits(kube: KubeModel): string[] {
  return AZURE_TYPES.flatMap((type) => kube.all(type)).flatMap((object) => {
    const { metadata: { annotations, deletionTimestamp, namespace }, spec } = object;
    const owner = (spec?.owner as { readonly name: string } | undefined)?.name;
    const isClaimed = annotations?.[ID] !== undefined;
    if (deletionTimestamp || isClaimed || owner === undefined || AZURE_TYPES.some((type) => kube.get(type, namespace, owner))) return [];
    const ready = readyOf(object);
    return ready?.reason === 'WaitingForOwner'
      ? []
      : [`${objectName(object)}: its owner ${owner} is not there; it is ${JSON.stringify(ready)}`];
  });
}

/** Whether the object is as it should be, so that nothing is to be sent for it. */
export function isInSync(object: Stored): boolean {
  return isReady(object) && object.metadata.deletionTimestamp === undefined;
}

function problemsOf(object: Stored, kube: KubeModel, azure: AzureModel, isStubborn: (path: string) => boolean): string[] {
  const { metadata: { annotations, namespace, deletionTimestamp, generation }, spec = {} } = object;
  if (deletionTimestamp) return ['it is deleted and does not go'];
  const ready = readyOf(object);
  if (!ready) return ['it has no condition'];
  const resource = azure.find(annotations?.[ID] ?? '');
  const policy = policyOf(object, kube.get(NAMESPACES, undefined, namespace!));
  const expected = expectedReasons(object, kube, policy === 'skip', resource);
  if (!expected.includes(ready.reason)) return [`expected ${expected.join(' or ')}`];
  if (ready.status !== 'True') return [];
  if (!resource) return ['Ready, and there is nothing in Azure'];
  const problems = ready.observedGeneration === generation || policy === 'skip' ? [] : ['Ready of an older generation'];
  const shown = azure.shown(resource);
  if (policy !== 'skip' && !isStubborn(resource.path) && !agrees(shown.tags, spec.tags)) {
    problems.push(`Azure has the tags ${JSON.stringify(shown.tags)}, wanted are ${JSON.stringify(spec.tags)}`);
  }
  if (!isStubborn(resource.path) && !agrees(object.status?.tags, shown.tags)) {
    problems.push(`the status has the tags ${JSON.stringify(object.status?.tags)}, Azure ${JSON.stringify(shown.tags)}`);
  }
  const password = policy === 'skip' ? undefined : passwordOf(object, kube);
  const { administratorLoginPassword: taken } = (resource.body.properties ?? {}) as { readonly administratorLoginPassword?: string };
  if (password !== undefined && taken !== password) problems.push('Azure has another password than the Secret');
  return [...problems, ...exportProblems(object, resource.own, kube)];
}

/** Allowed reasons of the condition, once all recoverable faults have recovered. */
function expectedReasons(object: Stored, kube: KubeModel, isSkipped: boolean, resource: Resource | undefined): string[] {
  const exists = resource !== undefined;
  const { metadata: { name, namespace, annotations }, spec = {} } = object;
  const owner = (spec.owner as { readonly name: string } | undefined)?.name;
  const isClaimed = annotations?.[ID] !== undefined;
  const above = AZURE_TYPES.map((type) => owner && kube.get(type, namespace, owner)).find(Boolean);
  if (owner && !isClaimed && !isReady(above || undefined)) return ['WaitingForOwner'];
  // A value that the object reads from elsewhere may not exist: then the object waits for it, claimed or not.
  const config = (spec.principalIdFromConfig as { readonly name: string } | undefined)?.name;
  const secret = (spec.administratorLoginPassword as { readonly name: string } | undefined)?.name;
  const missing = [
    ...(config && !kube.get(CONFIG_MAPS, namespace, config) ? ['ConfigMapNotFound'] : []),
    ...(secret && !kube.get(SECRETS, namespace, secret) ? ['SecretNotFound'] : []),
  ];
  const done = name.endsWith('grab') ? 'FailedWritingAdditionalKubernetesObjects' : 'Succeeded';
  // A resource that Azure calls failed is never Ready, and stays failed while the object may not send it again.
  if (isSkipped && isClaimed && resource?.state === 'Failed') return ['Failed'];
  if (isSkipped) return isClaimed ? [exists ? done : 'AzureResourceNotFound'] : [...missing, 'AzureResourceNotFound'];
  if (missing.length > 0) return missing;
  if (name.endsWith('bad')) return ['LocationRequired'];
  const home = owner ? parentState(above || undefined, kube) : 'there';
  // No process may create the group again, so resources in it cannot be created either.
  if (home === 'gone' && !exists) return ['ResourceGroupNotFound', 'ParentResourceNotFound'];
  return [done];
}

function parentState(owner: Stored | undefined, kube: KubeModel): 'there' | 'gone' {
  if (!owner) return 'gone';
  const isSkipped = policyOf(owner, kube.get(NAMESPACES, undefined, owner.metadata.namespace!)) === 'skip';
  if (isSkipped || !isReady(owner)) return isReady(owner) ? 'there' : 'gone';
  return 'there';
}

function exportProblems(object: Stored, own: Readonly<Record<string, unknown>>, kube: KubeModel): string[] {
  const exported = object.spec?.operatorSpec as { readonly configMaps?: Places; readonly secrets?: Places } | undefined;
  const { namespace } = object.metadata;
  const configs = Object.entries(exported?.configMaps ?? {}).map(([value, { name, key }]) => {
    return { value: own[value], found: kube.get(CONFIG_MAPS, namespace, name)?.data?.[key], name };
  });
  const secrets = Object.values(exported?.secrets ?? {}).map(({ name, key }) => {
    const data = kube.get(SECRETS, namespace, name)?.data?.[key];
    return { value: own.key, found: data && Buffer.from(data, 'base64').toString(), name };
  });
  const status =
    object.kind === IDENTITIES.kind && object.status?.principalId !== own.principalId
      ? ['the status has another principal than Azure']
      : [];
  const who =
    object.kind === IDENTITIES.kind
      ? [
        {
          value: `${namespace}/${String(own.principalId)}`.toUpperCase(),
          found: kube.get(CONFIG_MAPS, namespace, `${namespace}text`)?.data?.who,
          name: `${namespace}text`,
        },
      ]
      : [];
  const mayExpress = exported && 'configMapExpressions' in exported;
  return [
    ...status,
    ...[...configs, ...secrets, ...(mayExpress ? who : [])]
      .filter(({ value, found }) => value !== found)
      .map(({ name }) => `the export ${name} is not what Azure has`),
  ];
}

function passwordOf({ spec, metadata: { namespace } }: Stored, kube: KubeModel): string | undefined {
  const place = spec?.administratorLoginPassword as { readonly name: string; readonly key: string } | undefined;
  const value = place && kube.get(SECRETS, namespace, place.name)?.data?.[place.key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}

type Places = Readonly<Record<string, { readonly name: string; readonly key: string }>>;

function agrees(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});
}
