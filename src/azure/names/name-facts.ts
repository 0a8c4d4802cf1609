import { NAME_RULES } from './name-rules';

/**
 * What Azure asks of names, as far as the catalog's patterns do not say it.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */

/** Within what a name may be taken once only. */
export type NameScope = 'global' | 'tenant' | 'subscription' | 'region' | 'resourceGroup' | 'parent';

/** The rule for the names of one ARM type. */
export interface NameFacts {
  readonly scope?: NameScope;
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** The rule in words, to follow the lengths: `3 to 24` + ` ` + `letters and digits`. */
  readonly text?: string;
}

/** ARM type in lower case → rule. */
export const NAME_FACTS: Readonly<Record<string, NameFacts>> = NAME_RULES;

/** The rule for an ARM type; its name is compared without regard to case. */
export function nameFactsOf(armType: string): NameFacts {
  const type = armType.toLowerCase();
  return Object.hasOwn(NAME_FACTS, type) ? NAME_FACTS[type] : {};
}

/** Within what names of an ARM type may be taken once only. */
export function nameScopeOf(armType: string): NameScope {
  return nameFactsOf(armType).scope ?? (armType.split('/').length > 2 ? 'parent' : 'resourceGroup');
}

/** Why a text is no name for an ARM type, or undefined where it may be one. */
export function nameProblem(armType: string, name: string): string | undefined {
  const { min = 0, max = Infinity, pattern, text } = nameFactsOf(armType);
  if (name.length >= min && name.length <= max && (pattern?.test(name) ?? true)) return undefined;
  return `'${name}' is no name that Azure takes for ${armType}: ${min === max ? min : `${min} to ${max}`} ${text ?? 'characters'}.`;
}

// Names that say something to Azure or to the world: settings, DNS names, principals. Nobody could make them up.
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

/** Whether names of an ARM type have a meaning of their own, so that none can be made up. */
export function isTellingName(armType: string): boolean {
  const type = armType.toLowerCase();
  return TELLING.some((pattern) => pattern.test(type));
}
