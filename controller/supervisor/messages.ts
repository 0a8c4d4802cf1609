/** The start data of the supervisor's thread. */
export interface SupervisorData {
  readonly memory: SharedArrayBuffer;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly kubeconfig?: string | undefined;
  readonly healthAddr?: string | undefined;
  /** Absent: there is no leader election. */
  readonly lease?: { readonly namespace: string; readonly identity: string; readonly userAgent: string } | undefined;
  readonly verbosity: number;
  readonly json: boolean;
}

/** A message to the supervisor. */
export type Order =
  /** Why the process is not ready; undefined: it is. */
  | { readonly do: 'ready'; readonly notReady?: string | undefined }
  | { readonly do: 'lead' }
  | { readonly do: 'release' }
  | { readonly do: 'close' };

/** A message from the supervisor. */
export type Report =
  | { readonly is: 'listening'; readonly port?: number | undefined }
  /** The supervisor cannot start. */
  | { readonly is: 'failed'; readonly error: 'ListenError' | 'KubeconfigError' | 'Error'; readonly message: string }
  | { readonly is: 'leading' }
  | { readonly is: 'lost'; readonly message: string }
  | { readonly is: 'released' }
  | { readonly is: 'request'; readonly method: string; readonly host: string; readonly status?: number | undefined };
