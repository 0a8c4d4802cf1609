import { durationBetween, eachText, fits, lengthBetween, neededIf, noneOf, onlyIf, unique } from './finders';
import { LEARN, rule, unwise, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord, type Struct } from '../../util/records';

const MACHINE = 'compute.azure.com/VirtualMachine';
const SCALE_SET = 'compute.azure.com/VirtualMachineScaleSet';
const BOTH = [MACHINE, SCALE_SET];
const MACHINES = ['https://learn.microsoft.com/rest/api/compute/virtual-machines/create-or-update', 'InvalidParameter'] as const;
const ZONES = [`${LEARN}/virtual-machines/create-portal-availability-zone`, 'BadRequest'] as const;
const USERS = [`${LEARN}/virtual-machines/linux/faq`, 'InvalidParameter'] as const;
const SPOT = [`${LEARN}/virtual-machines/spot-vms`, 'InvalidParameter'] as const;
const EPHEMERAL = [`${LEARN}/virtual-machines/ephemeral-os-disks`, 'InvalidParameter'] as const;
const DISKS = [`${LEARN}/virtual-machines/managed-disks-overview`, 'InvalidParameter'] as const;
const NETWORK = [`${LEARN}/virtual-machines/windows/multiple-nics`, 'VirtualMachineMustHaveOneNetworkInterfaceAsPrimary'] as const;
const NOTICE = [`${LEARN}/virtual-machine-scale-sets/virtual-machine-scale-sets-terminate-notification`, 'InvalidParameter'] as const;
const CUSTOM_DATA = [`${LEARN}/virtual-machines/custom-data`, 'InvalidParameter'] as const;
const PATCHES = [`${LEARN}/virtual-machines/automatic-vm-guest-patching`, 'InvalidParameter'] as const;

/** @see https://learn.microsoft.com/azure/virtual-machines/linux/faq#what-are-the-username-requirements-when-creating-a-vm- */
const RESERVED_USERS = [
  'administrator', 'admin', 'user', 'user1', 'test', 'user2', 'test1', 'user3', 'admin1', '1', '123', 'a', 'actuser', 'adm', 'admin2', 'aspnet',
  'backup', 'console', 'david', 'guest', 'john', 'owner', 'root', 'server', 'sql', 'support', 'support_388945a0', 'sys', 'test2', 'test3', 'user4', 'user5',
];
const LARGEST_SYSTEM_DISK = 4095;
const LARGEST_DISK = 32_767;

/** A path in a machine, or in the profile of a scale set's machines. */
const inProfile = ({ kind }: AzureSubject, path: string) => (kind === SCALE_SET ? `virtualMachineProfile.${path}` : path);
type Find = AzureRule['find'];
/** A finder for machines and for the profiles of scale sets. */
const ofProfile = (path: string, find: (path: string) => Find): Find => (subject) => find(inProfile(subject, path))(subject);
const profile = (subject: AzureSubject, path: string) => valueAtPath(subject.spec, inProfile(subject, path));
const profileWord = (subject: AzureSubject, path: string) => wordAt(subject.spec, inProfile(subject, path));
const isSpot = (subject: AzureSubject) => ['spot', 'low'].includes(profileWord(subject, 'priority') ?? 'regular');
const isWindows = (subject: AzureSubject) =>
  profile(subject, 'osProfile.windowsConfiguration') !== undefined || profileWord(subject, 'storageProfile.osDisk.osType') === 'windows';

/**
 * A PUT that changes a machine leaves what it does not name, and Azure does not show passwords.
 * @see https://learn.microsoft.com/previous-versions/azure/virtual-machines/put-calls-create-or-update
 * @see https://github.com/hashicorp/terraform/pull/6528
 */
const credentials: Find = (subject) => {
  if (subject.exists) return [];
  if (profile(subject, 'osProfile.adminUsername') === undefined) return [];
  const hasKeys = valuesAt(subject.spec, inProfile(subject, 'osProfile.linuxConfiguration.ssh.publicKeys[]')).length > 0;
  if (hasKeys) return [];
  const keys = inProfile(subject, 'osProfile.linuxConfiguration.ssh');
  if (profile(subject, 'osProfile.linuxConfiguration.disablePasswordAuthentication') === true) {
    return violation(keys, 'has no publicKeys, and disablePasswordAuthentication is true', 'give an SSH key');
  }
  return profile(subject, 'osProfile.adminPassword') === undefined
    ? violation(inProfile(subject, 'osProfile.adminPassword'), 'is missing, and so is linuxConfiguration.ssh.publicKeys', 'give a password or an SSH key') : [];
};

