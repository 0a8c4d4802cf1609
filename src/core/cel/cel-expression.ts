import { celName, celText, stepsOf } from './spelling';

/** The top-level members of an object of Azure Service Operator. */
const ROOTS = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

/**
 * Writes the CEL expressions of `operatorSpec.secretExpressions` and `operatorSpec.configMapExpressions`.
 *
 * ```ts
 * configMapExpressions: [{
 *   name: 'account',
 *   key: 'url',
 *   value: CelExpression.status('primaryEndpoints.blob').lower().text,
 * }]
 * ```
 *
 * When the app is synthesized, paths of `self` and names of `secret` are compared with the API version in which the resource is written.
 * @see https://azure.github.io/azure-service-operator/guide/expressions/
 */
export class CelExpression {
  /**
   * Any CEL expression.
   * @param text the expression
   * @throws when the text is empty
   */
  public static of(text: string): CelExpression {
    if (typeof text !== 'string' || text.trim() === '') {
      throw new Error('CelExpression.of: the expression is empty. Give a CEL expression, e.g. self.status.id.');
    }
    return new CelExpression(text.trim(), false);
  }

  /**
   * A value of the object: `metadata.name`, `spec.location`, `status.id`. A value that Azure has not set yet is an empty text. An element
   * of a list (`status.list[0].name`) or a key of a map (`spec.tags["a b"]`) has to be a text; a missing one is an empty text.
   * @param path the path, with the names of the manifest
   * @throws when the text is no path of an object
   */
  public static field(path: string): CelExpression {
    const steps = stepsOf(path);
    const [root] = steps;
    if (!root || !('member' in root) || !ROOTS.includes(root.member)) {
      throw new Error(`CelExpression.field: '${path}' does not begin with one of ${ROOTS.join(', ')}. Write it like 'status.id'.`);
    }
    const guards: string[] = [];
    let text = 'self';
    for (const step of steps) {
      if ('member' in step) {
        text += `.${celName(step.member)}`;
      } else if ('index' in step) {
        guards.push(`size(${text}) > ${step.index}`);
        text += `[${step.index}]`;
      } else {
        guards.push(`${celText(step.key)} in ${text}`);
        text += `[${celText(step.key)}]`;
      }
    }
    return guards.length === 0 ? new CelExpression(text, true) : new CelExpression(`${guards.join(' && ')} ? ${text} : ""`, false);
  }

  /**
   * A value of the status, as Azure returns it.
   * @param path the path in the status, e.g. `primaryEndpoints.blob`
   */
  public static status(path: string): CelExpression {
    return CelExpression.field(`status.${path}`);
  }

  /**
   * A value of the spec.
   * @param path the path in the spec of the manifest, e.g. `sku.name`
   */
  public static spec(path: string): CelExpression {
    return CelExpression.field(`spec.${path}`);
  }

  /**
   * A secret that Azure creates with the resource. Only valid in `secretExpressions`.
   * @param name a name of `operatorSpec.secrets`, e.g. `key1`
   * @throws when the text is no name
   */
  public static secret(name: string): CelExpression {
    if (typeof name !== 'string' || !/^[A-Za-z_][\w-]*$/.test(name)) {
      throw new Error(`CelExpression.secret: '${name}' is not the name of a secret. Give one of operatorSpec.secrets, e.g. key1.`);
    }
    // The operator only recognizes this spelling and fetches these secrets; it does not recognize secret["key1"].
    return new CelExpression(`secret.${celName(name)}`, true);
  }

  /**
   * A fixed text.
   * @param value the text itself; it is quoted
   */
  public static literal(value: string): CelExpression {
    return new CelExpression(celText(value), true);
  }

  /**
   * Concatenates texts.
   * @param parts expressions that give texts
   * @throws when there are none
   */
  public static concat(...parts: CelExpression[]): CelExpression {
    const [first, ...others] = parts;
    if (!first) throw new Error('CelExpression.concat: there is nothing to put together. Give at least one expression.');
    return others.length === 0 ? first : new CelExpression(parts.map((part) => part.operand).join(' + '), false);
  }

  /**
   * A text with values in place of `%s`.
   * @param template the text, with `%s` for each value; `%%` is a percent sign
   * @param values expressions, one for each `%s`
   * @throws when there are more or fewer values than `%s`
   */
  public static format(template: string, ...values: CelExpression[]): CelExpression {
    const places = template.match(/%./g) ?? [];
    const others = places.filter((place) => place !== '%s' && place !== '%%');
    if (others.length > 0 || /%$/.test(template.replace(/%%/g, ''))) {
      throw new Error(`CelExpression.format: '${others[0] ?? '%'}' is none of %s and %%. Convert values to texts with asText().`);
    }
    const wanted = places.filter((place) => place === '%s').length;
    if (wanted !== values.length) {
      throw new Error(`CelExpression.format: there are ${wanted} places (%s) and ${values.length} values. Give a value for each place.`);
    }
    return new CelExpression(`${celText(template)}.format([${values.map((value) => value.text).join(', ')}])`, true);
  }

