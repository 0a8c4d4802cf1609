import { UUID } from '../uuid';

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

interface Charset {
  readonly pattern: RegExp;
  readonly text: string;
}

const LOWER: Charset = { pattern: /^[a-z0-9]+$/, text: 'small letters and digits' };
const ALNUM: Charset = { pattern: /^[A-Za-z0-9]+$/, text: 'letters and digits' };
const HYPHENS: Charset = { pattern: /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/, text: 'letters, digits and hyphens, a letter or digit first and last' };
const ANY_HYPHENS: Charset = { pattern: /^[A-Za-z0-9-]+$/, text: 'letters, digits and hyphens' };
const SINGLE_HYPHENS: Charset = {
  pattern: /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/,
  text: 'letters, digits and hyphens, a letter or digit first and last, no two hyphens in a row',
};
const LETTER_HYPHENS: Charset = { pattern: /^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$/, text: 'letters, digits and hyphens, a letter first, a letter or digit last' };
const LOWER_HYPHENS: Charset = { pattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, text: 'small letters, digits and hyphens, a letter or digit first and last' };
const LOWER_SINGLE_HYPHENS: Charset = {
  pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
  text: 'small letters, digits and hyphens, a letter or digit first and last, no two hyphens in a row',
};
const NETWORK: Charset = {
  pattern: /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/,
  text: 'letters, digits, underscores, periods and hyphens, a letter or digit first, no period or hyphen last',
};
const SQL: Charset = { pattern: /^[^<>*%&:\\/?]*[^<>*%&:\\/?. ]$/, text: 'characters without <>*%&:\\/?, no period or space last' };
const UUID_TEXT: Charset = { pattern: UUID, text: 'characters of a UUID' };

const of = (min: number, max: number, charset?: Charset, scope?: NameScope): NameFacts => ({ min, max, ...charset, scope });
const everywhere = (min: number, max: number, charset?: Charset) => of(min, max, charset, 'global');

const network = of(1, 80, NETWORK);

