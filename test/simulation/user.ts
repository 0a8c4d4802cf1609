import type { AzureModel } from './azure-model';
import type { Principal } from './entra';
import { ID } from './facts';
import type { Faults } from './faults';
import {
  AZURE_TYPES,
  CONFIG_MAPS,
  credentialOf,
  HANDMADE,
  NAMESPACES,
  objectOf,
  OPERATOR,
  passwordOf,
  secondTreeOf,
  SECRETS,
  secretOf,
  teamOf,
  type Wanted,
} from './kinds';
import type { KubeModel } from './kube-model';
import type { WallClock } from './process';
import type { Random } from './random';
import type { Traits } from './traits';
import { REQUIRED } from './truth/credential';
import { POLICY } from './truth/policy';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';

const CREDENTIAL = 'aso-credential';
export const TEAMS = ['a', 'b'];

export interface UserOptions {
  readonly kube: KubeModel;
  readonly azure: AzureModel;
  readonly random: Random;
  readonly faults: Faults;
  readonly wall: WallClock;
  readonly log: (line: string) => void;
  readonly plan: (milliseconds: number, act: () => void) => void;
  /** Teams that come with their first object: their namespace, its credential and the object are applied at once. */
  readonly late: readonly string[];
  /** Teams for which the global credential is no fallback. */
  readonly onboarded: readonly string[];
  readonly traits: Pick<Traits, 'parent'>;
  /** Each with a namespace of its own. Default: two. */
  readonly teams?: readonly string[] | undefined;
  /** Whether each team has a second tree of owners. */
  readonly hasMoreTrees?: boolean | undefined;
}

/** Everybody else: two teams that apply, edit and delete, and people who do things in Azure by hand. */
export class User {
  public readonly wanted: readonly Wanted[];
  private readonly kube: KubeModel;
  private readonly azure: AzureModel;
  private readonly random: Random;
  private readonly faults: Faults;
  private readonly wall: WallClock;
  private readonly log: (line: string) => void;
  private readonly plan: (milliseconds: number, act: () => void) => void;
  /** Which client secret Azure accepts, by namespace. */
  private readonly valid: Map<string, number>;
  private readonly teams: readonly string[];
  private readonly settled = new Set<string>();
  private steps = 0;
  /** Path that another client in Azure resets each time, in some runs. */
  private readonly stubborn?: string;

  public constructor(private readonly options: UserOptions) {
    const { kube, azure, random, faults, wall, log, plan, traits } = options;
    [this.kube, this.azure, this.random, this.faults, this.wall, this.log, this.plan] = [kube, azure, random, faults, wall, log, plan];
    const { teams = TEAMS } = options;
    this.teams = teams;
    this.valid = new Map(teams.map((team) => [team, 0]));
    this.wanted = teams.flatMap((team, index) => [
      ...teamOf(team, index, traits.parent),
      ...options.hasMoreTrees ? secondTreeOf(team, index) : [],
    ]);
    if (faults.chosen.has('stubborn')) this.stubborn = random.pick(['/userassignedidentities/aid', '/storageaccounts/astore']);
    azure.onPut = (path) => this.seesPut(path);
  }

  /** Whether another client in Azure permanently resets the tags of the resource. */
  public isStubborn(path: string): boolean {
    return this.stubborn !== undefined && path.toLowerCase().endsWith(this.stubborn);
  }

