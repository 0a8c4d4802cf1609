import { advice, futile, LEARN, rule, violation, type AzureRule } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const MACHINE = 'compute.azure.com/VirtualMachine';
const SCALE_SET = 'compute.azure.com/VirtualMachineScaleSet';
const MACHINES = [MACHINE, SCALE_SET];
const EXTENSIONS = ['compute.azure.com/VirtualMachinesExtension', 'compute.azure.com/VirtualMachineScaleSetsExtension'];
const EXTENSION_PAGE = [`${LEARN}/virtual-machines/extensions/overview`, 'OperationNotAllowed'] as const;
const VAULT = 'keyvault.azure.com/Vault';
const inProfile = (kind: string, path: string) => (kind === SCALE_SET ? `virtualMachineProfile.${path}` : path);

/** Roles for what is in a vault. Other roles are for the vault itself, and hold in any. */
const DATA_ROLES = [
  'Administrator', 'Certificates Officer', 'Certificate User', 'Crypto Officer', 'Crypto Service Encryption User', 'Crypto User', 'Secrets Officer', 'Secrets User',
].map((role) => `key vault ${role.toLowerCase()}`);

/** A setting of a resource turns something off, and another resource needs it. */
export const MACHINE_SWITCH_RULES: readonly AzureRule[] = [
  rule('vm-extension-allowed', EXTENSIONS, 'A machine has extensions where it allows them.', EXTENSION_PAGE, ({ owner }) =>
    (owner && MACHINES.includes(owner.kind) && valueAtPath(owner.spec, inProfile(owner.kind, 'osProfile.allowExtensionOperations')) === false
      ? violation('owner', `is '${owner.name}', which has osProfile.allowExtensionOperations: false`, 'write true, or remove the extension') : [])),
  rule('vm-vault-deployment', MACHINES, 'A vault gives certificates to machines where it says so.',
    [`${LEARN}/virtual-machines/linux/key-vault-setup`, 'KeyVaultAccessForbidden'], (subject) =>
      valuesAt(subject.spec, inProfile(subject.kind, 'osProfile.secrets[].sourceVault.reference')).flatMap(({ field, value }) => {
        const vault = subject.referenced(value);
        return vault?.kind === VAULT && valueAtPath(vault.spec, 'properties.enabledForDeployment') === false
          ? violation(field, `is the vault '${vault.name}', which has enabledForDeployment: false`, 'write true') : [];
      })),
  advice('vm-password-unused', MACHINES, 'A machine without passwords has no password of an administrator.', `${LEARN}/virtual-machines/linux/create-ssh-keys-detailed`, (subject) => {
    const [off, password] = ['linuxConfiguration.disablePasswordAuthentication', 'adminPassword'].map((path) => inProfile(subject.kind, `osProfile.${path}`));
    return valueAtPath(subject.spec, off!) === true && valueAtPath(subject.spec, password!) !== undefined
      ? violation(password!, 'is given, but linuxConfiguration.disablePasswordAuthentication is true', 'remove it') : [];
  }),
];

export const PRIVATE_LINK_SERVICE_RULES: readonly AzureRule[] = [
  rule('private-link-service-policies', 'network.azure.com/PrivateLinkService', 'The subnet of a private link service has no network policies for it; they are on by default.',
    [`${LEARN}/private-link/disable-private-link-service-network-policy`, 'PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled'], (subject) =>
      valuesAt(subject.spec, 'ipConfigurations[].subnet.reference').flatMap(({ field, value }) => {
        const subnet = subject.referenced(value);
        const policies = subnet && wordAt(subnet.spec, 'privateLinkServiceNetworkPolicies');
        // The object of a subnet that others manage may leave out what is set.
        const isOn = policies === 'enabled' || (policies === undefined && subnet?.exists === false);
        return isOn && subnet?.kind === 'network.azure.com/VirtualNetworksSubnet'
          ? violation(field, `is the subnet '${subnet.name}', which has not privateLinkServiceNetworkPolicies: Disabled`, 'write Disabled in the subnet') : [];
      })),
];

export const CONFIGURATION_SWITCH_RULES: readonly AzureRule[] = [
  futile('app-configuration-values', ['appconfiguration.azure.com/KeyValue', 'appconfiguration.azure.com/Snapshot'],
    'A store without keys has values from Azure Resource Manager where its proxy passes identities through.',
    [`${LEARN}/azure-app-configuration/howto-disable-access-key-authentication`, 'Azure refuses it: local authentication of the store is off'], ({ owner }) =>
      (owner && valueAtPath(owner.spec, 'disableLocalAuth') === true && wordAt(owner.spec, 'dataPlaneProxy.authenticationMode') !== 'pass-through'
        ? violation('owner', `is the store '${owner.name}', which has disableLocalAuth: true`, 'write dataPlaneProxy.authenticationMode: Pass-through in the store') : [])),
];

export const VAULT_ROLE_RULES: readonly AzureRule[] = [
  advice('key-vault-role-unused', 'authorization.azure.com/RoleAssignment', 'A role for what is in a vault is given where roles give access.', `${LEARN}/key-vault/general/rbac-guide`, ({ spec, owner }) => {
    const role = wordAt(spec, 'roleDefinitionReference.wellKnownName');
    return owner?.kind === VAULT && role !== undefined && DATA_ROLES.includes(role) && valueAtPath(owner.spec, 'properties.enableRbacAuthorization') === false
      ? violation('roleDefinitionReference', `is a role for the content of the vault '${owner.name}', which has enableRbacAuthorization: false`, 'write true, or give an access policy') : [];
  }),
];
