import { KindFinding, kindFindings, KINDS_WITH_FINDINGS } from './kind-findings';
import { Find, ofEach, ofSet } from './rule';
import { RECONCILE_POLICY } from '../../azure/annotations';
import { isUuidNamed } from '../../azure/uuid-names';
import { text } from '../../util/records';

function kindRule(id: KindFinding['rule']): Find {
  return ofSet((set) =>
    KINDS_WITH_FINDINGS.flatMap((known) => set.kinds.get(known) ?? [])
      .filter(({ isWhole }) => isWhole)
      .flatMap((object) => {
        const { group, kind, spec, facts, name } = object;
        return kindFindings(group, kind, spec, facts.azureName ?? text(spec, 'azureName') ?? name)
          .filter(({ rule }) => rule === id)
          .map(({ field, message, fix }) => ({ object, field: field === '' ? 'spec' : `spec.${field}`, message, fix }));
      }),
  );
}

/** `domainManagement: AzureManaged` with another name than `AzureManagedDomain`. */
export const communicationDomain = kindRule('communication-domain');

/** `username` is not the `azureName`. */
export const communicationSender = kindRule('communication-sender');

/** An A record with another text than an IPv4 address. */
export const dnsAddress = kindRule('dns-address');

/** A MySQL user with none or both of `localUser` and `aadUser`. */
export const mysqlUser = kindRule('mysql-user');

/** An Entra user with a long name and no alias. */
export const mysqlUserAlias = kindRule('mysql-user-alias');

/** A user or role name of PostgreSQL or Azure SQL contains `'`, `"`, `;`, `--` or `/*`. */
export const sqlUserCharacters = kindRule('sql-user-characters');

/** `membershipType` is `enabled` or `enabledm365`. */
export const securityGroupType = ofEach(({ group, kind, spec }) => {
  if (group !== 'entra.azure.com' || kind !== 'SecurityGroup' || !['enabled', 'enabledm365'].includes(text(spec, 'membershipType') ?? '')) {
    return [];
  }
  return [{ field: 'spec.membershipType', message: 'does not do the same in every operator', fix: 'use assigned or assignedm365' }];
});

/** The kind cannot be deleted in Azure. */
export const noDelete = ofEach(({ version, annotations, kind, group }) => {
  const { operations } = version.facts;
  if (!version.isArm || isUuidNamed(group, kind) || !operations || operations.includes('DELETE')) return [];
  if (['detach-on-delete', 'skip'].includes(annotations[RECONCILE_POLICY] ?? '')) return [];
  return [
    { message: `a ${kind} cannot be deleted alone`, fix: `annotate ${RECONCILE_POLICY}: detach-on-delete if it is to go before its owner` },
  ];
});
