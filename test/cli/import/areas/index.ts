import { APPS_AREA } from './apps';
import { COMPUTE_AREA } from './compute';
import { DATA_AREA } from './data';
import { MESSAGING_AREA } from './messaging';
import { MONITORING_AREA } from './monitoring';
import { NETWORK_AREA } from './network';
import type { Area } from './put';

/** The resource groups of the shop beside the one of `shop-group.ts`, each after those that it refers to. */
export const AREAS: readonly Area[] = [NETWORK_AREA, COMPUTE_AREA, DATA_AREA, MESSAGING_AREA, APPS_AREA, MONITORING_AREA];
