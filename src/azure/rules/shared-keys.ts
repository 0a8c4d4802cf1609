import { futile, LEARN, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const ACCOUNT = 'storage.azure.com/StorageAccount';
const SITE = 'web.azure.com/Site';
const GROUP = 'containerinstance.azure.com/ContainerGroup';
const BATCH = 'batch.azure.com/BatchAccount';
const HUB = 'eventhub.azure.com/NamespacesEventhub';
const MACHINE_LEARNING = 'machinelearningservices.azure.com/Workspace';
const REGISTRY = 'containerregistry.azure.com/Registry';
const APPS = ['app.azure.com/ContainerApp', 'app.azure.com/Job'];
const SQL = [
  'ServersAuditingSetting', 'ServersDatabasesAuditingSetting', 'ServersSecurityAlertPolicy', 'ServersDatabasesSecurityAlertPolicy',
  'ServersVulnerabilityAssessment', 'ServersDatabasesVulnerabilityAssessment',
].map((kind) => `sql.azure.com/${kind}`);
const REFUSED = 'the account refuses every request with a key';
const NO_ADMIN = 'the registry refuses the user and password of its administrator';
const INSTEAD = 'use an account that allows keys';

const isClosed = (account: AzureSubject | undefined) => account?.kind === ACCOUNT && valueAtPath(account.spec, 'allowSharedKeyAccess') === false;
/** An account of this name that refuses keys. */
const closedByName = (subject: AzureSubject, name: unknown) => {
  const account = typeof name === 'string' ? subject.named(ACCOUNT, name) : undefined;
  return isClosed(account) ? account : undefined;
};
const closedByReference = (subject: AzureSubject, reference: unknown) => {
  const account = subject.referenced(reference);
  return isClosed(account) ? account : undefined;
};
const needsKey = (field: string, { name }: AzureSubject, fix: string) =>
  violation(field, `needs a key of the account '${name}', which has allowSharedKeyAccess: false`, fix);

/** The account of `https://shop.blob.core.windows.net/scans`. */
const accountOfUrl = (url: unknown) => (typeof url === 'string' ? /^https:\/\/([a-z0-9]+)\./i.exec(url)?.[1] : undefined);
/** The account of a connection string with a key. */
const accountOfString = (value: unknown) =>
  (typeof value === 'string' && /AccountKey=/i.test(value) ? /(?:^|;)\s*AccountName=([a-z0-9]+)/i.exec(value)?.[1] : undefined);

function mounts(subject: AzureSubject): readonly Violation[] {
  const path = 'siteConfig.azureStorageAccounts';
  const all = valueAtPath(subject.spec, path);
  return Object.entries(isRecord(all) ? all : {}).flatMap(([key, mount]) => {
    const account = isRecord(mount) && wordAt(mount, 'protocol') !== 'nfs' ? closedByName(subject, mount.accountName) : undefined;
    return account ? needsKey(`${path}.${key}.accountName`, account, INSTEAD) : [];
  });
}

function settings(subject: AzureSubject): readonly Violation[] {
  return ['siteConfig.appSettings[].value', 'siteConfig.connectionStrings[].connectionString'].flatMap((path) => valuesAt(subject.spec, path))
    .flatMap(({ field, value }) => {
      const account = closedByName(subject, accountOfString(value));
      return account ? needsKey(field, account, 'connect by identity: AzureWebJobsStorage__accountName') : [];
    });
}

/** A registry whose administrator cannot sign in, where a user of the name of the registry does. */
function administrators(subject: AzureSubject, list: string): readonly Violation[] {
  return valuesAt(subject.spec, `${list}[]`).flatMap(({ field, value }) => {
    const [server, user] = isRecord(value) ? [wordAt(value, 'server'), wordAt(value, 'username')] : [];
    const name = /^(?:https:\/\/)?([a-z0-9]+)\.azurecr\./.exec(server ?? '')?.[1];
    const registry = name !== undefined && name === user ? subject.named(REGISTRY, name) : undefined;
    return registry && valueAtPath(registry.spec, 'adminUserEnabled') === false
      ? violation(`${field}.username`, `is the administrator of the registry '${registry.name}', which has adminUserEnabled: false`, 'pull with an identity that has the role AcrPull') : [];
  });
}

function learningKeys(subject: AzureSubject): readonly Violation[] {
  const exported = valueAtPath(subject.spec, 'operatorSpec.secrets');
  if (!isRecord(exported)) return [];
  const account = closedByReference(subject, valueAtPath(subject.spec, 'storageAccountReference'));
  const registry = subject.referenced(valueAtPath(subject.spec, 'containerRegistryReference'));
  const isWithout = registry?.kind === REGISTRY && valueAtPath(registry.spec, 'adminUserEnabled') === false;
  return Object.keys(exported).flatMap((name) => {
    const field = `operatorSpec.secrets.${name}`;
    if (name === 'userStorageKey' && account) return needsKey(field, account, 'remove the export');
    return isWithout && name.startsWith('containerRegistry')
      ? violation(field, `is of the administrator of the registry '${registry.name}', which has adminUserEnabled: false`, 'remove the export') : [];
  });
}

export const SHARED_KEY_RULES: readonly AzureRule[] = [
  futile('site-storage-mount', SITE, 'A mount of an app needs a key of the account, unless it is NFS.',
    [`${LEARN}/app-service/configure-connect-to-azure-storage`, REFUSED], mounts),
  futile('site-storage-key', SITE, 'A connection string with a key names an account that allows keys.',
    [`${LEARN}/azure-functions/functions-reference#connecting-to-host-storage-with-an-identity`, REFUSED], settings),
  futile('container-group-share', GROUP, 'A container group mounts Azure Files by a key of the account.',
    [`${LEARN}/container-instances/container-instances-volume-azure-files`, REFUSED], (subject) =>
      valuesAt(subject.spec, 'volumes[].azureFile.storageAccountName').flatMap(({ field, value }) => {
        const account = closedByName(subject, value);
        return account ? needsKey(field, account, INSTEAD) : [];
      })),
  futile('container-group-logs', GROUP, 'Logs of a container group go to a workspace by its key.',
    [`${LEARN}/container-instances/container-instances-log-analytics`, 'the workspace takes nothing that comes with its key'], (subject) => {
      const path = 'diagnostics.logAnalytics.workspaceResourceReference';
      const workspace = subject.referenced(valueAtPath(subject.spec, path));
      return workspace && valueAtPath(workspace.spec, 'features.disableLocalAuth') === true
        ? violation('diagnostics.logAnalytics.workspaceKey', `is of the workspace '${workspace.name}', which has features.disableLocalAuth: true`, 'use another workspace') : [];
    }),
  futile('batch-storage-key', BATCH, 'Batch gets at its storage account by a key, unless authenticationMode says by identity.',
    [`${LEARN}/batch/batch-account-create-portal#configure-a-storage-account`, REFUSED], (subject) => {
      const path = 'autoStorage.storageAccountReference';
      const account = closedByReference(subject, valueAtPath(subject.spec, path));
      return account && wordAt(subject.spec, 'autoStorage.authenticationMode') !== 'batchaccountmanagedidentity'
        ? needsKey(path, account, 'write authenticationMode: BatchAccountManagedIdentity') : [];
    }),
  futile('event-hubs-capture-key', HUB, 'Capture gets at its storage account by a key, unless it has an identity.',
    [`${LEARN}/event-hubs/event-hubs-capture-managed-identity`, REFUSED], (subject) => {
      const path = 'captureDescription.destination';
      const account = closedByReference(subject, valueAtPath(subject.spec, `${path}.storageAccountResourceReference`));
      return account && valueAtPath(subject.spec, 'captureDescription.enabled') === true && valueAtPath(subject.spec, `${path}.identity`) === undefined
        ? needsKey(`${path}.storageAccountResourceReference`, account, 'give the destination an identity') : [];
    }),
  futile('event-hubs-capture-identity', HUB, 'The identity of a capture is one of the namespace.',
    [`${LEARN}/event-hubs/event-hubs-capture-managed-identity`, 'the capture has no identity to sign in with'], ({ spec, owner }) => {
      const path = 'captureDescription.destination.identity';
      const wanted = wordAt(spec, `${path}.type`);
      if (wanted === undefined || !owner || owner.exists || valueAtPath(spec, 'captureDescription.enabled') !== true) return [];
      return (wordAt(owner.spec, 'identity.type') ?? 'none').split(/,\s*/).includes(wanted) ? []
        : violation(`${path}.type`, `is ${String(valueAtPath(spec, `${path}.type`))}, but the namespace '${owner.name}' has no such identity`, 'give the namespace the identity');
    }),
  futile('sql-storage-key', SQL, 'Audits and scans with a key go to an account that allows keys.',
    [`${LEARN}/azure-sql/database/auditing-overview`, REFUSED], (subject) => {
      const url = ['storageEndpoint', 'storageContainerPath'].map((path) => valueAtPath(subject.spec, path)).find((value) => value !== undefined);
      const account = valueAtPath(subject.spec, 'storageAccountAccessKey') === undefined || wordAt(subject.spec, 'state') === 'disabled'
        ? undefined : closedByName(subject, accountOfUrl(url));
      return account ? needsKey('storageAccountAccessKey', account, 'remove it, and give the server an identity with a role in the account') : [];
    }),
  futile('registry-administrator', [...APPS, GROUP], 'A registry without an administrator gives its images to identities and tokens.',
    [`${LEARN}/container-registry/container-registry-authentication#admin-account`, NO_ADMIN], (subject) =>
      administrators(subject, subject.kind === GROUP ? 'imageRegistryCredentials' : 'configuration.registries')),
  futile('machine-learning-keys', MACHINE_LEARNING, 'A workspace exports keys of accounts and registries that have some.',
    [`${LEARN}/machine-learning/how-to-identity-based-service-authentication`, 'the key is refused, or Azure gives none out'], learningKeys),
];