  /**
   * A map of texts, which becomes all keys of a ConfigMap or Secret. Its destination has no `key`.
   * @param entries the keys with their values: expressions that give texts
   * @throws when there are none
   */
  public static mapOf(entries: { [key: string]: CelExpression }): CelExpression {
    const pairs = Object.entries(entries).map(([key, value]) => `${celText(key)}: ${value.text}`);
    if (pairs.length === 0) throw new Error('CelExpression.mapOf: the map is empty, which the operator refuses. Give at least one entry.');
    return new CelExpression(`{${pairs.join(', ')}}`, true);
  }

  /**
   * Texts and values put together. Empty while one of the values is empty: the operator refuses to export an empty text, so no text is
   * exported that lacks a part.
   * @internal
   */
  public static _together(parts: readonly (string | CelExpression)[]): CelExpression {
    const text = CelExpression.concat(...parts.map((part) => (typeof part === 'string' ? CelExpression.literal(part) : part)));
    const values = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [`${part.operand} != ""`])));
    if (values.size === 0 || parts.length === 1) return text;
    return new CelExpression(`${[...values].join(' && ')} ? ${text.text} : ""`, false);
  }

  /** The expression as CEL, for `value` of a destination. */
  public readonly text: string;

  private constructor(text: string, private readonly atomic: boolean) {
    this.text = text;
  }

  /** In lower case (of the Latin letters). */
  public lower(): CelExpression {
    return this.call('lowerAscii()');
  }

  /** In upper case (of the Latin letters). */
  public upper(): CelExpression {
    return this.call('upperAscii()');
  }

  /** Without white space at both ends. */
  public trim(): CelExpression {
    return this.call('trim()');
  }

  /**
   * Replaces all occurrences of a text.
   * @param from the text to replace
   * @param to the replacement
   */
  public replace(from: string, to: string): CelExpression {
    return this.call(`replace(${celText(from)}, ${celText(to)})`);
  }

  /** Converts a number or boolean to a text, as exports require. */
  public asText(): CelExpression {
    return new CelExpression(`string(${this.text})`, true);
  }

  /**
   * Replaces an empty text, e.g. of a value that Azure has not set yet: the operator refuses to export an empty text.
   * @param other the alternative
   */
  public orElse(other: CelExpression): CelExpression {
    return new CelExpression(`${this.operand} != "" ? ${this.operand} : ${other.operand}`, false);
  }

  /** The parts of an ARM id. The operator fails if the text is no ARM id. */
  public parsedResourceId(): CelResourceId {
    return new CelResourceId(`aso.parseResourceId(${this.text})`);
  }

  /** The expression as CEL. */
  public toString(): string {
    return this.text;
  }

  /** The expression as an operand of another expression. */
  private get operand(): string {
    return this.atomic ? this.text : `(${this.text})`;
  }

  private call(method: string): CelExpression {
    return new CelExpression(`${this.operand}.${method}`, true);
  }
}

/** The parts of an ARM id in a CEL expression: `CelExpression.status('id').parsedResourceId().subscriptionId`. */
export class CelResourceId {
  /** @param text a CEL expression that gives a parsed id */
  public constructor(private readonly text: string) {}

  /** The id of the subscription; empty if the ARM id has none. */
  public get subscriptionId(): CelExpression {
    return this.part('subscriptionId');
  }

  /** The name of the resource group; empty if the ARM id has none. */
  public get resourceGroupName(): CelExpression {
    return this.part('resourceGroupName');
  }

  /** The namespace of the resource provider, e.g. `Microsoft.Storage`. */
  public get providerNamespace(): CelExpression {
    return this.part('resourceType.namespace');
  }

  /** The location, if it is part of the id. */
  public get location(): CelExpression {
    return this.part('location');
  }

  /** The name of the resource. */
  public get name(): CelExpression {
    return this.part('name');
  }

  /** The type without its provider, e.g. `virtualNetworks/subnets`. */
  public get resourceType(): CelExpression {
    return this.part('resourceType.type');
  }

  /** The id of the resource that this one is a part of, e.g. of the virtual network of a subnet. */
  public get parent(): CelResourceId {
    return new CelResourceId(`${this.text}.parent`);
  }

  private part(name: string): CelExpression {
    return CelExpression.of(`${this.text}.${name}`);
  }
}
