import { labelsOf, ownerName, selectorOf, type ComposerName } from './names';
import { optionalObjects, type OptionalObject } from './optional-objects';
import { webhookService } from '../../../composer/webhooks/webhook-names';
import type { RestClient } from '../../../engine/kubernetes';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { DEFINITION, DEFINITION_REVISION } from '../../../src/azure/annotations';
import { isRecord, member } from '../../../src/util/records';
import { missingRights, rightTexts, type Right } from '../../cluster/access-rights';
import { applyRights } from '../../cluster/apply-rights';
import { deployersOf } from '../../cluster/deployers';
import { discoveredTypes } from '../../cluster/discovered-types';
import { listPages } from '../../cluster/reader';
import { CERTIFICATES, CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, SECRETS, SERVICES } from '../../cluster/resource-types';
import { serverSideChange, type ServerSideChange } from '../../cluster/server-side-change';
import { crdConflict } from '../crd-owner';
import { droppedVersionProblem } from '../dropped-versions';

/** A manifest, and what applying it changes. */
export interface PlannedObject extends ServerSideChange {
  readonly manifest: KubernetesObject;
  readonly type: ResourceType;
}

/** An object that is deleted. */
export interface PrunedObject {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

export interface InstallationPlan {
  readonly changes: readonly PlannedObject[];
  /** Bundles that no pod will need, and what an earlier installation made and this one does not. */
  readonly pruned: readonly PrunedObject[];
  /** Why nothing may be applied. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

const NOTHING: InstallationPlan = { changes: [], pruned: [], problems: [], notes: [] };

/** Installs a composer with server-side apply: what changes first, by dry runs, then the changes. */
export class Installer {
  /** @param revision of the definition that is installed */
  public constructor(private readonly client: RestClient, private readonly composer: ComposerName, private readonly revision: string) {}

  /** @throws KubernetesError where the cluster does not answer */
  public async plan(all: readonly KubernetesObject[]): Promise<InstallationPlan> {
    const { client, composer } = this;
    const { objects, notes } = await this.withoutForeignNamespace(all);
    const { rights, unserved } = await applyRights(client, objects, ['get', 'create', 'patch']);
    const others: readonly Right[] = [
      { type: CONFIG_MAPS, verbs: ['list', 'delete'], namespace: composer.namespace },
      { type: CRD_KIND, verbs: ['list'] },
    ];
    const optional = await this.optionalOthers(objects);
    const ofOptional = optional.map((one): Right => ({ ...one, verbs: ['get'] }));
    const missing = await missingRights(client, [...rights, ...others, ...ofOptional]);
    const problems = [
      ...unserved.map(({ kind, message }) => `${kind}: ${message}`),
      ...missingTexts(missing),
    ];
    if (problems.length > 0) return { ...NOTHING, notes, problems };
    const { name, namespace } = composer;
    const deployment = await client.get(DEPLOYMENTS, name, namespace);
    const conflicts = [...await this.crdConflicts(objects), ...nameConflicts(objects, deployment)];
    if (conflicts.length > 0) return { ...NOTHING, notes, problems: conflicts };
    const leftovers = await this.leftovers(optional, objects);
    const undeletable = await missingRights(client, leftovers.map(deletionOf));
    if (undeletable.length > 0) return { ...NOTHING, notes, problems: missingTexts(undeletable) };
    const planned = await this.dryRuns(objects);
    const pruned = [...leftovers, ...await this.oldBundles(deployment)];
    return { ...planned, pruned, notes: [...notes, ...deployerNotes(deployment), ...await this.lostKinds(objects)] };
  }

  /** Carries the changes out. @throws KubernetesError */
  public async apply({ changes, pruned }: InstallationPlan): Promise<void> {
    for (const { manifest, type, state } of changes) {
      if (state === 'same') continue;
      await this.client.patch(type, manifest.metadata.name, manifest.metadata.namespace, manifest, 'application/apply-patch+yaml');
    }
    for (const { type, object: { metadata: { name, namespace, uid } } } of pruned) {
      await this.client.delete(type, name, namespace, { uid }).catch((error: unknown) => {
        // A Secret of cert-manager goes with its Certificate.
        if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
      });
    }
  }

  /** A namespace that was there before is nothing of the composer: its labels may be wanted otherwise. */
  private async withoutForeignNamespace(
    objects: readonly KubernetesObject[],
  ): Promise<{ readonly objects: readonly KubernetesObject[]; readonly notes: readonly string[] }> {
    const wanted = objects.find(({ kind }) => kind === 'Namespace');
    if (!wanted) return { objects, notes: [] };
    const { name, labels } = wanted.metadata;
    const live = await this.client.get(NAMESPACES, name).catch((error: unknown) => {
      // The rights are judged as a whole.
      if (error instanceof KubernetesError && error.status === 403) return undefined;
      throw error;
    });
    if (!live || Object.entries(labels ?? {}).every(([key, value]) => live.metadata.labels?.[key] === value)) return { objects, notes: [] };
    return { objects: objects.filter((object) => object !== wanted), notes: [`the namespace ${name} exists already, and stays as it is`] };
  }

