import { isArray, isCommon, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression, type TypeFacts } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

interface Reference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The target of references where a case gives none. */
const UNKNOWN = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/elsewhere/providers/Microsoft.Network/virtualNetworks/net/subnets/other';

/**
 * The spec of a case with complete references and the words that tell the alternatives of a union apart; cases have `{}` where any value
 * will do.
 */
export function completed(spec: object, version: KindVersion, target: Reference | undefined): Record<string, unknown> {
  return new Completion(version, target).object(spec as Record<string, unknown>, version.specType);
}

class Completion {
  public constructor(private readonly version: KindVersion, private readonly target: Reference | undefined) {}

  public object(value: Record<string, unknown>, type: TypeFacts): Record<string, unknown> {
    return Object.fromEntries(Object.entries(value).map(([name, own]) => {
      const facts = Object.hasOwn(type.props, name) ? type.props[name] : undefined;
      if (!facts) return [name, own];
      const complete = this.value(own, facts.type, facts);
      return [name, type.oneOf && facts.inline && isRecord(complete) ? this.told(complete, type, facts) : complete];
    }));
  }

  /** An alternative with the word by which Azure tells it from others. */
  private told(value: Record<string, unknown>, { discriminator }: TypeFacts, { type, when }: PropertyFacts): Record<string, unknown> {
    const own = isRef(type) ? Object.entries(this.version.type(type.ref).props) : [];
    const name = own.find(([key, { arm }]) => (arm ?? key) === discriminator)?.[0];
    return name === undefined || when === undefined ? value : { [name]: when, ...value };
  }

  private value(value: unknown, type: TypeExpression, facts: PropertyFacts): unknown {
    if (isConstrained(type)) return this.value(value, type.type, facts);
    if (isArray(type)) return Array.isArray(value) ? value.map((item) => this.item(item, type.array, facts)) : value;
    if (!isRecord(value)) return value;
    if (isMap(type)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.value(item, type.map, facts)]));
    if (isRef(type)) return this.object(value, this.version.type(type.ref));
    return isCommon(type) && facts.role !== 'owner' ? this.reference(value, facts) : value;
  }

  private item(value: unknown, type: TypeExpression, facts: PropertyFacts): unknown {
    const key = facts.mapKeyFromReference;
    return this.value(key !== undefined && isRecord(value) ? { [key]: {}, ...value } : value, type, facts);
  }

  private reference(value: Record<string, unknown>, { role }: PropertyFacts): object {
    if (role === 'secret' || role === 'configMap') return { name: 'values', key: 'key', ...value };
    if (role === 'secretMap') return { name: 'values', ...value };
    if ('armId' in value || 'wellKnownName' in value || 'kind' in value) return value;
    return this.target ?? { armId: UNKNOWN };
  }
}
