import { eachText, fits, wordOf } from './finders';
import { advice, LEARN, rule, unwise, violation, type AzureRule } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { UUID } from '../uuid';

const FEDERATION = 'managedidentity.azure.com/FederatedIdentityCredential';
const ROLE = 'authorization.azure.com/RoleAssignment';
const TRUST = ['https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations', 'BadRequest'] as const;
const ASSIGNMENTS = `${LEARN}/role-based-access-control/role-assignments-steps`;

export const IDENTITY_RULES: readonly AzureRule[] = [
  rule('federation-issuer', FEDERATION, 'An issuer is an https URL of 600 characters at most, without query or fragment.', TRUST,
    fits('issuer', /^https:\/\/[^\s?#]{1,592}$/, 'no issuer', 'write the https URL that the issuer\'s discovery document has')),
  rule('federation-subject', FEDERATION, 'A subject is a text without wildcards, of 600 characters at most.', TRUST, eachText('subject', (value) =>
    (value.length > 600 ? [`has ${value.length} characters`, 'write 600 at most'] : undefined)), unwise(eachText('subject', (value) => {
    // Azure takes any text; no token has such a one.
    if (value.includes('*')) return [`'${value}' has a wildcard, which matches nothing else`, 'write the whole subject, and one credential for each'];
    return /^system:serviceaccount:/.test(value) && !/^system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+$/.test(value)
      ? [`'${value}' is no subject of a service account`, 'write system:serviceaccount:NAMESPACE:NAME'] : undefined;
  }))),
  advice('federation-cluster-subject', FEDERATION, 'The tokens of an AKS cluster are those of service accounts.', `${LEARN}/aks/workload-identity-overview`, ({ spec }) => {
    const subject = valueAtPath(spec, 'subject');
    return /\.oic\.prod-aks\.azure\.com\//i.test(wordAt(spec, 'issuer') ?? '') && typeof subject === 'string' && !subject.startsWith('system:serviceaccount:')
      ? violation('subject', `'${subject}' is in no token of this issuer`, 'write system:serviceaccount:NAMESPACE:NAME') : [];
  }),
  rule('federation-audience', FEDERATION, 'A federated credential has one audience.', [TRUST[0], 'InvalidFederatedIdentityCredentialsAudienceLength'], ({ spec }) => {
    const count = valuesAt(spec, 'audiences[]').length;
    return count > 1 ? [{ field: 'audiences', message: `has ${count} audiences`, fix: 'give one, as a rule api://AzureADTokenExchange' }] : [];
  }),
  rule('role-condition', ROLE, 'A condition has version 2.0.', [`${LEARN}/role-based-access-control/conditions-role-assignments-template`, 'InvalidCreateOrUpdateRoleAssignmentRequest'], ({ spec }) =>
    (valueAtPath(spec, 'condition') !== undefined && valueAtPath(spec, 'conditionVersion') === undefined
      ? violation('conditionVersion', 'is missing, but condition is given', "write '2.0'") : []), wordOf('conditionVersion', ['2.0', '1.0'])),
  rule('role-principal', ROLE, 'A principal is an object id, a UUID.', [ASSIGNMENTS, 'InvalidPrincipalId'],
    fits('principalId', UUID, 'no object id', 'write the principal id of the identity (not its name or client id)')),
];