  /** Whether Azure knows the principal, by what it showed for its token. */
  public isValid({ clientId, secret }: Principal): boolean {
    return this.teams.some((team) => {
      const { AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = this.credential(team);
      return AZURE_CLIENT_ID === clientId && AZURE_CLIENT_SECRET === secret;
    });
  }

  private credential(team: string): Readonly<Record<string, string>> {
    return credentialOf(team, this.teams.indexOf(team), this.valid.get(team)!);
  }

  public begin(): void {
    this.kube.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OPERATOR } }, 'user');
    this.teams.filter((team) => !this.options.late.includes(team)).forEach((team) => this.settle(team));
  }

  public create(wanted: Wanted): void {
    if (!this.settled.has(wanted.namespace)) this.settle(wanted.namespace);
    if (!this.isHome(wanted.namespace) || this.kube.get(wanted.type, wanted.namespace, wanted.name)) return;
    this.log(`user creates ${wanted.name}`);
    this.kube.create(wanted.type, objectOf(wanted), 'user');
  }

  private settle(team: string): void {
    this.settled.add(team);
    const annotations: Record<string, string> = this.options.onboarded.includes(team) ? { [REQUIRED]: 'true' } : {};
    this.kube.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: team, annotations } }, 'user');
    this.restoreCredential(team);
    this.restorePassword(team);
  }

  /** Puts right what only people can put right. */
  public repair(): void {
    for (const team of this.teams) {
      this.restoreCredential(team);
      if (this.isHome(team)) this.restorePassword(team);
    }
  }

  /** Ends the waiting for owners: one that was deleted is applied again, and what names an owner that is in nobody's files goes. */
  public endWaits(): void {
    // Owners come before what they own: from the end, so that an owner that is applied gets its own.
    for (const wanted of [...this.wanted].reverse()) {
      const { type, namespace, name } = wanted;
      const waiting = this.kube.get(type, namespace, name);
      const owner = (waiting?.spec?.owner as { readonly name: string } | undefined)?.name;
      if (owner === undefined || waiting!.metadata.deletionTimestamp) continue;
      const above = this.wanted.find((other) => other.namespace === namespace && other.name === owner);
      if (above) this.create(above);
      else this.remove(wanted);
    }
  }

  /** Something, of what this run has. */
  public act(): void {
    this.steps += 1;
    const { faults, random } = this;
    const wanted = random.pick(this.wanted);
    const team = random.pick(this.teams);
    if (faults.strikes('edits', 0.5)) this.edit(wanted);
    if (faults.strikes('policies', 0.15)) this.policy(wanted);
    if (faults.strikes('deletions', 0.15)) this.remove(wanted);
    if (faults.strikes('recreations', 0.5)) this.create(random.pick(this.wanted));
    if (faults.strikes('credentials', 0.15)) this.breakCredential(team);
    if (faults.strikes('credentials', 0.3)) this.restoreCredential(team);
    if (faults.strikes('edits', 0.1) && this.kube.get(SECRETS, team, `${team}password`)) {
      this.setSecret(team, `${team}password`, { password: passwordOf(team, this.steps) });
    }
    if (faults.strikes('deletions', 0.05)) this.removeCore(team);
    if (faults.strikes('namespaces', 0.02)) this.endNamespace('b');
    if (faults.strikes('drift', 0.2)) this.drift(wanted);
    if (faults.strikes('vanishing', 0.05)) this.vanish(wanted);
    if (faults.strikes('handmade', 0.2)) this.handmade();
    if (faults.strikes('clockJumps', 0.05)) {
      this.wall.offset += random.between(-900_000, 900_000);
      this.log(`the clock is set: ${this.wall.offset}`);
    }
  }

  private edit({ type, namespace, name }: Wanted): void {
    const old = this.kube.get(type, namespace, name);
    if (!old?.spec?.tags) return;
    this.log(`user edits ${name}`);
    this.kube.edit(type, namespace, name, (object) => ({ ...object, spec: { ...object.spec, tags: { step: String(this.steps) } } }));
  }

  private policy({ type, namespace, name }: Wanted): void {
    const policy = this.random.pick(['skip', 'detach-on-delete', 'manage', undefined, undefined]);
    const ofAll = this.random.chance(0.15);
    const target: [ResourceType, string | undefined, string] = ofAll ? [NAMESPACES, undefined, namespace] : [type, namespace, name];
    if (!this.kube.get(...target)) return;
    this.log(`user sets the policy of ${target[2]} to ${policy}`);
    this.kube.edit(...target, (object) => {
      const { [POLICY]: _, ...annotations } = object.metadata.annotations ?? {};
      return { ...object, metadata: { ...object.metadata, annotations: policy ? { ...annotations, [POLICY]: policy } : annotations } };
    });
  }

  private remove({ type, namespace, name }: Wanted): void {
    if (!this.kube.get(type, namespace, name)) return;
    this.log(`user deletes ${name}`);
    this.kube.delete(type, namespace, name, 'user');
  }

  /** By mistake: an export, or the Secret of a password. */
  private removeCore(team: string): void {
    const [type, name] = this.random.pick([[CONFIG_MAPS, `${team}out`], [SECRETS, `${team}keys`], [SECRETS, `${team}password`]] as const);
    if (!this.kube.get(type, team, name)) return;
    this.log(`user deletes ${type.kind} ${name}`);
    this.kube.delete(type, team, name, 'user');
  }

  private breakCredential(team: string): void {
    // No process could repair it.
    if (!this.isHome(team)) return;
    const secret = this.kube.get(SECRETS, team, CREDENTIAL);
    const how = this.random.pick(['rotate', 'delete', 'blank']);
    this.log(`the credential of ${team}: ${how}`);
    if (how === 'rotate') this.valid.set(team, this.valid.get(team)! + 1);
    else if (secret && how === 'delete') this.kube.delete(SECRETS, team, CREDENTIAL, 'user');
    else if (secret) this.setSecret(team, CREDENTIAL, { AZURE_CLIENT_SECRET: '' });
  }

  private restoreCredential(team: string): void {
    const values = this.credential(team);
    // In a namespace that is being deleted nothing new can be made, but what is there can be changed.
    if (this.kube.get(SECRETS, team, CREDENTIAL)) this.setSecret(team, CREDENTIAL, values);
    else if (this.isHome(team)) this.kube.create(SECRETS, secretOf(team, CREDENTIAL, values), 'user');
  }

  private restorePassword(team: string): void {
    const name = `${team}password`;
    if (!this.kube.get(SECRETS, team, name)) {
      this.kube.create(SECRETS, secretOf(team, name, { password: passwordOf(team, this.steps) }), 'user');
    }
  }

  private setSecret(namespace: string, name: string, values: Readonly<Record<string, string>>): void {
    const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    const old = this.kube.get(SECRETS, namespace, name)!;
    if (Object.entries(data).every(([key, value]) => old.data?.[key] === value)) return;
    this.kube.edit(SECRETS, namespace, name, (secret) => ({ ...secret, data: { ...secret.data, ...data } }));
  }

  private endNamespace(name: string): void {
    if (!this.isHome(name)) return;
    // A user who breaks the credential of a namespace that is to be deleted has to repair it first.
    this.restoreCredential(name);
    this.log(`user deletes the namespace ${name}`);
    this.kube.delete(NAMESPACES, undefined, name, 'user');
  }

  /** The moment in which a change by hand is most easily taken for something else. */
  private seesPut(path: string): void {
    if (this.isStubborn(path)) this.insist(path);
    const operation = this.azure.find(path)?.operation;
    const after = operation && this.random.chance(0.5);
    const moment = after ? operation.until - this.wall.trueNow() + this.random.between(1, 15_000) : this.random.between(1, 500);
    if (this.faults.strikes('drift', 0.15)) this.plan(moment, () => this.meddle(path));
  }

  private insist(path: string): void {
    this.plan(this.random.between(60_000, 300_000), () => {
      if (!this.azure.find(path)) return;
      const isDone = this.azure.meddle(path, (body) => ({ ...body, tags: { step: 'as we want it' } }));
      if (isDone) this.log(`somebody sets ${path} back`);
      else this.insist(path);
    });
  }

  private meddle(path: string): void {
    if (!this.azure.find(path)?.body.tags) return;
    if (this.azure.meddle(path, (body) => ({ ...body, tags: { step: `by hand ${this.steps}` } }))) this.log(`somebody changes ${path}`);
  }

  private drift(wanted: Wanted): void {
    const path = this.pathOf(wanted);
    if (path && wanted.spec.tags) this.meddle(path);
  }

  private vanish(wanted: Wanted): void {
    const path = this.pathOf(wanted);
    if (!path || !this.azure.find(path)) return;
    this.log(`somebody deletes ${path}`);
    this.azure.vanish(path);
  }

  /** A child that is in nobody's files, below a parent that is. */
  private handmade(): void {
    for (const [{ kind }, collection, body] of HANDMADE) {
      const parent = this.wanted.find(({ type }) => type.kind === kind);
      const path = parent && this.pathOf(parent);
      if (path && this.azure.plant(`${path}/${collection}/byhand`, body)) this.log(`somebody makes ${path}/${collection}/byhand`);
    }
  }

  private pathOf({ type, namespace, name }: Wanted): string | undefined {
    return AZURE_TYPES.includes(type) ? this.kube.get(type, namespace, name)?.metadata.annotations?.[ID] : undefined;
  }

  private isHome(namespace: string): boolean {
    const home: KubernetesObject | undefined = this.kube.get(NAMESPACES, undefined, namespace);
    return home !== undefined && home.metadata.deletionTimestamp === undefined;
  }
}

