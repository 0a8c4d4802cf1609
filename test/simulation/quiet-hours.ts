import type { AzureModel } from './azure-model';
import { isBatchQuery } from './batch-answers';
import { ID } from './facts';
import { ACCOUNTS, AZURE_TYPES, CHILD_TYPES, GROUPS, NAMESPACES, ROLES } from './kinds';
import type { KubeModel } from './kube-model';
import { isInSync } from './settled';
import type { Traits } from './traits';
import { policyOf, type Stored } from './truth/policy';

/** Sync periods. */
export const QUIET_PERIODS = 3;
/** The spread of the sync period is a quarter to both sides. */
const MOST_LOOKS = Math.ceil(QUIET_PERIODS / 0.75) + 1;
/** A reconcile that finds no room for its second request begins anew so often, with the first. */
const MOST_BEGINNINGS = 4;
/** So many answers in which Azure shows something in its own way, and not what was there before, make clear that it is its way. */
const CLEAR = 3;
/** Of the looks at objects that are swept, so many may be reads. */
const MOST_READS = 0.25;
/** A list is worth its request for so many. */
const FEWEST_LISTED = 3;

/** Requests of the hours in which nothing happens, and whether anything calls for them. */
export class QuietHours {
  private readonly requests = new Map<string, number>();
  /** Resources that another client had changed back when the quiet hours began. */
  private changedBack: readonly string[] = [];

  /** @param isStubborn whether somebody changes the resource of a path back each time: then each look may find something to correct */
  public constructor(
    private readonly kube: KubeModel,
    private readonly azure: AzureModel,
    private readonly traits: Traits,
    private readonly isStubborn: (path: string) => boolean,
  ) {}

  public count(method: string, path: string): void {
    const what = `${method} ${path.toLowerCase()}`;
    this.requests.set(what, (this.requests.get(what) ?? 0) + 1);
  }

  public begin(): void {
    this.requests.clear();
    this.changedBack = this.managed.flatMap(({ metadata, spec }) => {
      const path = metadata.annotations?.[ID] ?? '';
      return this.isStubborn(path) && differs(this.azure.find(path)?.body.tags, spec?.tags) ? [path] : [];
    });
  }

  /**
   * Drift that returns each time is corrected at least once in the quiet hours: it is never given up.
   */
  public uncorrected(): string[] {
    const paths = new Set(this.managed.map(({ metadata }) => metadata.annotations?.[ID]));
    return this.changedBack.filter((path) => paths.has(path) && !this.requests.has(`PUT ${path.toLowerCase()}`))
      .map((path) => `${path} is changed back each time, and nobody corrects it any more`);
  }

  private get managed(): readonly Stored[] {
    return AZURE_TYPES.flatMap((type) => this.kube.all(type)).filter((object) => (
      isInSync(object) && policyOf(object, this.kube.get(NAMESPACES, undefined, object.metadata.namespace!)) !== 'skip'));
  }

  public problems(): string[] {
    return [...this.needless(), ...this.costly()];
  }

  private needless(): string[] {
    const all = AZURE_TYPES.flatMap((type) => this.kube.all(type));
    return [...this.requests].flatMap(([what, times]) => {
      const [method, path] = splitText(what);
      if (isBatchQuery(method, path)) return [];
      // Of an object that is not as it should be, and is tried again.
      if (path.startsWith('/operations/') && !all.every(isInSync)) return [];
      // A corrected resource is exported anew, so its keys are read as often.
      const id = path.replace(/\/listkeys$/, '');
      const object = all.find(({ metadata }) => metadata.annotations?.[ID]?.toLowerCase() === id);
      if (!object && path.startsWith('/operations/') && all.some(({ metadata }) => this.isStubborn(metadata.annotations?.[ID] ?? ''))) {
        return [];
      }
      if (!object) return [`${what}, which is nobody's`];
      if (!isInSync(object)) return [];
      if (method === 'PUT' && this.isStubborn(id)) return times > MOST_LOOKS ? [`${times} × ${what}, which is changed back each time`] : [];
      if (this.isStubborn(id)) return [];
      if (this.isUnclear(id) && this.times('PUT', id) <= MOST_LOOKS) {
        // The operation of each PUT is looked at until it ends, and no request is needless that does so.
        if (method === 'PUT' || this.times('PUT', id) > 0) return [];
      }
      if (method !== 'GET' && method !== 'POST') return [`${times} × ${what}, and it was in sync`];
      const canBeginAnew = this.traits.limits.size !== undefined && object.kind === ACCOUNTS.kind;
      const most = MOST_LOOKS * (canBeginAnew ? MOST_BEGINNINGS : 1);
      return times > most ? [`${times} × ${what}, where the sync period gives ${most} at most`] : [];
    });
  }

