import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymousAccess, Connection, RestClient, type ResourceType } from '../../engine/kubernetes';
import { startAzure, startKubernetes, type AzureOptions, type AzureSimulator, type SandboxKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';

const CONTROLLER = join(__dirname, '..', '..', 'lib', 'controller', 'main.js');
export const GROUPS: ResourceType = {
  group: 'resources.azure.com',
  version: 'v1api20200601',
  plural: 'resourcegroups',
  kind: 'ResourceGroup',
  namespaced: true,
};
const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };

/** The two embedded servers with resource groups only, and the built controller as a process of its own once it is started. */
export class GroupsEnvironment {
  public static async start(options: AzureOptions): Promise<GroupsEnvironment> {
    if (!existsSync(CONTROLLER)) throw new Error(`${CONTROLLER} is not there: build it first (npx projen make)`);
    const kubernetes = await startKubernetes({ crds: Catalog.default().allKinds.filter(({ kind }) => kind === 'ResourceGroup') });
    return new GroupsEnvironment(kubernetes, await startAzure(options));
  }

  public readonly client: RestClient;
  private readonly connection: Connection;
  private readonly directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-groups-'));
  private controller?: ChildProcess;

  private constructor(private readonly kubernetes: SandboxKubernetes, public readonly azure: AzureSimulator) {
    this.connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'test' });
    this.client = new RestClient(this.connection);
  }

  public async namespace(name: string): Promise<void> {
    await this.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  public async apply(namespace: string, name: string): Promise<void> {
    await this.client.create(GROUPS, {
      apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name, namespace }, spec: { location: 'uksouth' },
    });
  }

  public startController(
    flags: readonly string[],
    env: Readonly<Record<string, string>> = {},
    stdio: SpawnOptions['stdio'] = 'ignore',
  ): ChildProcess {
    const kubeconfig = join(this.directory, 'kubeconfig');
    writeFileSync(kubeconfig, this.kubernetes.kubeconfig());
    const variables = { PATH: process.env.PATH, ...this.azure.env, KUBECONFIG: kubeconfig, ...env };
    this.controller = spawn(process.execPath, [CONTROLLER, ...flags], { env: variables, stdio });
    return this.controller;
  }

  public async close(): Promise<void> {
    if (this.controller?.exitCode === null) {
      const ended = new Promise((resolve) => this.controller!.once('close', resolve));
      this.controller.kill('SIGKILL');
      await ended;
    }
    await Promise.all([this.connection.close(), this.kubernetes.close(), this.azure.close()]);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
