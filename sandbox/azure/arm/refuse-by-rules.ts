import type { NodePath } from './arm-path';
import { AzureError } from './errors';
import { RuleSubjects } from './rule-subjects';
import { allAzureRules } from '../../../src/azure/rules/all';
import type { AzureRule, AzureSubject } from '../../../src/azure/rules/rule';
import { immutableChanges, type KindVersion } from '../../../src/catalog';
import type { Simulation } from '../model/simulation';
import type { Json } from '../model/store';

/** Rules by kind; those of all kinds have the key `''`. */
const BY_KIND = new Map<string, AzureRule[]>();
for (const rule of allAzureRules()) {
  for (const kind of rule.kinds.length > 0 ? rule.kinds : ['']) BY_KIND.set(kind, [...(BY_KIND.get(kind) ?? []), rule]);
}

/** A body of hundreds of items may break a rule in each. */
const MOST_OF_A_RULE = 3;

type Refusal = AzureError['details'][number];

/** The refusals of a rule. One without a code is about what Azure takes. */
function refusals({ code, find }: AzureRule, subject: AzureSubject): Refusal[] {
  if (code === undefined) return [];
  const violations = find(subject).filter(({ severity }) => severity !== 'warning');
  return violations.slice(0, MOST_OF_A_RULE).map(({ field, message }) =>
    ({ code, target: field, message: `The value of '${field}' is not valid: ${message}.` }));
}

/**
 * Refuses what Azure refuses, by the same rules as `cdk8s-aso check`: with the code of the first, and all in the details.
 *
 * @throws AzureError
 */
export function refuseByRules(simulation: Simulation, nodes: NodePath, body: Json, version: KindVersion): void {
  const subject = new RuleSubjects(simulation).ofBody(nodes, body, version);
  const details = [...(BY_KIND.get('') ?? []), ...(BY_KIND.get(subject.kind) ?? [])].flatMap((rule) => refusals(rule, subject));
  const [first] = details;
  if (first) throw new AzureError(400, first.code, first.message, details.length > 1 ? details : []);
}

/**
 * Refuses another value of a property that Azure does not change once the resource exists.
 *
 * @throws AzureError
 */
export function refuseImmutable(existing: Json, body: Json, version: KindVersion): void {
  // A refusal that depends on the use of the resource is not certain.
  const change = immutableChanges(version, existing, body, 'body').find(({ when }) => when === undefined);
  if (change) throw new AzureError(400, change.code, `Changing property '${change.path}' is not allowed.`);
}