  /**
   * Whether a client cannot know that a difference is Azure's own way: the answer to the first PUT got lost, and later ones were answered
   * while their operations ran, when some services still show what was there before. To take it for a change of somebody else's is right
   * then.
   */
  private isUnclear(path: string): boolean {
    const resource = this.azure.find(path);
    return resource !== undefined && this.azure.isSpeltAnew(resource) && (resource.delivered ?? 0) <= CLEAR;
  }

  private times(method: string, path: string): number {
    return this.requests.get(`${method} ${path}`) ?? 0;
  }

  /** Where many are asked for at once, few are read by themselves, and no more questions are asked than there are groups. */
  private costly(): string[] {
    const { drift, fullReadPeriod, rows } = this.traits;
    if (drift !== 'batch') return [];
    const swept = AZURE_TYPES.flatMap((type) => this.kube.all(type)).filter((object) => this.isSwept(object));
    const reads = swept.reduce((sum, { metadata }) => sum + (this.requests.get(`GET ${metadata.annotations![ID]!.toLowerCase()}`) ?? 0), 0);
    const fullReads = fullReadPeriod < 24 * 3_600_000 ? swept.length : 0;
    const most = swept.length * QUIET_PERIODS * MOST_READS + fullReads;
    const questions = [...this.requests].reduce((sum, [what, times]) => sum + (isBatchQuery(...splitText(what)) ? times : 0), 0);
    const groups = new Set(AZURE_TYPES.flatMap((type) => this.kube.all(type)).filter(isInSync).map(groupOf)).size;
    const problems = reads > most ? [`${swept.length} objects are swept, and read ${reads} times in ${QUIET_PERIODS} periods`] : [];
    // A small page means many requests for one question.
    const canCount = rows.page > AZURE_TYPES.length;
    return [
      ...problems,
      ...(canCount && questions > groups * MOST_LOOKS ? [`${questions} requests for many at once, of ${groups} groups`] : []),
    ];
  }

  private isSwept(object: Stored): boolean {
    if (!isInSync(object) || object.kind === ACCOUNTS.kind || this.isStubborn(object.metadata.annotations?.[ID] ?? '')) return false;
    const type = CHILD_TYPES.find(({ kind }) => kind === object.kind);
    if (!type) return this.traits.rows.graph;
    const owner = (object.spec?.owner as { readonly name: string }).name;
    const siblings = this.kube
      .all(type)
      .filter((other) => isInSync(other) && (other.spec?.owner as { readonly name: string }).name === owner);
    return siblings.length >= FEWEST_LISTED && !this.isSlow(siblings.length);
  }

  /**
   * Each page leaves the controller's reserve for changes alone. Of a bucket that is smaller than that reserve it gets one when, by the
   * documented refill, the reserve would be there again; nobody's worker waits so long for several of them.
   */
  private isSlow(listed: number): boolean {
    const { limits, rows } = this.traits;
    return limits.size !== undefined && listed > rows.page;
  }
}

function differs(shown: unknown, wanted: unknown): boolean {
  return shown !== undefined && JSON.stringify(shown) !== JSON.stringify(wanted);
}

/** Objects for which one answer does. */
function groupOf({ kind, spec, metadata: { namespace } }: Stored): string {
  if (CHILD_TYPES.some((type) => type.kind === kind)) return `${namespace} ${(spec?.owner as { readonly name: string }).name}`;
  return `${namespace} ${kind === GROUPS.kind || kind === ROLES.kind ? kind : ''}`;
}

function splitText(what: string): [method: string, path: string] {
  const space = what.indexOf(' ');
  return [what.slice(0, space), what.slice(space + 1)];
}
