import { withChildrenOnce } from './children-once';
import { customRole, extensionList, mayExtend } from './extension-lists';
import type { ImportableKinds } from './importable-kinds';
import type { ImportedResource } from './imported-resource';
import { leftOutByAnswer, leftOutByName } from './left-out';
import { listItems } from './list-items';
import { hasProperty, refusedName } from './refused-values';
import { specFromArm } from './spec-from-arm';
import type { Unsaid } from './unsaid';
import { armIdProblem, armTypeOf, parseArmId } from '../../src/azure/arm-id';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import type { KindVersion } from '../../src/catalog';
import { type JsonObject, memberIgnoringCase } from '../../src/util/records';
import { describeArmError } from '../arm/arm-error';
import { readResource } from '../arm/arm-reader';
import { registrationNeeded } from '../arm/provider-registration';
import { ArmError, type ArmClient, type ArmRequest } from '../arm/types';

const RESOURCES_API_VERSION = '2021-04-01';
const ROLE_ASSIGNMENT = 'microsoft.authorization/roleassignments';
/** Codes of 400 for a list that a resource does not have. */
const NO_SUCH_LIST = new Set([
  'BadRequest', 'NoRegisteredProviderFound', 'RequestUrlInvalid', 'ResourceTypeNotSupported', 'UnsupportedResourceType',
  'UnsupportedFeature', 'ValidationFailed', 'InvalidResourceType', 'InvalidResourceNamespace', 'MethodNotAllowed', 'UnsupportedMediaType',
]);

/**
 * Queries of types whose answers are summaries unless the content is asked for.
 * @see https://learn.microsoft.com/rest/api/application-insights/workbooks/get
 */
const WITH_CONTENT: Readonly<Record<string, string>> = { 'microsoft.insights/workbooks': '?canFetchContent=true' };

/** A resource, or a type of children, that becomes no object. */
export interface NotImported {
  readonly id: string;
  readonly why: string;
  /** `left-out`: nothing is missing; `absent`: the caller named it, and Azure has no such resource; `failed`: no usable answer. */
  readonly what: 'left-out' | 'absent' | 'failed';
}

export interface ImportProgress {
  readonly done: number;
  /** Known so far: children are found on the way. */
  readonly known: number;
}

export interface ImportOptions {
  /** Requests under way at a time. */
  readonly concurrency: number;
  /** Whether children and extension resources are looked for. */
  readonly children: boolean;
  /** Values that are left out; none by default. */
  readonly unsaid?: Unsaid | undefined;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Once it is aborted, no further request is sent. */
  readonly signal?: AbortSignal;
}

export interface ImportResult {
  readonly resources: readonly ImportedResource[];
  readonly others: readonly NotImported[];
}

interface Task {
  readonly id: string;
  readonly owner: string | undefined;
}

/** Reads resources of Azure with what belongs to them. Sends GET alone. */
export class Importer {
  private readonly seen = new Set<string>();
  /** Ids that the caller asked for, in lower case. */
  private readonly named = new Set<string>();
  private readonly resources: ImportedResource[] = [];
  private readonly others: NotImported[] = [];
  /** Ids in lower case of `others` that are left out. */
  private readonly leftOutIds = new Set<string>();
  private readonly queue: Task[] = [];
  private running = 0;
  private done = 0;
  /** Scopes whose list of role assignments Azure gave: it has those of the scopes below, too. */
  private readonly listedBelow = new Set<string>();

  public constructor(
    private readonly client: Pick<ArmClient, 'send'>,
    private readonly kinds: ImportableKinds,
    private readonly options: ImportOptions,
  ) {}

  /** Reads the resources with these ids, and what belongs to them: of a subscription, all its groups. */
  public async run(ids: readonly string[]): Promise<ImportResult> {
    for (const given of ids) {
      const id = withoutTrailingSlashes(given);
      this.named.add(id.toLowerCase());
      this.add(id, parentOf(id));
    }
    await new Promise<void>((resolve, reject) => {
      const next = () => {
        if (this.queue.length === 0 && this.running === 0) return resolve();
        while (this.queue.length > 0 && this.running < this.options.concurrency) {
          const task = this.options.signal?.aborted ? undefined : this.queue.shift();
          if (!task) return this.running === 0 ? resolve() : undefined;
          this.running += 1;
          void this.take(task).then(() => {
            this.running -= 1;
            this.done += 1;
            this.options.onProgress?.({ done: this.done, known: this.done + this.running + this.queue.length });
            next();
          }, reject);
        }
      };
      next();
    });
    return { resources: withChildrenOnce(this.withoutUnset()), others: this.others };
  }

