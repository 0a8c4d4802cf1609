export interface SandboxOptions {
  readonly output: 'text' | 'json';
  readonly keep?: boolean;
  /** Implies `keep`. */
  readonly ui?: boolean;
  readonly kubeconfig?: string;
  readonly writeEnv?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly timeScale: number;
  readonly kubernetesPort?: number;
  readonly azurePort?: number;
  readonly seed?: string;
  readonly existing: string[];
  readonly allowForeignScopes?: boolean;
  /** Azure's seconds. */
  readonly principalDelay?: number;
  /** Whether requests beyond Azure's limits are refused. */
  readonly limits?: boolean;
  /** Whether the simulator refuses what breaks one of Azure's rules. */
  readonly azureRules?: boolean;
  /** A seed of the simulator's contrary mode; true: any. */
  readonly contrary?: string | true;
  /** Directory of Microsoft's types, by which the simulator refuses bodies. */
  readonly azureTypes?: string;
  /** File with the kubeconfig of AKS clusters. */
  readonly aksKubeconfig?: string;
  /** Strict workload identity, whatever the environment says. */
  readonly strict?: boolean;
  readonly controllerLog?: string;
  readonly controller: boolean;
}

/** Whether it goes on when everything is Ready. */
export function staysUp({ keep, ui }: SandboxOptions): boolean {
  return keep === true || ui === true;
}
