import type { Entrance } from '../entrance';
import { annotationEntrances } from './annotations';
import { azureEntrances } from './azure';
import { controllerEntrances } from './controller';
import { crdEntrances } from './crds';
import { expressionEntrances } from './expressions';
import { kubernetesEntrances } from './kubernetes';
import { logEntrances } from './log';
import { manifestEntrances } from './manifests';
import { reviewEntrances } from './reviews';
import { secretEntrances } from './secrets';

/** All ways in. */
export const ENTRANCES: readonly Entrance[] = [
  ...manifestEntrances, ...crdEntrances, ...controllerEntrances, ...azureEntrances, ...annotationEntrances, ...expressionEntrances,
  ...kubernetesEntrances, ...reviewEntrances, ...secretEntrances, ...logEntrances,
];
