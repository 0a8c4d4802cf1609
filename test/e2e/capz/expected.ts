import type { ScenarioName } from './scenarios';

/** The writes of a step, in any order: `PUT /demo`, twice where it says `× 2`. */
type Expected = Readonly<Record<string, readonly string[]>>;

const pools = (name: string, method = 'PUT') => ['pool0', 'pool1'].map((pool) => `${method} /${name}/managedClusters/${name}/agentPools/${pool}`);
/** The cluster with its pools, then without them, which are objects of their own from then on. */
const made = (name: string) => [`PUT /${name}/managedClusters/${name} × 2`, ...pools(name)];
/** The group goes last, the pools with their cluster. */
const deleted = (name: string) => [`DELETE /${name}/managedClusters/${name}`, `DELETE /${name}`];
const classicNetwork = (group: string, name: string, method: string) => [
  `${method} /${group}/virtualNetworks/${name}-vnet`, `${method} /${group}/virtualNetworks/${name}-vnet/subnets/nodes`,
];
const classicLife = (group: string, name: string) => ({
  // The pool is there with its cluster, and is taken under management by a read.
  create: [...classicNetwork(group, name, 'PUT'), `PUT /${group}/managedClusters/${name} × 2`],
  pause: [],
  unpause: [],
  scale: [`PUT /${group}/managedClusters/${name}/agentPools/pool0`],
  rest: [],
  delete: [
    `DELETE /${group}/managedClusters/${name}/agentPools/pool0`, `DELETE /${group}/managedClusters/${name}`,
    ...classicNetwork(group, name, 'DELETE'),
  ],
});

/** CAPZ's own writes, and no others. */
export const expectedWrites: Readonly<Record<ScenarioName, Expected>> = {
  demo: {
    'create': ['PUT /demo', ...made('demo')],
    'pause': [],
    'unpause': [],
    'scale': pools('demo'),
    'upgrade': ['PUT /demo/managedClusters/demo', ...pools('demo')],
    'a pool less': ['DELETE /demo/managedClusters/demo/agentPools/pool1'],
    'rest': [],
    'delete': deleted('demo'),
  },
  own: { create: made('own'), rest: [], delete: ['DELETE /own/managedClusters/own'] },
  classic: {
    ...classicLife('classic', 'classic'),
    create: ['PUT /classic', ...classicLife('classic', 'classic').create],
    delete: [...classicLife('classic', 'classic').delete, 'DELETE /classic'],
  },
  shared: classicLife('shared', 'byo'),
  moved: {
    'create': ['PUT /moved', ...made('moved')],
    'move': [],
    'unpause': [],
    'take skip away': [],
    'rest': [],
    'delete': deleted('moved'),
  },
  remade: {
    'create': ['PUT /remade', ...made('remade')],
    'move': [],
    'remove what was left': [],
    'unpause': ['PUT /remade', ...made('remade')],
    'rest': [],
    'delete': deleted('remade'),
  },
  adopted: {
    'made by others': ['PUT /adopted', ...made('adopted')],
    'objects of its user': [],
    // CAPZ takes the pools out of the object that its user has made.
    'adopt': ['PUT /adopted/managedClusters/adopted'],
    'rest': [],
    'delete': deleted('adopted'),
  },
};

/** Reads of a resource in a step, at most; of steps that make resources none is fixed. */
export const MOST_READS: Readonly<Partial<Record<ScenarioName, Readonly<Record<string, number>>>>> = {
  demo: { pause: 2, unpause: 3, scale: 4 },
  classic: { pause: 2, unpause: 4, scale: 4 },
  moved: { move: 3, unpause: 3 },
};

const managed = { VirtualNetwork: 'manage', VirtualNetworksSubnet: 'manage', ManagedCluster: 'manage', ManagedClustersAgentPool: 'manage' };

/** Values that CAPZ and Cluster API read, and the policies that the objects have at last. */
export const expectedFacts: Readonly<Record<ScenarioName, Readonly<Record<string, unknown>>>> = {
  demo: {
    created: { fqdn: expect.stringMatching(/^demo-/), version: '1.33.1', inline: undefined },
    pools: ['pool0', 'pool1'],
    version: '1.34.0',
    // Cluster API finds the Secret by its label.
    kubeconfig: { label: 'demo', owners: ['AzureASOManagedControlPlane', 'ManagedCluster'] },
  },
  own: {},
  classic: { policies: { ResourceGroup: 'manage', ...managed } },
  // The group is its user's.
  shared: { policies: { ResourceGroup: 'skip', ...managed } },
  moved: { left: 0, policies: ['skip'] },
  remade: { left: 4, policies: ['none'] },
  adopted: {},
};