  /**
   * Azure has the singletons of a resource from the start. One with nothing set is of use only to what it contains; of what could not be
   * read it may contain anything.
   */
  private withoutUnset(): ImportedResource[] {
    const unread = this.others.filter(({ what }) => what === 'failed').map(({ id }) => id.toLowerCase());
    const kept = new Set<ImportedResource>();
    const owners = new Set<string>();
    // From the leaves up: what is in a singleton is known before the singleton.
    for (const resource of this.resources.toSorted((one, other) => other.id.length - one.id.length)) {
      const id = resource.id.toLowerCase();
      if (isUnset(resource) && !this.named.has(id) && !owners.has(id) && !unread.some((other) => other.startsWith(`${id}/`))) {
        this.leftOut(resource.id, 'Azure makes it, and nothing of it is set');
        continue;
      }
      kept.add(resource);
      if (resource.owner !== undefined) owners.add(resource.owner.toLowerCase());
    }
    return this.resources.filter((resource) => kept.has(resource));
  }

  private add(id: string, owner: string | undefined): void {
    const key = id.toLowerCase();
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.queue.push({ id, owner });
  }

  private async take({ id, owner }: Task): Promise<void> {
    const problem = armIdProblem(id);
    if (problem !== undefined) return this.failed(id, `the id ${problem}`);
    if (armTypeOf(id) === 'Microsoft.Resources/subscriptions') {
      await this.listInto(id, `${id}/resourcegroups`, RESOURCES_API_VERSION);
      return;
    }
    const version = this.kinds.of(id);
    if (!version) return this.leftOut(id, `there is no kind for ${armTypeOf(id)}`);
    const name = id.slice(id.lastIndexOf('/') + 1);
    const why = leftOutByName(version, name);
    if (why !== undefined) return this.leftOut(id, why);
    const answer = await this.read(id, version);
    if (!answer) return;
    const reason = leftOutByAnswer(version, owner, answer);
    if (reason !== undefined) return this.leftOut(id, reason);
    const own = spelling(id, answer);
    this.resources.push({ id: own, owner, ...await this.inFittingVersion(own, version, answer) });
    if (this.options.children) await this.listBelow(own, version);
  }

  /** The resource in the version that an import writes, or in another version whose schema takes what this one refuses. */
  private async inFittingVersion(id: string, version: KindVersion, answer: JsonObject): Promise<Omit<ImportedResource, 'id' | 'owner'>> {
    const name = id.slice(id.lastIndexOf('/') + 1);
    const inVersion = (of: KindVersion, body: JsonObject) => {
      const imported = specFromArm(of, body, this.options.unsaid);
      return { version: of, name, answer: body, ...imported, refused: [...imported.refused, ...refusedName(of, name)] };
    };
    const usual = inVersion(version, answer);
    if (usual.refused.length === 0) return usual;
    const takesAll = ({ spec, missing, refused }: typeof usual) =>
      refused.length === 0
      && missing.length <= usual.missing.length
      && usual.refused.every(({ property }) => hasProperty(spec, property))
      && Object.keys(usual.spec).every((property) => hasProperty(spec, `spec.${property}`));
    for (const other of this.kinds.otherVersions(version)) {
      if (!takesAll(inVersion(other, answer))) continue;
      const body = await this.readAgain(id, other);
      const fitting = body && inVersion(other, body);
      if (fitting && takesAll(fitting)) return { ...fitting, insteadOf: { version: version.name, refused: usual.refused } };
    }
    return usual;
  }

  /** The resource in another API version; undefined where Azure does not answer it. */
  private async readAgain(id: string, version: KindVersion): Promise<JsonObject | undefined> {
    const request: ArmRequest = { method: 'GET', url: id, apiVersion: version.facts.arm!.apiVersion };
    try {
      return readResource(request, await this.client.send(request, this.options.signal), { checksId: false }) ?? undefined;
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      return undefined;
    }
  }

  private async read(id: string, version: KindVersion): Promise<JsonObject | undefined> {
    const { type, apiVersion } = version.facts.arm!;
    const isNamed = this.named.has(id.toLowerCase());
    const request: ArmRequest = { method: 'GET', url: `${id}${WITH_CONTENT[type.toLowerCase()] ?? ''}`, apiVersion };
    try {
      const response = await this.client.send(request, this.options.signal);
      if (registrationNeeded(response)) return void this.leftOut(id, 'its resource provider is not registered with the subscription');
      const body = readResource(request, response, { checksId: false });
      // A singleton that a resource of this tier does not have, a child that went since it was listed.
      return body ?? void this.others.push({ id, why: 'Azure has no such resource', what: isNamed ? 'absent' : 'left-out' });
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      if (isNoSuchList(error) && !isNamed) return void this.leftOut(id, `Azure has no such resource here (${error.code})`);
      return void this.failed(id, describeArmError(error));
    }
  }

