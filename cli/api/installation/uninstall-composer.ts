import { ownedCrds } from './installer';
import { clusterScopedName, ownerName, selectorOf, type ComposerName } from './names';
import { FOREIGN_TYPES } from './optional-objects';
import { leaseName } from '../../../composer/process/leases';
import { systemClock, type Clock } from '../../../engine/clock';
import type { RestClient } from '../../../engine/kubernetes';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { COMPOSER_FINALIZER, DEFINITION } from '../../../src/azure/annotations';
import { member, text } from '../../../src/util/records';
import { counted, listed, plural } from '../../../src/util/words';
import { missingRights, rightTexts, type Right } from '../../cluster/access-rights';
import { isClusterError, withCluster } from '../../cluster/connect';
import { listPages } from '../../cluster/reader';
import {
  ADMISSION_POLICIES, ADMISSION_POLICY_BINDINGS, CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, CONFIG_MAPS, DEPLOYMENTS, DISRUPTION_BUDGETS, LEASES,
  NETWORK_POLICIES, ROLE_BINDINGS, ROLES, SECRETS, SERVICE_ACCOUNTS, SERVICES,
  VALIDATING_WEBHOOKS,
} from '../../cluster/resource-types';
import { oneLine } from '../../output/problem';
import { progressLine } from '../../output/progress-line';
import type { Terminal } from '../../output/terminal';
import { UsageError } from '../../output/usage-error';

export interface UninstallOptions extends ComposerName {
  readonly withClaims: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: 'text' | 'json';
}

/** The parts of the process that tests replace. */
export interface UninstallSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Asks a question; undefined where no one can answer. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/** The pods first, so that nothing works with half of the rights. */
const IN_NAMESPACE: readonly ResourceType[] = [
  DEPLOYMENTS, DISRUPTION_BUDGETS, SERVICES, CONFIG_MAPS, SECRETS, NETWORK_POLICIES, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS,
];
const CLUSTER_WIDE: readonly ResourceType[] = [
  VALIDATING_WEBHOOKS, ADMISSION_POLICY_BINDINGS, ADMISSION_POLICIES, CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES,
];
const LONGEST_WAIT_MS = 5 * 60_000;
const LOOK_MS = 1_000;

