import { argoHealthScript, type ArgoVerdicts } from './argo-health-script';
import { argoSettings } from './argo-settings';
import { CrdPattern } from './crd-pattern';

/**
 * The health that Argo CD shows for a Warning, i.e. for an attempt that failed and that the operator repeats by itself.
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/health/
 */
export enum ArgoWarningHealth {
  /**
   * By the reason of the condition: `Progressing` while the object waits for another one (`WaitingForOwner`, `ReferenceNotFound` …), which
   * is ordinary during creation; `Degraded` for every other reason, e.g. `AuthorizationFailed`.
   */
  BY_REASON = 'by-reason',
  /** Always `Progressing`. A sync with waves then waits for as long as Azure refuses. */
  PROGRESSING = 'progressing',
  /** Always `Degraded`. A sync with waves then fails while an object waits for its owner. */
  DEGRADED = 'degraded',
}

/**
 * The health that Argo CD shows for an object that is Ready and has the reconcile policy `skip`.
 * @see https://azure.github.io/azure-service-operator/guide/annotations/
 */
export enum ArgoSkippedHealth {
  /** `Suspended`: everybody sees that nothing is changed in Azure. A wave that has such an object does not end. */
  SUSPENDED = 'suspended',
  /** `Healthy`: for apps with sync waves. */
  HEALTHY = 'healthy',
}

/** Choices for the health of objects of Azure Service Operator in Argo CD. */
export interface ArgoHealthOptions {
  /**
   * The health of a Warning.
   * @default ArgoWarningHealth.BY_REASON
   */
  readonly warning?: ArgoWarningHealth;
  /**
   * The health of an object that is Ready under the reconcile policy `skip`. A policy that the Namespace has is not seen by Argo CD.
   * @default ArgoSkippedHealth.SUSPENDED
   */
  readonly skipped?: ArgoSkippedHealth;
}

/**
 * The health of objects of Azure Service Operator in Argo CD, which by itself shows every one of them as healthy.
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#custom-health-checks
 */
export class ArgoHealth {
  /**
   * The health check: a script in Lua, the same for all kinds. `ArgoCdConfig` installs it.
   * @param options which health a Warning, and an object that is skipped, has; default: by reason, `Suspended`
   */
  public static script(options: ArgoHealthOptions = {}): string {
    return argoHealthScript(verdictsOf(options));
  }

  /**
   * Entries of Argo CD's ConfigMap `argocd-cm` for these kinds: the health check, and annotations whose changes are no reason to compare
   * the app with Git again. For Argo CD's Helm chart (`configs.cm`) or operator (`extraConfig`); `ArgoCdConfig` writes the ConfigMap.
   * @param kinds groups (`CrdPattern.fromGroups`) go into the key `resource.customizations`, single kinds into keys of their own; default:
   * all groups of the catalog
   * @param options which health a Warning, and an object that is skipped, has
   */
  public static settings(kinds?: CrdPattern, options: ArgoHealthOptions = {}): { [key: string]: string } {
    return argoSettings((kinds ?? CrdPattern._allGroups())._list, ArgoHealth.script(options));
  }

  private constructor() {}
}

function verdictsOf({ warning, skipped }: ArgoHealthOptions): ArgoVerdicts {
  return {
    waiting: warning === ArgoWarningHealth.DEGRADED ? 'Degraded' : 'Progressing',
    warning: warning === ArgoWarningHealth.PROGRESSING ? 'Progressing' : 'Degraded',
    skipped: skipped === ArgoSkippedHealth.HEALTHY ? 'Healthy' : 'Suspended',
  };
}
