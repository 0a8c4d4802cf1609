import { edit, type SourceMutant } from '../by-suites';

const OBJECTS = 'test/platform/policy-objects.test.ts';
const CEL = 'test/platform/policy-cel.test.ts';
const POLICY = 'test/platform/policy.test.ts';
const NESTED = 'test/platform/nested-limits.test.ts';
const PROTECTION = 'test/platform/protection-cel.test.ts';
const LIMITS = 'src/platform/policy/limits';
/** A snapshot is soon updated without a look at what has changed in it. */
const NOT_THE_SNAPSHOT = '^(?!.*are these objects).*$';

/** Careless changes of the guard rails of teams. */
export const POLICIES: readonly SourceMutant[] = [
  {
    name: 'the limits on annotations are dropped',
    edits: [
      edit(`${LIMITS}/index.ts`, 'roleLimits, annotationLimits, storeLimits,', 'roleLimits, storeLimits,'),
      edit(`${LIMITS}/index.ts`, "import { annotationLimits } from './annotations';\n", ''),
    ],
    suites: [OBJECTS, POLICY],
  },
  {
    name: 'a kind that a team may refer to, it may make',
    edits: [edit(
      `${LIMITS}/kinds.ts`,
      'const referred = entries.filter(({ creates }) => !creates);',
      'const referred = entries.filter(() => false);',
    )],
    suites: [POLICY],
  },
  {
    name: 'an id may have characters that change what it means',
    edits: [edit(
      `${LIMITS}/owners.ts`,
      'all(not(contains(OWNER_ID, NOT_IN_IDS)), any(within(OWNER_ID, groupIds), ...inScopes))',
      'any(within(OWNER_ID, groupIds), ...inScopes)',
    )],
    suites: [OBJECTS],
  },
  {
    name: 'an owner in any resource group whose name begins as the team\'s',
    edits: [edit('src/platform/policy/shared-ids.ts', 'startsWith(id, scopes.map((scope) => `${scope}/`))', 'startsWith(id, scopes)')],
    suites: [OBJECTS],
  },
  {
    name: 'names may begin as those of a team whose prefix is longer',
    edits: [edit(`${LIMITS}/owners.ts`, ', not(startsWith(lower(AZURE_NAME), otherPrefixes)))', ')')],
    suites: [OBJECTS],
  },
  {
    name: 'the names of services\' identities are not reserved',
    edits: [edit('src/platform/policy/reserved-names.ts', "return beginning === '' && end === '' ? [] : [`${beginning}*${end}`];", 'return [];')],
    suites: [OBJECTS],
  },
  {
    name: 'the platform\'s trust on the identity of pods may be taken over',
    edits: [edit(`${LIMITS}/identities.ts`, 'holds: all(NAME_IS_KNOWN, not(isReserved(federations))),', 'holds: NAME_IS_KNOWN,')],
    suites: [OBJECTS],
  },
  {
    name: 'the regions that are listed are those that are refused',
    edits: [edit(
      `${LIMITS}/places.ts`,
      "any(is(value, ''), oneOf(without(lower(value), ' '), wanted))",
      "any(is(value, ''), not(oneOf(without(lower(value), ' '), wanted)))",
    )],
    suites: [NESTED, POLICY],
  },
  {
    name: 'one value of a list within the limits is enough',
    edits: [edit(
      'src/platform/policy/condition.ts',
      'return !Array.isArray(found) || found.every(',
      'return !Array.isArray(found) || found.some(',
    )],
    suites: [NESTED],
  },
  {
    name: 'an identity of the platform is known by one spelling alone',
    edits: [edit(`${LIMITS}/identities.ts`, 'not(isOne(lower(value), names))', 'not(isOne(value, names))')],
    suites: [OBJECTS],
  },
  {
    name: 'an identity may trust service accounts of every namespace',
    edits: [edit(`${LIMITS}/roles.ts`, '[`system:serviceaccount:${team.namespace}:`]', "['system:serviceaccount:']")],
    suites: [OBJECTS],
  },
  {
    name: 'a principal of a ConfigMap may stand under any key',
    edits: [edit(`${LIMITS}/roles.ts`, "all(is(id, ''), is(key, 'principalId'), configMaps", "all(is(id, ''), configMaps")],
    suites: [OBJECTS],
  },
  {
    name: 'exports of expressions may go into the platform\'s Secrets',
    edits: [edit(`${LIMITS}/stores.ts`, "...['configMapExpressions', 'secretExpressions'].map(", "...['configMapExpressions'].map(")],
    suites: [OBJECTS],
  },
  {
    name: 'a property that is required may be missing',
    edits: [edit(
      `${LIMITS}/places.ts`,
      'if (required && first && others.length === 0 && !isInList(first)) return everyAt(first, isAllowed);',
      'if (required && first && others.length === 0 && !isInList(first)) return everyAt(first, absentOrAllowed);',
    )],
    suites: [POLICY],
  },
  {
    name: 'objects in other namespaces are not looked at',
    edits: [edit(
      'src/platform/policy/check-objects.ts',
      'if (namespace === undefined || namespace === team.namespace) return [];',
      'if (namespace !== origin.changedBy) return [];',
    )],
    suites: [POLICY],
  },
  {
    name: 'the CEL of a condition says otherwise than the check at synth',
    edits: [edit(
      'src/platform/policy/condition.ts',
      'return { cel: `!(${condition.cel})`, holds',
      'return { cel: `(${condition.cel})`, holds',
    )],
    suites: [CEL],
  },
  {
    name: 'capitals get past the CEL',
    edits: [edit('src/platform/policy/condition.ts', 'cel: `${of.cel}.lowerAscii()`', 'cel: of.cel')],
    suites: [CEL],
  },
  {
    name: 'the admission policy applies to every namespace but the team\'s',
    edits: [edit(
      'src/platform/policy/admission-policy.ts',
      'expression: `request.namespace == ${',
      'expression: `request.namespace != ${',
    )],
    suites: [PROTECTION],
  },
  {
    name: 'an admission policy that fails lets everything in',
    edits: [edit('src/platform/policy/admission-policy.ts', "failurePolicy: 'Fail'", "failurePolicy: 'Ignore'")],
    suites: [PROTECTION],
  },
  {
    name: 'kinds of Azure that the catalog does not know are not limited',
    edits: [edit(
      'src/platform/policy/admission-policy.ts',
      "{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations",
      "{ apiGroups: ['storage.azure.com'], apiVersions: ['*'], resources: ['*'], operations",
    )],
    suites: [PROTECTION],
  },
  {
    name: 'every service account is exempt',
    edits: [edit(
      'src/platform/policy/admission-policy.ts',
      "const SYSTEM_GROUPS = ['system:masters'];",
      "const SYSTEM_GROUPS = ['system:masters', 'system:serviceaccounts'];",
    )],
    suites: [POLICY],
    test: NOT_THE_SNAPSHOT,
  },
  {
    name: 'what the platform has put into the namespace may be deleted',
    edits: [edit(
      'src/platform/policy/protection.ts',
      'request.operation != "DELETE" || variables.byKubernetes || !variables.isProtected',
      'request.operation != "DELETE" || variables.byKubernetes || variables.isProtected',
    )],
    suites: [PROTECTION],
  },
  {
    name: 'a pod may run as the operator by the old name of the property',
    edits: [edit('src/platform/policy/protection.ts', "['serviceAccountName', 'serviceAccount'].map(", "['serviceAccountName'].map(")],
    suites: [PROTECTION],
  },
  {
    name: 'a token of the operator\'s account may be asked for',
    edits: [edit(
      'src/platform/policy/protection.ts',
      '!(variables.resource == "/serviceaccounts" && variables.subresource == "token")',
      '!(variables.resource == "/serviceaccounts" && variables.subresource == "")',
    )],
    suites: [PROTECTION],
  },
  {
    name: 'a network policy of Cilium opens what the platform closes',
    edits: [edit('src/platform/policy/protection.ts', "  'cilium.io/ciliumnetworkpolicies',\n", '')],
    suites: [PROTECTION],
  },
  {
    name: 'a team may write the status of its objects',
    edits: [edit(
      'src/platform/policy/protection.ts',
      '!(variables.subresource in ["status", "finalize"]) || variables.byKubernetes',
      '!(variables.subresource in ["finalize"]) || variables.byKubernetes',
    )],
    suites: [PROTECTION],
  },
];
