import type { Shards } from './sharded-work';
import type { UnknownStateLog } from './unknown-state-log';
import type { WatchersOptions } from './watchers-options';
import type { CredentialResolver } from '../../engine/credentials';
import { compactMetadata, compactObject, InformerSet, type NamespaceFilter } from '../../engine/informers';
import { catalogKinds, CORE_KINDS, type WatchedKind } from '../../engine/kubernetes';
import { logTelemetry } from '../../runtime/log/informer-log';
import type { Catalog } from '../../src/catalog';
import type { Contents } from '../contents';
import { kindsOfCatalog } from '../crds/patterns';
import type { CredentialPropagator } from '../credential-propagation';
import { IDENTITY } from '../credential-propagation/propagation-cache';
import type { Cluster } from '../reconcile/cluster';
import { RECONCILES_PER_KIND, type Controller } from '../reconcile/controller';
import type { CredentialGuard } from '../reconcile/credential-guard';
import type { Reconciler } from '../reconcile/reconciler';
import { ForeignObjects } from '../shards/foreign-objects';

/** The parts that informers keep up to date. */
export interface InformerConsumers {
  readonly informers: Pick<InformerSet, 'informer' | 'onServed' | 'onKnown' | 'onEvent' | 'onRelease'>;
  readonly cluster: Pick<Cluster, 'add' | 'remove'>;
  /** The contents of Secrets and ConfigMaps, of which the informers have the metadata. */
  readonly contents: Pick<Contents, 'watched' | 'handle' | 'released'>;
  readonly controller: Pick<Controller, 'known' | 'handle' | 'released'>;
  readonly reconciler: Pick<Reconciler, 'handle'>;
  readonly guard: Pick<CredentialGuard, 'handle' | 'released'> | undefined;
  readonly propagator: Pick<CredentialPropagator, 'handle' | 'released'>;
  readonly credentials: Pick<CredentialResolver, 'forget'>;
  readonly unknowns: Pick<UnknownStateLog, 'forget'>;
  /** Undefined: this process looks after all objects. */
  readonly parted?: Pick<Shards, 'roots' | 'split'> | undefined;
}

/**
 * The informers of the watched kinds, not started yet.
 *
 * @param filter the namespaces whose objects are kept at the start. Default: all, for ever
 * @throws SettingsError for a pattern of kinds that cannot be used
 */
export function createInformers(
  { kinds, catalog, client, clock, timing, settings, logger }: WatchersOptions, filter?: NamespaceFilter,
): InformerSet {
  const watched = watchedKinds(kinds, catalog);
  const core = CORE_KINDS.map((kind) => ({ ...kind, transform: compactMetadata }));
  const azure = watched.map((kind) => ({ ...kind, transform: compactObject }));
  return new InformerSet(client, [...core, ...azure], {
    clock, timing, filter, namespaces: settings.targetNamespaces, onTelemetry: (event) => logTelemetry(logger, event),
  });
}

/** The narrow watches of a replica that looks after a part of the namespaces, not started yet. */
export function createForeignObjects({ kinds, catalog, client, clock, timing, settings, logger }: WatchersOptions): ForeignObjects {
  const watched = watchedKinds(kinds, catalog);
  return new ForeignObjects({
    source: client,
    clock,
    timing,
    namespaces: settings.targetNamespaces,
    identityKind: watched.find(({ group, kind }) => group === IDENTITY.group && kind === IDENTITY.kind),
    onTelemetry: (event) => logTelemetry(logger, event),
  });
}

/** Passes the events of the informers to the work queue and to the parts that remember objects. Before the informers start. */
export function connectInformers(options: Pick<WatchersOptions, 'settings' | 'metrics'>, consumers: InformerConsumers): void {
  const { informers, contents, controller, reconciler, guard, propagator, credentials, unknowns, parted } = consumers;
  connectServedKinds(options, consumers);
  informers.onKnown((type) => {
    unknowns.forget(type);
    controller.known(type);
    parted?.roots.listed();
  });
  informers.onRelease((object) => {
    contents.released(object);
    parted?.roots.released(object);
    controller.released(object);
    guard?.released(object);
    propagator.released(object);
    if (object.kind === 'Secret') credentials.forget(object.metadata.namespace ?? '', object.metadata.name);
  });
  informers.onEvent((event) => {
    contents.handle(event);
    parted?.roots.handle(event);
    parted?.split.handle(event);
    reconciler.handle(event);
    controller.handle(event);
    guard?.handle(event);
    propagator.handle(event);
    const { type, object: { kind, metadata } } = event;
    if (type === 'DELETED' && kind === 'Secret') credentials.forget(metadata.namespace ?? '', metadata.name);
  });
}

/** Adds a kind to the caches and metrics as soon as the cluster serves it, and removes it when it no longer does. */
function connectServedKinds(
  { settings, metrics }: Pick<WatchersOptions, 'settings' | 'metrics'>,
  { informers, cluster, contents, controller }: InformerConsumers,
): void {
  informers.onServed((type, served) => {
    if (!served) return cluster.remove(type);
    cluster.add(contents.watched(informers.informer(type.group, type.kind)!));
    // Objects that waited for the kind to be served wait for its list from now on, and their conditions say so.
    controller.known(type);
    if (type.group !== '') metrics.kindServed(type.group, type.kind, settings.maxConcurrentReconciles ?? RECONCILES_PER_KIND);
  });
}

/** The watched kinds of Azure. Of each stay its name and its versions: its facts are read when there is an object of it. */
function watchedKinds(pattern: string | undefined, catalog: Catalog): WatchedKind[] {
  return catalogKinds(kindsOfCatalog(pattern, catalog.copy(), '--kinds'));
}
