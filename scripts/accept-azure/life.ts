import type { AcceptanceCluster } from './cluster';
import type { Answer, Exchange, Recorder } from './recorder';
import { TAG, type AcceptedResource } from './resources';
import { verified } from '../../cli/import/verify';
import type { ArmClient, ArmRequest } from '../../engine/arm/types';
import { ImportableKinds } from '../../engine/import/importable-kinds';
import { Importer } from '../../engine/import/importer';
import { toManifests } from '../../engine/import/to-manifests';
import { documentedUnsaid } from '../../engine/import/unsaid';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ADOPT, RECONCILE_POLICY, RESOURCE_ID } from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import { parseApiVersion } from '../../src/object-id';
import { isRecord, member } from '../../src/util/records';

export const STEPS = ['create', 'edit', 'drift', 'pause', 'import', 'adopt', 'delete'] as const;
export type Step = (typeof STEPS)[number];

/** The end of one step for one resource. */
export interface StepResult {
  readonly step: Step;
  readonly resource: string;
  /** Why it failed; absent: it went well. */
  readonly problem?: string;
  readonly seconds: number;
}

export interface LifeOptions {
  readonly cluster: AcceptanceCluster;
  readonly recorder: Recorder;
  readonly resources: readonly AcceptedResource[];
  readonly subscriptionId: string;
  readonly group: string;
  readonly timeoutMs: number;
  readonly syncPeriodMs: number;
  readonly onResult: (result: StepResult) => void;
}

const DRIFTED = { ...TAG, stage: 'drifted' };

/** The life of all resources, one step after the other. A resource that could not be created takes no further part. */
export class Life {
  private alive: readonly AcceptedResource[];

  public constructor(private readonly options: LifeOptions) {
    this.alive = options.resources;
  }

  public async run(): Promise<void> {
    const { cluster } = this.options;
    const created = await this.step('create', this.alive, async ({ object }) => {
      await cluster.apply(object);
      return this.ready(object);
    });
    this.alive = this.alive.filter(({ name }) => created.has(name));
    await this.step('edit', this.alive.filter(({ edited }) => edited), async (resource) => {
      await cluster.apply(current(resource));
      return this.ready(resource.object);
    });
    const tagged = this.alive.filter(({ edited }) => edited?.tags !== undefined);
    await this.step('drift', tagged, async (resource) => await this.drift(resource) ?? this.undone(resource));
    await this.step('pause', tagged, (resource) => this.pause(resource));
    await this.importAll();
    await this.step('adopt', tagged.filter(({ name }) => this.isLeaf(name)), (resource) => this.adopt(resource));
    const objects = [...this.alive].reverse();
    for (const { object } of objects) await cluster.delete(object);
    await this.step('delete', objects, async ({ object }) =>
      this.until(async () => (await cluster.get(object) ? `it is still there: ${await cluster.notReady(object) ?? 'Ready'}` : undefined)));
  }

  /** Changes tags behind the controller's back: with a PATCH, and where the type takes none, with a PUT of all of it. */
  private async drift({ object }: AcceptedResource): Promise<string | undefined> {
    const { recorder } = this.options;
    const url = await this.urlOf(object);
    if (url === undefined) return 'the object has no ARM id';
    const patched = await recorder.send('PATCH', url, { tags: DRIFTED });
    if (patched.status < 300) return undefined;
    const before = await recorder.send('GET', url);
    const put = await recorder.send('PUT', url, { ...(parsed(before) as object), tags: DRIFTED });
    return put.status < 300 ? undefined : `Azure takes neither PATCH (${patched.status}) nor PUT (${put.status}) of its tags`;
  }

  private undone({ object, edited }: AcceptedResource): Promise<string | undefined> {
    const wanted = String((edited!.tags as { stage: string }).stage);
    return this.until(async () => {
      const stage = await this.stageOf(object);
      return stage === wanted ? undefined : `the tag is still ${stage}, not ${wanted}`;
    });
  }

  /** With the policy `skip` the controller sends nothing while Azure differs; without it, it corrects. */
  private async pause(resource: AcceptedResource): Promise<string | undefined> {
    const { cluster, syncPeriodMs } = this.options;
    await cluster.apply(annotated(resource, { [RECONCILE_POLICY]: 'skip' }));
    const notReady = await this.ready(resource.object);
    if (notReady) return notReady;
    const from = this.written().length;
    const problem = await this.drift(resource);
    if (problem) return problem;
    const id = await this.idOf(resource.object);
    const sent = () => this.written().slice(from).find((one) => one.path.toLowerCase() === id?.toLowerCase());
    // Two sync periods without a write: the condition that never holds.
    await cluster.until(2 * syncPeriodMs, async () => (sent() ? undefined : 'nothing was sent'));
    const write = sent();
    await cluster.apply(current(resource));
    return write ? `${write.method} was sent although the object is paused` : this.undone(resource);
  }