interface Found {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

/** `cdk8s-aso api uninstall`. Answers the exit status. */
export async function uninstallComposer(
  options: UninstallOptions, terminal: Terminal, surroundings: UninstallSurroundings,
): Promise<number> {
  const { environment } = surroundings;
  try {
    return await withCluster(options, { command: 'api-uninstall', environment }, ({ client }) =>
      new Uninstallation(client, options, terminal, surroundings).run());
  } catch (error) {
    if (!isClusterError(error)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  }
}

class Uninstallation {
  private readonly clock: Clock;

  public constructor(
    private readonly client: RestClient,
    private readonly options: UninstallOptions,
    private readonly terminal: Terminal,
    private readonly surroundings: UninstallSurroundings,
  ) {
    this.clock = surroundings.clock ?? systemClock;
  }

  public async run(): Promise<number> {
    const { client, options, terminal } = this;
    const { namespace, withClaims, dryRun, output } = options;
    const { types: served } = await client.discovery();
    const foreign = FOREIGN_TYPES.filter((type) => served.some(({ group, kind }) => group === type.group && kind === type.kind));
    const types = [...IN_NAMESPACE, ...foreign];
    const missing = await missingRights(client, this.rights(types));
    for (const right of rightTexts(missing)) terminal.error(oneLine(`this user may not ${right}`));
    if (missing.length > 0) return 1;
    const objects = await this.objects(types);
    const crds = await ownedCrds(client, options);
    const claimTypes = withClaims ? await this.claimTypes(crds) : new Map<string, ResourceType>();
    const unallowed = await missingRights(client, [...claimTypes.values()].map((type) => ({ type, verbs: ['list', 'patch'] })));
    for (const right of rightTexts(unallowed)) terminal.error(oneLine(`this user may not ${right}`));
    if (unallowed.length > 0) return 1;
    if (objects.length === 0 && (crds.length === 0 || !withClaims)) {
      terminal.error(`there is no composer ${ownerName(options)}: see --namespace and --name`);
      return 1;
    }
    if (!dryRun) {
      await this.confirm(objects.length, crds);
      if (withClaims && !(await this.deleteCrds(claimTypes))) return 1;
      for (const { type, object: { metadata } } of objects) await this.delete(type, metadata.name, metadata.namespace, metadata.uid);
      for (const crd of crds) await this.delete(LEASES, leaseOf(crd), namespace);
    }
    const titles = [
      ...(withClaims ? crds.map((crd) => `CustomResourceDefinition ${crd}, with its claims`) : []),
      ...objects.map(({ type: { kind }, object: { metadata } }) => `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`),
    ];
    if (output === 'json') {
      terminal.print(JSON.stringify({ composer: ownerName(options), deleted: !dryRun, objects: titles, crds, withClaims }, undefined, 2));
      return 0;
    }
    terminal.print([...titles.map((title) => oneLine(`${dryRun ? 'would delete' : 'deleted'} ${title}`))].join('\n'));
    for (const line of this.afterwards(crds)) terminal.note(oneLine(line));
    if (!dryRun) terminal.note(`the namespace ${namespace} stays`);
    return 0;
  }

  /** Sentences about the claims and their objects. */
  private afterwards(crds: readonly string[]): string[] {
    const { withClaims } = this.options;
    if (crds.length === 0) return [];
    if (withClaims) {
      return ['objects that were composed for the claims stay, without a claim: '
        + 'with the CRDs and claims applied again, a composer knows them by their label'];
    }
    return [
      `${listed(crds)} ${plural(crds.length, 'stays, with its', 'stay, with their')} claims and all that was composed for them. `
      + 'Nothing changes them without a composer, '
      + 'and a claim that is deleted waits for one, because of its finalizer. --with-claims removes CRDs and claims as well',
      `a composer of another name is refused as long as the CRDs name this one: kubectl annotate crd ${crds[0]!} ${DEFINITION}-`,
    ];
  }

  private rights(types: readonly ResourceType[]): Right[] {
    const { namespace, withClaims } = this.options;
    return [
      ...[...types, LEASES].map((type): Right => ({ type, verbs: type === LEASES ? ['delete'] : ['list', 'delete'], namespace })),
      ...CLUSTER_WIDE.map((type): Right => ({ type, verbs: ['get', 'delete'] })),
      { type: CRD_KIND, verbs: withClaims ? ['get', 'list', 'delete'] : ['list'] },
    ];
  }

  private async objects(types: readonly ResourceType[]): Promise<Found[]> {
    const { client, options } = this;
    const { name, namespace } = options;
    const found: Found[] = [];
    for (const type of types) {
      const objects = await listPages(client, type, { namespace, labelSelector: selectorOf(name), metadataOnly: true });
      found.push(...objects.map((object) => ({ type, object })));
    }
    for (const type of CLUSTER_WIDE) {
      const object = await client.get(type, clusterScopedName(options));
      if (object) found.push({ type, object });
    }
    return found;
  }

  private async confirm(objects: number, crds: readonly string[]): Promise<void> {
    const { yes, withClaims } = this.options;
    if (yes) return;
    const claims = withClaims && crds.length > 0 ? `, and ${listed(crds)} with all claims` : '';
    const confirmed = await this.surroundings.confirm?.(`Delete the composer ${ownerName(this.options)} (${counted(objects, 'object')})${claims}?`);
    if (!confirmed) throw new UsageError('api uninstall: not confirmed. Give --yes where no one can answer');
  }

  private async claimTypes(crds: readonly string[]): Promise<Map<string, ResourceType>> {
    const types = new Map<string, ResourceType>();
    for (const crd of crds) {
      const object = await this.client.get(CRD_KIND, crd);
      if (object) types.set(crd, claimType(object));
    }
    return types;
  }

  /**
   * Deletes CRDs, and with them the claims. Their finalizers are taken off here: the composer does so too, where one runs. Answers whether
   * all of them are gone.
   */
  private async deleteCrds(types: ReadonlyMap<string, ResourceType>): Promise<boolean> {
    const { clock, terminal } = this;
    const progress = progressLine(process.stderr, terminal);
    for (const crd of types.keys()) await this.delete(CRD_KIND, crd, undefined);
    const until = clock.now() + LONGEST_WAIT_MS;
    for (let left = [...types]; ; await clock.sleep(LOOK_MS)) {
      for (const [, type] of left) await this.releaseClaims(type);
      const gone = await Promise.all(left.map(async ([crd]) => !(await this.client.get(CRD_KIND, crd))));
      left = left.filter((_, index) => !gone[index]);
      progress.report(() => `waiting until ${listed(left.map(([crd]) => crd))} ${plural(left.length, 'is', 'are')} gone …`);
      if (left.length === 0) break;
      if (clock.now() < until) continue;
      progress.end();
      const names = listed(left.map(([crd]) => crd));
      terminal.error(`${names} ${plural(left.length, 'is', 'are')} not gone after ${LONGEST_WAIT_MS / 60_000} minutes: `
        + 'claims have finalizers of others');
      return false;
    }
    progress.end();
    return true;
  }

  private async releaseClaims(type: ResourceType): Promise<void> {
    const claims = await listPages(this.client, type, { metadataOnly: true }).catch(goneIsNone<KubernetesObject[]>([]));
    for (const { metadata: { name, namespace, finalizers = [], deletionTimestamp, resourceVersion } } of claims) {
      if (deletionTimestamp === undefined || !finalizers.includes(COMPOSER_FINALIZER)) continue;
      const patch = { metadata: { resourceVersion, finalizers: finalizers.filter((one) => one !== COMPOSER_FINALIZER) } };
      await this.client.patch(type, name, namespace, patch, 'application/merge-patch+json').catch((error: unknown) => {
        // Changed or released by somebody else: the next look sees it.
        if (!(error instanceof KubernetesError) || (error.status !== 409 && error.status !== 404)) throw error;
      });
    }
  }

  private async delete(type: ResourceType, name: string, namespace: string | undefined, uid?: string): Promise<void> {
    await this.client.delete(type, name, namespace, uid === undefined ? undefined : { uid }).catch(goneIsNone(undefined));
  }
}

function goneIsNone<T>(none: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof KubernetesError && error.status === 404) return none;
    throw error;
  };
}

function leaseOf(crd: string): string {
  const dot = crd.indexOf('.');
  return leaseName({ plural: crd.slice(0, dot), group: crd.slice(dot + 1) });
}

/** The type of a CRD's objects, in the version that is stored. */
function claimType({ spec }: KubernetesObject): ResourceType {
  const names = member(spec, 'names');
  const versions = member(spec, 'versions') as readonly { readonly name: string; readonly storage: boolean }[];
  return {
    group: text(spec, 'group')!,
    version: versions.find(({ storage }) => storage)!.name,
    plural: text(names, 'plural')!,
    kind: text(names, 'kind')!,
    namespaced: text(spec, 'scope') === 'Namespaced',
  };
}
