import { parseArmPath, RESOURCE_GROUP, SUBSCRIPTION } from './arm/arm-path';
import { AzureTypes } from './arm/azure-types';
import { Contrary } from './contrary/contrary';
import { Faults } from './http/faults';
import { RequestLimits } from './http/limits';
import { ProviderLimits } from './http/provider-limits';
import { RequestLog } from './http/request-log';
import { CatalogIndex } from './model/catalog-index';
import { Operations } from './model/operations';
import type { Simulation } from './model/simulation';
import { ResourceStore } from './model/store';
import type { AzureOptions } from './options';
import { Past } from './resource-graph/past';

const RESOURCE_GRAPH_LAG = 5;

/** An Azure in which nothing was made yet but the existing resources of the options. */
export function createSimulation(
  options: AzureOptions,
  { values, clock, timeScale, tenantId, baseUrl }: Pick<Simulation, 'values' | 'clock' | 'timeScale' | 'tenantId' | 'baseUrl'>,
): Simulation {
  const past = new Past(() => clock.now(), ((options.resourceGraphLagSeconds ?? RESOURCE_GRAPH_LAG) * 1000) / timeScale);
  const simulation: Simulation = {
    store: new ResourceStore((id, resource) => past.changed(id, resource)),
    past,
    operations: new Operations(),
    catalog: new CatalogIndex(),
    values,
    faults: new Faults(),
    log: new RequestLog(),
    limits: new RequestLimits(clock, timeScale, options.limits ?? false, tenantId),
    providerLimits: new ProviderLimits(clock, timeScale, options.limits ?? false),
    clock,
    timeScale,
    tenantId,
    subscriptions: options.subscriptionIds && new Set(options.subscriptionIds.map((id) => id.toLowerCase())),
    allowForeignScopes: options.allowForeignScopes ?? false,
    rules: options.rules ?? true,
    unregistered: new Set((options.unregisteredProviders ?? []).map((namespace) => `*/${namespace.toLowerCase()}`)),
    principals: new Map(),
    clients: new Map(),
    principalDelaySeconds: options.principalDelaySeconds,
    groups: new Map(),
    groupsMade: { count: 0 },
    federatedWrites: new Set(),
    azureTypes: options.azureTypes === undefined ? undefined : new AzureTypes(options.azureTypes),
    aksKubeconfig: options.aksKubeconfig,
    contrary: options.contrary === undefined ? undefined : new Contrary(options.contrary),
    baseUrl,
  };
  for (const id of options.existing ?? []) addExisting(simulation, id);
  return simulation;
}

function addExisting(simulation: Simulation, id: string): void {
  const { nodes, tail } = parseArmPath(id);
  if (nodes.length === 0 || tail.length > 0) {
    throw new Error(`'${id}' is no ARM id; give one like /subscriptions/<id>/resourceGroups/<name>/providers/<namespace>/<type>/<name>`);
  }
  for (const node of nodes) {
    if (node.type === SUBSCRIPTION || simulation.store.get(node.id)) continue;
    simulation.store.set({
      id: node.id,
      type: simulation.catalog.spellingOf(node.type),
      name: node.name,
      body: { ...(node.type === RESOURCE_GROUP && { location: 'uksouth' }), properties: { provisioningState: 'Succeeded' } },
      sent: '',
      createdAt: simulation.clock.now(),
      incarnation: simulation.store.nextIncarnation(node.id),
    });
  }
}
