import { byId, inGroup, ownerNamed, secretOfV1, spelledAs, unlessEmpty, unlessNone, type Mapping, type OldObject } from './mapping';
import type { Taken } from './taken';
import { isRecord } from '../../../src/util/records';

/** Storage, caches, vaults and messages. */
export const DATA_SERVICES: Readonly<Record<string, Mapping>> = {
  StorageAccount: storageAccount,
  Storage: storageAccount,
  BlobContainer: container,
  AzureDataLakeGen2FileSystem: container,
  KeyVault: vault,
  RedisCache: redis,
  RedisCacheFirewallRule: ({ name, spec }) => {
    return {
      objects: [{
        kind: 'cache/RedisFirewallRule',
        name,
        spec: {
          azureName: name,
          owner: ownerNamed(spec.text('redisCache')),
          startIP: spec.text('properties.startIP'),
          endIP: spec.text('properties.endIP'),
        },
      }],
    };
  },
  EventhubNamespace: (old) => {
    const { spec, name } = old;
    return {
      objects: [{
        kind: 'eventhub/Namespace',
        name,
        spec: {
          ...inGroup(old),
          sku: unlessEmpty({
            name: spelledAs(spec.text('sku.name'), TIERS), tier: spelledAs(spec.text('sku.tier'), TIERS), capacity: spec.take('sku.capacity'),
          }),
          isAutoInflateEnabled: spec.take('properties.isAutoInflateEnabled'),
          maximumThroughputUnits: spec.take('properties.maximumThroughputUnits'),
          kafkaEnabled: spec.take('properties.kafkaEnabled'),
        },
      }],
    };
  },
  Eventhub: eventHub,
  ConsumerGroup: ({ name, spec }) => {
    return {
      objects: [{
        kind: 'eventhub/NamespacesEventhubsConsumerGroup',
        name,
        spec: { azureName: spec.text('consumerGroupName') ?? name, owner: ownerNamed(spec.text('eventHub')) },
      }],
    };
  },
};

const TIERS = ['Basic', 'Standard', 'Premium'];
const ACCESS = ['Container', 'Blob', 'None'];

function storageAccount(old: OldObject) {
  const { spec, name } = old;
  return {
    objects: [{
      kind: 'storage/StorageAccount',
      name,
      spec: {
        ...inGroup(old),
        kind: spec.text('kind') ?? 'StorageV2',
        sku: { name: spec.text('sku.name') ?? 'Standard_LRS' },
        accessTier: spec.text('accessTier'),
        supportsHttpsTrafficOnly: spec.take('supportsHttpsTrafficOnly'),
        isHnsEnabled: spec.take('dataLakeEnabled'),
        networkAcls: networkRules(spec, 'networkRule', 'ipAddressOrRange'),
      },
    }],
    notes: [keysOf(old, 'operatorSpec.secrets')],
  };
}

/** Rules for networks and addresses. */
function networkRules(spec: Taken, path: string, address: string) {
  const bypass = spec.text(`${path}.bypass`);
  const defaultAction = spec.text(`${path}.defaultAction`);
  const addresses = spec.list(`${path}.ipRules`).map((rule) => ({ value: rule.text(address) ?? rule.text('value') }));
  const networks = spec.list(`${path}.virtualNetworkRules`).map((rule) => ({ reference: byId(rule.text('subnetId') ?? rule.text('value')) }));
  const rules = unlessEmpty({ bypass, defaultAction, ipRules: unlessNone(addresses), virtualNetworkRules: unlessNone(networks) });
  return rules && { ...rules, defaultAction: defaultAction ?? 'Deny' };
}

function container({ name, spec, nameFor }: OldObject) {
  const account = spec.text('accountName') ?? spec.text('storageAccountName');
  const kind = 'storage/StorageAccountsBlobService';
  const service = nameFor(kind, [account ?? name, 'blobs'], account ?? `the account of ${name}`);
  return {
    objects: [
      { kind, name: service, spec: { owner: ownerNamed(account) }, isShared: true },
      {
        kind: 'storage/StorageAccountsBlobServicesContainer',
        name,
        spec: { azureName: name, owner: { name: service }, publicAccess: spelledAs(spec.text('accessLevel'), ACCESS) },
      },
    ],
  };
}

