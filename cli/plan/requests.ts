import { cycleProblem, dependenciesOf } from './dependencies';
import { dependencyOrder } from './order';
import { applyPlannedChanges, UnknownRoleError } from './planned-changes';
import { plannedValues, predictedId } from './planned-values';
import { ConversionError, toArm } from '../../engine/convert';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { armIdOf, azureNameOf, ownerOf, referencesOf, ResolutionError, type Owner } from '../../engine/resolve';
import { RECONCILE_POLICY } from '../../src/azure/annotations';
import { Catalog, droppedVersion, isDroppedGroup, isMeantForAzure, kindFix, type KindVersion } from '../../src/catalog';
import { parsePath, spellPath, validateSpec } from '../../src/catalog/validate-spec';
import type { ObjectSet } from '../../src/core/rules/object-set';
import { groupOf, versionNameOf } from '../../src/object-id';
import { mayBeInCatalog, serviceOfGroup } from '../../src/util/api-groups';
import { elementAt } from '../../src/util/elements';
import { withoutTemplates, type Inside } from '../manifests/inside/inside';
import { isLaterAt } from '../manifests/later/later-values';
import { claimed, ManifestLookup } from '../manifests/manifest-lookup';
import { describeManifest, fieldOf, namespaceOf, type Manifest } from '../manifests/manifests';
import { objectSetOf } from '../manifests/object-set';
import { NO_SUBSCRIPTION, subscriptionsOf, type SubscriptionOf } from '../manifests/subscriptions';
import type { Problem } from '../output/problem';

/** A request that the controller would send to Azure Resource Manager. */
export interface PlannedRequest {
  readonly manifest: Manifest;
  readonly method: 'PUT' | 'GET';
  readonly path: string;
  readonly armApiVersion: string;
  /** Of a PUT. */
  readonly body?: unknown;
  /** The part of the request that depends on values that only Azure has. */
  readonly notes: readonly string[];
}

export interface Plan {
  /** In the order in which they would be sent. */
  readonly requests: readonly PlannedRequest[];
  /** Azure objects for which no request goes to ARM, and why. */
  readonly withoutRequest: readonly { readonly manifest: Manifest; readonly reason: string }[];
  readonly problems: readonly Problem[];
}

/** An object of the catalog, on its way to a request. */
export interface Candidate {
  readonly manifest: Manifest;
  readonly object: KubernetesObject;
  readonly version: KindVersion;
}


/**
 * The ARM requests for the objects of files, without a cluster and without Azure. An error in one object does not stop the others.
 *
 * @param given the subscription of objects whose credential is not in the files; undefined: not known
 * @param options `set`: the objects of the manifests, where the caller has it; `unknown` as in `subscriptionsOf`
 */
export function planRequests(
  manifests: readonly Manifest[], given: string | undefined, { set, unknown }: { set?: ObjectSet; unknown?: string } = {},
): Plan {
  const catalog = Catalog.default();
  const applied = withoutTemplates(manifests);
  const subscriptionOf = subscriptionsOf(set ?? objectSetOf(applied), given, unknown);
  const problems: Problem[] = [];
  const lookup = new ManifestLookup(applied);
  const candidates = applied.flatMap((manifest) => {
    const found = candidateOf(manifest, catalog);
    if (found && 'message' in found) problems.push(found);
    return found && 'version' in found ? [found] : [];
  });
  const valid = candidates.filter((candidate) => {
    const found = problemsOf(candidate, lookup, subscriptionOf);
    problems.push(...found.problems);
    return !found.fatal;
  });

  const dependencies = dependenciesOf(valid);
  const { order, cycles } = dependencyOrder(dependencies);
  problems.push(...cycles.map((cycle) => cycleProblem(cycle, valid)));

  const requests: PlannedRequest[] = [];
  const withoutRequest: { manifest: Manifest; reason: string }[] = manifests
    .filter(({ inside, object }) => inside?.isTemplate === true && isAzure(object))
    .map((manifest) => ({ manifest, reason: `is a template: ${manifest.inside!.by} applies what is made of it` }));
  for (const candidate of order.map((index) => elementAt(valid, index))) {
    if (!candidate.version.isArm) {
      withoutRequest.push({
        manifest: candidate.manifest,
        reason: `${candidate.version.kind.kind} is not an ARM resource; the controller makes it by other means`,
      });
      continue;
    }
    try {
      requests.push(requestOf(candidate, lookup, subscriptionOf));
    } catch (error) {
      problems.push(problemOfError(candidate, error));
    }
  }
  problems.push(...waitingForCycle(valid, order, cycles), ...sameIdProblems(requests));
  return { requests, withoutRequest, problems };
}

