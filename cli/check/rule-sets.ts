import { withoutTemplates, type HolderName } from '../manifests/inside/inside';
import type { Manifest } from '../manifests/manifests';

/** Manifests that the rules see together. */
export interface RuleSet {
  readonly manifests: readonly Manifest[];
  /** Objects that are made of a template stand beside objects that the files do not have, and may be several. */
  readonly isTemplate: boolean;
}

/** Rules about one object beside others, or about what the files do not have: they say nothing about a template. */
const ABOUT_SEVERAL: ReadonlySet<string> = new Set([
  'not-in-files', 'reference-across-namespaces', 'destination-shared', 'destination-taken', 'value-key', 'value-namespace', 'duplicate-object',
  'azure-name-taken', 'global-name-taken', 'write-once', 'credential-missing', 'role-name-taken', 'role-assignment-twice',
  'role-name-in-other-clusters', 'private-dns-registration-taken', 'federated-credential-limit', 'federated-credential-twice',
  'federated-issuer-elsewhere', 'credential-role-too-narrow', 'credential-subscription', 'credential-federation', 'owner-unprotected',
]);
/** Rules about what is not written: something else may add it. */
const ABOUT_MISSING: ReadonlySet<string> = new Set(['missing-field', 'owner-form', 'one-of']);

/** Whether a finding about an object in another one holds for what its holder's controller makes of it. */
export function holdsInside(rule: string, { inside }: Pick<Manifest, 'inside'>): boolean {
  if (inside === undefined) return true;
  if (inside.withoutRules?.includes(rule)) return false;
  return !(inside.isTemplate && ABOUT_SEVERAL.has(rule)) && !(inside.isPatched && ABOUT_MISSING.has(rule));
}

/** The objects that are applied, as one set; and each template as one of its own. */
export function ruleSetsOf(manifests: readonly Manifest[]): RuleSet[] {
  const templates = new Map<HolderName, Manifest[]>();
  for (const manifest of manifests) {
    const { inside } = manifest;
    if (inside?.isTemplate !== true) continue;
    const known = templates.get(inside.holder);
    if (known) known.push(manifest);
    else templates.set(inside.holder, [manifest]);
  }
  return [
    { manifests: withoutTemplates(manifests), isTemplate: false },
    ...Array.from(templates.values(), (own) => ({ manifests: own, isTemplate: true })),
  ];
}
