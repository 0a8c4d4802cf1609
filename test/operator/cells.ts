import type { Rule } from '../../src/operator/rbac/rules';

/** A verb on a resource: the smallest thing that can be taken away. */
export interface Cell {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

/** All cells of rules, each once. */
export function cellsOf(rules: readonly Rule[]): Cell[] {
  const cells = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => ({ group, resource, verb })))));
  return [...new Map(cells.map((cell) => [nameOf(cell), cell])).values()];
}

/** The rules that are left when a cell is taken away, wherever it stands. */
export function without(rules: readonly Rule[], { group, resource, verb }: Cell): Rule[] {
  return rules.flatMap((rule) => {
    if (!rule.apiGroups.includes(group) || !rule.resources.includes(resource) || !rule.verbs.includes(verb)) return [rule];
    const parts = [
      { ...rule, resources: rule.resources.filter((other) => other !== resource) },
      { ...rule, resources: [resource], verbs: rule.verbs.filter((other) => other !== verb) },
    ];
    return parts.filter(({ resources, verbs }) => resources.length > 0 && verbs.length > 0);
  });
}

export function nameOf({ group, resource, verb }: Cell): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}`;
}
