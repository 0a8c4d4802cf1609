import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { ALLOWED } from './allowed-objects';
import { FORBIDDEN } from './forbidden-objects';
import { FIN, HR, POLICY } from './guarded-team';
import type { TeamObject } from './objects-of-team';
import type { TeamInEnvironment } from '../../src/platform/model/team-in-environment';
import { admissionPolicySpec } from '../../src/platform/policy/admission-policy';
import { brokenBy, messageOf, type Limit } from '../../src/platform/policy/limit';
import { SelfServicePolicy } from '../../src/platform/policy/self-service-policy';
import { isRecord } from '../../src/util/records';

interface AdmissionSpec {
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
// Kubernetes has it among its strings.
cel.registerFunction('string.replace(string, string): string', (text: string, part: string, by: string) => text.replaceAll(part, by));
// The implementation takes other letters too: the lower case of the Kelvin sign is k.
cel.registerFunction('string.lowerCaseOfAscii(): string', (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
const parsed = new Map<string, ReturnType<typeof cel.parse>>();

function evaluate(expression: string, context: Record<string, unknown>): unknown {
  if (!parsed.has(expression)) parsed.set(expression, cel.parse(expression.replaceAll('.lowerAscii()', '.lowerCaseOfAscii()')));
  return parsed.get(expression)!(context);
}

/** The API server's rejections, according to another implementation of CEL. */
function refusals({ variables, validations }: AdmissionSpec, object: unknown, oldObject: unknown): string[] {
  const values: Record<string, unknown> = {};
  for (const { name, expression } of variables) values[name] = evaluate(expression, { object, oldObject, variables: values });
  const context = { object, oldObject, variables: values };
  return validations.filter(({ expression }) => evaluate(expression, context) !== true).map(({ message }) => message);
}

const STRICTER = SelfServicePolicy.ofComponents({
  reconcilePolicies: [],
  principalConfigMaps: ['ids'],
  serviceBus: { managesBaseComponent: true },
});

function guardsOf(policy: SelfServicePolicy, team: TeamInEnvironment) {
  const limits = policy._limits(team);
  const resolved = policy._for(team);
  return {
    emitted: admissionPolicySpec(resolved, limits) as AdmissionSpec,
    broken: (object: unknown, oldObject?: unknown) =>
      brokenBy(limits, object, oldObject).map((limit: Limit) => messageOf(limit, resolved.origin)),
  };
}

const GUARDS = [guardsOf(POLICY, FIN), guardsOf(STRICTER, HR)];
const OBJECTS = [...FORBIDDEN, ...ALLOWED].map(({ object }) => object);

/** An object with some leaves in the place of another one's, or without them. */
function mixed(object: unknown, other: unknown, choose: () => number): unknown {
  if (!isRecord(object)) {
    return choose() % 3 === 0 && typeof other === typeof object ? other : object;
  }
  const kept = Object.entries(object).filter(([name]) => choose() % 8 !== 0 || ['apiVersion', 'kind', 'metadata', 'name'].includes(name));
  const strange = isRecord(other) ? other as Record<string, unknown> : {};
  const more = Object.entries(strange).filter(([name]) => choose() % 4 === 0 && !Object.hasOwn(object, name));
  return Object.fromEntries([...kept.map(([name, value]) => [name, mixed(value, strange[name], choose)] as const), ...more]);
}

/** Any of the table, crossed with any other. */
const choices = fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 });
const anyObject = fc.tuple(fc.constantFrom(...OBJECTS), fc.constantFrom(...OBJECTS), choices).map(([one, other, numbers]) => {
  let next = 0;
  return mixed(one, other, () => numbers[next++ % numbers.length]!) as TeamObject;
});

it('an object is refused by what is emitted for the same reasons as at synth', () => {
  for (const { emitted, broken } of GUARDS) {
    for (const object of OBJECTS) expect(refusals(emitted, object, null)).toEqual(broken(object));
  }
});

it('both agree on whatever the team may think of', () => {
  let refused = 0;
  fc.assert(fc.property(anyObject, fc.option(anyObject, { nil: undefined }), fc.nat(GUARDS.length - 1), (object, oldObject, which) => {
    const { emitted, broken } = GUARDS[which]!;
    const messages = broken(object, oldObject);
    refused += messages.length === 0 ? 0 : 1;
    expect(refusals(emitted, object, oldObject ?? null)).toEqual(messages);
  }), { numRuns: 500 });
  expect(refused).toBeGreaterThan(50);
});
