import type { Entrance } from '../entrance';
import { controllerEntrances } from './controller';
import { crdEntrances } from './crds';
import { manifestEntrances } from './manifests';
import { secretEntrances } from './secrets';

/** All ways in. */
export const ENTRANCES: readonly Entrance[] = [...manifestEntrances, ...crdEntrances, ...controllerEntrances, ...secretEntrances];