/** An image of the Marketplace has four parts. */
const image: Find = (subject) => {
  const path = 'storageProfile.imageReference';
  const reference = profile(subject, path);
  if (reference === undefined) {
    const isMissing = profileWord(subject, 'storageProfile.osDisk.createOption') === 'fromimage'
      && profile(subject, 'storageProfile.osDisk.image') === undefined;
    return isMissing ? violation(inProfile(subject, path), 'is missing, but osDisk.createOption is FromImage', 'name the image') : [];
  }
  const parts = ['publisher', 'offer', 'sku', 'version'];
  const missing = parts.filter((part) => isRecord(reference) && reference[part] === undefined);
  return missing.length > 0 && missing.length < parts.length
    ? violation(`${inProfile(subject, path)}.${missing[0]!}`, 'is missing: an image has publisher, offer, sku and version', 'give it') : [];
};

const dataDisks: Find = (subject) => valuesAt(subject.spec, inProfile(subject, 'storageProfile.dataDisks[]')).flatMap(({ field, value }) => {
  const disk = isRecord(value) ? value : {};
  const option = wordAt(disk, 'createOption');
  const type = wordAt(disk, 'managedDisk.storageAccountType') ?? '';
  const isUltra = /^(ultrassd|premiumv2)_/.test(type);
  if (option === 'empty' && disk.diskSizeGB === undefined) return violation(`${field}.diskSizeGB`, 'is missing, but createOption is Empty', 'give it');
  if (option === 'attach' && ['managedDisk', 'vhd'].every((path) => disk[path] === undefined)) {
    return violation(`${field}.managedDisk`, 'is missing, but createOption is Attach', 'name the disk');
  }
  if (isUltra && !['none', undefined].includes(wordAt(disk, 'caching'))) {
    return violation(`${field}.caching`, 'is for other disks than Ultra and Premium SSD v2', 'write None');
  }
  return typeof disk.diskSizeGB === 'number' && type !== '' && !isUltra && disk.diskSizeGB > LARGEST_DISK
    ? violation(`${field}.diskSizeGB`, `is ${disk.diskSizeGB}`, `write ${LARGEST_DISK} at most`) : [];
});

const systemDisk: Find = (subject) => {
  const path = 'storageProfile.osDisk';
  const [size, type] = [profile(subject, `${path}.diskSizeGB`), profileWord(subject, `${path}.managedDisk.storageAccountType`) ?? ''];
  if (/^(ultrassd|premiumv2)_/.test(type)) {
    // Preview in some regions.
    return unwise(() => violation(inProfile(subject, `${path}.managedDisk.storageAccountType`), 'is for data disks', 'take another type'))(subject);
  }
  return typeof size === 'number' && size > LARGEST_SYSTEM_DISK
    ? violation(inProfile(subject, `${path}.diskSizeGB`), `is ${size}`, `write ${LARGEST_SYSTEM_DISK} at most`) : [];
};

const onePrimary: Find = (subject) => {
  const lists = subject.kind === MACHINE
    ? ['networkProfile.networkInterfaces', 'networkProfile.networkInterfaceConfigurations']
    : ['virtualMachineProfile.networkProfile.networkInterfaceConfigurations'];
  return lists.flatMap((path) => {
    const interfaces = valuesAt(subject.spec, `${path}[]`);
    const primary = interfaces.filter(({ value }) => isRecord(value) && value.primary === true).length;
    return interfaces.length > 1 && primary !== 1
      ? violation(path, `has ${primary} primary interfaces of ${interfaces.length}`, 'write primary: true for exactly one') : [];
  });
};

const base64: (path: string) => Find = (path) => eachText(path, (value) => {
  const text = value.replace(/\s/g, '');
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) ? undefined : ['is no base64', 'encode the text in base64'];
});

const computerName: Find = (subject) => {
  const path = subject.kind === MACHINE ? 'osProfile.computerName' : 'virtualMachineProfile.osProfile.computerNamePrefix';
  const isPrefix = subject.kind === SCALE_SET;
  if (!isWindows(subject)) return lengthBetween(path, 1, isPrefix ? 58 : 64)(subject);
  return [
    ...lengthBetween(path, 1, isPrefix ? 9 : 15)(subject),
    ...(isPrefix ? [] : fits(path, /\D/, 'no name of a computer: it has digits only', 'write a letter too')(subject)),
  ];
};

