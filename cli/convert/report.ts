import type { ChartPlan } from './charts';
import type { Item, Kept, KeptReason } from './item';
import { parameterTypeText } from './parameters/parameter';
import { hasDefault } from './parameters/props-source';
import type { Catalog } from '../../src/catalog';
import { isNewerThan, newerVersion } from '../../src/catalog/version-order';
import { versionNameOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { counted, firstOf, plural } from '../../src/util/words';
import { isLater } from '../manifests/later/variables';
import { oneLine, type Problem } from '../output/problem';

const MAX_NAMED = 5;

interface Reading {
  /** About several objects: `have a version that the catalog lacks`. */
  readonly is: string;
  readonly are: string;
  /** The step that changes it. */
  way(files: string, variables: readonly string[]): string;
}

const READINGS: Readonly<Record<KeptReason, Reading>> = {
  'kind-later': {
    is: 'has a variable in its apiVersion or kind',
    are: 'have a variable in their apiVersion or kind',
    way: (files, variables) => `cdk8s-aso convert ${variables.map((name) => `--set ${name}=VALUE `).join('')}${files}`,
  },
  'unknown-kind': {
    is: 'is of a kind that the catalog lacks',
    are: 'are of kinds that the catalog lacks',
    way: () => 'cdk8s-aso import-crds CRDS writes classes for kinds of a newer operator',
  },
  'newer-version': {
    is: 'has a version that is newer than the catalog',
    are: 'have versions that are newer than the catalog',
    way: () => 'cdk8s-aso import-crds CRDS writes classes with them',
  },
  'unknown-version': {
    is: 'has a version that the catalog lacks',
    are: 'have versions that the catalog lacks',
    way: (files) => `cdk8s-aso upgrade-check --fix ${files} rewrites the files to versions that it has`,
  },
  'twice': {
    is: 'is in the files twice',
    are: 'are in the files twice',
    way: () => 'remove one of the two',
  },
  'misfit': {
    is: 'does not fit its class',
    are: 'do not fit their classes',
    way: (files) => `cdk8s-aso check ${files} names the mistakes`,
  },
  'other-api': {
    is: 'is of another API',
    are: 'are of other APIs',
    way: () => 'cdk8s import writes classes for such kinds',
  },
};

/** The reason why an object does not become a typed construct, and the fix; undefined where it does. */
export function whyKept(item: Item, catalog: Catalog): Kept | undefined {
  const { object: { apiVersion, kind }, refused, group } = item;
  if (refused) return { reason: refused.reason, why: refused.why, fix: refused.fix };
  if (item.typed || item.isCredential) return undefined;
  if (item.texts.of(apiVersion as string).parameters.length + item.texts.of(kind as string).parameters.length > 0) {
    return { reason: 'kind-later', why: 'a variable stands in its apiVersion or kind', fix: 'fill it in with --set NAME=VALUE' };
  }
  if (!mayBeInCatalog(group)) return { reason: 'other-api', why: 'it is of another API', fix: 'nothing to do' };
  const known = catalog.kind(group, item.kind);
  if (!known) {
    return { reason: 'unknown-kind', why: 'the catalog does not have its kind', fix: 'it is one of a newer operator, or of another one' };
  }
  const version = versionNameOf({ apiVersion: apiVersion as string });
  if (isNewerThan(version, known.facts.latest)) {
    return { reason: 'newer-version', why: newerVersion(item.kind, version).message, fix: 'import-crds writes a class with it' };
  }
  const why = `the catalog does not have its version; it has ${known.versionNames.join(', ')}`;
  return { reason: 'unknown-version', why, fix: 'write it in one of them' };
}

/** An object that no class stands for. */
interface KeptObject extends Kept {
  readonly item: Item;
}

/** The outcome of a conversion, in numbers. */
export class Report {
  private readonly items: readonly Item[];
  /** Objects in other objects. */
  private readonly inner: readonly Item[];
  private readonly kept: readonly KeptObject[];

  public constructor(private readonly charts: readonly ChartPlan[], catalog: Catalog, private readonly paths: readonly string[]) {
    const all = charts.flatMap(({ plans }) => plans.map(({ item }) => item));
    this.items = all.filter(({ inside }) => !inside);
    this.inner = all.filter(({ inside }) => inside);
    this.kept = this.items.flatMap((item) => {
      const kept = whyKept(item, catalog);
      return kept ? [{ ...kept, item }] : [];
    });
  }

  /** Lines for people: the objects that became classes, each reason why others did not, and what changes it. */
  public get lines(): string[] {
    const [all, kept] = [this.items.length, this.kept.length];
    if (all === 0) return [];
    const typed = kept === 0 ? `${all === 1 ? 'the object' : `all ${all} objects`}` : `${all - kept} of ${counted(all, 'object')}`;
    const constructs = plural(all - kept, 'is a construct of its class', 'are constructs of their classes');
    const isLone = all === 1 && kept === 1;
    return [
      isLone ? 'the object is an ApiObject' : `${typed} ${constructs}${kept === 0 ? '' : `, ${kept} ${plural(kept, 'is an ApiObject', 'are ApiObjects')}`}`,
      ...this.innerLine,
      ...this.groups.map(({ reason, objects }) => {
        const { is, are, way } = READINGS[reason];
        const variables = objects.flatMap(({ item }) => namesIn(item));
        const named = firstOf([...new Set(objects.map(nameOf))], MAX_NAMED);
        return `${objects.length} ${plural(objects.length, is, are)} (${named}): ${way(this.files, [...new Set(variables)])}`;
      }),
      ...this.propsLine,
    ].map(oneLine);
  }

  /** The same for programs. */
  public get json(): Record<string, unknown> {
    return {
      objects: this.items.length,
      classes: this.items.length - this.kept.length,
      classesInOtherObjects: this.inner.filter((item) => item.typed).length,
      apiObjects: this.kept.map(({ item: { source, title }, reason, why, fix }) => ({
        file: source.file, line: source.line, object: title, reason, message: why, fix,
      })),
      props: this.charts.flatMap(({ className, parameters }) => parameters.map((parameter) => ({
        chart: className,
        name: parameter.name,
        type: parameterTypeText(parameter.type, { service: (submodule, name) => `${submodule}.${name}` }),
        variables: [...parameter.written],
        ...(hasDefault(parameter) ? { default: parameter.default } : { environment: parameter.environment }),
        ...(parameter.value !== undefined && { value: parameter.value }),
      }))),
    };
  }

  private get groups(): { readonly reason: KeptReason; readonly objects: readonly KeptObject[] }[] {
    const reasons = Object.keys(READINGS) as KeptReason[];
    const groups = reasons.map((reason) => ({ reason, objects: this.kept.filter((one) => one.reason === reason) }));
    return groups.filter(({ objects }) => objects.length > 0);
  }

  private get innerLine(): string[] {
    const typed = this.inner.filter((item) => item.typed);
    if (typed.length === 0) return [];
    const holders = new Set(typed.map(({ inside }) => inside!.holder.kind));
    const constructs = plural(typed.length, 'is a construct of its class', 'are constructs of their classes');
    return [`${counted(typed.length, 'object')} in other objects (${firstOf([...holders], MAX_NAMED)}) ${constructs}`];
  }

  private get propsLine(): string[] {
    const parameters = new Set(this.charts.flatMap((chart) => chart.parameters));
    if (parameters.size === 0) return [];
    const named = firstOf(Array.from(parameters, ({ name, written }) => `${name} for ${[...written][0]}`), MAX_NAMED);
    const what = `${counted(parameters.size, 'variable')} ${plural(parameters.size, 'is a prop', 'are props')} of the charts`;
    return [`${what} (${named}); --set NAME=VALUE and --env-file FILE fill them in instead`];
  }

  private get files(): string {
    return this.paths.length > 2 ? 'FILES' : this.paths.join(' ');
  }
}

/** How a group names an object. */
function nameOf({ item: { kind, object: { apiVersion } }, reason }: KeptObject): string {
  return ['unknown-version', 'newer-version', 'kind-later'].includes(reason) ? `${apiVersion as string} ${kind}` : kind;
}

/** The variables in the kind and version of an object. */
function namesIn({ texts, object: { apiVersion, kind } }: Item): string[] {
  return [apiVersion, kind].filter(isLater).flatMap((text) => texts.of(text).parameters.map(({ environment }) => environment));
}

/** A note about a single object. */
export function noteOf({ source, title }: Item, message: string, fix: string): Problem {
  return { file: source.file, line: source.line, object: title, message, fix };
}
