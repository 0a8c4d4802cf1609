import type { Construct } from 'constructs';
import type { FluxDependency, FluxReference } from '../../gitops/flux-object';

/** How External Secrets Operator looks for the credential. */
export interface ExternalSecretsOptions {
  /**
   * How often a credential that is there is compared with its source. One that is not there yet is tried again sooner.
   * @default 10m
   */
  readonly refreshInterval?: string;
  /**
   * Name of the service account, in the team's namespace, that reads the one Secret, and of the SecretStore.
   * @default - `<identity>-credential-reader`
   */
  readonly name?: string;
}

/** How Flux applies the two stages. */
export interface FluxStagesOptions {
  /**
   * Where the Kustomizations go: a chart of its own, which whatever installs Flux's objects applies. They are in the platform's namespace,
   * as the identities and their exports are.
   */
  readonly kustomizations: Construct;
  /** Where the synthesized files are. */
  readonly source: FluxReference;
  /** The app's output folder in the source, e.g. `./dist`. */
  readonly path: string;
  /**
   * Kustomizations that apply the identities and are ready when those are (`wait`, or health checks).
   * @default - one is made for the chart in which the identity is
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * How often the stages are applied.
   * @default 10m
   */
  readonly interval?: string;
  /**
   * How soon Flux looks again whether the client id is there.
   * @default 30s
   */
  readonly retryInterval?: string;
  /**
   * How long Flux waits for the first stage.
   * @default 10m
   */
  readonly timeout?: string;
}

/** Where Kyverno is. */
export interface KyvernoMirrorOptions {
  /**
   * Namespace of Kyverno.
   * @default kyverno
   */
  readonly kyvernoNamespace?: string;
  /**
   * Service account of Kyverno's background controller, which writes what policies generate.
   * @default kyverno-background-controller
   */
  readonly kyvernoServiceAccount?: string;
  /**
   * Whether that service account is given the rights it needs: to read the one Secret, and to write Secrets and service accounts in the
   * team's namespace.
   * @default true
   */
  readonly rights?: boolean;
}