/** Parts that a new machine, or the profile of a scale set, has to have. A PUT that changes a machine leaves what it does not name. */
const parts: Find = (subject) => {
  if (subject.exists || (subject.kind === SCALE_SET && valueAtPath(subject.spec, 'virtualMachineProfile') === undefined)) return [];
  const isMissing = (path: string) => profile(subject, path) === undefined;
  const interfaces = ['networkInterfaces', 'networkInterfaceConfigurations'].map((list) => inProfile(subject, `networkProfile.${list}[]`));
  // A machine that joins a scale set may have its network from there.
  const isOffline = valueAtPath(subject.spec, 'virtualMachineScaleSet') === undefined && interfaces.every((path) => valuesAt(subject.spec, path).length === 0);
  // A disk that is attached, and an image of a machine with users, bring the system; those of the Marketplace do not.
  const needsUsers = profileWord(subject, 'storageProfile.osDisk.createOption') === 'fromimage'
    && profile(subject, 'storageProfile.imageReference.publisher') !== undefined;
  return [
    ...(subject.kind === MACHINE && isMissing('hardwareProfile') ? ['hardwareProfile'] : []),
    ...(isMissing('storageProfile') ? ['storageProfile'] : []),
    ...(needsUsers && isMissing('osProfile') ? ['osProfile'] : []),
    ...(isOffline ? ['networkProfile'] : []),
  ].flatMap((part) => violation(inProfile(subject, part), part === 'networkProfile' ? 'has no network interface' : 'is missing', 'give it'));
};

const isInSet = (spec: Struct) => valueAtPath(spec, 'availabilitySet') !== undefined;

