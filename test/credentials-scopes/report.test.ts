import { twoTeams } from './platform';
import { CredentialScopes, GraphFormat } from '../../src/core';

test('the report of a platform with two teams', () => {
  expect(CredentialScopes.of(twoTeams().app).render(GraphFormat.TREE)).toMatchInlineSnapshot(`
"client 0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486  ⚠ any namespace can borrow it
│  to work, it has to trust the controller, which signs in for any namespace that names the client id (relaxed mode, the default)
├─ roles
│  ├─ Contributor on subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52  declared
│  └─ User Access Administrator on subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52  declared
└─ ⚿ platform/aso-credential  for its namespace, workload identity, subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52, written by the manifest
   ├─ ✓ ResourceGroup shared
   ├─ ✓ Namespace contosobus
   ├─ ✓ ResourceGroup harvest
   ├─ ✓ UserAssignedIdentity harvest-id
   ├─ ✓ FederatedIdentityCredential harvest-aso
   ├─ ✓ RoleAssignment harvest-contributor
   ├─ ✓ RoleAssignment harvest-writer
   ├─ ✓ ResourceGroup market
   ├─ ✓ UserAssignedIdentity market-id
   ├─ ✓ FederatedIdentityCredential market-aso
   ├─ ✓ RoleAssignment market-contributor
   └─ ✓ RoleAssignment market-writer

UserAssignedIdentity platform/harvest-id  ⚠ any namespace can borrow it
│  it trusts the controller, which signs in for any namespace that names the client id (relaxed mode, the default)
│  trusts system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default
├─ roles
│  ├─ Contributor on resource group harvest  RoleAssignment platform/harvest-contributor
│  └─ Service Bus writer on namespaces contosobus  RoleAssignment platform/harvest-writer
└─ ⚿ harvest/aso-credential  for its namespace, workload identity, subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52, written by the manifest
   ├─ ✓ StorageAccount harvestdata
   ├─ ✗ NamespacesQueue harvest-orders  needs Microsoft.ServiceBus/namespaces/queues/delete
   └─ ✓ NamespacesTopic harvest-events

UserAssignedIdentity platform/market-id  only for named namespaces
│  it trusts aso-workload of namespace market, not the controller; the controller has to be strict
│  trusts system:serviceaccount:market:aso-workload
├─ roles
│  ├─ Contributor on resource group market  RoleAssignment platform/market-contributor
│  └─ Service Bus writer on namespaces contosobus  RoleAssignment platform/market-writer
└─ ⚿ market/aso-credential  for its namespace, workload identity, subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52, written by the manifest
   ├─ ✓ StorageAccount marketdata
   ├─ ✓ NamespacesQueue market-orders
   └─ ✓ NamespacesTopic market-events

18 resources: 17 with enough roles, 1 with too few; 2 of 3 identities can be borrowed by any namespace"
`);
});