function vault(old: OldObject) {
  const { spec, name } = old;
  const policies = spec.take('accessPolicies');
  const tenant = (Array.isArray(policies) ? policies : []).map((policy: unknown) => (isRecord(policy) ? policy.tenantID : undefined)).find((id) => typeof id === 'string');
  const notes = policies === undefined
    ? []
    : [`accessPolicies name clients; v2 takes their object ids: az ad sp show --id CLIENT_ID. v1 had: ${JSON.stringify(policies)}`];
  return {
    objects: [{
      kind: 'keyvault/Vault',
      name,
      spec: {
        ...inGroup(old),
        properties: {
          tenantId: tenant ?? '<TENANT_ID>',
          sku: { family: 'A', name: (spec.text('sku.name') ?? 'standard').toLowerCase() },
          enableSoftDelete: spec.take('enableSoftDelete'),
          networkAcls: networkRules(spec, 'networkPolicies', 'value'),
        },
      },
    }],
    notes,
  };
}

function redis(old: OldObject) {
  const { spec, name } = old;
  const configuration = spec.take('properties.configuration');
  return {
    objects: [{
      kind: 'cache/Redis',
      name,
      spec: {
        ...inGroup(old),
        sku: {
          name: spelledAs(spec.text('properties.sku.name'), TIERS) ?? 'Basic',
          family: spec.text('properties.sku.family') ?? 'C',
          capacity: spec.take('properties.sku.capacity') ?? 0,
        },
        enableNonSslPort: spec.take('properties.enableNonSslPort'),
        subnetReference: byId(spec.text('properties.subnetId')),
        staticIP: spec.text('properties.staticIp'),
        redisConfiguration: configuration,
      },
    }],
    notes: [keysOf(old, 'operatorSpec.secrets')],
  };
}

function eventHub(old: OldObject) {
  const { spec, name, nameFor } = old;
  const rule = 'eventhub/NamespacesEventhubsAuthorizationRule';
  const right = spec.text('authorizationRule.name');
  const rights = right === undefined ? undefined : spec.take('authorizationRule.rights');
  const account = spec.text('properties.captureDescription.destination.storageAccount.accountName');
  const group = account === undefined ? undefined : spec.text('properties.captureDescription.destination.storageAccount.resourceGroup');
  const capture = unlessEmpty({
    enabled: spec.take('properties.captureDescription.enabled'),
    sizeLimitInBytes: spec.take('properties.captureDescription.sizeLimitInBytes'),
    intervalInSeconds: spec.take('properties.captureDescription.intervalInSeconds'),
    destination: unlessEmpty({
      name: spec.text('properties.captureDescription.destination.name'),
      blobContainer: spec.text('properties.captureDescription.destination.blobContainer'),
      archiveNameFormat: spec.text('properties.captureDescription.destination.archiveNameFormat'),
      storageAccountResourceReference: account === undefined
        ? undefined
        : byId(`/subscriptions/<SUBSCRIPTION_ID>/resourceGroups/${group ?? '<RESOURCE_GROUP>'}/providers/Microsoft.Storage/storageAccounts/${account}`),
    }),
  });
  return {
    objects: [
      {
        kind: 'eventhub/NamespacesEventhub',
        name,
        spec: {
          azureName: name,
          owner: ownerNamed(spec.text('namespace')),
          messageRetentionInDays: spec.take('properties.messageRetentionInDays'),
          partitionCount: spec.take('properties.partitionCount'),
          captureDescription: capture,
        },
      },
      ...(right === undefined
        ? []
        : [{ kind: rule, name: nameFor(rule, [name, right], `${name}/${right}`), spec: { azureName: right, owner: { name }, rights: rights ?? ['Listen'] } }]),
    ],
    notes: [keysOf(old, `operatorSpec.secrets of the ${right === undefined ? 'hub' : 'authorization rule'}`)],
  };
}

/** Keys that v1 wrote without being asked. */
function keysOf({ kind, name, spec }: OldObject, where: string): string {
  const secret = spec.text('secretName') ?? name;
  return `v1 wrote keys into the Secret ${secretOfV1(kind, secret)}, which goes with its object: ${where} writes them, into a Secret of another name`;
}
