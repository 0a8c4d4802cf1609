import { memberPath, unwrapped } from '../go/expressions';
import type { GoExpression, GoStatement } from '../go/syntax';

/** A value that a conversion function copies from one object to another. Paths are names of Go fields. */
export interface Flow {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Set if the value becomes a key of the map at `to`. */
  readonly asKey?: true;
}

export interface Flows {
  readonly flows: readonly Flow[];
  /** Paths of collections that become empty if they were absent. */
  readonly emptied: readonly (readonly string[])[];
}

/**
 * Traces values through the body of a generated conversion function (`ConvertToARM`, `PopulateFromARM`): local variables carry the paths of
 * their values until an assignment copies them to the result.
 * @param source name of the variable that is converted
 * @param sink name of the variable that receives the values
 */
export function followValues(body: readonly GoStatement[], source: string, sink: string): Flows {
  const walk = new Walk(source, sink);
  walk.statements(body);
  return { flows: walk.flows, emptied: walk.emptied };
}

class Walk {
  public readonly flows: Flow[] = [];
  public readonly emptied: string[][] = [];
  /** Local variable → paths of its value's origin. */
  private readonly origins = new Map<string, readonly (readonly string[])[]>();

  public constructor(private readonly source: string, private readonly sink: string) {}

  public statements(statements: readonly GoStatement[]): void {
    statements.forEach((statement) => this.statement(statement));
  }

  private statement(statement: GoStatement): void {
    switch (statement.is) {
      case 'assign':
        return this.assign(statement.targets, statement.values);
      case 'if':
        this.statements(statement.then);
        return this.statements(statement.otherwise);
      case 'range':
        for (const variable of statement.variables) this.bind(variable, this.originsOf(statement.of));
        return this.statements(statement.body);
      case 'variable':
        this.origins.set(statement.name, []);
        return;
      case 'call':
        this.originsOf(statement.call);
    }
  }

  private assign(targets: readonly GoExpression[], values: readonly GoExpression[]): void {
    targets.forEach((target, at) => {
      // The second result of a call is an error or a success flag.
      const value = values[at];
      if (!value) return;
      const origins = this.originsOf(value);
      this.bind(target, origins);
      this.put(target, value, origins);
    });
  }

  /** Assigns a value to a local variable. Values assigned to its elements count for the variable, too. */
  private bind(target: GoExpression, origins: readonly (readonly string[])[]): void {
    const bare = target.is === 'index' ? target.of : target;
    if (bare.is !== 'name' || bare.name === this.source || bare.name === this.sink) return;
    this.origins.set(bare.name, [...(target.is === 'index' ? this.origins.get(bare.name) ?? [] : []), ...origins]);
  }

  /** Records a value that is assigned to the result. */
  private put(target: GoExpression, value: GoExpression, origins: readonly (readonly string[])[]): void {
    const path = memberPath(target.is === 'index' ? target.of : target);
    if (path === undefined || path[0] !== this.sink || path.length < 2) return;
    const to = path.slice(1);
    if (isEmptyCollection(value)) this.emptied.push(to);
    this.flows.push(...origins.map((from) => ({ from, to })));
    if (target.is === 'index') this.flows.push(...this.originsOf(target.at).map((from): Flow => ({ from, to, asKey: true })));
  }

  private originsOf(expression: GoExpression): readonly (readonly string[])[] {
    const bare = unwrapped(expression);
    switch (bare.is) {
      case 'name':
        return bare.name === this.source ? [[]] : this.origins.get(bare.name) ?? [];
      case 'member':
        return this.originsOf(bare.of).map((path) => [...path, bare.name]);
      case 'index':
        return this.originsOf(bare.of);
      case 'call':
        return this.originsOfCall(bare);
      case 'literal':
        return bare.elements.flatMap(({ value }) => this.originsOf(value));
      default:
        return [];
    }
  }

  /** The origins of a call's result: its arguments, or the object whose method is called. */
  private originsOfCall({ callee, arguments: passed }: GoExpression & { is: 'call' }): readonly (readonly string[])[] {
    if (callee.is === 'name' && ['len', 'make'].includes(callee.name)) return [];
    const fromArguments = passed.flatMap((argument) => this.originsOf(argument));
    if (callee.is !== 'member') return fromArguments;
    const object = callee.of;
    const own = this.originsOf(object);
    // item.PopulateFromARM(owner, *typedInput.Item) fills the local variable `item`.
    if (object.is === 'name' && this.origins.has(object.name) && own.length === 0) this.bind(object, fromArguments);
    return [...own, ...fromArguments];
  }
}

function isEmptyCollection(value: GoExpression): boolean {
  if (value.is === 'literal') return value.elements.length === 0 && (value.type.is === 'slice' || value.type.is === 'map');
  return value.is === 'call' && value.callee.is === 'name' && value.callee.name === 'make' && value.arguments.length === 1;
}
