// How deployers delete what is no longer in Git, by the rules in their sources.
import { objectPath, RestClient, type Connection, type ResourceType } from '../../../engine/kubernetes';
import { ARGO_SYNC_WAVE } from '../../../src/azure/annotations';
import { apiVersionOf, groupOf } from '../../../src/object-id';
import { groupBy } from '../../../src/util/group-by';
import { until } from '../../setup/until';

export interface DeployedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Readonly<Record<string, string>> };
}

type Propagation = 'Background' | 'Foreground';

/**
 * The order in which Flux applies kinds; others come after these, by group and kind, and last the configurations of webhooks.
 * @see https://github.com/fluxcd/pkg/blob/main/ssa/sort.go
 */
const FLUX_FIRST = [
  'CustomResourceDefinition', 'Namespace', 'ClusterRole', 'ClusterClass', 'RuntimeClass', 'PriorityClass', 'StorageClass', 'VolumeSnapshotClass',
  'IngressClass', 'GatewayClass', 'ClusterRoleBinding', 'ResourceQuota', 'ServiceAccount', 'Role', 'RoleBinding', 'ConfigMap', 'Secret', 'Service',
  'LimitRange', 'Deployment', 'StatefulSet', 'CronJob', 'PodDisruptionBudget',
];

/** Work that goes on while others do. */
export class Background {
  public isOver = false;
  private failure: unknown;

  public constructor(work: Promise<void>) {
    work.catch((error: unknown) => (this.failure = error)).finally(() => (this.isOver = true));
  }

  /** Whether it has ended. @throws the error with which it has */
  public check(): boolean {
    if (this.failure !== undefined) throw this.failure;
    return this.isOver;
  }
}

/** A deployer in a cluster, with all rights. */
export class Deployer {
  private types: readonly ResourceType[] = [];

  public constructor(private readonly connection: Connection) {}

  /**
   * One after the other, from the last kind to the first, in the background, without waiting for any of them.
   * @see https://github.com/fluxcd/pkg/blob/main/ssa/manager_delete.go
   * @see https://github.com/fluxcd/kustomize-controller/blob/main/internal/controller/kustomization_controller.go `deleteObjects`
   */
  public async pruneAsFlux(objects: readonly DeployedObject[]): Promise<void> {
    for (const object of [...objects].sort(byFluxOrder).reverse()) await this.delete(object, 'Background');
  }

  /**
   * The objects of the highest wave at once, in the foreground; those of the next one when none of them is left.
   * @see https://github.com/argoproj/argo-cd/blob/master/controller/appcontroller.go `finalizeApplicationDeletion`
   * @see https://github.com/argoproj/argo-cd/blob/master/controller/sort_delete.go
   * @see https://github.com/argoproj/gitops-engine/blob/master/pkg/sync/sync_context.go
   */
  public async deleteAsArgo(
    objects: readonly DeployedObject[], waveOf: (object: DeployedObject) => number = waveOfAnnotation,
  ): Promise<void> {
    const waves = [...groupBy(objects, (object) => String(waveOf(object)))];
    for (const [, wave] of waves.sort(([one], [other]) => Number(other) - Number(one))) {
      await Promise.all(wave.map((object) => this.delete(object, 'Foreground')));
      await until('the wave is gone', async () => (await Promise.all(wave.map((object) => this.isThere(object)))).every((isThere) => !isThere));
    }
  }

  public async isThere(object: DeployedObject): Promise<boolean> {
    return (await this.connection.request({ method: 'GET', path: await this.pathOf(object) })).status !== 404;
  }

  private async delete(object: DeployedObject, propagationPolicy: Propagation): Promise<void> {
    const body = JSON.stringify({ propagationPolicy });
    const { status, text } = await this.connection.request({ method: 'DELETE', path: await this.pathOf(object), body });
    if (status >= 300 && status !== 404) throw new Error(text);
  }

  private async pathOf({ apiVersion, kind, metadata: { name, namespace } }: DeployedObject): Promise<string> {
    const isWanted = (type: ResourceType) => apiVersionOf(type) === apiVersion && type.kind === kind;
    // A CRD is served a moment after it was made.
    const type = this.types.find(isWanted) ?? (this.types = await new RestClient(this.connection).discover()).find(isWanted);
    if (!type) throw new Error(`the cluster does not serve ${kind} of ${apiVersion}`);
    return objectPath(type, name, namespace);
  }
}

function byFluxOrder(one: DeployedObject, other: DeployedObject): number {
  const [a, b] = [fluxKeyOf(one), fluxKeyOf(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return 0;
  return a[at]! < b[at]! ? -1 : 1;
}

function fluxKeyOf(object: DeployedObject): readonly (number | string)[] {
  const { kind, metadata: { namespace = '', name } } = object;
  const index = FLUX_FIRST.indexOf(kind);
  const isLast = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].indexOf(kind);
  return [index >= 0 ? index - FLUX_FIRST.length : isLast + 1, groupOf(object), kind, namespace, name];
}

function waveOfAnnotation({ metadata: { annotations = {} } }: DeployedObject): number {
  return Number(annotations[ARGO_SYNC_WAVE] ?? 0);
}
