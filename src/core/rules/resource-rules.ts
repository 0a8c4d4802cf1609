import { ObjectSet } from './object-set';
import { annotationPath, FoundAt, ofEach, ofSet } from './rule';
import { AzureObject, isNamesake, SetObject, titleOf } from './set-object';
import { RESOURCE_ID } from '../../azure/annotations';
import { nameScopeOf } from '../../azure/names/name-facts';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { isUuidNamed } from '../../azure/uuid-names';
import { text } from '../../util/records';
import { isKubernetesName, KUBERNETES_NAME_RULE } from '../kubernetes-name';

/** `metadata.name` is no valid name of a Kubernetes object. */
export const objectName = ofSet((set) =>
  set.azure.flatMap((object) => {
    if (isKubernetesName(object.name)) return [];
    return [
      {
        object,
        field: 'metadata.name',
        message: `'${object.name}' is not the name of a Kubernetes object`,
        fix: `use ${KUBERNETES_NAME_RULE}; the name in Azure is azureName`,
      },
    ];
  }),
);

/**
 * The files contain the same Azure object twice. Other kinds stand there twice as variants: a release by environment, an add-on by cluster.
 */
export const duplicateObject = ofSet((set) => {
  const first = new Map<string, SetObject>();
  return set.azure.flatMap((object) => {
    const key = [object.group, object.kind, object.namespace ?? '', object.name].join('\n');
    const other = first.get(key);
    if (!other) first.set(key, object);
    return other
      ? [
        {
          object,
          field: 'metadata.name',
          message: `'${object.name}' is also the name of ${titleOf(other)}, in the same namespace`,
          fix: 'remove one of the two, or give it another name',
        },
      ]
      : [];
  });
});

/** Two objects have the same ARM id. A warning if they only would if their credentials are for the same subscription. */
export const azureNameTaken = ofSet(sameResource);

/** Two resources of a kind with globally unique names (storage accounts, vaults, registries, servers, …) have the same name. */
export const globalNameTaken = ofSet(globalNames);

/** By its annotation `resource-id`, the resource exists under another name or owner. */
export const writeOnce = ofEach(writeOnceProblems);

function sameResource(set: ObjectSet): FoundAt[] {
  const exact = new Map<string, AzureObject>();
  const likely = new Map<string, AzureObject>();
  return set.azureNamesakes.flatMap((object) => {
    const id = set.idOf(object) ?? keyInOwner(object, set);
    // Role assignments have a separate rule.
    if (id === undefined || isUuidNamed(object.group, object.kind)) return [];
    const anySubscription = /^\/subscriptions\/\?[^/]*\?\//.test(id) ? id.replace(/^\/subscriptions\/[^/]+/, '') : id;
    const [same, similar] = [exact.get(id), likely.get(anySubscription)];
    if (!same) exact.set(id, object);
    if (!similar) likely.set(anySubscription, object);
    const field = 'spec.azureName';
    const { name } = object.version.facts;
    const isFixed = typeof name === 'object' && name !== null;
    const fix = isFixed
      ? `remove one of the two: every ${object.kind} is called '${name.fixed}', so its owner can have one only`
      : 'give one of them another azureName or owner';
    if (same && !isNamesake(same, object)) {
      return [
        {
          object,
          field,
          message: `'${object.facts.azureName}' is also the Azure name of ${titleOf(same)}, with the same type and the same owner`,
          fix,
        },
      ];
    }
    if (!same && similar && !isNamesake(similar, object)) {
      return [
        {
          object,
          field,
          severity: 'warning',
          message: `is the same Azure resource as ${titleOf(similar)}, if the credentials of both are for one subscription`,
          fix,
        },
      ];
    }
    return [];
  });
}

function keyInOwner(object: AzureObject, set: ObjectSet): string | undefined {
  const { azureName } = object.facts;
  const scope = set.scopeKey(object);
  if (azureName === undefined || scope === undefined) return undefined;
  return [scope, object.version.facts.arm?.type ?? `${object.group}/${object.kind}`, azureName].join('\n').toLowerCase();
}

function globalNames(set: ObjectSet): FoundAt[] {
  const first = new Map<string, AzureObject>();
  // The rule azure-name-taken reports one Azure resource twice.
  const met = new Set<string | undefined>();
  return set.azureNamesakes.filter(isGlobal).flatMap((object): FoundAt[] => {
    const { azureName } = object.facts;
    if (azureName === undefined) return [];
    const key = `${object.group}/${object.kind} ${azureName.toLowerCase()}`;
    const other = first.get(key);
    if (!other) first.set(key, object);
    const id = set.idOf(object) ?? keyInOwner(object, set);
    const isMet = met.size < met.add(id).size ? false : id !== undefined;
    // Several objects may read the same resource.
    if (!other || isMet || isNamesake(other, object) || set.isOnlyRead(object) || set.isOnlyRead(other)) return [];
    return [
      {
        object,
        field: 'spec.azureName',
        message: `'${azureName}' is also the Azure name of ${titleOf(other)}`,
        fix: 'give one of them another azureName',
      },
    ];
  });
}

/** Whether the names of a kind's resources are unique in all of Azure. */
function isGlobal({ version }: AzureObject): boolean {
  const type = version.facts.arm?.type;
  return type !== undefined && nameScopeOf(type) === 'global';
}

function writeOnceProblems(object: AzureObject, set: ObjectSet): Omit<FoundAt, 'object'>[] {
  const recorded = withoutTrailingSlashes((text(object.annotations, RESOURCE_ID) ?? '').toLowerCase());
  const { azureName } = object.facts;
  if (recorded === '' || azureName === undefined || !object.version.isArm) return [];
  const field = annotationPath(RESOURCE_ID);
  if (recorded.slice(recorded.lastIndexOf('/') + 1) !== azureName.toLowerCase()) {
    return [
      {
        field,
        message: `says that the resource exists under another name than '${azureName}'`,
        fix: 'set spec.azureName back, or remove the annotation to have a new resource',
      },
    ];
  }
  const predicted = set.idOf(object);
  if (predicted === undefined) return [];
  // An unknown subscription matches any.
  const comparable = (id: string) => (predicted.startsWith('/subscriptions/?') ? id.replace(/^\/subscriptions\/[^/]+/, '') : id);
  return comparable(predicted) === comparable(recorded)
    ? []
    : [
      {
        field,
        message: 'says that the resource exists under another owner',
        fix: 'set spec.owner back, or remove the annotation to have a new resource',
      },
    ];
}
