import { CrdInstallation, type BundledControllerProps } from './bundled-controller-props';
import type { KindInUse, KindsInUse } from './kinds-in-use';
import { DEFAULT_NAMESPACE, SERVICE_ACCOUNT } from './names';
import { OperatorMode } from './operator-mode';
import { Webhooks } from './webhooks';
import type { PropagationKind } from '../azure/credential-propagation';

/** The props with their defaults, shared by all objects of the installation. */
export interface Plan {
  readonly props: BundledControllerProps;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly mode: OperatorMode;
  readonly hasWatchers: boolean;
  readonly webhooks: 'own' | 'cert-manager' | 'none';
  readonly crds: CrdInstallation;
  readonly replicas: number;
  readonly metrics: {
    readonly enabled: boolean;
    readonly secure: boolean;
    readonly profiling: boolean;
    readonly ui: boolean;
    readonly serviceMonitor: boolean;
  };
  /** The watched namespaces; empty for all. */
  readonly targetNamespaces: readonly string[];
}

export function planOf(props: BundledControllerProps): Plan {
  const mode = props.mode ?? OperatorMode.ALL;
  const hasWebhooks = mode !== OperatorMode.WATCHERS;
  const { enabled = true, secure = true, profiling = false, ui = false, serviceMonitor = false } = props.metrics ?? {};
  return {
    props,
    namespace: props.namespace ?? DEFAULT_NAMESPACE,
    serviceAccount: props.serviceAccountName ?? SERVICE_ACCOUNT,
    mode,
    hasWatchers: mode !== OperatorMode.WEBHOOKS,
    webhooks: hasWebhooks ? (props.webhooks ?? Webhooks.ownCertificate())._certificate : 'none',
    crds: props.crds ?? (hasWebhooks ? CrdInstallation.MANIFESTS : CrdInstallation.NONE),
    replicas: props.replicas ?? 2,
    metrics: { enabled, secure, profiling, ui, serviceMonitor },
    targetNamespaces: props.settings?.targetNamespaces ?? [],
  };
}

/**
 * The versions that a kind's CRD serves: the versions in use, but all versions of a kind that is listed if the CRD converts; without
 * objects all versions if the CRD converts, else the newest stable one.
 */
export function servedVersions(plan: Plan, { kind, versions, listed }: KindInUse): readonly string[] {
  const converts = plan.webhooks !== 'none';
  if (plan.crds === CrdInstallation.CONTROLLER || (converts && listed)) return kind.versionNames;
  if (versions.length > 0) return versions;
  return converts ? kind.versionNames : [kind.facts.latest];
}

/** The plan with the kinds of the controller. */
export interface PlanForKinds extends Plan {
  readonly kinds: KindsInUse;
  /** The kinds of objects to which the controller propagates ids of identities. */
  readonly propagation: ReadonlySet<PropagationKind>;
}