  /** Without its object the resource stays; applied again, it is taken over without a write. */
  private async adopt(resource: AcceptedResource): Promise<string | undefined> {
    const { cluster, recorder } = this.options;
    const url = await this.urlOf(resource.object);
    const id = await this.idOf(resource.object);
    await cluster.apply(annotated(resource, { [RECONCILE_POLICY]: 'detach-on-delete' }));
    const notReady = await this.ready(resource.object);
    if (notReady) return notReady;
    const from = this.written().length;
    await cluster.delete(resource.object);
    const left = await this.until(async () => (await cluster.get(resource.object) ? 'the object is still there' : undefined));
    if (left) return left;
    const { status } = await recorder.send('GET', url!);
    if (status !== 200) return `Azure answers ${status} after the object went, and the policy is detach-on-delete`;
    await cluster.apply(annotated(resource, { [ADOPT]: 'IfPresent' }));
    const problem = await this.ready(resource.object);
    const write = this.written().slice(from).find((one) => one.path.toLowerCase() === id?.toLowerCase());
    return problem ?? (write ? `${write.method} was sent for a resource that has not changed` : undefined);
  }

  /** Reads the group as `cdk8s-aso import` does, and plans what it wrote against Azure. */
  private async importAll(): Promise<void> {
    const { group, recorder, subscriptionId } = this.options;
    const client = readerOf(recorder, subscriptionId);
    const since = Date.now();
    const importer = new Importer(client, new ImportableKinds(Catalog.default()), {
      concurrency: 4, children: true, unsaid: documentedUnsaid(Catalog.default(), { defaults: false }),
    });
    const { resources, others } = await importer.run([group]);
    const manifests = toManifests(resources, { policy: 'detach-on-delete' });
    const { byId, problems } = await verified(manifests, client, subscriptionId);
    const imported = new Map(resources.map((resource) => [resource.id.toLowerCase(), resource]));
    await this.step('import', this.alive, async ({ object }) => {
      const id = await this.idOf(object);
      const found = imported.get(id?.toLowerCase() ?? '');
      if (!found) return others.find((other) => other.id.toLowerCase() === id?.toLowerCase())?.why ?? 'it was not found in the group';
      const [refused] = found.refused;
      if (refused) return `the CRD refuses ${refused.value} for ${refused.property} (${refused.why})`;
      const change = byId.get(found.id);
      return change && `applying it would be a ${change.change}: ${change.properties.join(', ')}`;
    }, since);
    for (const problem of problems) this.options.onResult({ step: 'import', resource: 'all', problem, seconds: (Date.now() - since) / 1000 });
  }

  private async step(
    step: Step,
    resources: readonly AcceptedResource[],
    act: (resource: AcceptedResource) => Promise<string | undefined>,
    since = Date.now(),
  ): Promise<Set<string>> {
    const good = new Set<string>();
    await Promise.all(resources.map(async (resource) => {
      const problem = await act(resource).catch((error: Error) => {
        if (error.name === 'AbortError') throw error;
        return error.message;
      });
      if (problem === undefined) good.add(resource.name);
      const seconds = (Date.now() - since) / 1000;
      this.options.onResult({ step, resource: resource.name, ...(problem !== undefined && { problem }), seconds });
    }));
    return good;
  }

  private ready(object: KubernetesObject): Promise<string | undefined> {
    return this.until(() => this.options.cluster.notReady(object));
  }

  private until(condition: () => Promise<string | undefined>): Promise<string | undefined> {
    return this.options.cluster.until(this.options.timeoutMs, condition);
  }

  private written(): Exchange[] {
    return this.options.recorder.exchanges.filter(({ by, method }) => by === 'controller' && method !== 'GET' && method !== 'HEAD');
  }

  private isLeaf(name: string): boolean {
    return !this.alive.some(({ object }) => JSON.stringify(object.spec).includes(`"name":"${name}"`));
  }

  private async idOf(object: KubernetesObject): Promise<string | undefined> {
    const found = await this.options.cluster.get(object);
    return found?.metadata.annotations?.[RESOURCE_ID] ?? (found?.status?.id as string | undefined);
  }

  private async urlOf(object: KubernetesObject): Promise<string | undefined> {
    const { group, version } = parseApiVersion(object.apiVersion);
    const id = await this.idOf(object);
    return id && `${id}?api-version=${Catalog.default().kind(group, object.kind)!.version(version)!.facts.arm!.apiVersion}`;
  }

  private async stageOf(object: KubernetesObject): Promise<unknown> {
    const answer = parsed(await this.options.recorder.send('GET', (await this.urlOf(object))!));
    return member(member(answer, 'tags'), 'stage');
  }
}

function current({ object, edited }: AcceptedResource): KubernetesObject {
  return edited ? { ...object, spec: edited } : object;
}

function annotated(resource: AcceptedResource, annotations: Record<string, string>): KubernetesObject {
  const object = current(resource);
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** A client that reads through the recorder. */
function readerOf(recorder: Recorder, subscriptionId: string): ArmClient {
  return {
    subscriptionId,
    endpoint: recorder.endpoint,
    send: async ({ method, url, apiVersion, body }: ArmRequest) => {
      const separator = url.includes('?') ? '&' : '?';
      const answer = await recorder.send(method, url.includes('api-version=') ? url : `${url}${separator}api-version=${apiVersion}`, body);
      return { status: answer.status, headers: answer.headers, body: parsed(answer), text: answer.text };
    },
  };
}

function parsed({ text }: Answer): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
