import type { KubernetesObject } from '../../engine/kubernetes';
import type { Logger } from '../../runtime/log/log';
import { DEFINITION } from '../../src/azure/annotations';
import type { ClaimKind } from '../reconcile/types';

/**
 * Whether a kind is this composer's: its CRD may name another one (`aso.cdk8s.io/definition: <namespace>/<name>`), so that two definitions
 * of one kind never work on the same claims, in whatever namespaces their composers run.
 */
export class DefinitionOwner {
  private readonly refused = new Map<string, string>();

  /** @param self `<namespace>/<name>` of this composer */
  public constructor(
    private readonly self: string,
    private readonly crd: (name: string) => KubernetesObject | undefined,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Without the CRD, e.g. where CRDs may not be read, a kind is nobody's. */
  public isOurs({ group, plural }: Pick<ClaimKind, 'group' | 'plural'>): boolean {
    const name = `${plural}.${group}`;
    const why = this.whyNot(name);
    if (why !== undefined && this.refused.get(name) !== why) this.logger.warn({ crd: name }, why);
    if (why === undefined) this.refused.delete(name);
    else this.refused.set(name, why);
    return why === undefined;
  }

  /** Kinds that are left alone, and why. */
  public get problems(): readonly string[] {
    return [...this.refused.values()];
  }

  private whyNot(name: string): string | undefined {
    const crd = this.crd(name);
    if (!crd) return `the CRD ${name} cannot be read: its claims are left alone until it can`;
    const owner = crd.metadata.annotations?.[DEFINITION];
    if (owner === undefined || owner === '' || owner === this.self) return undefined;
    return `the CRD ${name} belongs to the composer ${owner}, and this is ${this.self}: its claims are left alone`;
  }
}
