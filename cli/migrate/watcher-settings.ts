import { MODE, TARGET_NAMESPACES } from './asos-installation';
import { isRecord, isText } from '../../src/util/records';

/** Environment of a container of the old controller that decides about its watchers, as the Deployment had it. */
export interface WatcherSettings {
  readonly container: string;
  readonly env: readonly WatcherVariable[];
}

export interface WatcherVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
}

const SETTINGS: readonly string[] = [MODE, TARGET_NAMESPACES];
const NAME = /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/;
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;
const MAX_VALUE_LENGTH = 16 * 1024;

/** Whether a value of the journal, which everybody who can write ConfigMaps can edit, is such an environment and nothing else. */
export function isSettings(value: unknown): value is WatcherSettings {
  if (!isRecord(value) || !isText(value.container) || !NAME.test(value.container)) return false;
  return Array.isArray(value.env) && value.env.every(isVariable);
}

function isVariable(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.name) || !SETTINGS.includes(value.name)) return false;
  if (Object.keys(value).some((key) => !['name', 'value', 'valueFrom'].includes(key))) return false;
  if (value.value !== undefined) return isText(value.value) && value.value.length <= MAX_VALUE_LENGTH && value.valueFrom === undefined;
  return value.valueFrom === undefined || isReference(value.valueFrom);
}

function isReference(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const [[kind, reference] = ['', undefined], ...more] = Object.entries(value);
  if (more.length > 0 || !['secretKeyRef', 'configMapKeyRef'].includes(kind) || !isRecord(reference)) return false;
  const { name, key, optional, ...others } = reference;
  return isText(name) && NAME.test(name) && isText(key) && KEY.test(key) && (optional === undefined || typeof optional === 'boolean')
    && Object.keys(others).length === 0;
}
