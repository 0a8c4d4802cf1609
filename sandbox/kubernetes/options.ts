import type { SandboxClock } from './clock';
import type { ServiceAccountTokens } from './service-account-tokens';
import type { Store } from './storage/store';
import type { Kind } from '../../src/catalog';

export interface KubernetesOptions {
  /** Port on which to listen; default: any free one. */
  readonly port?: number | undefined;
  /** Address on which to listen; default: `127.0.0.1`. There is no authentication, so keep it on the loopback interface. */
  readonly host?: string;
  /** Default: the wall clock. */
  readonly clock?: SandboxClock;
  /** The catalog's kinds whose CRDs are installed from the start; default: all of them. */
  readonly crds?: readonly Kind[] | undefined;
  /**
   * The versions of a kind that its CRD serves; default: all of the catalog. Each version counts in the time that
   * `kubectl get azure` takes: kubectl reads what it knows of all group versions again for each of the kinds.
   */
  readonly versions?: (kind: Kind) => readonly string[];
  /** How many changes of one resource type a watch may lie behind before it is answered 410; default: 5000. */
  readonly historyLength?: number;
  /** How often a watch that asked for bookmarks gets one, in milliseconds; default: 30,000. */
  readonly bookmarkInterval?: number;
  /**
   * How long after its deletion a namespace's content begins to go, in milliseconds; default: 5,000, as in Kubernetes. It lets
   * `kubectl delete -f` name every object of the files before the namespace takes it along.
   */
  readonly namespaceGracePeriod?: number;
  /** OpenID Connect issuer of the tokens of service accounts; default: `https://kubernetes.default.svc.cluster.local`. */
  readonly issuer?: string;
  /** Fill in `spec.azureName` from `metadata.name` as a defaulting webhook would; default: false. */
  readonly defaultAzureName?: boolean;
  /** Sees every request before the server does, and may answer in its place: faults on demand. */
  readonly intercept?: ((request: InterceptedRequest) => Interception | undefined) | undefined;
}

export interface InterceptedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly userAgent: string;
}

/** `reset` cuts the connection; otherwise a Kubernetes `Status` of this HTTP status, reason and message. */
export type Interception =
  'reset' | { readonly code: number; readonly reason: string; readonly message: string; readonly retryAfterSeconds?: number };

export interface SandboxKubernetes {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The server's objects, to read them and to change them without the API. */
  readonly store: Store;
  /** Tokens of service accounts, as the kubelet would project them, and the keys that they are signed with. */
  readonly tokens: ServiceAccountTokens;
  /** A kubeconfig (YAML) whose only context is this server, namespace `default`. */
  kubeconfig(): string;
  /** Ends all watches and connections; resolves when the port is free. */
  close(): Promise<void>;
}
