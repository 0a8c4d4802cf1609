import { Lazy } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isRecord } from '../../util/records';
import { shortened } from '../../util/words';
import type { AzureResourceReference } from '../resource-reference';

/** The type of a dependency on another object. */
export type LinkRole = 'owner' | 'reference' | 'output' | 'credential';

/** A property that references another object. */
export interface Link {
  readonly role: LinkRole;
  readonly path: string;
  readonly reference: AzureResourceReference;
}

/** One key of a ConfigMap or Secret that the object will write. */
export interface Destination {
  readonly store: 'ConfigMap' | 'Secret';
  readonly path: string;
  readonly name: string;
  /** Undefined for an expression that gives a whole map. */
  readonly key: string | undefined;
  readonly annotations: string[];
  readonly labels: string[];
}

/** The conversion of one object from props to spec: the current path, and the problems, links and destinations found so far. */
export class Conversion {
  public readonly problems: string[] = [];
  public readonly links: Link[] = [];
  public readonly destinations: Destination[] = [];
  /** Property, as a path in the props → the scope, or the owner, that has its value. Undefined if the resource has all values itself. */
  public origins: Map<string, IConstruct> | undefined;
  /** Set when a value came from a token, which may resolve to another value at the next synth. */
  public lazy = false;
  private readonly path: (string | number)[] = [];
  /** The additional spec at each step of the path; undefined if there is no additional spec. */
  private readonly additions: unknown[] | undefined;

  /** @param additional unchecked properties to merge into the spec */
  public constructor(additional?: unknown) {
    this.additions = additional === undefined || additional === null ? undefined : [additional];
  }

  /** @param specStep the name in the spec, if it differs */
  public enter(step: string | number, specStep = step): void {
    this.path.push(step);
    if (!this.additions) return;
    const { additional } = this;
    this.additions.push(additional && Object.hasOwn(additional, specStep) ? additional[specStep] : undefined);
  }

  public leave(): void {
    this.path.pop();
    this.additions?.pop();
  }

  /** The additional properties for the current value. */
  public get additional(): Record<string, unknown> | undefined {
    const added = this.additions?.[this.additions.length - 1];
    return isRecord(added) ? added : undefined;
  }

  /** The path of the current value in the props: `properties.rules[2].name`. */
  public get where(): string {
    const { path } = this;
    // Fast path: most paths have one step.
    if (path.length === 1 && typeof path[0] === 'string') return path[0];
    return path.reduce<string>(
      (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
      '',
    );
  }

  public problem(text: string): void {
    this.problems.push(`${this.where}: ${text}`);
  }

  public link(role: LinkRole, reference: AzureResourceReference): void {
    this.links.push({ role, path: this.where, reference });
  }

  public setOrigin(property: string, scope: IConstruct): void {
    (this.origins ??= new Map()).set(property, scope);
  }

  public outputLink(producer: IConstruct): void {
    this.link('output', { construct: producer });
  }

  /** Resolves tokens (cdk8s `Lazy`, objects with `resolve()`): their value is known by now. */
  public settle(value: unknown): unknown {
    const settled = settledValue(value);
    if (settled !== value) this.lazy = true;
    return settled;
  }
}

/** Whether a value is a key of a ConfigMap or Secret, which is known in the cluster only: a text cannot have it. */
export function isOfCluster(value: object): boolean {
  return 'configMapName' in value || 'secretName' in value;
}

/** The value with tokens resolved. */
export function settledValue(value: unknown): unknown {
  let settled = value;
  while (typeof settled === 'object' && settled !== null && !isOfCluster(settled)) {
    if (settled instanceof Lazy) settled = settled.produce();
    else if (typeof (settled as { resolve?: unknown }).resolve === 'function') settled = (settled as { resolve(): unknown }).resolve();
    else break;
  }
  return settled;
}

/** Converts a value to its form in the spec; undefined if it is missing or invalid. */
export type Convert = (value: unknown, run: Conversion) => unknown;

/** A short rendering of a value for a message, without the contents of lists and objects. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return `'${shortened(value, 80)}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) {
    const type = value.constructor?.name;
    return type && type !== 'Object' ? `a ${type}` : 'an object';
  }
  return String(value);
}
