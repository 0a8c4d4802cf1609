import { unwrapped } from '../go/expressions';
import type { GoExpression } from '../go/syntax';
import type { GoPackage } from '../source/go-package';

/** The hooks that a kind may have code for, in the order in which the catalog lists them. */
const HOOKS: readonly string[] = [
  'ARMResourceModifier', 'Deleter', 'ErrorClassifier', 'Importer', 'KubernetesConfigExporter', 'KubernetesSecretExporter', 'PostReconciliationChecker',
  'PreReconciliationChecker', 'PreReconciliationOwnerChecker', 'SuccessfulCreationHandler',
];

/** Kind → the hooks for which ASO has code of its own. */
export function extensionsIn(customizations: GoPackage): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const method of customizations.methodsNamed('GetExtendedResources')) {
    const kinds = new Set(method.body.flatMap((statement) => (statement.is === 'return' ? statement.values.flatMap(kindsIn) : [])));
    const stated = customizations.implementations.get(method.receiver!);
    const hooks = HOOKS.filter((hook) => stated?.has(hook));
    if (hooks.length > 0) for (const kind of kinds) found.set(kind, hooks);
  }
  return found;
}

/** `[]genruntime.KubernetesResource{&v20230131.Vault{}, …}` */
function kindsIn(list: GoExpression): string[] {
  if (list.is !== 'literal') return [];
  return list.elements.flatMap(({ value }) => {
    const resource = unwrapped(value);
    return resource.is === 'literal' && resource.type.is === 'name' ? [resource.type.name] : [];
  });
}