  /** Queues what is in a resource, or extends it. */
  private async listBelow(id: string, version: KindVersion): Promise<void> {
    if (armTypeOf(id) === 'Microsoft.Resources/resourceGroups') {
      // Before the resources: they need no list of role assignments once the group's is there.
      await this.listExtensions(id);
      await this.listInto(id, `${id}/resources`, RESOURCES_API_VERSION, id);
      return;
    }
    for (const child of this.kinds.childrenOf(id)) {
      const { arm, name } = child.facts;
      const segment = arm!.type.slice(arm!.type.lastIndexOf('/') + 1);
      if (name !== null && typeof name === 'object') this.add(`${id}/${segment}/${name.fixed}`, id);
      else await this.listInto(id, `${id}/${segment}`, arm!.apiVersion, id);
    }
    if (version.facts.scope !== 'extension') await this.listExtensions(id);
  }

  /** @see https://learn.microsoft.com/azure/role-based-access-control/role-assignments-list-rest: a list has the scopes above and below */
  private async listExtensions(id: string): Promise<void> {
    for (const extension of this.kinds.extensions) {
      if (!mayExtend(id, extension)) continue;
      const { type, apiVersion } = extension.facts.arm!;
      const isRole = type.toLowerCase() === ROLE_ASSIGNMENT;
      if (isRole && [...this.listedBelow].some((scope) => id.toLowerCase().startsWith(`${scope}/`))) continue;
      const listed = await this.listInto(id, extensionList(id, extension), apiVersion, id, true);
      if (isRole && listed) this.listedBelow.add(id.toLowerCase());
    }
  }

  /**
   * Queues the resources of a list. Types that extend any resource are not known to every provider: what it says then is no failure.
   * Answers whether Azure gave the list.
   */
  private async listInto(scope: string, url: string, apiVersion: string, owner?: string, extension = false): Promise<boolean> {
    try {
      for await (const found of listItems(this.client, url, apiVersion, this.options.signal)) {
        const id = memberIgnoringCase(found, 'id');
        if (typeof id !== 'string') continue;
        if (extension) this.addExtension(scope, withoutTrailingSlashes(id), found);
        else this.add(withoutTrailingSlashes(id), owner === undefined ? undefined : parentOf(id) ?? owner);
      }
      return true;
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      // Without an owner it is the list of the groups of a subscription, which every subscription has.
      if (owner !== undefined && (error.status === 404 || isNoSuchList(error) || (extension && error.status === 400))) return false;
      this.failed(url, describeArmError(error));
      return false;
    }
  }

  /** A list at a scope may have what its parents hand down, and what is below it. */
  private addExtension(scope: string, id: string, found: JsonObject): void {
    const role = customRole(scope, found);
    if (role) {
      const others = role.scopes.filter((each) => each.toLowerCase() !== scope.toLowerCase());
      return others.length === 0 ? this.add(role.id, scope) : this.leftOut(id, `it may be assigned in ${others.join(', ')}`);
    }
    const parent = parentOf(id) ?? '';
    const [at, below] = [parent.toLowerCase(), scope.toLowerCase()];
    if (at !== below && !at.startsWith(`${below}/`)) return this.leftOut(id, `it is inherited from ${parent || 'the tenant'}`);
    this.add(id, parent);
  }

  /** Kept once: several lists may have it. */
  private leftOut(id: string, why: string): void {
    const key = id.toLowerCase();
    if (this.leftOutIds.has(key)) return;
    this.leftOutIds.add(key);
    this.others.push({ id, why, what: 'left-out' });
  }

  private failed(id: string, why: string): void {
    this.others.push({ id, why, what: 'failed' });
  }
}

/** A singleton without a value of its own. */
function isUnset({ spec, secrets, version: { facts: { name } } }: ImportedResource): boolean {
  return typeof name === 'object' && name !== null && Object.keys(spec).length + secrets.length === 0;
}

function isNoSuchList({ status, code }: ArmError): boolean {
  return (status === 400 || status === 405) && NO_SUCH_LIST.has(code);
}

/** The id as Azure spells it, where the answer is about this resource. */
function spelling(asked: string, answer: JsonObject): string {
  const id = memberIgnoringCase(answer, 'id');
  return typeof id === 'string' && id.toLowerCase() === asked.toLowerCase() ? id : asked;
}

/** The id of the resource, group or scope that a resource is in. */
export function parentOf(id: string): string | undefined {
  const parts = parseArmId(id);
  if (!parts?.provider) return undefined;
  if (parts.types.length > 1) return id.split('/').slice(0, -2).join('/');
  const scope = id.slice(0, id.toLowerCase().lastIndexOf('/providers/'));
  return scope === '' ? undefined : scope;
}
