import type { Construct, IConstruct } from 'constructs';
import { explicit } from './explicit';
import type { Lifecycle } from './lifecycle';
import { RECONCILE_POLICY, REMOVAL_POLICY } from '../../azure/annotations';
import { AzureReference, ReconcilePolicies, ReconcilePolicy, RemovalPolicies, RemovalPolicy } from '../../core';
import type { AzureResource, AzureResourceProps, IAzureResourceRef } from '../../core';
import { omitUndefined } from '../../util/records';
import { ClusterMode } from '../model/cluster';
import { applyOffboarding } from '../model/offboarding-policies';
import type { SharedService } from '../model/shared-service';
import { credentialFor } from '../model/subscription-credential';
import type { ServiceOfTeam } from '../naming/service-naming';

/** A kind of the catalog, by group. */
export type Kind = readonly [group: string, kind: string];

/** Settings that all objects of a service share. */
export interface ServiceObjectOptions {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Name of the objects' cluster. */
  readonly cluster?: string | undefined;
}

/** Namespace, version and annotations of a service's objects. */
export class ServiceObjects {
  /** Whether the objects only watch because another cluster manages. */
  private readonly passive: boolean;
  private readonly annotations: Record<string, string> | undefined;

  public constructor(public readonly id: ServiceOfTeam, private readonly options: ServiceObjectOptions) {
    const { environment } = id.team;
    const cluster =
      options.cluster === undefined ? environment.activeCluster : environment.clusters.find(({ name }) => name === options.cluster);
    if (!cluster) {
      throw new Error(`Service '${id.service}': cluster: '${options.cluster}' is no cluster of environment '${environment.name}'. Give one of ${environment.clusters.map(({ name }) => name).join(', ')}.`);
    }
    this.passive = cluster.mode === ClusterMode.PASSIVE;
    this.annotations = options.annotations && { ...options.annotations };
    if (this.passive || id.team.offboarding) delete this.annotations?.[RECONCILE_POLICY];
    if (id.team.offboarding) delete this.annotations?.[REMOVAL_POLICY];
  }

  /** Applies the policies for all objects of the scope. */
  public apply(scope: Construct): void {
    if (this.passive) {
      ReconcilePolicies.of(scope).apply(ReconcilePolicy.SKIP);
      return;
    }
    applyOffboarding(scope, this.id.team.offboarding);
  }

  /** Keeps a resource in Azure that the team's credential may not delete. Set at the construct of the request, nearer than offboarding. */
  public keep({ apiGroup, kind, node }: AzureResource, { mayDelete }: SharedService): void {
    if (!mayDelete) this.atEnd(node.scope!, [[apiGroup, kind]], ReconcilePolicy.DETACH_ON_DELETE);
  }

  /**
   * Contents of a resource end as it does: if it is kept, their deletion would lose its data all the same.
   * @param scope the construct of the request, below which they are
   * @param request the lifecycle of the resource
   * @param on the shared service of the resource; not given if the scopes above decide where the request says nothing
   */
  public endContents(scope: Construct, kinds: readonly Kind[], { removalPolicy, reconcilePolicy }: Lifecycle, on?: SharedService): void {
    const isKept = removalPolicy === undefined ? reconcilePolicy !== ReconcilePolicy.MANAGE : removalPolicy !== RemovalPolicy.DESTROY;
    if (!this.id.team.offboarding && (removalPolicy ?? reconcilePolicy) !== undefined) {
      this.atEnd(scope, kinds, isKept ? ReconcilePolicy.DETACH_ON_DELETE : ReconcilePolicy.MANAGE);
    } else if (on && !on.mayDelete) {
      this.atEnd(scope, kinds, ReconcilePolicy.DETACH_ON_DELETE);
    }
  }

  /** The lifecycle of an object with the annotations of the service: these hold where the request says nothing. */
  public annotatedLifecycle({ removalPolicy, reconcilePolicy }: Lifecycle): Lifecycle {
    const annotated = this.annotations?.[RECONCILE_POLICY] as ReconcilePolicy | undefined;
    return explicit({ removalPolicy, reconcilePolicy: reconcilePolicy ?? (removalPolicy === undefined ? annotated : undefined) });
  }

  private atEnd(scope: IConstruct, kinds: readonly Kind[], policy: ReconcilePolicy): void {
    if (this.passive) return;
    ReconcilePolicies.of(scope).apply(policy, { kinds: kinds.map(([group, kind]) => `${group}/${kind}`) });
  }

  /** Deletes what grants access when the team leaves, although its data stays. */
  public endsWithService(resource: AzureResource): void {
    if (!this.passive && this.id.team.offboarding) RemovalPolicies.of(resource).apply(RemovalPolicy.DESTROY);
  }

  /** Props of an object in the team's namespace. */
  public inTeam(kind: Kind, name: string, lifecycle: Lifecycle = {}): AzureResourceProps {
    return this.props(kind, name, this.id.team.namespace, lifecycle, true);
  }

  /** Props of an object in the platform's namespace, for a resource in the team's subscription, or in that of its owner. */
  public inPlatform(kind: Kind, name: string, ownerId = this.id.team.resourceGroupId): AzureResourceProps {
    const { environment } = this.id.team;
    const credential = credentialFor(ownerId, environment);
    return { ...this.props(kind, name, environment.platformNamespace, {}, true), ...(credential && { credential }) };
  }

  /** Props of an object that is created and deleted with another one, without annotations of its own. */
  public plain(kind: Kind, name: string, namespace: string, lifecycle: Lifecycle = {}): AzureResourceProps {
    return this.props(kind, name, namespace, lifecycle, false);
  }

  /** The construct if it is in this app and references to it are allowed, else the result of `byId`. */
  public owner<T extends IAzureResourceRef>(construct: T | undefined, byId: (armId: string) => T, armId: string): T {
    return construct && !this.id.team.environment.conventions.ownersByArmId ? construct : byId(armId);
  }

  /** Tags of environment, team and service; the more specific take precedence. */
  public tags(own: Readonly<Record<string, string>> = {}): { [key: string]: string } | undefined {
    const { team } = this.id;
    const { environment } = team;
    const conventional = environment.conventions.serviceTags?.tags(this.id);
    const tags = { ...environment.tags, ...conventional, ...team.team.props.tags, ...this.options.tags, ...own };
    return Object.keys(tags).length > 0 ? tags : undefined;
  }

  /** A reference to an existing Azure resource. */
  public reference(armId: string): IAzureResourceRef {
    return AzureReference.fromArmId(armId);
  }

  private props([group, kind]: Kind, name: string, namespace: string, lifecycle: Lifecycle, annotated: boolean): AzureResourceProps {
    return omitUndefined({
      metadata: { name, namespace, ...(annotated && this.annotations ? { annotations: { ...this.annotations } } : {}) },
      apiVersion: this.id.team.environment.apiVersionOf(group, kind),
      ...(this.passive || this.id.team.offboarding
        ? {}
        : { removalPolicy: lifecycle.removalPolicy, reconcilePolicy: lifecycle.reconcilePolicy }),
    });
  }
}
