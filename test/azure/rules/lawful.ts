import { allAzureRules } from '../../../src/azure/rules/all';
import { runRules } from '../../../src/core/rules/run-rules';
import type { RuleManifest } from '../../../src/core/rules/set-object';

const OF_AZURE = new Set(allAzureRules().map(({ id }) => id));

/** Values of members that are required, by the rule that a random value breaks. */
const INSTEAD: Readonly<Record<string, unknown>> = {
  'region': 'uksouth',
  'global-location': 'global',
  'security-rule-priority': 100,
  'security-rule-complete': '*',
  'aks-dns-name': 'shop',
  'interface-address': '10.0.0.4',
  'resolver-domain': 'shop.',
};

/** Objects without the values that break one of Azure's rules. */
export function lawful<T extends object>(objects: readonly T[]): T[] {
  const copies = structuredClone(objects) as T[];
  const { findings } = runRules(copies as unknown as RuleManifest[]);
  // From the last item of a list to the first: those before it keep their places.
  for (const { rule, object, path } of [...findings].reverse()) {
    const last = path.at(-1);
    if (!OF_AZURE.has(rule) || last === undefined) continue;
    const parent = path.slice(0, -1).reduce<any>((value, step) => value?.[step], copies[object.index]);
    if (!parent) continue;
    if (rule in INSTEAD) parent[last] = INSTEAD[rule];
    else if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
  }
  return copies;
}
