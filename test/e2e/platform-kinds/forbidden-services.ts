import { service, type Claim } from './claims';

/** A claim of team `fin` that the API server takes, since only the definition knows better, and what its condition Synced says. */
export interface ForbiddenService {
  readonly what: string;
  readonly claim: Claim;
  readonly says: string;
}

let count = 0;
const forbidden = (what: string, says: string, spec: object): ForbiddenService => ({ what, says, claim: service('fin', `bad-${(count += 1)}`, spec) });
const queue = (rest: object) => ({ queues: [{ name: 'spy', on: 'service-bus', ...rest }] });
const account = (rest: object) => ({ storageAccounts: [{ name: 'spy', sku: 'Standard_LRS', ...rest }] });

/** The composer writes with the platform's rights: none of these may reach what is another team's, or the platform's. */
export const FORBIDDEN_SERVICES: readonly ForbiddenService[] = [
  forbidden(
    "messages to another team's queue",
    "'hr--people' is no queue or topic of the team",
    queue({ settings: { forwardTo: 'hr--people' } }),
  ),
  forbidden(
    "dead letters to another team's queue",
    "'HR--people' is no queue or topic of the team",
    queue({ settings: { forwardDeadLetteredMessagesTo: 'HR--people' } }),
  ),
  forbidden('a shared service that the team does not use', 'unused-bus', queue({ on: 'unused-bus' })),
  forbidden('a queue whose name is a path', 'spec.queues[0].name', queue({ name: '../hr--people' })),
  forbidden("trust in another team's pods", "'hr' is another namespace than the service's", {
    identity: { federatedServiceAccounts: [{ namespace: 'hr', name: 'people' }] },
  }),
  forbidden(
    "trust in the operator's service account",
    'aso-workload',
    { identity: { federatedServiceAccounts: [{ namespace: 'fin', name: 'aso-workload' }] } },
  ),
  forbidden("an account of the operator's name", 'aso-workload', { identity: { serviceAccounts: [{ name: 'aso-workload' }] } }),
  forbidden('annotations of the operator', 'is for the operator and the platform', {
    ...queue({}), annotations: { 'serviceoperator.azure.com/resource-id': '/subscriptions/x' },
  }),
  forbidden('annotations of the composer', 'is for the operator and the platform', {
    ...queue({}), annotations: { 'applyset.kubernetes.io/part-of': 'applyset-of-another' },
  }),
  forbidden(
    "another team's domain",
    'has to be a host name that the team may have',
    { domains: [{ hostName: 'web.hr.example.com', on: 'front-door' }] },
  ),
  forbidden(
    "another team's record",
    'has to be a host name that the team may have',
    { dnsRecords: [{ name: 'web.hr.example.com', type: 'TXT', values: ['x'] }] },
  ),
  forbidden("a route for another team's domain", 'web.hr.example.com', {
    routes: [{ name: 'web', on: 'front-door', domains: ['web.hr.example.com'], origin: { hostName: 'ingress.example.net' } }],
  }),
  forbidden("another team's resource group", 'rg-hr-dev', account({ resourceGroup: 'rg-hr-dev' })),
  forbidden('a region that is not allowed', 'self-service-location', account({ location: 'westeurope' })),
  forbidden('a SKU that is not allowed', 'self-service-sku', account({ sku: 'Premium_LRS' })),
  forbidden('a role that nobody offers', 'QueueOwner', queue({ roles: ['QueueOwner'] })),
  forbidden("another team's database by its settings", 'azureName', {
    resources: [{ on: 'event-hubs', name: 'clicks', settings: { azureName: 'hr--people' } }],
  }),
  forbidden('another owner by settings', 'owner', {
    resources: [{ on: 'event-hubs', name: 'clicks', settings: { owner: { armId: '/subscriptions/x' } } }],
  }),
  forbidden('an export into the credential by settings', 'operatorSpec', {
    resources: [{ on: 'event-hubs', name: 'clicks', settings: { operatorSpec: { configMaps: { id: { name: 'aso-credential', key: 'AZURE_CLIENT_ID' } } } } }],
  }),
  forbidden("a copy of another team's database by settings", 'createMode', {
    resources: [{ on: 'sql', name: 'copy', settings: { createMode: 'Copy', sourceDatabaseReference: { armId: '/subscriptions/x' } } }],
  }),
];
