import type { Construct } from 'constructs';
import type { FluxHealthOptions } from '../../gitops/flux-health';
import type { FluxDependency, FluxReference } from '../../gitops/flux-object';

/** How External Secrets Operator reads the credential. */
export interface ExternalSecretsOptions {
  /**
   * Interval at which the operator compares an existing credential with its source. It retries a missing one sooner.
   * @default 10m
   */
  readonly refreshInterval?: string;
  /**
   * Name of the SecretStore, and of the service account in the team's namespace that reads the one Secret.
   * @default - `<identity>-credential-reader`
   */
  readonly name?: string;
}

/** How Flux applies the two stages. */
export interface FluxStagesOptions {
  /**
   * Scope of the Kustomizations: a chart of its own, applied together with the other Flux objects. The Kustomizations are in the platform's
   * namespace, as the identities and their exports are.
   */
  readonly kustomizations: Construct;
  /** The source of the synthesized manifests. */
  readonly source: FluxReference;
  /** The app's output folder in the source, e.g. `./dist`. */
  readonly path: string;
  /**
   * Kustomizations that apply the identities, and that become ready when the identities are ready (`wait`, or health checks).
   * @default - one is created for the chart of the identity
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * Interval at which Flux applies the stages.
   * @default 10m
   */
  readonly interval?: string;
  /**
   * Interval at which Flux checks again for the client id.
   * @default 30s
   */
  readonly retryInterval?: string;
  /**
   * Timeout of the first stage.
   * @default 10m
   */
  readonly timeout?: string;
  /**
   * Choices for the health of the first stage's objects, which Flux 2.5 and newer evaluates; `{}` for the usual ones.
   * @default - Flux decides by itself: it takes an object that the operator has not seen yet for a ready one, and looks for the client id
   * at each retry
   */
  readonly health?: FluxHealthOptions;
}

/** Kyverno's installation in the cluster. */
export interface KyvernoMirrorOptions {
  /**
   * Namespace of Kyverno.
   * @default kyverno
   */
  readonly kyvernoNamespace?: string;
  /**
   * Service account of Kyverno's background controller, which writes the objects that policies generate.
   * @default kyverno-background-controller
   */
  readonly kyvernoServiceAccount?: string;
  /**
   * Whether to grant that service account the rights it needs: to read the one Secret, and to write Secrets and service accounts in the
   * team's namespace.
   * @default true
   */
  readonly rights?: boolean;
}
