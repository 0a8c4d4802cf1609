import { spawn, type ChildProcess } from 'node:child_process';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import type { TestCluster } from '../../e2e/cluster';

/** A request that must never succeed. */
export interface Attempt {
  readonly what: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** The attempts of a user with every right in a namespace, while the platform takes it away. */
export function attemptsIn(
  namespace: string, { clientId, account }: { readonly clientId: string; readonly account: string },
): readonly Attempt[] {
  const stringData = { AZURE_CLIENT_ID: clientId, AZURE_TENANT_ID: 't', AZURE_SUBSCRIPTION_ID: 's' };
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  return [
    {
      what: 'a credential of the platform',
      method: 'POST',
      path: secrets,
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace }, stringData },
    },
    {
      what: 'the same in the Secret that is there',
      method: 'PATCH',
      path: `${secrets}/aso-credential`,
      body: { stringData: { AZURE_CLIENT_ID: clientId } },
    },
    {
      what: "the id of another team's resource",
      method: 'PATCH',
      path: account,
      body: { metadata: { annotations: { [RESOURCE_ID]: '/subscriptions/s/resourceGroups/hr/providers/Microsoft.Storage/storageAccounts/theirs' } } },
    },
    { what: 'more than the quota', method: 'DELETE', path: `/api/v1/namespaces/${namespace}/resourcequotas/team` },
  ];
}

/** A user who tries all of it again and again, thirty times a second. */
export class Attacker {
  public static async of(cluster: TestCluster, user: string, attempts: readonly Attempt[]): Promise<Attacker> {
    const proxy = spawn('kubectl', ['--kubeconfig', cluster.kubeconfig, `--as=${user}`, 'proxy', '--port=0']);
    const url = await new Promise<string>((resolve) => {
      proxy.stdout.on('data', (data: Buffer) => {
        const port = /127\.0\.0\.1:(\d+)/.exec(data.toString())?.[1];
        if (port) resolve(`http://127.0.0.1:${port}`);
      });
    });
    return new Attacker(proxy, url, attempts);
  }

  /** Attempts that have succeeded since `begin`. */
  public passed: string[] = [];
  public count = 0;

  private constructor(private readonly proxy: ChildProcess, private readonly url: string, private readonly attempts: readonly Attempt[]) {}

  public begin(): void {
    [this.passed, this.count] = [[], 0];
  }

  /** Whether all attempts are refused. Policies take effect a moment after they are made; until then nothing is really tried. */
  public async isRefused(): Promise<boolean> {
    const statuses = await Promise.all(this.attempts.map((one) => this.attempt(one, '?dryRun=All')));
    return statuses.every((status) => status === 403);
  }

  /** So many attempts, one after the other. */
  public async try(most: number, isOver: () => Promise<boolean> = () => Promise.resolve(false)): Promise<void> {
    for (let index = 0; index < most && !(await isOver()); index += 1) {
      const next = this.attempts[index % this.attempts.length]!;
      const status = await this.attempt(next);
      this.count += 1;
      if (status < 300) this.passed.push(`${next.what}: ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  public close(): void {
    this.proxy.kill();
  }

  private async attempt({ method, path, body }: Attempt, query = ''): Promise<number> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await fetch(`${this.url}${path}${query}`, { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': contentType } }) });
    await answer.arrayBuffer();
    return answer.status;
  }
}
