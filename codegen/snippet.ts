import { literal } from './emit-types';
import type { KindModel, ServiceModel } from './model';
import { objectOf, PropsWriter, type SampleMember, type SampleValue } from './sample-props';
import { azureNameFor, needsAzureName, THEME } from './sample-text';
import { OWNERS } from './sample-values';
import { wordsOf } from './words';
import { groupOfService } from '../src/util/api-groups';
import { elementAt } from '../src/util/elements';
import { capitalized } from '../src/util/words';

/** The model of a service by its submodule; undefined if it is not available. */
export type ModelOf = (submodule: string) => ServiceModel | undefined;

interface Found {
  readonly kind: KindModel;
  readonly service: ServiceModel;
}

/** An app that creates one resource of a kind with the required owners, ready to be compiled and synthesized. */
export function snippet(kind: KindModel, service: ServiceModel, modelOf: ModelOf): string {
  return new SnippetWriter(modelOf).text({ kind, service });
}

/** A resource of a kind, without the resources around it. */
export interface Sample {
  /** The statement that creates it. */
  readonly statement: string;
  /** The object of a manifest. */
  readonly object: Readonly<Record<string, unknown>>;
}

/**
 * A sample of one resource.
 * @param more paths of props that it has besides those that the schema or Azure require, e.g. `networkAcls.defaultAction`
 */
export function sample(kind: KindModel, service: ServiceModel, modelOf: ModelOf, more: readonly string[] = []): Sample {
  return new SnippetWriter(modelOf, more).sample({ kind, service });
}

class SnippetWriter {
  private readonly submodules = new Set<string>();
  private readonly core = new Set<string>();
  private readonly statements: string[] = [];
  /** Kinds that were created, with the references to them. */
  private readonly made = new Map<string, SampleValue>();

  public constructor(private readonly modelOf: ModelOf, private readonly more: readonly string[] = []) {}

  public sample(subject: Found): Sample {
    const { kind } = subject;
    const { data: spec } = this.make(subject, true);
    const metadata = { name: kind.fileName, namespace: THEME };
    const object = { apiVersion: kind.version.apiVersion, kind: kind.className, metadata, spec };
    return { statement: elementAt(this.statements, this.statements.length - 1), object };
  }

  public text(subject: Found): string {
    this.make(subject, true);
    const app = this.submodules.has('app') ? 'cdkApp' : 'app';
    return [
      'import { App, Chart } from \'cdk8s\';',
      `import { ${[...this.core, ...this.submodules].sort(byLetter).join(', ')} } from 'cdk8s-aso';`,
      '',
      `const ${app} = new App();`,
      `const chart = new Chart(${app}, '${THEME}', { namespace: '${THEME}' });`,
      '',
      ...this.statements.flatMap((statement) => [statement, '']),
      `${app}.synth();`,
    ].join('\n');
  }

  /** Writes the statement that creates a resource, and returns its spec. */
  private make({ kind, service }: Found, subject: boolean): SampleValue {
    const variable = this.variableFor(kind);
    const reference = { group: kind.version.kind.group, kind: kind.className, name: kind.fileName };
    this.made.set(`${service.submodule}/${kind.className}`, { text: variable, data: reference });
    const more = subject ? this.more : [];
    const props = new PropsWriter(kind, service, (of) => this.reference(of), (name) => this.core.add(name), more);
    const owner = this.owner({ kind, service });
    const azureName = subject || needsAzureName(kind) ? azureNameFor(kind) : undefined;
    const members: SampleMember[] = [
      ...(owner === undefined ? [] : [{ text: `owner: ${owner.text}`, key: 'owner', data: ownerData(kind, owner) }]),
      ...(azureName === undefined ? [] : [{ text: `azureName: ${literal(azureName)}`, key: 'azureName', data: azureName }]),
      ...props.members,
    ];
    this.submodules.add(service.submodule);
    const head = `${subject ? '' : `const ${variable} = `}new ${service.submodule}.${kind.className}(chart, ${literal(kind.fileName)}`;
    const spec = objectOf(members, head.length);
    this.statements.push(`${head}${members.length === 0 ? '' : `, ${spec.text}`});`);
    return spec;
  }

  private owner({ kind, service }: Found): SampleValue | undefined {
    if (kind.owner.kind === 'none') return undefined;
    const wanted =
      kind.owner.kind === 'known'
        ? `${kind.owner.submodule}/${kind.owner.className}`
        : (OWNERS[`${service.service}/${kind.className}`] ?? 'resources/ResourceGroup');
    const found = this.made.has(wanted) ? undefined : this.find(wanted);
    if (found) this.make(found, false);
    return this.made.get(wanted) ?? this.reference(wanted);
  }

  /** Writes a reference to an object of the namespace, of the kind `submodule/Kind`. */
  private reference(kind: string): SampleValue {
    const [submodule, className] = partsOf(kind);
    this.submodules.add(submodule);
    const words = wordsOf(className);
    const name = `shared-${elementAt(words, words.length - 1).toLowerCase()}`;
    const group = this.find(kind)?.kind.version.kind.group ?? groupOfService(submodule);
    return { text: `${submodule}.${className}.fromName('${name}')`, data: { group, kind: className, name } };
  }

  private find(wanted: string): Found | undefined {
    const [submodule, className] = partsOf(wanted);
    const service = this.modelOf(submodule);
    const kind = service?.kinds.find((candidate) => candidate.className === className);
    return kind && service && { kind, service };
  }

  private variableFor(kind: KindModel): string {
    const words = wordsOf(kind.className).map((word) => word.toLowerCase());
    return words.slice(-2).map((word, i) => (i === 0 ? word : capitalized(word))).join('');
  }
}

/** A manifest names the owner's group and kind only where these may differ. */
function ownerData({ owner }: KindModel, { data }: SampleValue): unknown {
  return owner.kind === 'any' ? data : { name: (data as { name: string }).name };
}

/** Submodule and class of `submodule/Kind`. */
function partsOf(kind: string): [submodule: string, className: string] {
  const parts = kind.split('/');
  return [elementAt(parts, 0), elementAt(parts, 1)];
}

function byLetter(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}
