import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { Catalog } from '../catalog/catalog';
import { mayBeInCatalog } from '../util/api-groups';

/**
 * Expressions in CEL by which Flux tells the health of the objects of a kind.
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#health-check-expressions
 */
export interface FluxHealthExpressions {
  /** API version, e.g. `storage.azure.com/v1api20230101`. Flux compares the group only. */
  readonly apiVersion: string;
  /** Kind, e.g. `StorageAccount`. */
  readonly kind: string;
  /** Whether the object is as it should be. It is evaluated last. */
  readonly current: string;
  /**
   * Whether the object is on its way. It is evaluated first.
   * @default - neither `failed` nor `current`
   */
  readonly inProgress?: string;
  /**
   * Whether the object has failed for good: Flux then ends the wait at once.
   * @default - never
   */
  readonly failed?: string;
}

/** The health that Flux sees in a Warning, i.e. in an attempt that failed and that the operator repeats by itself. */
export enum FluxWarningHealth {
  /** Flux goes on waiting until the timeout of the Kustomization. */
  IN_PROGRESS = 'in-progress',
  /** Flux ends the wait, also for an object that only waits for its owner. */
  FAILED = 'failed',
}

/** Choices for the health of objects of Azure Service Operator in Flux. */
export interface FluxHealthOptions {
  /**
   * The health of a Warning.
   * @default FluxWarningHealth.IN_PROGRESS
   */
  readonly warning?: FluxWarningHealth;
}

const IS_READY = "c.type == 'Ready'";
const CONDITIONS = 'status.?conditions.orValue([])';
const IN_PROGRESS = [
  'has(metadata.deletionTimestamp)',
  `!${CONDITIONS}.exists(c, ${IS_READY})`,
  `${CONDITIONS}.exists(c, ${IS_READY} && c.?observedGeneration.orValue(metadata.generation) < metadata.generation)`,
].join(' || ');

/**
 * The health of objects of Azure Service Operator in Flux. By itself Flux takes an object that no operator has seen yet, or whose latest
 * change it has not seen, for a ready one, and waits for one that has failed.
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#health-check-expressions
 */
export class FluxHealth {
  /**
   * The expressions for one kind, for `healthCheckExprs` of a Kustomization.
   * @param apiVersion group and any version, e.g. `storage.azure.com/v1api20230101`
   * @param kind e.g. `StorageAccount`
   * @param options the health of a Warning
   */
  public static expressionsFor(apiVersion: string, kind: string, options: FluxHealthOptions = {}): FluxHealthExpressions {
    const severities = options.warning === FluxWarningHealth.FAILED ? "['Error', 'Warning']" : "['Error']";
    return {
      apiVersion,
      kind,
      inProgress: IN_PROGRESS,
      failed: `${CONDITIONS}.exists(c, ${IS_READY} && c.status == 'False' && c.?severity.orValue('') in ${severities})`,
      current: `${CONDITIONS}.exists(c, ${IS_READY} && c.status == 'True')`,
    };
  }

  /**
   * The expressions for each kind of Azure Service Operator in a part of the app. Call it when that part is complete.
   * @param scope an app, a chart or any other construct
   * @param options the health of a Warning
   */
  public static expressionsIn(scope: IConstruct, options: FluxHealthOptions = {}): FluxHealthExpressions[] {
    const found = new Map<string, FluxHealthExpressions>();
    for (const construct of scope.node.findAll()) {
      if (!ApiObject.isApiObject(construct)) continue;
      const { apiGroup, apiVersion, kind } = construct as ApiObject;
      const key = `${apiGroup}/${kind}`;
      if (found.has(key) || !mayBeInCatalog(apiGroup) || !Catalog.default().kind(apiGroup, kind)) continue;
      found.set(key, FluxHealth.expressionsFor(apiVersion, kind, options));
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, expressions]) => expressions);
  }

  private constructor() {}
}
