import { isArmId } from '../../src/azure/arm-id';
import { isRecord } from '../../src/util/records';
import { readLimited } from '../manifests/read-limited';
import { UsageError } from '../output/usage-error';

/** The version of Terraform's state files since 0.12. */
const STATE_VERSION = 4;
const TYPE = /^(azurerm|azapi)_/;
/** `azurerm_subnet_network_security_group_association`: a property of a resource, by the id of that resource or the ids of two. */
const ASSOCIATION = /_association$/;
/** Its id is `<resource>|<name>`. */
const DIAGNOSTIC_SETTING = 'azurerm_monitor_diagnostic_setting';

/**
 * The ARM ids of the managed resources of azurerm and azapi in a state file, or in the output of `terraform show -json`. Resources of the
 * data plane, whose id is a URL, have none.
 * @see https://developer.hashicorp.com/terraform/internals/json-format
 * @throws UsageError for a file that cannot be read as one of these
 */
export function idsOfTerraformState(file: string): string[] {
  const state = parsed(file);
  const resources = state.version === undefined && state.format_version !== undefined ? ofShow(state) : ofState(file, state);
  const ids = resources.filter(({ type }) => TYPE.test(type)).map(armIdOf);
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/**
 * The ARM id of a resource. azurerm has ids of its own where Azure has none, or where it knew Azure's too late.
 * @see https://registry.terraform.io/providers/hashicorp/azurerm/latest/docs/resources/monitor_diagnostic_setting
 */
function armIdOf({ type, attributes }: Resource): string | undefined {
  // Storage containers, queues, shares and tables: `id` is their URL.
  const id = [attributes.id, attributes.resource_manager_id].find((one): one is string => typeof one === 'string' && isArmId(one));
  if (id === undefined || ASSOCIATION.test(type)) return undefined;
  const [own = '', name] = id.split('|');
  return type === DIAGNOSTIC_SETTING && name !== undefined ? `${own}/providers/Microsoft.Insights/diagnosticSettings/${name}` : own;
}

interface Resource {
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function ofState(file: string, state: Readonly<Record<string, unknown>>): Resource[] {
  if (state.version !== STATE_VERSION) {
    throw new UsageError(`import: ${file} is a state of version ${JSON.stringify(state.version)}; version ${STATE_VERSION} can be read (Terraform 0.12 and newer, OpenTofu)`);
  }
  return records(state.resources)
    .filter(({ mode }) => mode === 'managed')
    .flatMap(({ type, instances }) => records(instances).map((instance) => resourceOf(type, instance.attributes)));
}

function ofShow({ values }: Readonly<Record<string, unknown>>): Resource[] {
  const ofModule = (module: unknown): Resource[] => {
    if (!isRecord(module)) return [];
    const managed = records(module.resources).filter(({ mode }) => mode === 'managed');
    const own = managed.map(({ type, values: attributes }) => resourceOf(type, attributes));
    return [...own, ...records(module.child_modules).flatMap(ofModule)];
  };
  return isRecord(values) ? ofModule(values.root_module) : [];
}

function resourceOf(type: unknown, attributes: unknown): Resource {
  return { type: String(type), attributes: isRecord(attributes) ? attributes : {} };
}

function records(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function parsed(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readLimited(file);
  } catch (error) {
    throw new UsageError(`import: ${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The same as for JSON that is no object.
  }
  throw new UsageError(`import: ${file} is no state of Terraform: it is no JSON object`);
}
