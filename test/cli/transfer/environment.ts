import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTransfer, type TransferCommandOptions } from '../../../cli/transfer/run';
import { systemClock, type Clock } from '../../../engine/clock';
import { LATEST_GENERATION } from '../../../src/azure/annotations';
import { CredentialEnvironment, OPERATOR_NAMESPACE } from '../../engine/credentials/environment';
import { until } from '../../setup/until';
import { captured, filesIn } from '../capture';

export const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const KINDS = ['ResourceGroup', 'UserAssignedIdentity', 'RoleAssignment'] as const;
const READER = '/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7';

/** A cluster with a controller, and what a transfer does to it. */
export class TransferEnvironment {
  public static async start(shared?: TransferEnvironment): Promise<TransferEnvironment> {
    const environment = await CredentialEnvironment.start({}, {}, shared?.cluster.azure);
    const { client } = environment;
    await environment.namespace(OPERATOR_NAMESPACE);
    // The Lease by which the check sees that a controller runs; the built controller of the tests elects no leader.
    await client.create(
      { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true },
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'controllers-leader-election-azinfra-generated', namespace: OPERATOR_NAMESPACE },
        spec: { holderIdentity: 'controller', leaseDurationSeconds: 15, renewTime: new Date().toISOString().replace('Z', '000Z') },
      },
    );
    environment.startController();
    return new TransferEnvironment(environment);
  }

  public readonly kubeconfig = join(filesIn({}), 'kubeconfig');

  public readonly objects = KINDS.map((kind, index) => [kind, ['shop', 'worker', 'reader'][index]!] as const);

  private constructor(public readonly cluster: CredentialEnvironment) {
    writeFileSync(this.kubeconfig, cluster.cluster.kubeconfig());
  }

  /** A resource group, an identity below it, and a role assignment that refers to it, whose name is generated. */
  public async fill(namespace: string): Promise<void> {
    const { cluster } = this;
    await cluster.object('ResourceGroup', namespace, 'shop', {}, { 'example.com/note': 'kept' });
    await cluster.object('UserAssignedIdentity', namespace, 'worker', { owner: { name: 'shop' } }, { [POLICY]: 'manage' });
    await this.assign(namespace);
    await this.ready(namespace);
  }

  public async assign(namespace: string, annotations: Record<string, string> = {}): Promise<void> {
    await this.cluster.object('RoleAssignment', namespace, 'reader', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'shop' },
      principalId: '11111111-1111-1111-1111-111111111111',
      roleDefinitionReference: { armId: READER },
    }, annotations);
  }

  public async ready(namespace: string): Promise<void> {
    for (const [kind, name] of this.objects) await this.cluster.reason('Succeeded', kind, namespace, name);
  }

  public async names(namespace: string): Promise<string[]> {
    const found = await Promise.all(this.objects.map(([kind, name]) => this.cluster.get(kind, namespace, name)));
    return found.flatMap((object) => (object ? [object.metadata.name] : []));
  }

  public async gone(namespace: string): Promise<void> {
    await until(`${namespace} is empty`, async () => (await this.names(namespace)).length === 0);
  }

  public requests(method: string): number {
    return this.cluster.azure.log().filter((request) => request.method === method).length;
  }

  /** Waits until the controller has reconciled the objects that were handed over: only then it has sent what it sends. */
  public async handedOver(namespace: string): Promise<void> {
    await until(`the controller manages the objects of ${namespace}`, async () => {
      const found = await Promise.all(this.objects.map(([kind, name]) => this.cluster.get(kind, namespace, name)));
      return found.every((object) => object?.metadata.annotations?.[LATEST_GENERATION] === String(object?.metadata.generation));
    });
  }

  /** Takes a transfer back, and waits until the controller has reconciled the objects that got their policies again. */
  public async takenBack(options: Partial<TransferCommandOptions>, interrupt?: (write: number) => boolean) {
    const held = await this.heldNames('old');
    const logged = this.cluster.log.length;
    const result = await this.transfer({ ...options, undo: true }, interrupt);
    const left = new Set(await this.heldNames('old'));
    // Under the policy skip nothing is resolved.
    await until('the controller manages the objects of old', () => held.every((name) =>
      left.has(name) || new RegExp(` reconciled .*namespace=old name=${name} .*actions=resolve,`).test(this.cluster.log.slice(logged))));
    return result;
  }

  private async heldNames(namespace: string): Promise<string[]> {
    const found = await Promise.all(this.objects.map(([kind, name]) => this.cluster.get(kind, namespace, name)));
    return found.flatMap((object) => (object?.metadata.annotations?.[POLICY] === 'skip' ? [object.metadata.name] : []));
  }

  public async transfer(options: Partial<TransferCommandOptions>, interrupt?: (write: number) => boolean) {
    const terminal = captured();
    let writes = 0;
    // A process that ends before its nth write; what it has sent before was carried out.
    const clock: Clock = {
      now: () => systemClock.now(),
      random: () => systemClock.random(),
      schedule: (...args) => systemClock.schedule(...args),
      sleep: (_, signal) => systemClock.sleep(20, signal),
    };
    const all: TransferCommandOptions = {
      kubeconfig: this.kubeconfig, namespace: 'old', copyValues: false, managed: false, yes: true, timeout: 0.5, output: 'text', ...options,
    };
    const mayWrite = interrupt && (() => !interrupt(writes++));
    const status = await runTransfer(all, terminal, {}, { clock, mayWrite }).catch((error: unknown) => error as Error);
    return { status, writes, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
  }

  public close(): Promise<void> {
    return this.cluster.close();
  }
}
