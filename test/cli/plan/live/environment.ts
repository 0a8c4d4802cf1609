import { rmSync } from 'node:fs';
import { planLive } from '../../../../cli/plan/live/plan-live';
import type { PlanOptions } from '../../../../cli/plan/plan';
import type { ArmClient, ArmRequest } from '../../../../engine/arm/types';
import type { AzureOptions } from '../../../../sandbox/azure';
import { Azure, SUBSCRIPTION } from '../../../sandbox/azure/client';
import { captured, filesIn } from '../../capture';

export interface Run {
  readonly status: number;
  readonly out: string;
  readonly err: string[];
}

interface LiveJson {
  readonly changes: readonly {
    readonly kind: string;
    readonly name: string;
    readonly change: string;
    readonly armId?: string;
    readonly reason?: string;
    readonly notes: string[];
    readonly properties: readonly { readonly path: string; readonly old?: string; readonly new?: string; readonly unknown?: string }[];
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

/** A simulated Azure, and plans against it. */
export class TestEnvironment {
  public static async start(options: AzureOptions = {}): Promise<TestEnvironment> {
    return new TestEnvironment(await Azure.start(options));
  }

  /** Requests that plans have sent. */
  public readonly sent: ArmRequest[] = [];

  private constructor(public readonly azure: Azure) {}

  public close = (): Promise<void> => this.azure.close();

  public get client(): ArmClient {
    return {
      subscriptionId: SUBSCRIPTION,
      endpoint: this.azure.simulator.endpoint,
      send: async (request) => {
        this.sent.push(request);
        const { status, headers, body } = await this.azure.send(
          request.method,
          `${request.url}?api-version=${request.apiVersion}`,
          request.body,
        );
        return { status, headers, body: body === '' ? undefined : body, text: JSON.stringify(body) };
      },
    };
  }

  public async plan(objects: readonly unknown[], options: Partial<PlanOptions> = {}): Promise<Run> {
    const directory = filesIn({ 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) });
    const terminal = captured();
    try {
      const access = () => ({ client: this.client, signIn: async () => undefined });
      const status = await planLive(
        [directory],
        { output: 'text', live: true, ...options },
        terminal,
        { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION },
        access,
      );
      return { status, out: terminal.out.join('\n'), err: terminal.err };
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  /** The plan as JSON; each object's change by its name. */
  public async changes(objects: readonly unknown[]): Promise<Readonly<Record<string, LiveJson['changes'][number]>>> {
    const { out } = await this.plan(objects, { output: 'json' });
    return Object.fromEntries((JSON.parse(out) as LiveJson).changes.map((change) => [change.name, change]));
  }
}

export function object(
  apiVersion: string,
  kind: string,
  name: string,
  spec: Record<string, unknown>,
  annotations?: Record<string, string>,
): unknown {
  return { apiVersion, kind, metadata: { name, namespace: 'ns', ...(annotations ? { annotations } : {}) }, spec };
}

export const group = (spec: Record<string, unknown> = {}, annotations?: Record<string, string>): unknown =>
  object('resources.azure.com/v1api20200601', 'ResourceGroup', 'group', { location: 'uksouth', ...spec }, annotations);

export const identity = (spec: Record<string, unknown> = {}): unknown =>
  object('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', 'reader', {
    owner: { name: 'group' },
    location: 'uksouth',
    ...spec,
  });

export const account = (spec: Record<string, unknown> = {}, annotations?: Record<string, string>): unknown =>
  object(
    'storage.azure.com/v20250601',
    'StorageAccount',
    'files',
    {
      owner: { name: 'group' },
      azureName: 'files4711',
      location: 'uksouth',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      ...spec,
    },
    annotations,
  );

/** Takes the identity's principal from a ConfigMap. */
export const role = (): unknown => object('authorization.azure.com/v20220401', 'RoleAssignment', 'role', {
  azureName: '2f0f1ff6-7a0f-4a4e-9ab4-0c0b0f1f2a3b',
  owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'group' },
  principalIdFromConfig: { name: 'outputs', key: 'principalId' },
  roleDefinitionReference: { wellKnownName: 'Reader' },
});

export const exporting = { operatorSpec: { configMaps: { principalId: { name: 'outputs', key: 'principalId' } } } };
