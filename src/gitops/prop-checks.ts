import { Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { DNS_LABEL, isDnsSubdomain } from '../azure/dns-name';

const DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/;
const SHORT_DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m))+$/;

interface Named {
  readonly name: string;
  readonly namespace?: string;
}

/** Collects all problems of the props of an object of Flux or Argo CD, each with the field and a remedy. */
export class PropChecks {
  private readonly texts: string[] = [];

  /**
   * @param scope the scope of the construct; none for what is no construct
   * @param id name of the construct in its scope, or of the class
   */
  public constructor(private readonly scope: Construct | undefined, private readonly id: string) {}

  /** Adds a problem of a field. */
  public add(field: string, text: string): void {
    this.texts.push(`${field}: ${text}`);
  }

  /** A required field. */
  public require(field: string, value: unknown, cure: string): void {
    if (value === undefined || value === null || value === '') this.add(field, `required. ${cure}`);
  }

  /** An optional duration. */
  public duration(field: string, text: string | undefined, withoutHours = false): void {
    if (text === undefined || (withoutHours ? SHORT_DURATION : DURATION).test(text)) return;
    this.add(field, `'${text}' is no duration. Write numbers with the units ${withoutHours ? 'ms, s and m, e.g. 90s' : 'ms, s, m and h, e.g. 5m or 1h30m'}.`);
  }

  /** A required duration. */
  public interval(field: string, text: string | undefined): void {
    this.require(field, text, 'Say how often Flux is to look, e.g. 5m.');
    if (text) this.duration(field, text);
  }

  /** The optional name of a Kubernetes object. */
  public name(field: string, text: string | undefined, longest = 253): void {
    if (text === undefined || isDnsSubdomain(text, longest)) return;
    this.add(field, `'${text}' is no name of a Kubernetes object. Write lower-case letters, digits, '-' and '.', at most ${longest}.`);
  }

  /** The optional name of a namespace. */
  public namespace(field: string, text: string | undefined): void {
    if (text === undefined || DNS_LABEL.test(text)) return;
    this.add(field, `'${text}' is no namespace. Write lower-case letters, digits and '-', at most 63.`);
  }

  /** A required reference to another object. */
  public reference(field: string, reference: Named | undefined): void {
    this.require(field, reference, 'Give name and, where it is another one, namespace.');
    if (!reference) return;
    this.require(`${field}.name`, reference.name, 'Give the name of the object.');
    if (reference.name) this.name(`${field}.name`, reference.name);
    this.namespace(`${field}.namespace`, reference.namespace);
  }

  /** A required reference to an object of one of the listed kinds. */
  public referenceTo(kinds: readonly string[], field: string, reference: (Named & { readonly kind: string }) | undefined): void {
    this.reference(field, reference);
    if (reference && !kinds.includes(reference.kind)) {
      this.add(`${field}.kind`, `'${reference.kind}' cannot be used here. Give one of ${kinds.join(', ')}.`);
    }
  }

  /** Objects that must be ready first. An object that depends on itself never becomes ready. */
  public dependencies(field: string, dependencies: readonly Named[] | undefined, self: Partial<Named> | undefined): void {
    dependencies?.forEach((dependency, index) => {
      this.reference(`${field}[${index}]`, dependency);
      const same = dependency.name === self?.name && (dependency.namespace ?? self?.namespace) === self?.namespace;
      if (same) this.add(`${field}[${index}]`, `'${dependency.name}' is the object itself, so it would wait forever. Name another one.`);
    });
  }

  /** @throws when there is a problem */
  public throwIfAny(): void {
    if (this.texts.length > 0) throw new Error(`${this.place} ${this.texts.join('\n  ')}`);
  }

  private get place(): string {
    if (!this.scope) return `${this.id}:`;
    const { path } = this.scope.node;
    return `[${path ? `${path}/` : ''}${this.id}]`;
  }
}

/** The list, or undefined if it is empty: an empty list is left out of the manifest. */
export function someOf<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

/** A list that is read at synth, when the app is complete; left out if it is empty. */
export function listAtSynth<T>(produce: () => readonly T[]): T[] {
  // cdk8s takes a token wherever it takes a list, but types only the token.
  return Lazy.any({ produce: () => someOf(produce()) }) as unknown as T[];
}

/** A list that is known only at synth, or undefined. */
export function lateList<T>(list: readonly T[] | undefined): Lazy | undefined {
  // A token is no list, which the type does not know.
  return (list as unknown) instanceof Lazy ? (list as unknown as Lazy) : undefined;
}

/** A reference to a Secret of the same namespace. */
export function secretRef(name: string | undefined): { readonly name: string } | undefined {
  return name === undefined ? undefined : { name };
}
