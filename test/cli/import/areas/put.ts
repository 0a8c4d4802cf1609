/** A request that makes a resource. */
export interface Put {
  readonly id: string;
  readonly apiVersion: string;
  readonly body: object;
}

/** A resource group of the shop, and the requests that make what is in it, owners first. */
export interface Area {
  readonly group: string;
  /** @param principalId of the identity `shop-web`, which Azure chooses */
  readonly resources: (principalId: string) => readonly Put[];
}

export const SUBSCRIPTION = '/subscriptions/00000000-0000-0000-0000-000000000000';
export const SHOP = `${SUBSCRIPTION}/resourceGroups/shop-prod`;
export const LOGS = `${SUBSCRIPTION}/resourceGroups/monitoring/providers/Microsoft.OperationalInsights/workspaces/company-logs`;
export const TENANT = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
export const common = { location: 'uksouth', tags: { team: 'shop', env: 'prod' } };
/** Of resources that are in no region. */
export const everywhere = { ...common, location: 'global' };

export const put = (apiVersion: string, id: string, body: object = {}): Put => ({ id, apiVersion, body });

export const roleAssignment = (scope: string, name: string, role: string, principalId: string): Put =>
  put('2022-04-01', `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`, {
    properties: {
      roleDefinitionId: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      principalId,
      principalType: 'ServicePrincipal',
    },
  });

export const customRole = (group: string, name: string, roleName: string, actions: readonly string[]): Put =>
  put('2022-04-01', `${group}/providers/Microsoft.Authorization/roleDefinitions/${name}`, {
    properties: { roleName, description: roleName, type: 'CustomRole', assignableScopes: [group], permissions: [{ actions }] },
  });

export const diagnosticSetting = (scope: string, name: string, category: string): Put =>
  put('2021-05-01-preview', `${scope}/providers/Microsoft.Insights/diagnosticSettings/${name}`, {
    properties: { workspaceId: LOGS, logs: [{ category, enabled: true }] },
  });
