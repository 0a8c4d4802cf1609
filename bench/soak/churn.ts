import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes';
import { withConcurrency } from '../controller/bench';
import type { BenchEnvironment } from '../shared/environment/environment';
import { nameOf, type ObjectsSeen } from '../shared/environment/objects-seen';
import { teamOf, type Credential, type Team } from '../shared/environment/teams';

/** Kinds with tags, whose objects are edited. */
const EDITED = ['ResourceGroup', 'UserAssignedIdentity', 'StorageAccount', 'Vault', 'NetworkSecurityGroup', 'VirtualNetwork'];
const AT_A_TIME = 4;
const SUBSCRIPTIONS = 2;
/** Namespaces to keep for a while without objects. */
const EMPTIED = 3;

/** Counts of the changes so far. */
export interface Done {
  created: number;
  edited: number;
  deleted: number;
}

/** Creates, edits and deletes teams, so that the number of objects stays about the same. */
export class Churn {
  public readonly done: Done = { created: 0, edited: 0, deleted: 0 };
  public readonly alive: Team[] = [];
  /** Edits whose result was not seen yet. */
  private edits: { readonly name: string; readonly generation: number; readonly at: number }[] = [];
  private created = 0;
  private deleted = 0;
  /** Teams whose objects are deleted, but not their namespace. */
  private readonly emptied: Team[] = [];

  public constructor(
    private readonly environment: BenchEnvironment,
    private readonly credential: Credential,
    private readonly random: () => number,
  ) {}

  public get objects(): KubernetesObject[] {
    return this.alive.flatMap(({ objects }) => [...objects]);
  }

  public get names(): string[] {
    return this.objects.map(nameOf);
  }

  public async create(): Promise<void> {
    this.created += 1;
    const team = teamOf(this.created, SUBSCRIPTIONS, this.credential);
    for (const object of team.core) await this.environment.apply(object);
    this.alive.push(team);
    await withConcurrency(team.objects, AT_A_TIME, (object) => this.environment.apply(object));
    this.done.created += team.objects.length;
  }

  /** Deletes the oldest team: in turns object by object, with the namespace some time later, or all at once with the namespace. */
  public async delete(): Promise<void> {
    const team = this.alive.shift();
    if (!team) return;
    this.deleted += 1;
    if (this.deleted % 2 === 0) {
      await this.deleteNamespace(team);
      const emptied = this.emptied.length > EMPTIED ? this.emptied.shift() : undefined;
      if (emptied) await this.deleteNamespace(emptied);
    } else {
      const { client } = this.environment;
      await withConcurrency(team.objects, AT_A_TIME, (object) =>
        gone(client.delete(this.environment.typeOf(object), object.metadata.name, team.namespace)),
      );
      this.emptied.push(team);
    }
    this.done.deleted += team.objects.length;
  }

  private deleteNamespace(team: Team): Promise<void> {
    return gone(this.environment.client.delete(this.environment.typeOf(team.core[0]), team.namespace));
  }

  public async edit(): Promise<void> {
    const editable = this.objects.filter(({ kind }) => EDITED.includes(kind));
    const object = editable[Math.floor(this.random() * editable.length)];
    if (!object) return;
    const { name, namespace } = object.metadata;
    this.done.edited += 1;
    const patch = { spec: { tags: { edited: `e${this.done.edited}` } } };
    const at = Date.now();
    const edited = await gone(
      this.environment.client.patch(this.environment.typeOf(object), name, namespace, patch, 'application/merge-patch+json'),
    );
    if (edited) this.edits.push({ name: nameOf(object), generation: edited.metadata.generation ?? 0, at });
  }

  /** For the edits whose result was seen since the last call: milliseconds until the object was Ready again. */
  public arrived(seen: ObjectsSeen): number[] {
    const times = new Map(this.edits.map((edit) => [edit, seen.settledAt(edit.name, edit.generation)]));
    const alive = new Set(this.names);
    this.edits = this.edits.filter((edit) => times.get(edit) === undefined && alive.has(edit.name));
    return [...times].flatMap(([{ at }, settled]) => (settled === undefined ? [] : [Math.max(0, settled - at)]));
  }
}

async function gone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
}
