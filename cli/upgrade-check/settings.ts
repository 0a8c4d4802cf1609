import { isRecord, text } from '../../src/util/records';
import { secretText } from '../../src/util/secret-data';

/** The settings by which a finding is decided. Of the Secret with the settings nothing else is looked at. */
export const OPERATOR_SETTINGS = ['AZURE_SYNC_PERIOD', 'MAX_CONCURRENT_RECONCILES'] as const;

/** Settings of the operator, as far as files or a cluster show them. */
export type Settings = Partial<Record<(typeof OPERATOR_SETTINGS)[number], string>>;

const SETTINGS_SECRET = 'aso-controller-settings';
const CHART = 'azure-service-operator';
const CHART_VALUES: Readonly<Record<string, (typeof OPERATOR_SETTINGS)[number]>> = {
  azureSyncPeriod: 'AZURE_SYNC_PERIOD', maxConcurrentReconciles: 'MAX_CONCURRENT_RECONCILES',
};

/** The operator's settings in manifests: its Secret, or the values of its chart in a HelmRelease of Flux or an Application of Argo CD. */
export function settingsIn(objects: readonly Readonly<Record<string, unknown>>[]): Settings {
  return Object.assign({}, ...objects.map(settingsOf)) as Settings;
}

function settingsOf(object: Readonly<Record<string, unknown>>): Settings {
  const { kind, metadata, spec } = object;
  if (kind === 'Secret' && text(metadata, 'name') === SETTINGS_SECRET) return secretSettings(object);
  if (kind === 'HelmRelease' && isRecord(spec) && chartOf(spec) === CHART) return chartSettings(spec.values);
  if (kind === 'Application' && isRecord(spec) && isRecord(spec.source) && spec.source.chart === CHART && isRecord(spec.source.helm)) {
    return chartSettings(spec.source.helm.valuesObject);
  }
  return {};
}

function secretSettings(secret: Readonly<Record<string, unknown>>): Settings {
  const settings: Settings = {};
  for (const key of OPERATOR_SETTINGS) {
    const value = secretText(secret, key);
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}

function chartOf(spec: Readonly<Record<string, unknown>>): string | undefined {
  return isRecord(spec.chart) && isRecord(spec.chart.spec) ? text(spec.chart.spec, 'chart') : undefined;
}

function chartSettings(values: unknown): Settings {
  const settings: Settings = {};
  if (!isRecord(values)) return settings;
  for (const [name, key] of Object.entries(CHART_VALUES)) {
    const value = values[name];
    if (typeof value === 'string' || typeof value === 'number') settings[key] = String(value);
  }
  return settings;
}