  private async crdConflicts(objects: readonly KubernetesObject[]): Promise<string[]> {
    const found: string[] = [];
    for (const crd of objects.filter(({ kind }) => kind === CRD_KIND.kind)) {
      const live = await this.client.get(CRD_KIND, crd.metadata.name);
      const conflict = crdConflict(live, this.composer) ?? droppedVersionProblem(crd, live);
      if (conflict !== undefined) found.push(conflict);
    }
    return found;
  }

  private async dryRuns(objects: readonly KubernetesObject[]): Promise<InstallationPlan> {
    const types = await discoveredTypes(this.client);
    const clients = { client: this.client, dryRun: this.client.asDryRun() };
    const changes: PlannedObject[] = [];
    const problems: string[] = [];
    for (const manifest of objects) {
      const type = types(manifest);
      try {
        changes.push({ manifest, type, ...await serverSideChange(clients, type, manifest) });
      } catch (error) {
        if (!(error instanceof KubernetesError) || error.status === 0) throw error;
        problems.push(`${manifest.kind} ${manifest.metadata.name}: ${error.message}`);
      }
    }
    return { ...NOTHING, changes, problems };
  }

  /** The optional objects of a composer that this installation does not have, of kinds that the cluster serves. */
  private async optionalOthers(objects: readonly KubernetesObject[]): Promise<OptionalObject[]> {
    const { types } = await this.client.discovery();
    return optionalObjects(this.composer, objects, types);
  }

  /** Those of them that an earlier installation, or its composer, has made. */
  private async leftovers(optional: readonly OptionalObject[], objects: readonly KubernetesObject[]): Promise<PrunedObject[]> {
    const found: PrunedObject[] = [];
    for (const { type, name, namespace } of optional) {
      const object = await this.client.get(type, name, namespace);
      if (object && isOfComposer(object, this.composer)) found.push({ type, object });
    }
    const service = webhookService(this.composer.name);
    const hasWebhooks = objects.some(({ kind, metadata }) => kind === SERVICES.kind && metadata.name === service);
    const wasOfCertManager = found.some(({ type }) => type === CERTIFICATES);
    return found.filter(({ type }) => type !== SECRETS || !hasWebhooks || wasOfCertManager);
  }

  /** The bundles that are neither new nor those of the pods that run now: these may start again before the rollout has ended. */
  private async oldBundles(deployment: KubernetesObject | undefined): Promise<PrunedObject[]> {
    const { name, namespace } = this.composer;
    const labelSelector = `${selectorOf(name)},${DEFINITION_REVISION}`;
    const bundles = await listPages(this.client, CONFIG_MAPS, { namespace, labelSelector, metadataOnly: true });
    const running = revisionOfPods(deployment);
    return bundles.filter(({ metadata: { labels } }) => ![this.revision, running].includes(labels?.[DEFINITION_REVISION]))
      .map((object) => ({ type: CONFIG_MAPS, object }));
  }

  /** Kinds of an earlier revision of the definition: their claims have no composer now. */
  private async lostKinds(objects: readonly KubernetesObject[]): Promise<string[]> {
    const kept = new Set(objects.filter(({ kind }) => kind === CRD_KIND.kind).map(({ metadata }) => metadata.name));
    const crds = await ownedCrds(this.client, this.composer);
    return crds.filter((name) => !kept.has(name)).map((name) =>
      `the CRD ${name} is not in the definition any more: it stays, and nothing composes its claims. Delete it when it has no claims`);
  }
}

function missingTexts(missing: readonly Right[]): string[] {
  return rightTexts(missing).map((text) => `this user may not ${text}`);
}

function deletionOf({ type, object: { metadata: { name, namespace } } }: PrunedObject): Right {
  return { type, verbs: ['delete'], name, ...(namespace !== undefined && { namespace }) };
}

function isOfComposer({ metadata: { labels } }: KubernetesObject, { name }: ComposerName): boolean {
  return Object.entries(labelsOf(name)).every(([key, value]) => labels?.[key] === value);
}

/** A Deployment of that name that is no composer's. */
function nameConflicts(objects: readonly KubernetesObject[], live: KubernetesObject | undefined): string[] {
  const { metadata: { name, namespace, labels = {} } } = objects.find(({ kind }) => kind === DEPLOYMENTS.kind)!;
  if (!live || Object.entries(labels).every(([key, value]) => live.metadata.labels?.[key] === value)) return [];
  return [`the Deployment ${namespace}/${name} exists already and is no composer: choose another --name`];
}

/** A tool that applies the Deployment will undo what is applied here. */
function deployerNotes(live: KubernetesObject | undefined): string[] {
  return (live ? deployersOf(live) : []).map(({ by, name }) => `${by} ${name} applies the composer, `
    + 'and will undo this: give it the output of api install');
}

/** Names of the CRDs that a composer owns. */
export async function ownedCrds(client: Pick<RestClient, 'list'>, composer: ComposerName): Promise<string[]> {
  const crds = await listPages(client, CRD_KIND, { metadataOnly: true });
  return crds.filter(({ metadata }) => metadata.annotations?.[DEFINITION] === ownerName(composer)).map(({ metadata }) => metadata.name);
}

function revisionOfPods(deployment: KubernetesObject | undefined): string | undefined {
  const metadata = member(member(deployment?.spec, 'template'), 'metadata');
  const annotations = member(metadata, 'annotations');
  const revision = isRecord(annotations) ? annotations[DEFINITION_REVISION] : undefined;
  return typeof revision === 'string' ? revision : undefined;
}
