import type { ExternalKind } from '../../../engine/kinds/external';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { until } from '../../setup/until';
import { object, SECRETS, TestEnvironment } from '../reconcile/harness';

const type = (group: string, version: string, plural: string, kind: string): ResourceType => ({
  group: `${group}.azure.com`,
  version,
  plural,
  kind,
  namespaced: true,
});
export const POSTGRES_SERVERS = type('dbforpostgresql', 'v1api20221201', 'flexibleservers', 'FlexibleServer');
export const POSTGRES_DATABASES = type('dbforpostgresql', 'v1api20221201', 'flexibleserversdatabases', 'FlexibleServersDatabase');
export const POSTGRES_USERS = type('dbforpostgresql', 'v1', 'users', 'User');
export const MYSQL_SERVERS = type('dbformysql', 'v1api20230630', 'flexibleservers', 'FlexibleServer');
export const MYSQL_DATABASES = type('dbformysql', 'v1api20230630', 'flexibleserversdatabases', 'FlexibleServersDatabase');
export const MYSQL_USERS = type('dbformysql', 'v1', 'users', 'User');
export const SQL_SERVERS = type('sql', 'v1api20211101', 'servers', 'Server');
export const SQL_DATABASES = type('sql', 'v1api20211101', 'serversdatabases', 'ServersDatabase');
export const SQL_USERS = type('sql', 'v1', 'users', 'User');
export const SECURITY_GROUPS = type('entra', 'v1', 'securitygroups', 'SecurityGroup');
export const ACCESSES: ResourceType = { ...type('', 'v1', 'databaseaccesses', 'DatabaseAccess'), group: 'databases.aso.cdk8s.io' };

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A cluster with database servers in it that are Ready, and a controller with code for their users. */
export class UsersEnvironment extends TestEnvironment {
  public constructor(kinds: Readonly<Record<string, ExternalKind>>) {
    super();
    this.types.push(
      POSTGRES_SERVERS, POSTGRES_DATABASES, MYSQL_SERVERS, MYSQL_DATABASES, MYSQL_USERS, SQL_SERVERS, SQL_DATABASES, SQL_USERS,
      SECURITY_GROUPS, ACCESSES,
    );
    this.externals = (group, kind) => kinds[`${group}/${kind}`];
  }

  /** An object of ARM, as if this controller had made it: no reconcile begins for what another operator owns. */
  public async given(
    of: ResourceType,
    name: string,
    status: Record<string, unknown>,
    spec: Record<string, unknown> = {},
  ): Promise<KubernetesObject> {
    const made = await this.cluster.create(of, object(of, name, spec, { 'serviceoperator.azure.com/operator-namespace': 'another' }));
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 },
    ];
    return this.cluster.replaceStatus(of, { ...made, status: { ...status, conditions } as NonNullable<KubernetesObject['status']> });
  }

  public async secret(name: string, data: Record<string, string>): Promise<void> {
    await this.cluster.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, data: encoded(data) });
  }

  public async changeSecret(name: string, data: Record<string, string>): Promise<void> {
    const old = this.stored(SECRETS, name)!;
    await this.cluster.replace(SECRETS, { ...old, data: encoded(data) });
  }

  /** Deletes for real: Secrets have no finalizers. */
  public async removeSecret(name: string): Promise<void> {
    await this.cluster.delete(SECRETS, name, 'default');
  }

  /** Waits, in the time of the machine, until an object's Ready condition has the reason. Databases are real, so time is. */
  public async reaches(of: ResourceType, name: string, reason: string, message = ''): Promise<void> {
    try {
      await until(
        `${of.kind} ${name} is ${reason}`,
        () => {
          const ready = this.ready(of, name);
          return (
            ready?.reason === reason
            && (ready.message ?? '').includes(message)
            && ready.observedGeneration === this.stored(of, name)!.metadata.generation
          );
        },
      );
    } catch (error) {
      throw new Error(
        `${(error as Error).message}; it is ${JSON.stringify(this.ready(of, name))}; errors: ${this.errors.map(String).join('; ')}`,
      );
    }
  }

  /** The same, and lets the controller's time pass meanwhile. */
  public async comesTo(of: ResourceType, name: string, reason: string): Promise<void> {
    await until(`${of.kind} ${name} is ${reason}; it is ${JSON.stringify(this.ready(of, name))}`, async () => {
      await this.clock.advance(60_000);
      return this.ready(of, name)?.reason === reason;
    });
  }

  /** Waits until an object is gone. */
  public async goes(of: ResourceType, name: string): Promise<void> {
    await until(`${of.kind} ${name} is gone: ${JSON.stringify(this.ready(of, name))}`, () => this.stored(of, name) === undefined);
  }

  /** Reconciles that were made of an object. */
  public reconcilesOf(name: string): number {
    return this.reconciles.filter(({ key }) => key.name === name).length;
  }

  /** A reconcile of an object that nothing in the cluster has caused: its sync. */
  public async sync(name: string): Promise<void> {
    const before = this.reconcilesOf(name);
    await this.clock.advance(5_000_000);
    await until(`${name} was synchronized`, () => this.reconcilesOf(name) > before);
  }
}

function encoded(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)]));
}
