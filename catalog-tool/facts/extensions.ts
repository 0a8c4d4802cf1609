import { unwrapped } from '../go/expressions';
import type { GoExpression } from '../go/syntax';
import type { GoPackage } from '../source/go-package';

/** Method of an extension → its hook, in the order of the catalog. */
export const HOOKS: Readonly<Record<string, string>> = {
  ModifyARMResource: 'ARMResourceModifier',
  Delete: 'Deleter',
  ClassifyError: 'ErrorClassifier',
  Import: 'Importer',
  ExportKubernetesConfigMaps: 'KubernetesConfigExporter',
  ExportKubernetesSecrets: 'KubernetesSecretExporter',
  PostReconcileCheck: 'PostReconciliationChecker',
  PreReconcileCheck: 'PreReconciliationChecker',
  PreReconcileOwnerCheck: 'PreReconciliationOwnerChecker',
  Success: 'SuccessfulCreationHandler',
};

/** Kind → the hooks for which ASO has custom code. */
export function extensionsIn(customizations: GoPackage): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const method of customizations.methodsNamed('GetExtendedResources')) {
    const kinds = new Set(method.body.flatMap((statement) => (statement.is === 'return' ? statement.values.flatMap(kindsIn) : [])));
    const hooks = Object.entries(HOOKS).flatMap(([name, hook]) => (customizations.method(method.receiver!, name) ? [hook] : []));
    if (hooks.length > 0) for (const kind of kinds) found.set(kind, hooks);
  }
  return found;
}

/** The kinds in `[]genruntime.KubernetesResource{&v20230131.Vault{}, …}`. */
function kindsIn(list: GoExpression): string[] {
  if (list.is !== 'literal') return [];
  return list.elements.flatMap(({ value }) => {
    const resource = unwrapped(value);
    return resource.is === 'literal' && resource.type.is === 'name' ? [resource.type.name] : [];
  });
}
