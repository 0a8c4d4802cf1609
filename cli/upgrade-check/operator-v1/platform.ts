import { inGroup, spelledAs, unlessEmpty, type Mapping } from './mapping';

/** Groups, networks and telemetry. */
export const PLATFORM: Readonly<Record<string, Mapping>> = {
  ResourceGroup: ({ name, spec }) => ({
    objects: [{ kind: 'resources/ResourceGroup', name, spec: { azureName: name, location: spec.text('location') } }],
  }),
  VirtualNetwork: (old) => {
    const { name, spec, rest, nameFor } = old;
    const kind = 'network/VirtualNetworksSubnet';
    const prefix = spec.text('addressSpace');
    const subnets = [...spec.list('subnets'), ...rest.list('subnets')].map((subnet, index) => {
      const subnetName = subnet.text('subnetName') ?? `subnet-${index}`;
      return {
        kind,
        name: nameFor(kind, [name, subnetName], `${name}/${subnetName}`),
        spec: { azureName: subnetName, owner: { name }, addressPrefix: subnet.text('subnetAddressPrefix') },
      };
    });
    const network = { ...inGroup(old), addressSpace: prefix === undefined ? undefined : { addressPrefixes: [prefix] } };
    return { objects: [{ kind: 'network/VirtualNetwork', name, spec: network }, ...subnets] };
  },
  AzurePublicIPAddress: (old) => {
    const { name, spec } = old;
    return {
      objects: [{
        kind: 'network/PublicIPAddress',
        name,
        spec: {
          ...inGroup(old),
          publicIPAllocationMethod: spelledAs(spec.text('publicIPAllocationMethod'), ['Static', 'Dynamic']),
          publicIPAddressVersion: spelledAs(spec.text('publicIPAddressVersion'), ['IPv4', 'IPv6']),
          idleTimeoutInMinutes: spec.take('idleTimeoutInMinutes'),
          sku: unlessEmpty({ name: spelledAs(spec.text('skuName'), ['Basic', 'Standard']) }),
        },
      }],
    };
  },
  AppInsights: (old) => {
    const { name, spec } = old;
    return {
      objects: [{
        kind: 'insights/Component',
        name,
        spec: { ...inGroup(old), kind: spec.text('kind') ?? 'web', Application_Type: spelledAs(spec.text('applicationType'), ['web', 'other']) ?? 'web' },
      }],
    };
  },
};
