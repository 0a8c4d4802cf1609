import type { Attack } from '../attack';

/** A resource group of a tenant with this name in Azure; nothing may be written to Azure for it. */
function hostileName(id: string, azureName: string, what: string): Attack {
  return {
    id,
    who: 'a tenant',
    what,
    holds: 'the condition says which name it is; no request is sent for it, and its neighbour\'s resource stays',
    // A CRD's pattern would refuse some of these names; not every cluster has one for every kind.
    environment: { openSchemas: true },
    async run(environment) {
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'hostile', { location: 'uksouth', azureName });
      await environment.becomes('ResourceGroup', 'team', 'hostile', ({ status, message = '' }) => status === 'False' && message.includes('azureName'));
      const others = environment.requests().filter(({ path }) => !/\/resourcegroups\/(before|after)\b|\/operations\//i.test(path) && /\/resourcegroups\b/i.test(path));
      expect(others).toEqual([]);
    },
  };
}

/** Names and ids that point elsewhere. */
export const namesAndIds: readonly Attack[] = [
  hostileName('name-of-encoded-dots', '%2e%2e', 'names a resource group "%2e%2e", which a URL takes for the parent'),
  hostileName('name-of-dots', '..', 'names a resource group ".."'),
  hostileName('name-with-another-path', 'before/providers/Microsoft.Storage/storageAccounts/x', 'names a resource group by a path into its neighbour\'s'),
  hostileName('name-with-a-query', 'before?api-version=1', 'names a resource group with a query behind its neighbour\'s name'),
];