export const MACHINE_RULES: readonly AzureRule[] = [
  rule('vm-admin', BOTH, 'The administrator has a name that Azure allows.', USERS,
    ofProfile('osProfile.adminUsername', (path) => noneOf(path, RESERVED_USERS, 'take another name')), (subject) =>
      lengthBetween(inProfile(subject, 'osProfile.adminUsername'), 1, isWindows(subject) ? 20 : 64)(subject)),
  rule('vm-profiles', BOTH, 'A new machine has a size, disks and a network interface, and users if its image has none.', MACHINES, parts),
  rule('vm-credentials', BOTH, 'A new machine has a password or an SSH key.', USERS, credentials),
  rule('vm-system', BOTH, 'A machine is configured for Linux or for Windows.', MACHINES, (subject) =>
    (profile(subject, 'osProfile.linuxConfiguration') !== undefined && profile(subject, 'osProfile.windowsConfiguration') !== undefined
      ? violation(inProfile(subject, 'osProfile.windowsConfiguration'), 'is given beside linuxConfiguration', 'give one of them') : [])),
  rule('vm-computer-name', BOTH, 'The name of a Windows computer has 15 characters at most, its prefix in a scale set 9.', MACHINES, computerName),
  rule('vm-custom-data', BOTH, 'Custom data and user data are in base64.', CUSTOM_DATA,
    ofProfile('osProfile.customData', base64), ofProfile('userData', base64)),
  rule('vm-size', MACHINE, 'The size is the name of a machine size.', [`${LEARN}/virtual-machines/sizes/overview`, 'InvalidParameter'],
    fits('hardwareProfile.vmSize', /^(Standard|Basic)_[A-Z]+\d[A-Za-z\d_-]*$/i, 'no size of a machine', 'write it like Standard_D2s_v5')),
  rule('vm-eviction', BOTH, 'An eviction policy and a highest price are for priority Spot.', SPOT,
    ofProfile('evictionPolicy', (path) => onlyIf([path], isSpot, 'is for priority Spot', 'remove it, or write priority: Spot')),
    ofProfile('billingProfile.maxPrice', (path) => (subject) => (profile(subject, 'billingProfile.maxPrice') === -1 ? []
      : onlyIf([path], isSpot, 'is for priority Spot', 'remove it, or write priority: Spot')(subject)))),
  rule('vm-zone', MACHINE, 'A machine lies in one zone, in an availability set, or in neither.', ZONES, ({ spec }) => {
    const zones = valuesAt(spec, 'zones[]').length;
    if (zones > 1) return violation('zones', `has ${zones} zones`, 'write one');
    return zones > 0 && isInSet(spec) ? violation('zones', 'is given beside availabilitySet', 'give one of them') : [];
  }),
  rule('vm-set', MACHINE, 'A machine of an availability set is in no scale set, and no Spot machine.', [`${LEARN}/virtual-machines/availability-set-overview`, 'OperationNotAllowed'], (subject) => {
    if (!isInSet(subject.spec)) return [];
    if (isSpot(subject)) return violation('priority', 'is Spot, but the machine is in an availability set', 'remove one of them');
    return valueAtPath(subject.spec, 'virtualMachineScaleSet') === undefined ? []
      : violation('virtualMachineScaleSet', 'is given beside availabilitySet', 'give one of them');
  }),
  rule('vm-image', BOTH, 'A system disk from an image names it: publisher, offer, SKU and version, or the id of an image.', MACHINES, image),
  rule('vm-attached', MACHINE, 'A machine whose system disk is attached has no osProfile: the disk has the users.', MACHINES, ({ spec }) =>
    (wordAt(spec, 'storageProfile.osDisk.createOption') === 'attach' && valueAtPath(spec, 'osProfile') !== undefined
      ? violation('osProfile', 'is given, but osDisk.createOption is Attach', 'remove it') : [])),
  rule('vm-system-disk', BOTH, 'A system disk has 4095 GiB at most, and is neither an Ultra disk nor Premium SSD v2 (a warning: a preview has them).', DISKS, systemDisk),
  rule('vm-ephemeral-disk', BOTH, 'An ephemeral system disk is made from an image, and caches reads.', EPHEMERAL, (subject) => {
    if (profile(subject, 'storageProfile.osDisk.diffDiskSettings.option') === undefined) return [];
    const [caching, option] = ['caching', 'createOption'].map((key) => profileWord(subject, `storageProfile.osDisk.${key}`));
    if (caching !== undefined && caching !== 'readonly') {
      const found = violation(inProfile(subject, 'storageProfile.osDisk.caching'), 'is another than ReadOnly, but the disk is ephemeral', 'write ReadOnly');
      // A disk on NVMe has no cache of the host.
      return caching === 'none' ? unwise(() => found)(subject) : found;
    }
    return option === 'attach' ? violation(inProfile(subject, 'storageProfile.osDisk.createOption'), 'is Attach, but the disk is ephemeral', 'write FromImage') : [];
  }),
  rule('vm-data-disks', BOTH, 'A data disk has its own unit number, and what its option to create it needs.', DISKS,
    ofProfile('storageProfile.dataDisks[].lun', (path) => unique(path, 'lun')), dataDisks),
  rule('vm-interfaces', BOTH, 'A machine of several network interfaces has one that is primary.', NETWORK, onePrimary),
  rule('vm-interface-version', BOTH, 'Interfaces that are made with the machine need the API version of the network.', MACHINES, (subject) => {
    if (subject.kind === SCALE_SET && wordAt(subject.spec, 'orchestrationMode') !== 'flexible') return [];
    const [path, configurations] = ['networkApiVersion', 'networkInterfaceConfigurations'].map((key) => inProfile(subject, `networkProfile.${key}`));
    return neededIf(path!, (spec) => valuesAt(spec, `${configurations!}[]`).length > 0, 'is missing, but networkInterfaceConfigurations needs it', 'write 2022-11-01')(subject);
  }),
  rule('vm-terminate-notice', BOTH, 'A machine is told 5 to 15 minutes before its end.', NOTICE,
    ofProfile('scheduledEventsProfile.terminateNotificationProfile.notBeforeTimeout', (path) => durationBetween(path, 'PT5M', 'PT15M'))),
  rule('vm-extension-time', BOTH, 'All extensions take 15 to 120 minutes.', MACHINES, (subject) =>
    durationBetween(subject.kind === MACHINE ? 'extensionsTimeBudget' : 'virtualMachineProfile.extensionProfile.extensionsTimeBudget', 'PT15M', 'PT2H')(subject)),
  rule('vm-patches', BOTH, 'Patches by the platform need the agent; hot patches need patches by the platform.', PATCHES, (subject) => {
    const path = 'osProfile.windowsConfiguration';
    const byPlatform = profileWord(subject, `${path}.patchSettings.patchMode`) === 'automaticbyplatform';
    if (profile(subject, `${path}.patchSettings.enableHotpatching`) === true && !byPlatform) {
      return violation(inProfile(subject, `${path}.patchSettings.enableHotpatching`), 'needs patchMode AutomaticByPlatform', 'write it, or remove this');
    }
    const agentless = ['osProfile.windowsConfiguration', 'osProfile.linuxConfiguration'].find((system) =>
      profileWord(subject, `${system}.patchSettings.patchMode`) === 'automaticbyplatform' && profile(subject, `${system}.provisionVMAgent`) === false);
    return agentless === undefined ? [] : violation(inProfile(subject, `${agentless}.provisionVMAgent`), 'is false, but patchMode is AutomaticByPlatform', 'write true');
  }),
];