/** ARM type in small letters → rule. */
export const NAME_FACTS: Readonly<Record<string, NameFacts>> = {
  'microsoft.apimanagement/service': { scope: 'global' },
  'microsoft.app/containerapps': of(2, 32, { pattern: /^[a-z]([a-z0-9-]*[a-z0-9])$/, text: 'small letters, digits and hyphens, a letter first, a letter or digit last' }),
  'microsoft.appconfiguration/configurationstores': { scope: 'global' },
  'microsoft.authorization/roleassignments': of(36, 36, UUID_TEXT, 'tenant'),
  'microsoft.authorization/roledefinitions': of(36, 36, UUID_TEXT, 'tenant'),
  'microsoft.batch/batchaccounts': of(3, 24, LOWER, 'region'),
  'microsoft.cache/redis': everywhere(1, 63, SINGLE_HYPHENS),
  'microsoft.cdn/profiles': of(1, 260, HYPHENS),
  'microsoft.cdn/profiles/endpoints': everywhere(1, 50, HYPHENS),
  'microsoft.compute/availabilitysets': network,
  'microsoft.compute/virtualmachines': of(1, 64),
  'microsoft.compute/virtualmachinescalesets': of(1, 64),
  'microsoft.containerinstance/containergroups': of(1, 63, LOWER_SINGLE_HYPHENS),
  'microsoft.containerregistry/registries': everywhere(5, 50, ALNUM),
  'microsoft.datafactory/factories': { scope: 'global' },
  'microsoft.dbformariadb/servers': everywhere(3, 63, LOWER_HYPHENS),
  'microsoft.dbformysql/flexibleservers': everywhere(3, 63, LOWER_HYPHENS),
  'microsoft.dbforpostgresql/flexibleservers': everywhere(3, 63, LOWER_HYPHENS),
  'microsoft.devices/iothubs': everywhere(3, 50, { pattern: /^[A-Za-z0-9-]*[A-Za-z0-9]$/, text: 'letters, digits and hyphens, no hyphen last' }),
  'microsoft.documentdb/databaseaccounts': everywhere(3, 44, { pattern: /^[a-z0-9][a-z0-9-]*$/, text: 'small letters, digits and hyphens, a letter or digit first' }),
  'microsoft.documentdb/databaseaccounts/sqlroleassignments': of(36, 36, UUID_TEXT),
  'microsoft.eventgrid/domains': of(3, 50, ANY_HYPHENS, 'region'),
  'microsoft.eventgrid/eventsubscriptions': of(3, 64, ANY_HYPHENS),
  'microsoft.eventgrid/topics': of(3, 50, ANY_HYPHENS, 'region'),
  'microsoft.eventhub/namespaces': everywhere(6, 50, LETTER_HYPHENS),
  'microsoft.insights/workbooks': of(36, 36, UUID_TEXT),
  'microsoft.keyvault/vaults': everywhere(3, 24, {
    pattern: /^[A-Za-z]([A-Za-z0-9]|-(?!-))*[A-Za-z0-9]$/,
    text: 'letters, digits and hyphens, a letter first, a letter or digit last, no two hyphens in a row',
  }),
  'microsoft.kusto/clusters': everywhere(4, 22, { pattern: /^[a-z][a-z0-9]*$/, text: 'small letters and digits, a letter first' }),
  'microsoft.managedidentity/userassignedidentities': of(1, 128, {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
    text: 'letters, digits, underscores and hyphens, a letter or digit first',
  }),
  'microsoft.network/applicationgateways': network,
  'microsoft.network/applicationsecuritygroups': network,
  'microsoft.network/bastionhosts': network,
  'microsoft.network/firewallpolicies': network,
  'microsoft.network/frontdoorwebapplicationfirewallpolicies': of(1, 128, { pattern: /^[A-Za-z][A-Za-z0-9]*$/, text: 'letters and digits, a letter first' }),
  'microsoft.network/loadbalancers': network,
  'microsoft.network/networkinterfaces': network,
  'microsoft.network/networksecuritygroups': network,
  'microsoft.network/networksecuritygroups/securityrules': network,
  'microsoft.network/networkwatchers': network,
  'microsoft.network/privatednszones/virtualnetworklinks': network,
  'microsoft.network/privateendpoints': of(2, 64, NETWORK),
  'microsoft.network/privatelinkservices': network,
  'microsoft.network/publicipaddresses': network,
  'microsoft.network/publicipprefixes': network,
  'microsoft.network/routetables': network,
  'microsoft.network/routetables/routes': network,
  'microsoft.network/trafficmanagerprofiles': everywhere(1, 63, { pattern: /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, text: 'letters, digits, hyphens and periods, a letter or digit first and last' }),
  'microsoft.network/virtualnetworkgateways': network,
  'microsoft.network/virtualnetworks': of(2, 64, NETWORK),
  'microsoft.network/virtualnetworks/subnets': network,
  'microsoft.network/virtualnetworks/virtualnetworkpeerings': network,
  'microsoft.notificationhubs/namespaces': everywhere(6, 50, LETTER_HYPHENS),
  'microsoft.resources/resourcegroups': of(1, 90, {
    pattern: /^[-\p{L}\p{N}_.()]*[-\p{L}\p{N}_()]$/u,
    text: 'letters, digits, underscores, hyphens, periods and parentheses, no period last',
  }, 'subscription'),
  'microsoft.search/searchservices': everywhere(2, 60, {
    pattern: /^[a-z0-9]{2,}(-[a-z0-9]+)*$/,
    text: 'small letters, digits and hyphens, no hyphen among the first two or last, no two hyphens in a row',
  }),
  'microsoft.servicebus/namespaces': everywhere(6, 50, {
    pattern: /^(?!.*-(sb|mgmt)$)[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/i,
    text: 'letters, digits and hyphens, a letter first, a letter or digit last, without -sb or -mgmt at the end',
  }),
  'microsoft.signalrservice/signalr': { scope: 'global' },
  'microsoft.sql/servers': everywhere(1, 63, LOWER_HYPHENS),
  'microsoft.sql/servers/databases': of(1, 128, SQL),
  'microsoft.sql/servers/elasticpools': of(1, 128, SQL),
  'microsoft.sql/servers/failovergroups': everywhere(1, 63, LOWER_HYPHENS),
  'microsoft.storage/storageaccounts': everywhere(3, 24, LOWER),
  'microsoft.storage/storageaccounts/blobservices/containers': of(3, 63, {
    pattern: /^(\$(web|root|logs)|[a-z0-9]+(-[a-z0-9]+)*)$/,
    text: LOWER_SINGLE_HYPHENS.text,
  }),
  'microsoft.storage/storageaccounts/fileservices/shares': of(3, 63, LOWER_SINGLE_HYPHENS),
  'microsoft.storage/storageaccounts/queueservices/queues': of(3, 63, LOWER_SINGLE_HYPHENS),
  'microsoft.subscription/aliases': { scope: 'tenant' },
  'microsoft.synapse/workspaces': everywhere(1, 50, {
    pattern: /^(?!.*-ondemand)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    text: 'small letters, digits and hyphens, a letter or digit first and last, without -ondemand',
  }),
  'microsoft.synapse/workspaces/bigdatapools': of(1, 15, { pattern: /^[A-Za-z][A-Za-z0-9]*$/, text: 'letters and digits, a letter first' }),
  'microsoft.web/serverfarms': of(1, 60),
  'microsoft.web/sites': everywhere(2, 60, { pattern: /^[\p{L}\p{N}]([-\p{L}\p{N}]*[\p{L}\p{N}])?$/u, text: 'letters, digits and hyphens, a letter or digit first and last' }),
};

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