/** Whether an object belongs to a group of Azure Service Operator, known or not. */
export function isAzure(object: KubernetesObject): boolean {
  const group = groupOf(object);
  return group === 'azure.com' || mayBeInCatalog(group) || isDroppedGroup(group) || isMeantForAzure(group, object.kind);
}

/** The kind and version of an object of Azure; a problem where the catalog has none; undefined for all other objects. */
export function candidateOf(manifest: Manifest, catalog: Catalog): Candidate | Problem | undefined {
  const { object, file } = manifest;
  if (!isAzure(object)) return undefined;
  const group = groupOf(object);
  const problem = (field: string, message: string, fix: string): Problem =>
    ({ file, line: manifest.lineOf([field]), object: describeManifest(manifest), field: fieldOf(manifest, field), message, fix });
  const service = serviceOfGroup(group) ?? '';
  const kind = catalog.kind(group, object.kind);
  const name = versionNameOf(object);
  const dropped = kind?.version(name) ? undefined : droppedVersion(group, object.kind, name, catalog);
  if (dropped) return problem('apiVersion', dropped.message, dropped.fix);
  if (!kind) {
    const fix = kindFix({ group, kind: object.kind }, catalog);
    if (catalog.hasService(service) && !isMeantForAzure(group, object.kind)) return problem('kind', `${group} has no kind ${object.kind}`, fix);
    return problem('apiVersion', `${group || object.apiVersion} is no group of the catalog`, fix);
  }
  const version = kind.version(name);
  if (!version) {
    return problem(
      'apiVersion',
      `${object.kind} has no version ${name}`,
      `use ${kind.latest.apiVersion}, or one of ${kind.versionNames.join(', ')}`,
    );
  }
  return { manifest, object: claimed(object), version };
}

/** The problems that are visible without a conversion. `fatal`: there is no request for the object. */
function problemsOf(candidate: Candidate, lookup: ManifestLookup, subscriptionOf: SubscriptionOf): { problems: Problem[]; fatal: boolean } {
  const { object, version } = candidate;
  const violations = validateSpec(object.spec, version).filter(({ path }) => !isLaterAt(object, path));
  const problems = violations.map(({ path, message, fix }) => problemAt(candidate, spellPath(path), message, fix));
  if (violations.some(({ fatal }) => fatal)) return { problems, fatal: true };

  const owner = ownerProblem(candidate, lookup);
  if (owner) return { problems: [...problems, owner], fatal: true };

  const references = referencesOf(object.spec, version).flatMap((reference) => {
    if (reference.to !== 'resource' || reference.wellKnownName) return [];
    try {
      predictedId(reference, namespaceOf(object), lookup, subscriptionOf);
      return [];
    } catch (error) {
      return [problemAt(candidate, reference.path, messageOf(error), referenceFix(reference.name))];
    }
  });
  return { problems: [...problems, ...references], fatal: references.length > 0 };
}

function ownerProblem(candidate: Candidate, lookup: ManifestLookup): Problem | undefined {
  const { object, version } = candidate;
  let owner: Owner | undefined;
  try {
    owner = ownerOf(object, version);
  } catch (error) {
    return problemAt(
      candidate,
      'spec.owner',
      messageOf(error),
      'give either name (with group and kind where the owner may be of any kind) or armId',
    );
  }
  if (owner?.by !== 'name') return undefined;
  const namespace = namespaceOf(object);
  if (lookup.find(owner.group, owner.kind, namespace, owner.name)) return undefined;
  return problemAt(
    candidate,
    'spec.owner.name',
    `${owner.kind} ${namespace}/${owner.name} of group ${owner.group} is not in the files`,
    'add its file, correct the name (an owner is in the namespace of what it owns), or give armId',
  );
}

