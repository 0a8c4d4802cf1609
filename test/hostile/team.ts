import type { HostileEnvironment } from './hostile-environment';
import type { Condition, KubernetesObject } from '../../engine/kubernetes';
import type { Fault, LoggedRequest } from '../../sandbox/azure';
import { until } from '../setup/until';

type Metadata = Partial<KubernetesObject['metadata']>;

/** Seconds in which something that must not happen would have happened. */
const LONG_ENOUGH = 5;

/**
 * A namespace of a row's own, whose name also begins the names of its resource groups: so rows share an environment. Objects are resource
 * groups unless a kind is named; the one without a name has the name of the namespace.
 */
export class Team {
  /** Creates the namespace. */
  public static async of(environment: HostileEnvironment, namespace: string, annotations?: Record<string, string>): Promise<Team> {
    await environment.namespace(namespace, annotations);
    return new Team(environment, namespace);
  }

  private constructor(public readonly environment: HostileEnvironment, public readonly namespace: string) {}

  public group(name = this.namespace, spec: object = {}, metadata: Metadata = {}): Promise<KubernetesObject> {
    return this.object('ResourceGroup', name, { location: 'uksouth', ...spec }, metadata);
  }

  /** A resource group that is Ready. */
  public async readyGroup(name = this.namespace, spec: object = {}, metadata: Metadata = {}): Promise<void> {
    await this.group(name, spec, metadata);
    await this.isReady('ResourceGroup', name);
  }

  public object(kind: string, name: string, spec: unknown, metadata: Metadata = {}): Promise<KubernetesObject> {
    return this.environment.object(this.namespace, kind, name, spec, metadata);
  }

  public get(kind = 'ResourceGroup', name = this.namespace): Promise<KubernetesObject | undefined> {
    return this.environment.get(kind, this.namespace, name);
  }

  /** Merges into an object. */
  public patch(patch: object, kind = 'ResourceGroup', name = this.namespace): Promise<void> {
    return this.environment.patch(kind, this.namespace, name, patch);
  }

  public delete(kind = 'ResourceGroup', name = this.namespace): Promise<void> {
    return this.environment.delete(kind, this.namespace, name);
  }

  public becomes(
    wanted: (ready: Condition) => boolean,
    kind = 'ResourceGroup',
    name = this.namespace,
  ): Promise<Condition> {
    return this.environment.becomes(kind, this.namespace, name, wanted);
  }

  /** Waits until the Ready condition is not True and its message has each of the texts. */
  public isReported(texts: readonly string[], kind = 'ResourceGroup', name = this.namespace): Promise<Condition> {
    return this.becomes(({ status, message = '' }) => status !== 'True' && texts.every((text) => message.includes(text)), kind, name);
  }

  public isReady(kind = 'ResourceGroup', name = this.namespace): Promise<Condition> {
    return this.environment.isReady(kind, this.namespace, name);
  }

  public isGone(kind = 'ResourceGroup', name = this.namespace): Promise<void> {
    return until(`${kind} ${this.namespace}/${name} is gone`, async () => (await this.get(kind, name)) === undefined);
  }

  /** Asserts that an object keeps its finalizer for some seconds. */
  public async stays(kind = 'ResourceGroup', name = this.namespace): Promise<void> {
    await pause();
    expect((await this.get(kind, name))?.metadata.finalizers).toHaveLength(1);
  }

  /** Answers requests for the team's resources, or for `path`, in the way of a fault. The returned function ends it. */
  public disturb(fault: Fault, path = `/resourcegroups/${this.namespace}`): () => void {
    return this.environment.azure.faults.add({ path, times: 100_000, ...fault });
  }

  /** The same with a page of a proxy in the place of the answer. */
  public proxyAnswers(method: string, status: number, path?: string, text = '<html>please log in</html>'): () => void {
    return this.disturb({ method, status, text, byProxy: true }, path);
  }

  /** Requests that change something in Azure below the team's groups. */
  public writes(method?: string): readonly LoggedRequest[] {
    return this.environment
      .writes(`/resourcegroups/${this.namespace}`)
      .filter((request) => method === undefined || request.method === method);
  }
}

export function pause(seconds = LONG_ENOUGH): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
