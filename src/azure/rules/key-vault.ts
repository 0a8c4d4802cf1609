import { atMost, between, eachText, fits } from './finders';
import { advice, LEARN, rule, violation, type AzureRule } from './rule';
import { valueAtPath, wordAt } from './values';
import { parseAddress, parseCidr } from '../../util/cidr';
import { isRecord } from '../../util/records';
import { UUID } from '../uuid';

const VAULT = 'keyvault.azure.com/Vault';
const SOFT_DELETE = [`${LEARN}/key-vault/general/soft-delete-overview`, 'BadRequest'] as const;
const LIMITS = [`${LEARN}/key-vault/general/assign-access-policy`, 'BadRequest'] as const;
const NETWORK = [`${LEARN}/key-vault/general/network-security`, 'BadRequest'] as const;

/** An empty list is not sent. */
const hasPolicies = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
export const KEY_VAULT_RULES: readonly AzureRule[] = [
  rule('key-vault-retention', VAULT, 'A deleted vault is kept for 7 to 90 days.', SOFT_DELETE, between('properties.softDeleteRetentionInDays', 7, 90, 'days')),
  rule('key-vault-purge-protection', VAULT, 'Purge protection is on or not given: it cannot be switched off.', SOFT_DELETE, ({ spec }) =>
    (valueAtPath(spec, 'properties.enablePurgeProtection') === false
      ? [{ field: 'properties.enablePurgeProtection', message: 'is false, which Azure refuses', fix: 'remove it, or write true' }] : [])),
  rule('key-vault-access', VAULT, 'A vault has access policies, or says that roles give access. `createMode: recover` needs neither; `createOrRecover` may create.',
    ['https://learn.microsoft.com/rest/api/keyvault/keyvault/vaults/create-or-update#vaultproperties', 'BadRequest'], ({ spec }) =>
      (isRecord(spec.properties) && !hasPolicies(spec.properties.accessPolicies) && spec.properties.enableRbacAuthorization !== true
        && wordAt(spec, 'properties.createMode') !== 'recover'
        ? violation('properties.accessPolicies', 'has no policy, and enableRbacAuthorization is not true', 'write enableRbacAuthorization: true, or a policy') : [])),
  advice('key-vault-policies-unused', VAULT, 'A vault whose roles give access has no access policies: Azure ignores them.', `${LEARN}/key-vault/general/rbac-migration`, ({ spec }) =>
    (valueAtPath(spec, 'properties.enableRbacAuthorization') === true && hasPolicies(valueAtPath(spec, 'properties.accessPolicies'))
      ? violation('properties.accessPolicies', 'is given, but enableRbacAuthorization is true, so Azure ignores it', 'give roles instead, or remove enableRbacAuthorization') : [])),
  rule('key-vault-policies', VAULT, 'A vault has 1024 access policies at most.', LIMITS, atMost('properties.accessPolicies', 1024, 'access policies')),
  rule('key-vault-ip-rules', VAULT, 'Rules of the firewall are IPv4 addresses or ranges.', NETWORK,
    eachText('properties.networkAcls.ipRules[].value', (value) =>
      (parseCidr(value)?.version === 4 || parseAddress(value)?.bits === 32
        ? undefined : [`'${value}' is no IPv4 address or range`, 'write it like 20.50.0.0/16 or 20.50.1.2']))),
  rule('key-vault-tenant', VAULT, 'A vault has the tenant whose principals it trusts, as a UUID.', [`${LEARN}/key-vault/general/authentication`, 'BadRequest'],
    fits('properties.tenantId', UUID, 'no id of a tenant', 'write the UUID of the tenant'), ...['tenantId', 'objectId'].map((member) =>
      fits(`properties.accessPolicies[].${member}`, UUID, 'no UUID', 'write the id, not the name'))),
  rule('key-vault-network-rules', VAULT, 'A vault has 1000 rules for addresses and 200 for networks at most.', NETWORK,
    atMost('properties.networkAcls.ipRules', 1000, 'rules'), atMost('properties.networkAcls.virtualNetworkRules', 200, 'rules')),
];