function requestOf(candidate: Candidate, lookup: ManifestLookup, subscriptionOf: SubscriptionOf): PlannedRequest {
  const { manifest, object, version } = candidate;
  const subscriptionId = subscriptionOf(object);
  const path = armIdOf(object, version, lookup, subscriptionId, { placeholders: true });
  const common = { manifest, path, armApiVersion: version.facts.arm!.apiVersion };
  const about = manifest.inside ? [appliedBy(manifest.inside)] : [];
  if (policyOf(object, lookup) === 'skip') {
    return { ...common, method: 'GET', notes: [...about, 'reconcile-policy is skip: Azure is read, nothing is sent'] };
  }
  const converted = toArm(
    version,
    object.spec ?? {},
    azureNameOf(object, version),
    plannedValues(namespaceOf(object), lookup, subscriptionOf),
  );
  const { body, notes } = applyPlannedChanges(version, converted, path, subscriptionId);
  return { ...common, method: 'PUT', body, notes: [...about, ...notes] };
}

/** The tool that applies an object in another one, and what it changes. */
function appliedBy({ by, changes }: Inside): string {
  return `${by} applies it${changes === undefined ? '' : `: ${changes}`}`;
}

/** The object's own policy, else its namespace's where that stands in the files. */
function policyOf(object: KubernetesObject, lookup: ManifestLookup): string | undefined {
  const own = object.metadata.annotations?.[RECONCILE_POLICY];
  return own ?? lookup.find('', 'Namespace', 'default', namespaceOf(object))?.metadata.annotations?.[RECONCILE_POLICY];
}

/** Objects behind a cycle: they would wait for ever. */
function waitingForCycle(valid: readonly Candidate[], order: readonly number[], cycles: readonly (readonly number[])[]): Problem[] {
  const named = new Set([...order, ...cycles.flat()]);
  return valid.flatMap((candidate, index) =>
    named.has(index)
      ? []
      : [problemAt(candidate, 'spec', 'waits for objects that wait for each other', 'break the cycle that is reported')],
  );
}

function sameIdProblems(requests: readonly PlannedRequest[]): Problem[] {
  const first = new Map<string, PlannedRequest>();
  return requests.flatMap((request) => {
    const { path, manifest } = request;
    // Two namespaces without a credential in the files may have one of their own each.
    const isOpen = path.includes(NO_SUBSCRIPTION);
    const key = isOpen ? `${namespaceOf(manifest.object)}\n${path.toLowerCase()}` : path.toLowerCase();
    const other = first.get(key);
    if (!other) {
      first.set(key, request);
      return [];
    }
    return [{
      file: manifest.file,
      line: manifest.line,
      object: describeManifest(manifest),
      field: fieldOf(manifest, 'spec.azureName'),
      message: `is the same Azure resource as ${describeManifest(other.manifest)} (${path}); the two would overwrite each other`,
      fix: 'give one of them another azureName or owner',
    }];
  });
}

function problemOfError(candidate: Candidate, error: unknown): Problem {
  if (error instanceof ConversionError) return problemAt(candidate, error.path, error.problem, 'correct the field');
  if (error instanceof ResolutionError && error.reason === 'Failed') {
    return problemAt(candidate, 'spec.azureName', error.message, 'give another azureName');
  }
  if (error instanceof ResolutionError) {
    return problemAt(candidate, 'spec.owner', error.message, 'correct the owner, or the owners above it');
  }
  if (error instanceof UnknownRoleError) {
    return problemAt(candidate, 'spec.roleDefinitionReference.wellKnownName', error.message, error.fix);
  }
  throw error;
}

function problemAt(candidate: Candidate, field: string, message: string, fix: string): Problem {
  const { manifest } = candidate;
  const line = manifest.lineOf(parsePath(field));
  return { file: manifest.file, line, object: describeManifest(manifest), field: fieldOf(manifest, field), message, fix };
}

function referenceFix(name: string | undefined): string {
  return name ? 'add its file, correct group, kind and name, or give armId' : 'give group, kind and name, or armId';
}

function messageOf(error: unknown): string {
  if (error instanceof ResolutionError) return error.message;
  throw error;
}
