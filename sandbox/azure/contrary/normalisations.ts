import { withoutTrailingSlashes } from '../../../src/azure/trailing-slashes';
import { capitalized } from '../../../src/util/words';

/** The form to which a service brings a value that it takes in other forms, too. */
export interface Normalisation {
  /** ARM types in lower case that begin with this. */
  readonly types: string;
  /** Paths of members, `[]` for every element of a list. */
  readonly path: RegExp;
  readonly evidence: string;
  readonly change: (text: string) => unknown;
}

const RECORDED = 'recorded traffic';
const lower = (text: string): string => text.toLowerCase();
const upper = (text: string): string => text.toUpperCase();

/** Values that services are known to bring to another form. */
export const NORMALISATIONS: readonly Normalisation[] = [
  {
    types: 'microsoft.dbforpostgresql/flexibleservers/databases',
    path: /^\/properties\/charset$/,
    evidence: RECORDED,
    change: upper,
  },
  {
    types: 'microsoft.signalrservice/signalr',
    path: /^\/properties\/features\[\]\/value$/,
    evidence: RECORDED,
    change: (text) => (/^(true|false)$/.test(text) ? capitalized(text) : text),
  },
  {
    types: 'microsoft.authorization/roledefinitions',
    path: /^\/properties\/type$/,
    evidence: RECORDED,
    change: capitalized,
  },
  {
    types: 'microsoft.keyvault/vaults',
    path: /^\/properties\/(tenantId|accessPolicies\[\]\/(tenantId|objectId|applicationId))$/,
    evidence: RECORDED,
    change: lower,
  },
  {
    types: 'microsoft.storage/storageaccounts/managementpolicies',
    path: /^\/name$/,
    evidence: RECORDED,
    change: () => 'DefaultManagementPolicy',
  },
  {
    types: 'microsoft.compute/virtualmachine',
    path: /\/diagnosticsProfile\/bootDiagnostics\/storageUri$/,
    evidence: 'https://github.com/hashicorp/terraform-provider-azurerm/issues/2796',
    change: (text) => `${withoutTrailingSlashes(text)}/`,
  },
  {
    types: 'microsoft.compute/virtualmachinescalesets',
    path: /^\/sku\/tier$/,
    evidence: 'https://github.com/hashicorp/terraform/issues/11626',
    change: capitalized,
  },
  {
    types: 'microsoft.policyinsights/remediations',
    path: /^\/properties\/policy(Assignment|DefinitionReference)Id$/,
    evidence: 'https://github.com/Azure/azure-rest-api-specs/issues/37823',
    change: lower,
  },
  {
    types: 'microsoft.web/sites',
    path: /^\/properties\/(defaultHostName|hostNames\[\])$/,
    evidence: 'https://github.com/Azure/Azure-Network-Security/issues/291',
    change: lower,
  },
  {
    types: 'microsoft.servicebus/namespaces',
    path: /^\/properties\/(\w+TimeToLive|lockDuration|\w+TimeWindow|autoDeleteOnIdle)$/,
    evidence: 'https://github.com/Azure/azure-service-bus/issues/306: the service keeps durations as .NET time spans',
    change: timeSpan,
  },
  {
    types: 'microsoft.cache/redis',
    path: /^\/properties\/redisConfiguration\/[\w-]+$/,
    evidence: 'https://github.com/aztfmod/terraform-azurerm-caf/issues/815: numbers of the configuration are texts',
    change: String,
  },
];

/** The form in which .NET writes a duration: `P1D` for `PT24H` and `PT1440M`. */
function timeSpan(text: string): string {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!match) return text;
  const [days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0)) as [number, number, number, number];
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  const parts = [Math.floor(total / 3600) % 24, Math.floor(total / 60) % 60, total % 60];
  const time = parts.map((part, index) => (part > 0 ? `${part}${'HMS'[index]!}` : '')).join('');
  const whole = Math.floor(total / 86_400);
  return `P${whole > 0 ? `${whole}D` : ''}${time ? `T${time}` : whole > 0 ? '' : 'T0S'}`;
}
