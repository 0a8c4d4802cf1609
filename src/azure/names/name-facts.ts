import { NAME_RULES } from './name-rules';

/**
 * Azure's rules for names, beyond the catalog's patterns.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */

/** The scope in which a name has to be unique. */
export type NameScope = 'global' | 'tenant' | 'subscription' | 'region' | 'resourceGroup' | 'parent';

/** The rule for the names of one ARM type. */
export interface NameFacts {
  readonly scope?: NameScope;
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** The rule in words, after the lengths: `3 to 24` + ` ` + `letters and digits`. */
  readonly text?: string;
}

/** ARM type in lower case → rule. */
export const NAME_FACTS: Readonly<Record<string, NameFacts>> = NAME_RULES;

/** The rule for an ARM type, which is case-insensitive. */
export function nameFactsOf(armType: string): NameFacts {
  const type = armType.toLowerCase();
  return (Object.hasOwn(NAME_FACTS, type) ? NAME_FACTS[type] : undefined) ?? {};
}

/** The scope in which names of an ARM type have to be unique. */
export function nameScopeOf(armType: string): NameScope {
  return nameFactsOf(armType).scope ?? (armType.split('/').length > 2 ? 'parent' : 'resourceGroup');
}

/** Why a text is no valid name for an ARM type; undefined if it may be valid. */
export function nameProblem(armType: string, name: string): string | undefined {
  const { min = 0, max = Infinity, pattern, text } = nameFactsOf(armType);
  if (name.length >= min && name.length <= max && (pattern?.test(name) ?? true)) return undefined;
  return `'${name}' is no name that Azure takes for ${armType}: ${min === max ? min : `${min} to ${max}`} ${text ?? 'characters'}.`;
}

// Types whose names have a meaning in Azure or elsewhere: settings, DNS names, principals. Such names cannot be derived.
const TELLING = [
  /^microsoft\.network\/(private)?dnszones(?!\/virtualnetworklinks$)/,
  /^microsoft\.dbfor[a-z]+\/.*\/(configurations|administrators)$/,
  /^microsoft\.quota\//,
  /^microsoft\.cache\/redis\/linkedservers$/,
  /^microsoft\.apimanagement\/service\/(products|gateways)\/(apis|groups)$/,
  /^microsoft\.apimanagement\/service\/(apis\/)?diagnostics$/,
  /^microsoft\.app\/containerapps\/authconfigs$/,
  /^microsoft\.appconfiguration\/configurationstores\/keyvalues$/,
  /^microsoft\.communication\/emailservices\/domains/,
  /^microsoft\.containerservice\/managedclusters\/maintenanceconfigurations$/,
  /^microsoft\.documentdb\/databaseaccounts\/mongodb(role|user)definitions$/,
  /^microsoft\.insights\/workbooks$/,
  /^microsoft\.sql\/servers\/(keys|outboundfirewallrules)$/,
];

/** Whether names of an ARM type have a meaning, so that they cannot be derived. */
export function isTellingName(armType: string): boolean {
  const type = armType.toLowerCase();
  return TELLING.some((pattern) => pattern.test(type));
}
