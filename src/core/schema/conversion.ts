import { Lazy } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isRecord } from '../../util/records';
import { shortened } from '../../util/words';
import type { AzureResourceReference } from '../resource-reference';

/** How an object depends on what a property names. */
export type LinkRole = 'owner' | 'reference' | 'output' | 'credential';

/** A property that names another object. */
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
  readonly key?: string;
  readonly annotations: string[];
  readonly labels: string[];
}

/** Props → spec of one object: where the walk is, and what it found on its way. */
export class Conversion {
  public readonly problems: string[] = [];
  public readonly links: Link[] = [];
  public readonly destinations: Destination[] = [];
  /** Set when a value came from a token: the next synth may find another one. */
  public lazy = false;
  private readonly path: (string | number)[] = [];
  /** What is to be added at each step of the path; undefined where there is nothing at all. */
  private readonly additions?: unknown[];

  /** @param additional what is to be added to the spec without being checked */
  public constructor(additional?: unknown) {
    this.additions = additional === undefined || additional === null ? undefined : [additional];
  }

  /** @param specStep the name in the spec, where it differs */
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

  /** What is to be added to the value at hand. */
  public get additional(): Record<string, unknown> | undefined {
    const added = this.additions?.[this.additions.length - 1];
    return isRecord(added) ? added : undefined;
  }

  /** The path of the value at hand, as the user wrote it: `properties.rules[2].name`. */
  public get where(): string {
    const { path } = this;
    // Most of what is asked for stands at the top.
    if (path.length === 1 && typeof path[0] === 'string') return path[0];
    return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`), '');
  }

  public problem(text: string): void {
    this.problems.push(`${this.where}: ${text}`);
  }

  public link(role: LinkRole, reference: AzureResourceReference): void {
    this.links.push({ role, path: this.where, reference });
  }

  public outputLink(producer: IConstruct): void {
    this.link('output', { construct: producer });
  }

  /** Tokens (cdk8s `Lazy`, objects with `resolve()`) stand for a value that is known by now. */
  public settle(value: unknown): unknown {
    const settled = settledValue(value);
    if (settled !== value) this.lazy = true;
    return settled;
  }
}

/** What stands for a value that is worked out late has been worked out. */
export function settledValue(value: unknown): unknown {
  let settled = value;
  while (typeof settled === 'object' && settled !== null) {
    if (settled instanceof Lazy) settled = settled.produce();
    else if (typeof (settled as { resolve?: unknown }).resolve === 'function') settled = (settled as { resolve(): unknown }).resolve();
    else break;
  }
  return settled;
}

/** Gives the value as it stands in the spec, or undefined where there is none (absent or faulty). */
export type Convert = (value: unknown, run: Conversion) => unknown;

/** A short, harmless rendering of a value for a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${shortened(value, 80)}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) {
    const type = value.constructor?.name;
    return type && type !== 'Object' ? `a ${type}` : 'an object';
  }
  return String(value);
}
